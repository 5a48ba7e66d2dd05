/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "analysis/examinations.h"
#include "expr/sign.h"

/* The name of the family of an instance: "brake" of "brake.1.x". */
static const char *family_of(arena *a, const char *instance)
{
  return arena_strndup(a, instance, strcspn(instance, "."));
}

void examine_forces(study *s, record *r)
{
  const ir_program *p = s->p;
  r->forces = ARENA_ARRAY(s->memory, p->n_forces + 1, record_force);
  for (int i = 0; i < p->n_forces; i++) {
    const ir_expr *velocity =
        p->functions[IR_HAMILTONIAN_GRAD].entries[p->nq + p->force_target[i]].value;
    const ir_expr *factors[] = {ir_integer(s->c, -1), p->functions[IR_FORCE].entries[i].value,
                                velocity};
    const int is_passive = !ir_may_be_negative(p, ir_mul(s->c, 3, factors));
    const char *name = family_of(s->memory, p->force_names[i]);
    record_force *last = r->n_forces > 0 ? &r->forces[r->n_forces - 1] : NULL;
    if (last && strcmp(last->name, name) == 0) {
      last->is_passive = last->is_passive && is_passive;
    } else {
      r->forces[r->n_forces++] = (record_force){name, is_passive};
    }
  }
}
