/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fused/composer.h"

#include <stdlib.h>

#include "expr/builders.h"
#include "expr/derivative.h"
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

const ir_expr *composer_value(composer *c, ir_function_id id, int i, const ir_expr *const z[])
{
  return composer_at(c, c->program->functions[id].entries[i].value, z, NULL);
}

const ir_expr *composer_slope_of_g(composer *c, const ir_expr *const x[], int i,
                                   const ir_expr *const u[])
{
  const ir_function *Dg = &c->program->functions[IR_CONSTRAINT_JAC];
  const ir_expr *sum = composer_zero(c);
  for (int e = 0; e < Dg->n; e++) {
    const ir_entry *entry = &Dg->entries[e];
    if (entry->row == i) {
      composer_add(c, &sum, composer_at(c, entry->value, x, NULL), u[entry->col]);
    }
  }
  return sum;
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

void composer_add(const composer *c, const ir_expr **sum, const ir_expr *a, const ir_expr *b)
{
  *sum = ir_plus(c->context, *sum, ir_times(c->context, a, b));
}

const ir_expr *composer_part_of_h(composer *c, double weight)
{
  return fused_define(c->values, "part_of_h", arena_printf(c->memory, "%.6g h", weight),
                      composer_scaled(c, weight, c->step->h));
}

const ir_expr *composer_zero(const composer *c)
{
  return ir_integer(c->context, 0);
}

const ir_expr **composer_formulas(const composer *c, int n)
{
  return ARENA_ARRAY(c->memory, n + 1, const ir_expr *);
}

const ir_expr **composer_zeros(const composer *c, int n)
{
  const ir_expr **zeros = composer_formulas(c, n);
  for (int i = 0; i < n; i++) {
    zeros[i] = composer_zero(c);
  }
  return zeros;
}

int *composer_blocks(composer *c, int n, const ir_expr *const A[])
{
  int *first = ARENA_ARRAY(c->memory, n + 1, int);
  for (int i = 0; i < n; i++) {
    first[i] = i;
  }
  for (int changed = 1; changed;) {
    changed = 0;
    for (int e = 0; e < n * n; e++) {
      int *a = &first[e / n];
      int *b = &first[e % n];
      if (A[e] && *a != *b) {
        *a = *b = *a < *b ? *a : *b;
        changed = 1;
      }
    }
  }
  return first;
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

/* ---- Newton's change of the unknowns of a phase, with its exact Jacobian ---- */

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
    return fused_slope(c->values, composer_value(c, IR_CONSTRAINT, i, c->z), j);
  }
  if (!c->phase->hidden || !fields_commute(c)) {
    return fused_slope(c->values, c->phase->F[i], j);
  }
  const ir_expr *given = ir_entry_at(&c->program->functions[IR_NONDEGENERACY], i, j);
  const ir_expr *entry = given ? composer_at(c, given, c->z, NULL) : composer_zero(c);
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
    x[0] = fused_compute_as(
        c->values, ir_times(c->context, x[0], ir_power(c->context, J->at[0][0], -1, 1)), "change");
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
      J.at[i][j] = ir_is_zero(slope) ? NULL : fused_compute_as(f, slope, "J_%d_%d", i + 1, j + 1);
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
          fused_compute_as(f, ir_times(c->context, x[i], phase->per_angle[place]), "change");
    }
  }
}

/* Entries of the state that are final before the last solve. They overwrite the start at
 * that point. Values of the new state, such as a force, are then computed once, for this solve and
 * for the next step. */

/* 1 if only slides and their requirements follow. */
static int only_slides(const sw_operation *rest)
{
  while (rest->kind == SW_FIBRE || rest->kind == SW_REQUIRE_G || rest->kind == SW_REQUIRE_RHO) {
    rest++;
  }
  return rest->kind == SW_END;
}

int composer_is_final(const composer *c, const sw_operation *rest, int i)
{
  const ir_function *flow = &c->program->functions[IR_FIBRE_FLOW];
  return rest->kind != SW_END && only_slides(rest) && c->program->nc > 0 &&
         ir_is_input(flow->entries[i].value, IR_Z, i);
}

/* The final value of entry j of the state. */
static const ir_expr *early_end_of(const composer *c, int j)
{
  return c->by ? c->step->end[j] : c->z[j];
}

