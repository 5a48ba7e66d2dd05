/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "expr/magnitude.h"

#include <stdlib.h>

#include "expr/builders.h"

/* Results by node id, so that shared parts are visited once.  Parts of the given expressions exist
 * at the start, so the table does not grow. */
typedef struct memory {
  ir_context *c;
  const ir_expr **done;
} memory;

static const ir_expr *magnitude(memory *m, const ir_expr *e);

static const ir_expr *absolute(ir_context *c, const ir_expr *a)
{
  return ir_apply(c, IR_ABS, a, NULL);
}

static const ir_expr *factor_magnitude(memory *m, const ir_factor *f)
{
  ir_context *c = m->c;
  const ir_expr *base = magnitude(m, f->base);
  int integer = rational_is_integer(f->exponent);
  if (integer && mpq_sgn(f->exponent) > 0) {
    return ir_pow(c, base, f->exponent);
  }
  const ir_expr *exponent = ir_number(c, f->exponent);
  const ir_expr *one = ir_integer(c, 1);
  const ir_expr *size = absolute(c, exponent);
  /* The exponent amplifies the error of the base.  An input has none. */
  size = f->base->kind == IR_INPUT || mpq_cmp_ui(size->value, 1, 1) < 0 ? one : size;
  if (base == absolute(c, f->base)) { /* no cancellation in the base */
    return ir_times(c, size, ir_pow(c, base, f->exponent));
  }
  mpq_srcptr less = ir_minus(c, exponent, one)->value;
  return ir_times(c, size, ir_times(c, ir_pow(c, absolute(c, f->base), less), base));
}

/* The magnitude of a product without the factor `but`; 1 if e is not a product. */
static const ir_expr *magnitude_of_factors(memory *m, const ir_expr *e, const ir_expr *but)
{
  const ir_expr **parts = ARENA_ARRAY(ir_context_arena(m->c), e->n + 1, const ir_expr *);
  int n = 0;
  for (int i = 0; e->kind == IR_PRODUCT && i < e->n; i++) {
    if (e->factors[i].base != but) {
      parts[n++] = factor_magnitude(m, &e->factors[i]);
    }
  }
  return ir_mul(m->c, n, parts);
}

/* |dG_k/dt| mag(t) + t^2 G_k(|c|, |t|)/(2 k + 2) mag(c); the factor of mag(c) bounds |dG_k/dc|. */
static const ir_expr *universal_slope(memory *m, const ir_expr *e)
{
  ir_context *c = m->c;
  const ir_expr *a = e->arguments[0];
  const ir_expr *t = e->arguments[1];
  int k = ir_universal_order(e->call);
  const ir_expr *by_t =
      k ? ir_apply(c, (ir_call)(e->call - 1), a, t) : ir_times(c, a, ir_apply(c, IR_G1, a, t));
  const ir_expr *by_c = ir_times(
      c, ir_power(c, ir_integer(c, 2 * k + 2), -1, 1),
      ir_times(c, ir_power(c, t, 2, 1), ir_apply(c, e->call, absolute(c, a), absolute(c, t))));
  return ir_plus(c, ir_times(c, absolute(c, by_t), magnitude(m, t)),
                 ir_times(c, by_c, magnitude(m, a)));
}

