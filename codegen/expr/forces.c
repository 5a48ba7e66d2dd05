/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "expr/forces.h"

#include "expr/derivative.h"

/* 1 if e reads one of the inputs z[first], ..., z[last - 1]. */
static int reads_between(ir_context *c, const ir_expr *e, int first, int last)
{
  char *reads = ARENA_ARRAY(ir_context_arena(c), last + 1, char);
  int found = 0;
  ir_inputs_read(c, IR_Z, last, e, reads);
  for (int i = first; i < last && !found; i++) {
    found = reads[i];
  }
  return found;
}

sw_force_kind ir_force_kind(ir_context *c, const ir_program *p)
{
  const ir_function *jac = &p->functions[IR_FORCE_JAC];
  const int d = p->nq;
  const ir_expr **slopes = ARENA_ARRAY(ir_context_arena(c), d + 1, const ir_expr *);
  int reads = 0;
  for (int e = 0; e < jac->n; e++) {
    const ir_entry *entry = &jac->entries[e];
    const int target = p->force_target[entry->row];
    if (entry->col < d) {
      continue;
    }
    if (entry->col != d + target || reads_between(c, entry->value, d, 2 * d)) {
      return SW_FORCE_ANY;
    }
    const ir_expr *sum[] = {entry->value, slopes[target]};
    slopes[target] = ir_add(c, slopes[target] ? 2 : 1, sum);
    reads = 1;
  }
  int same = 1;
  for (int i = 0; i < d && same; i++) {
    same = slopes[i] && slopes[i] == slopes[0] && !reads_between(c, slopes[i], 0, 2 * d);
  }
  return !reads ? SW_FORCE_OF_Q : same ? SW_FORCE_DAMPING : SW_FORCE_DIAGONAL;
}