void composer_mark_early(composer *c, const sw_operation *rest)
{
  fused_step *s = c->step;
  /* The previous state must remain that of the start in all entries. */
  const int has_earlier = s->dim > 2 * s->d && !c->by;
  if (s->advances >= 0 || !c->may_advance || has_earlier) {
    return;
  }
  for (int i = 0; i < s->dim; i++) {
    /* An unchanged entry is not moved, and values that depend on it remain valid. */
    s->is_early[i] =
        (char)(composer_is_final(c, rest, i % (2 * s->d)) && early_end_of(c, i) != s->z[i]);
    s->advances = s->is_early[i] ? c->values->phase : s->advances;
  }
}

/* The residuals and changes of a phase. */
typedef struct solved {
  int n;
  const ir_expr *from[2 * FUSED_UNKNOWNS_MOST];
} solved;

static solved what_is_solved(const fused_phase *phase)
{
  solved s = {.n = 2 * phase->n};
  for (int i = 0; i < phase->n; i++) {
    s.from[2 * i] = phase->F[i];
    s.from[2 * i + 1] = phase->change[i];
  }
  return s;
}

/* The expression of value i, after the early entries have overwritten the start, in terms of now[],
 * the expressions of earlier values. NULL if it does not follow from them. *formula: its formula,
 * if it is a value of the state, else NULL. */
static const ir_expr *there(const composer *c, int i, const ir_expr *const now[],
                            const ir_expr **formula)
{
  const fused_values *f = c->values;
  const ir_expr *node = ir_input(c->context, IR_VALUE, i);
  const int level = fused_level(f->at[i].reads);
  *formula = NULL;
  for (int j = 0; j < c->step->dim; j++) {
    if (c->step->z[j] == node) {
      return c->step->is_early[j] ? early_end_of(c, j) : NULL;
    }
  }
  if (level != FUSED_PLACE || !f->at[i].formula) {
    return level == FUSED_SETUP ? node : NULL;
  }
  const fused_list reads = fused_reads(f, f->at[i].formula);
  int follows = 1;
  for (int j = 0; j < reads.n; j++) {
    follows &= reads.at[j] < i && now[reads.at[j]] != NULL;
  }
  *formula = follows ? ir_substitute(c->context, IR_VALUE, now, f->at[i].formula) : NULL;
  return *formula;
}

/* Removes entries from the early ones if their ends depend on values of the new state, such as a
 * force, which are computed after the move. Returns the number of removed entries. */
static int find_late(composer *c)
{
  fused_values *f = c->values;
  const solved by = what_is_solved(c->phase);
  const ir_expr **now = ir_zeros((size_t)f->n + 1, sizeof *now);
  int late = 0;
  for (int i = 0; i < f->n; i++) {
    const ir_expr *formula = NULL;
    now[i] = there(c, i, now, &formula);
    const ir_expr *known = formula ? fused_known(f, formula) : NULL;
    now[i] = known ? known : now[i];
    if (!known || !fused_of(f, known) || !fused_of(f, known)->formula ||
        fused_is_needed(f, known->index, by.n, by.from)) {
      continue;
    }
    char *needs = fused_needing(f, known->index);
    for (int j = 0; j < c->step->dim; j++) {
      const ir_expr *end = c->step->is_early[j] ? early_end_of(c, j) : NULL;
      if (end && fused_of(f, end) && needs[end->index]) {
        /* an entry and its carry stay together */
        c->step->is_early[j] = c->step->is_early[(j + 2 * c->step->d) % c->step->dim] = 0;
        late++;
      }
    }
    free(needs);
  }
  free(now);
  return late;
}

void composer_renew_place(composer *c)
{
  fused_values *f = c->values;
  const solved by = what_is_solved(c->phase);
  const int n = f->n; /* each value may get a renewed one */
  const ir_expr **now = ir_zeros((size_t)n + 1, sizeof *now);
  while (find_late(c) > 0) {
  }
  for (int i = 0; i < n; i++) {
    const ir_expr *formula = NULL;
    now[i] = there(c, i, now, &formula);
    if (formula) {
      now[i] = fused_renewed(f, ir_input(c->context, IR_VALUE, i));
      fused_take_over(f, formula, now[i], by.n, by.from);
      fused_equate(f, formula, now[i]);
    }
  }
  free(now);
}
