/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * acceleration.c -- of zdot = X_H + sum_j lambda_j X_{g_j}, with v = H_p,
 *
 *   A_i = {H_{p_i},H} + sum_j lambda_j {H_{p_i},g_j}     the acceleration, and
 *   B_i = {rho_i,H}   + sum_j lambda_j {rho_i,g_j}       rho', which the right multipliers make 0.
 *
 * Second derivatives are those of a sum with weights, a.A + b.B + c.H_p, which stand behind the multipliers: the inputs
 * lambda of that function are (lambda, a, b, c).
 */
#include "expr/acceleration.h"

#include "expr/builders.h"
#include "expr/derivative.h"

typedef struct acceleration {
  ir_context *context;
  arena *memory;
  const ir_program *from;
  ir_program *to;
  const ir_expr *const **g_z; /* nc gradients */
  const ir_expr *const *H_z;
} acceleration;

static const ir_expr *const *gradient_of(acceleration *s, const ir_expr *e)
{
  const ir_expr **out = ARENA_ARRAY(s->memory, 2 * s->from->nq, const ir_expr *);
  ir_gradient(s->context, 2 * s->from->nq, e, out);
  return out;
}

static const ir_expr *weight(const acceleration *s, int i)
{
  return ir_input(s->context, IR_LAMBDA, i);
}

/* Whether no constraint reads a momentum, and no entry of H_pp does. */
static int applies(acceleration *s)
{
  const ir_function *hess = &s->from->functions[IR_HAMILTONIAN_HESS];
  const int d = s->from->nq;
  int quadratic = 1;
  for (int e = 0; e < hess->n && quadratic; e++) {
    if (hess->entries[e].col >= d) {
      const ir_expr *const *slope = gradient_of(s, hess->entries[e].value);
      for (int i = d; i < 2 * d; i++) {
        quadratic = quadratic && ir_is_zero(slope[i]);
      }
    }
  }
  return quadratic && s->from->structure.holonomic;
}

/* f' along the constrained field. */
static const ir_expr *rate(acceleration *s, const ir_expr *f)
{
  const int d = s->from->nq;
  const int m = s->from->nc;
  const ir_expr **parts = ARENA_ARRAY(s->memory, m + 1, const ir_expr *);
  const ir_expr *const *f_z = gradient_of(s, f);
  for (int j = 0; j < m; j++) {
    parts[j] = ir_times(s->context, weight(s, j), ir_bracket(s->context, d, f_z, s->g_z[j]));
  }
  parts[m] = ir_bracket(s->context, d, f_z, s->H_z);
  return ir_add(s->context, m + 1, parts);
}

static void make_rates(acceleration *s)
{
  const int d = s->from->nq;
  const int m = s->from->nc;
  ir_function *f = &s->to->functions[IR_ACCELERATION];
  *f = (ir_function){d + m, 0, d + m, ARENA_ARRAY(s->memory, d + m, ir_entry)};
  for (int i = 0; i < d + m; i++) {
    const ir_expr *of = i < d ? s->H_z[d + i] : s->from->functions[IR_HIDDEN].entries[i - d].value;
    f->entries[i] = (ir_entry){i, 0, rate(s, of)};
  }
}

/* Appends the entries of *more, moved by that many columns, to the rows of *f. */
static ir_function beside(acceleration *s, const ir_function *f, const ir_function *more, int by)
{
  ir_function both = {f->rows, f->cols + more->cols, 0,
                      ARENA_ARRAY(s->memory, f->n + more->n + 1, ir_entry)};
  int a = 0;
  int b = 0;
  for (int i = 0; i < f->rows; i++) {
    for (; a < f->n && f->entries[a].row == i; a++) {
      both.entries[both.n++] = f->entries[a];
    }
    for (; b < more->n && more->entries[b].row == i; b++) {
      both.entries[both.n++] = (ir_entry){i, more->entries[b].col + by, more->entries[b].value};
    }
  }
  return both;
}