/* An upper bound of |f'(x)| times mag(x). */
static const ir_expr *magnitude_call_slope(memory *m, const ir_expr *e)
{
  ir_context *c = m->c;
  const ir_expr *x = e->arguments[0];
  const ir_expr *size = magnitude(m, x);
  const ir_expr *one = ir_integer(c, 1);
  const ir_expr *square = ir_power(c, x, 2, 1);
  switch (e->call) {
  case IR_TAN:
    return ir_times(c, ir_plus(c, one, ir_power(c, e, 2, 1)), size);
  case IR_ASIN:
  case IR_ACOS:
    return ir_times(c, ir_power(c, ir_minus(c, one, square), -1, 2), size);
  case IR_EXP:
    return ir_times(c, e, size);
  case IR_SINH:
  case IR_COSH:
    return ir_times(c, ir_apply(c, IR_COSH, x, NULL), size);
  case IR_LOG:
    return ir_times(c, ir_power(c, absolute(c, x), -1, 1), size);
  case IR_ATAN2: {
    const ir_expr *y = e->arguments[1];
    const ir_expr *cross =
        ir_plus(c, ir_times(c, size, absolute(c, y)), ir_times(c, magnitude(m, y), absolute(c, x)));
    return ir_times(c, cross, ir_power(c, ir_plus(c, square, ir_power(c, y, 2, 1)), -1, 1));
  }
  case IR_POW: {
    const ir_expr *y = e->arguments[1];
    /* Inputs have no rounding error. */
    int exact_base = x->kind == IR_INPUT;
    int exact_exponent = y->kind == IR_INPUT || y->kind == IR_NUMBER;
    const ir_expr *by_base =
        exact_base
            ? absolute(c, y)
            : ir_times(c, absolute(c, y), ir_times(c, size, ir_power(c, absolute(c, x), -1, 1)));
    if (exact_exponent) {
      return ir_times(c, absolute(c, e), by_base);
    }
    const ir_expr *by_exponent =
        ir_times(c, absolute(c, ir_apply(c, IR_LOG, absolute(c, x), NULL)), magnitude(m, y));
    return ir_times(c, absolute(c, e), ir_plus(c, by_base, by_exponent));
  }
  case IR_G0:
  case IR_G1:
  case IR_G2:
  case IR_G3:
    return universal_slope(m, e);
  case IR_SIN:
  case IR_COS:
  case IR_ATAN:
  case IR_TANH:
  case IR_ABS:
  case IR_INSIDE:
  case IR_SIGN:
  case IR_MIN:
  case IR_MAX:
  case IR_HOLD:
  case IR_CALLS:
    break;
  }
  return size; /* |f'| <= 1 */
}

/* ---- solutions of equations ---- */

/* If e = c v and v is an unknown of linear equations: the equations, the row of v, and *rest = c.
 * Returns NULL for any other e. */
static const ir_equations *solution_in(ir_context *c, const ir_expr *e, int *row,
                                       const ir_expr **rest)
{
  const ir_expr *v = e->kind == IR_CALL ? e : NULL;
  for (int i = 0; e->kind == IR_PRODUCT && i < e->n && !v; i++) {
    const ir_factor *f = &e->factors[i];
    int is_solution = rational_is_one(f->exponent) && ir_solved_by(c, f->base, row);
    v = is_solution ? f->base : NULL;
  }
  const ir_equations *of = v ? ir_solved_by(c, v, row) : NULL;
  if (of) {
    *rest = v == e ? ir_integer(c, 1) : ir_times(c, e, ir_power(c, v, -1, 1));
  }
  return of;
}

/* sum_j |sum_i c_i W_ij| mag(y_j) over the terms c_i v_i of the sum whose v_i belong to these
 * equations. */
static const ir_expr *solutions_magnitude(memory *m, const ir_expr *sum, const ir_equations *of)
{
  ir_context *c = m->c;
  const ir_expr **columns = ARENA_ARRAY(ir_context_arena(c), of->n, const ir_expr *);
  const ir_expr **parts = ARENA_ARRAY(ir_context_arena(c), sum->n + 1, const ir_expr *);
  for (int j = 0; j < of->n; j++) {
    int n = 0;
    for (int i = 0; i < sum->n; i++) {
      const ir_expr *rest = NULL;
      int row = 0;
      if (solution_in(c, sum->terms[i].node, &row, &rest) == of) {
        const ir_expr *entry = of->W[row * of->n + j];
        parts[n++] = ir_scale(c, sum->terms[i].coefficient, ir_times(c, rest, entry));
      }
    }
    columns[j] = ir_times(c, absolute(c, ir_add(c, n, parts)), magnitude(m, of->y[j]));
  }
  return ir_add(c, of->n, columns);
}

