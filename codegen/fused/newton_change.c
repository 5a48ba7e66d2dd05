/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * newton_change.c -- Newton's change of the unknowns of a phase, with its exact Jacobian.
 */
#include "expr/builders.h"
#include "expr/derivative.h"
#include "fused/composer.h"

/* Position of unknown i in the elimination. Multipliers come last, because stage values have pivots
 * near 1. */
static int place_in_order(const fused_phase *phase, int i)
{
  const int multipliers = phase->m + phase->forces;
  return i < phase->n - multipliers ? i + multipliers : i - (phase->n - multipliers);
}

static const ir_expr *jacobian_entry(composer *c, int i, int j);

/* 1 if the fields X_{g_i} commute everywhere, and not on M alone. */
static int fields_commute(const composer *c)
{
  return c->program->structure.n_pairs == 0;
}

void composer_hide(composer *c, int i, const ir_expr *formula)
{
  for (int j = 0; j < c->phase->m && fields_commute(c) && !c->flow.rate[j]; j++) {
    const char *name = arena_printf(c->memory, "%d_%d", i + 1, j + 1);
    const ir_expr *slope = composer_define(c, "N", name, jacobian_entry(c, i, j));
    if (fused_level(fused_depends(c->values, slope)) < FUSED_TRY(c->values->phase)) {
      fused_equate(c->values, fused_slope(c->values, formula, j), slope);
    }
  }
  composer_equate(c, i, "rho", i, formula, c->step->scale_rho[i]);
}

/* dF_i/du_j, or the derivative by the angle. For rho along the fibre it is {rho_i,g_j} = N_ij at
 * the end of the slide if the fields X_{g_j} commute (paper 000, Lemma 3.11). */
static const ir_expr *jacobian_entry(composer *c, int i, int j)
{
  if (c->by && !c->phase->hidden && i < c->phase->m) {
    /* The residual of a compensated step has the slopes of g. */
    const ir_expr *g = c->program->functions[IR_CONSTRAINT].entries[i].value;
    return fused_slope(c->values, composer_at(c, g, c->z, NULL), j);
  }
  if (!c->phase->hidden || !fields_commute(c)) {
    return fused_slope(c->values, c->phase->F[i], j);
  }
  const ir_expr *given = ir_entry_at(&c->program->functions[IR_NONDEGENERACY], i, j);
  const ir_expr *entry = given ? composer_at(c, given, c->z, NULL) : ir_integer(c->context, 0);
  const ir_expr *rate = c->flow.rate[j];
  return rate ? ir_times(c->context, entry,
                         ir_power(c->context, composer_at(c, rate, NULL, NULL), -1, 1))
              : entry;
}

/* x <- J^{-1} x; sets the pivots, which show the sign of the determinant. Returns 0 if a pivot is
 * always zero. */
static int solve_for(composer *c, fused_matrix *J, const ir_expr *x[])
{
  fused_phase *phase = c->phase;
  if (J->n == 1 && J->at[0][0] && phase->per_angle[0]) {
    /* Everything except J is known earlier, so that a single division is the last operation. */
    phase->n_pivots = 1;
    phase->pivot[0] = J->at[0][0];
    x[0] = ir_times(c->context, x[0], phase->per_angle[0]);
    x[0] = fused_compute(c->values, "change", "",
                         ir_times(c->context, x[0], ir_power(c->context, J->at[0][0], -1, 1)));
    return 1;
  }
  if (c->is_cut && J->n <= FUSED_COFACTORS_MOST) {
    phase->n_pivots = 1;
    phase->pivot[0] = fused_solve_by_cofactors(c->values, "J", J, x);
    return phase->pivot[0] != NULL;
  }
  if (!fused_factorise(c->values, "J", J)) {
    return 0;
  }
  fused_solve(c->values, "change", J, x);
  phase->n_pivots = J->n;
  for (int i = 0; i < J->n; i++) {
    phase->pivot[i] = J->at[i][i];
  }
  return 1;
}

void composer_change(composer *c)
{
  fused_phase *phase = c->phase;
  fused_values *f = c->values;
  fused_matrix J = {.n = phase->n, .is_free = phase->n == phase->m};
  const ir_expr *x[FUSED_UNKNOWNS_MOST];
  phase->is_linear = 1;
  for (int i = 0; i < J.n; i++) {
    const int row = place_in_order(phase, i);
    x[i] = ir_negated(c->context, phase->F[row]);
    for (int j = 0; j < J.n; j++) {
      const ir_expr *slope = jacobian_entry(c, row, place_in_order(phase, j));
      const char *name = arena_printf(c->memory, "J_%d_%d", i + 1, j + 1);
      J.at[i][j] = ir_is_zero(slope) ? NULL : fused_compute(f, name, "", slope);
      phase->is_linear &=
          !J.at[i][j] || fused_level(fused_depends(f, J.at[i][j])) < FUSED_TRY(f->phase);
    }
  }
  if (!solve_for(c, &J, x)) {
    c->refusal = "the Jacobian of a solve has a pivot that is always zero";
    return;
  }
  for (int i = 0; i < J.n; i++) {
    const int place = place_in_order(phase, i);
    phase->change[place] = x[i];
    if (phase->per_angle[place] && J.n > 1) {
      phase->change[place] =
          fused_compute(f, "change", "", ir_times(c->context, x[i], phase->per_angle[place]));
    }
  }
}