/* By (q, p, lambda). */
static ir_function jacobian_of(acceleration *s, const ir_function *f)
{
  const int d = s->from->nq;
  ir_function by_z = ir_jacobian(s->context, f, IR_Z, 2 * d);
  ir_function by_lambda = ir_jacobian(s->context, f, IR_LAMBDA, s->from->nc);
  return beside(s, &by_z, &by_lambda, 2 * d);
}

/* The lower triangle of the second derivatives of a sum, with `rows` variables. */
static ir_function second_derivatives(acceleration *s, const ir_expr *sum, int rows,
                                      int with_lambda)
{
  ir_entry value = {0, 0, sum};
  ir_function scalar = {1, 0, 1, &value};
  ir_function slope =
      with_lambda ? jacobian_of(s, &scalar) : ir_jacobian(s->context, &scalar, IR_Z, rows);
  for (int e = 0; e < slope.n; e++) {
    slope.entries[e].row = slope.entries[e].col;
  }
  slope.rows = rows;
  slope.cols = 0;
  ir_function all =
      with_lambda ? jacobian_of(s, &slope) : ir_jacobian(s->context, &slope, IR_Z, rows);
  ir_function lower = {rows, rows, 0, ARENA_ARRAY(s->memory, all.n + 1, ir_entry)};
  for (int e = 0; e < all.n; e++) {
    if (all.entries[e].col <= all.entries[e].row) {
      lower.entries[lower.n++] = all.entries[e];
    }
  }
  return lower;
}

/* a.A + b.B + c.H_p. */
static const ir_expr *weighted_rates(acceleration *s)
{
  const int d = s->from->nq;
  const int m = s->from->nc;
  const ir_function *f = &s->to->functions[IR_ACCELERATION];
  const ir_expr **parts = ARENA_ARRAY(s->memory, 2 * d + m, const ir_expr *);
  for (int i = 0; i < 2 * d + m; i++) {
    const ir_expr *of = i < d + m ? f->entries[i].value : s->H_z[i - m];
    parts[i] = ir_times(s->context, weight(s, m + i), of);
  }
  return ir_add(s->context, 2 * d + m, parts);
}

/* tau.Dg u, of the inputs (tau, u). */
static const ir_expr *weighted_slopes(acceleration *s)
{
  const int d = s->from->nq;
  const int m = s->from->nc;
  const ir_expr **parts = ARENA_ARRAY(s->memory, m * d + 1, const ir_expr *);
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < d; j++) {
      const ir_expr *both = ir_times(s->context, weight(s, i), weight(s, m + j));
      parts[i * d + j] = ir_times(s->context, both, s->g_z[i][j]);
    }
  }
  return ir_add(s->context, m * d, parts);
}

const ir_program *ir_with_acceleration(ir_context *c, const ir_program *p)
{
  arena *a = ir_context_arena(c);
  ir_program *to = ARENA_NEW(a, ir_program);
  const ir_expr *const **g_z = ARENA_ARRAY(a, p->nc + 1, const ir_expr *const *);
  acceleration s = {c, a, p, to, g_z, NULL};
  if (!applies(&s)) {
    return p;
  }
  *to = *p;
  to->n_weights = 2 * p->nq + p->nc;
  for (int i = 0; i < p->nc; i++) {
    g_z[i] = gradient_of(&s, p->functions[IR_CONSTRAINT].entries[i].value);
  }
  s.H_z = gradient_of(&s, p->functions[IR_HAMILTONIAN].entries[0].value);
  make_rates(&s);
  to->functions[IR_ACCELERATION_JAC] = jacobian_of(&s, &to->functions[IR_ACCELERATION]);
  to->functions[IR_ACCELERATION_HESS] =
      second_derivatives(&s, weighted_rates(&s), 2 * p->nq + p->nc, 1);
  if (p->nc > 0) {
    to->functions[IR_CONSTRAINT_THIRD] = second_derivatives(&s, weighted_slopes(&s), p->nq, 0);
  }
  return to;
}