/* The magnitude of term c v of the sum: mag(c) |v|.  The first term of each system of equations
 * also carries the joint contribution of all its terms (solutions_magnitude). */
static const ir_expr *term_magnitude(memory *m, const ir_expr *sum, int i)
{
  ir_context *c = m->c;
  const ir_expr *node = sum->terms[i].node;
  const ir_expr *rest = NULL;
  int row = 0;
  const ir_equations *of = solution_in(c, node, &row, &rest);
  if (!of) {
    return magnitude(m, node);
  }
  const ir_expr *v = of->v[row];
  const ir_expr *size = ir_times(c, magnitude_of_factors(m, node, v), absolute(c, v));
  int is_first = 1;
  for (int before = 0; before < i && is_first; before++) {
    is_first = solution_in(c, sum->terms[before].node, &row, &rest) != of;
  }
  if (is_first) {
    mpq_t over;
    mpq_init(over);
    mpq_inv(over, sum->terms[i].coefficient);
    mpq_abs(over, over);
    size = ir_plus(c, size, ir_scale(c, over, solutions_magnitude(m, sum, of)));
    mpq_clear(over);
  }
  return size;
}

/* Entries of W count as exact; v alone counts as a sum of one term. */
static const ir_expr *held_magnitude(memory *m, const ir_expr *e)
{
  const ir_rule *rule = ir_rule_of(m->c, e);
  if (!rule || !rule->equations) {
    return magnitude(m, e->arguments[0]);
  }
  if (rule->column >= 0) {
    return absolute(m->c, e);
  }
  const ir_term alone = {ir_integer(m->c, 1)->value, e};
  const ir_expr sum = {.kind = IR_SUM, .n = 1, .terms = &alone};
  return ir_plus(m->c, absolute(m->c, e), solutions_magnitude(m, &sum, rule->equations));
}

/* Joins all terms or factors in one call: pairwise additions of n terms would create n sums. */
static const ir_expr *magnitude_compute(memory *m, const ir_expr *e)
{
  ir_context *c = m->c;
  const ir_expr **parts = NULL;
  switch (e->kind) {
  case IR_NUMBER:
  case IR_INPUT:
    return absolute(c, e);
  case IR_PI:
    return e;
  case IR_SUM:
    parts = ARENA_ARRAY(ir_context_arena(c), e->n, const ir_expr *);
    for (int i = 0; i < e->n; i++) {
      const ir_expr *size = absolute(c, ir_number(c, e->terms[i].coefficient));
      parts[i] = ir_times(c, size, term_magnitude(m, e, i));
    }
    return ir_add(c, e->n, parts);
  case IR_PRODUCT:
    return magnitude_of_factors(m, e, NULL);
  case IR_CALL:
    if (e->call == IR_HOLD) {
      return held_magnitude(m, e);
    }
    if (e->call == IR_ABS) {
      return magnitude(m, e->arguments[0]);
    }
    if (e->call == IR_INSIDE) {
      return e;
    }
    if (e->call == IR_SIGN) {
      return absolute(c, e);
    }
    if (e->call == IR_MIN || e->call == IR_MAX) {
      return ir_apply(c, IR_MAX, magnitude(m, e->arguments[0]), magnitude(m, e->arguments[1]));
    }
    return ir_plus(c, absolute(c, e), magnitude_call_slope(m, e));
  }
  return NULL;
}

static const ir_expr *magnitude(memory *m, const ir_expr *e)
{
  if (!m->done[e->id]) {
    m->done[e->id] = magnitude_compute(m, e);
  }
  return m->done[e->id];
}

void ir_magnitudes(ir_context *c, int n, const ir_expr *const e[], const ir_expr *out[])
{
  memory m = {c, ir_zeros(ir_context_size(c), sizeof *m.done)};
  for (int i = 0; i < n; i++) {
    out[i] = magnitude(&m, e[i]);
  }
  free(m.done);
}
