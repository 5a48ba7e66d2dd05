/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fused/composer.h"

#include "expr/builders.h"
#include "expr/substitute.h"

const ir_expr *composer_at(composer *c, const ir_expr *formula, const ir_expr *const z[],
                           const ir_expr *const lambda[])
{
  if (z) {
    formula = ir_substitute(c->context, IR_Z, z, formula);
  }
  if (lambda) {
    formula = ir_substitute(c->context, IR_LAMBDA, lambda, formula);
  }
  return ir_substitute(c->context, IR_K, c->step->k, formula);
}

const char *composer_name(const composer *c, int i)
{
  const ir_program *p = c->program;
  return i < p->nq ? p->q_names[i] : p->p_names[i - p->nq];
}

const ir_expr *composer_define(composer *c, const char *what, const char *of,
                               const ir_expr *formula)
{
  return fused_define(c->values, arena_printf(c->memory, "%s_%s", what, of), "", formula);
}

const ir_expr *composer_scaled(const composer *c, double factor, const ir_expr *formula)
{
  mpq_t exact;
  mpq_init(exact);
  mpq_set_d(exact, factor);
  const ir_expr *product = ir_scale(c->context, exact, formula);
  mpq_clear(exact);
  return product;
}

int composer_has_room(composer *c)
{
  if (c->phase->n == FUSED_UNKNOWNS_MOST) {
    c->refusal = arena_printf(c->memory, "it has more than %d unknowns", FUSED_UNKNOWNS_MOST);
  }
  return c->phase->n < FUSED_UNKNOWNS_MOST;
}

const ir_expr *composer_unknown(composer *c, const char *name, const char *note,
                                const ir_expr *guess)
{
  fused_phase *phase = c->phase;
  if (!composer_has_room(c)) {
    return guess;
  }
  phase->guess[phase->n] = guess;
  phase->unknown[phase->n] = fused_unknown(c->values, name, note);
  return phase->unknown[phase->n++];
}

void composer_next_phase(composer *c)
{
  c->start = c->z;
  fused_close_phase(c->values);
  c->step->n_phases++;
  c->phase++;
}

void composer_hold(composer *c, int row, int i, const ir_expr *formula)
{
  const ir_program *p = c->program;
  const char *name = p->c_names[i];
  c->phase->F[row] = fused_define(c->values, arena_printf(c->memory, "g_%s", name), "", formula);
  c->phase->over_scale[row] =
      fused_define(c->values, arena_printf(c->memory, "over_scale_g_%s", name), "",
                   ir_power(c->context, c->step->scale_g[i], -1, 1));
}

void composer_miss(composer *c, int row, int half, const char *name, const ir_expr *formula)
{
  const ir_expr *size = half ? c->step->size_p : c->step->size_q;
  c->phase->is_of_state[row] = 1;
  c->phase->F[row] = fused_define(c->values, arena_printf(c->memory, "miss_%s", name), "", formula);
  c->phase->over_scale[row] = fused_define(c->values, half ? "over_size_p" : "over_size_q", "",
                                           ir_power(c->context, size, -1, 1));
}
