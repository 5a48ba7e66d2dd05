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
  return ir_program_entry_name(c->program, i);
}

const ir_expr *composer_define(composer *c, const char *what, const char *of,
                               const ir_expr *formula)
{
  return fused_define(c->values, arena_printf(c->memory, "%s_%s", what, of), "", formula);
}

const ir_expr *composer_define_entry(composer *c, const char *what, int i, const ir_expr *formula)
{
  return composer_define(c, what, composer_name(c, i), formula);
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

const ir_expr *composer_part_of_h(composer *c, double weight)
{
  return fused_define(c->values, "part_of_h", arena_printf(c->memory, "%.6g h", weight),
                      composer_scaled(c, weight, c->step->h));
}

const ir_expr **composer_zeros(const composer *c, int n)
{
  const ir_expr **zeros = ARENA_ARRAY(c->memory, n + 1, const ir_expr *);
  for (int i = 0; i < n; i++) {
    zeros[i] = ir_integer(c->context, 0);
  }
  return zeros;
}

int composer_conjugate(const composer *c, int i)
{
  return i < c->step->d ? i + c->step->d : i - c->step->d;
}

const ir_expr *composer_driving(const composer *c, int i, const ir_expr *slope)
{
  return i < c->step->d ? slope : ir_negated(c->context, slope);
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

void composer_find_N(composer *c, const char *what, const ir_expr *const z[], fused_matrix *N)
{
  const ir_function *f = &c->program->functions[IR_NONDEGENERACY];
  *N = (fused_matrix){.n = c->program->nc, .is_free = 1};
  for (int e = 0; e < f->n && N->n; e++) {
    const ir_entry *entry = &f->entries[e];
    const char *name = arena_printf(c->memory, "%d_%d", entry->row + 1, entry->col + 1);
    N->at[entry->row][entry->col] =
        composer_define(c, what, name, composer_at(c, entry->value, z, NULL));
  }
}

void composer_factorise(composer *c, const char *matrix, const char *what, fused_matrix *m)
{
  if (!c->refusal && !fused_factorise(c->values, what, m)) {
    c->refusal = arena_printf(c->memory, "an entry of the diagonal of %s is zero", matrix);
  }
}

void composer_next_phase(composer *c)
{
  c->start = c->z;
  fused_close_phase(c->values);
  c->step->n_phases++;
  c->phase++;
}

void composer_equate(composer *c, int row, const char *what, int i, const ir_expr *formula,
                     const ir_expr *scale)
{
  const char *name = c->program->c_names[i];
  c->phase->F[row] = composer_define(c, what, name, formula);
  c->phase->over_scale[row] = composer_define(c, arena_printf(c->memory, "over_scale_%s", what),
                                              name, ir_power(c->context, scale, -1, 1));
}

void composer_hold(composer *c, int row, int i, const ir_expr *formula)
{
  composer_equate(c, row, "g", i, formula, c->step->scale_g[i]);
}

void composer_miss(composer *c, int row, int half, const char *name, const ir_expr *formula)
{
  const ir_expr *size = half ? c->step->size_p : c->step->size_q;
  c->phase->is_of_state[row] = 1;
  c->phase->F[row] = composer_define(c, "miss", name, formula);
  c->phase->over_scale[row] = fused_define(c->values, half ? "over_size_p" : "over_size_q", "",
                                           ir_power(c->context, size, -1, 1));
}
