/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * acceleration.c -- accelerations along the constrained field zdot = X_H + sum_j lambda_j X_{g_j},
 * with v = H_p:
 *
 *   A_i = {H_{p_i},H} + sum_j lambda_j {H_{p_i},g_j}     the acceleration
 *   B_i = {rho_i,H}   + sum_j lambda_j {rho_i,g_j}       rho', which the right multipliers make 0
 *
 * The function of second derivatives differentiates the weighted sum a.A + b.B + c.H_p.  The
 * weights follow the multipliers: the IR_LAMBDA inputs of this function are (lambda, a, b, c).
 *
 * If v solves M v = y, then A solves M A = F with F = y_q v - M_q v v - H_q - sum_j lambda_j g_q.
 * Let w collect the weights of all A_i, including those from B.  Then w.A = alpha.F, with M alpha =
 * w.  No second derivative of M^-1 is ever formed.
 */
#include <stdlib.h>

#include "expr/builders.h"
#include "expr/derivative.h"
#include "expr/loops.h"

/* The largest number of nodes in one of these functions.  A C compiler needs about a minute for one
 * function of this size, and far longer beyond it. */
#define ACCELERATION_MOST 20000

/* Second derivatives have at least this many times the nodes of first ones.  If the estimate
 * exceeds ACCELERATION_MOST, second derivatives are not tried. */
#define FEWEST_TIMES 4

typedef struct acceleration {
  ir_context *context;
  arena *memory;
  const ir_program *from;
  ir_program *to;
  const ir_expr *const **g_z; /* gradients of the nc constraints */
  const ir_expr *const *H_z;
  const ir_expr **F; /* d right-hand sides; NULL if no velocity solves equations */
} acceleration;

static const ir_expr *const *gradient_of(acceleration *s, const ir_expr *e)
{
  const ir_expr **out = ARENA_ARRAY(s->memory, 2 * s->from->nq, const ir_expr *);
  ir_gradient(s->context, 2 * s->from->nq, e, out);
  return out;
}

static const ir_expr *acceleration_weight(const acceleration *s, int i)
{
  return ir_input(s->context, IR_LAMBDA, i);
}

/* 1 if no entry of the momentum block (p,p) of a 2d x 2d lower triangle reads a momentum. */
static int acceleration_is_quadratic(ir_context *c, int d, const ir_function *hess)
{
  const ir_expr **slope = ARENA_ARRAY(ir_context_arena(c), 2 * d + 1, const ir_expr *);
  int quadratic = 1;
  for (int e = 0; e < hess->n && quadratic; e++) {
    if (hess->entries[e].col >= d) {
      ir_gradient(c, 2 * d, hess->entries[e].value, slope);
      for (int i = d; i < 2 * d; i++) {
        quadratic = quadratic && ir_is_zero(slope[i]);
      }
    }
  }
  return quadratic;
}

/* The time derivative of f along the constrained field. */
static const ir_expr *acceleration_rate(acceleration *s, const ir_expr *f)
{
  const int d = s->from->nq;
  const int m = s->from->nc;
  const ir_expr **parts = ARENA_ARRAY(s->memory, m + 1, const ir_expr *);
  const ir_expr *const *f_z = gradient_of(s, f);
  for (int j = 0; j < m; j++) {
    parts[j] =
        ir_times(s->context, acceleration_weight(s, j), ir_bracket(s->context, d, f_z, s->g_z[j]));
  }
  parts[m] = ir_bracket(s->context, d, f_z, s->H_z);
  return ir_add(s->context, m + 1, parts);
}

/* The equations that velocity i solves, and its row in them; NULL if it solves none. */
static const ir_equations *acceleration_equations_of(const acceleration *s, int i, int *row)
{
  return ir_solved_by(s->context, s->H_z[s->from->nq + i], row);
}

/* Component i of the right-hand side F. */
static const ir_expr *force(acceleration *s, int i)
{
  ir_context *c = s->context;
  const int d = s->from->nq;
  const int m = s->from->nc;
  int row = 0;
  const ir_equations *of = acceleration_equations_of(s, i, &row);
  const ir_expr **parts = ARENA_ARRAY(s->memory, d + m + 1, const ir_expr *);
  const ir_expr **slopes = ARENA_ARRAY(s->memory, d + of->n, const ir_expr *);
  const ir_expr *const *y_z = gradient_of(s, of->y[row]);
  const ir_expr *const **M_z = ARENA_ARRAY(s->memory, of->n, const ir_expr *const *);
  for (int j = 0; j < of->n; j++) {
    const ir_expr *entry = of->M[row * of->n + j];
    M_z[j] = entry ? gradient_of(s, entry) : NULL;
  }
  for (int k = 0; k < d; k++) {
    int n = 0;
    slopes[n++] = y_z[k];
    for (int j = 0; j < of->n; j++) {
      if (M_z[j]) {
        slopes[n++] = ir_negated(c, ir_times(c, ir_held(c, M_z[j][k]), of->v[j]));
      }
    }
    parts[k] = ir_times(c, ir_add(c, n, slopes), s->H_z[d + k]);
  }
  for (int j = 0; j < m; j++) {
    parts[d + j] = ir_negated(c, ir_times(c, acceleration_weight(s, j), s->g_z[j][i]));
  }
  parts[d + m] = ir_negated(c, s->H_z[i]);
  return ir_add(c, d + m + 1, parts);
}

/* Solves the equations of all velocities for right-hand sides b; x_i = b_i if velocity i has no
 * equations. */
static const ir_expr **acceleration_solved(acceleration *s, const ir_expr *const b[])
{
  const int d = s->from->nq;
  const ir_expr **x = ARENA_ARRAY(s->memory, d, const ir_expr *);
  const ir_expr **y = ARENA_ARRAY(s->memory, d, const ir_expr *);
  for (int i = 0; i < d; i++) {
    int row = 0;
    const ir_equations *of = acceleration_equations_of(s, i, &row);
    if (!of || x[i]) {
      x[i] = x[i] ? x[i] : b[i];
      continue;
    }
    for (int j = i; j < d; j++) {
      if (acceleration_equations_of(s, j, &row) == of) {
        y[row] = b[j];
      }
    }
    const ir_equations *other = ir_solve(s->context, of, y);
    for (int j = i; j < d; j++) {
      if (acceleration_equations_of(s, j, &row) == of) {
        x[j] = other->v[row];
      }
    }
  }
  return x;
}

/* sum_i g_i A_i + v.g_qq v for constraint j; A = NULL drops the first sum. */
static const ir_expr *second_rate(acceleration *s, int j, const ir_expr *const A[])
{
  ir_context *c = s->context;
  const int d = s->from->nq;
  const ir_expr **parts = ARENA_ARRAY(s->memory, d + d * d, const ir_expr *);
  int n = 0;
  for (int i = 0; i < d; i++) {
    const ir_expr *const *slope = gradient_of(s, s->g_z[j][i]);
    parts[n++] = A ? ir_times(c, s->g_z[j][i], A[i]) : ir_integer(c, 0);
    for (int k = 0; k < d; k++) {
      const ir_expr *both = ir_times(c, s->H_z[d + i], s->H_z[d + k]);
      parts[n++] = ir_times(c, slope[k], both);
    }
  }
  return ir_add(c, n, parts);
}

static void make_rates(acceleration *s)
{
  const int d = s->from->nq;
  const int m = s->from->nc;
  const ir_expr **values = ARENA_ARRAY(s->memory, d + m, const ir_expr *);
  int row = 0;
  for (int i = 0; i < d; i++) {
    s->F = !s->F && acceleration_equations_of(s, i, &row)
               ? ARENA_ARRAY(s->memory, d, const ir_expr *)
               : s->F;
  }
  for (int i = 0; s->F && i < d; i++) {
    s->F[i] =
        acceleration_equations_of(s, i, &row) ? force(s, i) : acceleration_rate(s, s->H_z[d + i]);
  }
  const ir_expr **A = s->F ? acceleration_solved(s, s->F) : NULL;
  for (int i = 0; i < d + m; i++) {
    values[i] = A && i < d ? A[i]
                : A        ? second_rate(s, i - d, A)
                : i < d    ? acceleration_rate(s, s->H_z[d + i])
                        : acceleration_rate(s, s->from->functions[IR_HIDDEN].entries[i - d].value);
  }
  s->to->functions[IR_ACCELERATION] = ir_vector(s->context, d + m, values);
}

/* Appends the entries of *more to the rows of *f, with their columns shifted by `by`. */
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

/* Derivatives with respect to (q, p, lambda). */
static ir_function jacobian_of(acceleration *s, const ir_function *f)
{
  const int d = s->from->nq;
  ir_function by_z = ir_jacobian(s->context, f, IR_Z, 2 * d);
  ir_function by_lambda = ir_jacobian(s->context, f, IR_LAMBDA, s->from->nc);
  return beside(s, &by_z, &by_lambda, 2 * d);
}

/* The lower triangle of the second derivatives of `sum` in `rows` variables. */
static ir_function acceleration_second_derivatives(acceleration *s, const ir_expr *sum, int rows,
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
  ir_function second =
      with_lambda ? jacobian_of(s, &slope) : ir_jacobian(s->context, &slope, IR_Z, rows);
  ir_keep_lower(&second);
  return second;
}

/* The weighted sum a.A + b.B + c.H_p, written as alpha.F + b.(v g_qq v) + c.H_p. */
static const ir_expr *weighted_forces(acceleration *s)
{
  ir_context *c = s->context;
  const int d = s->from->nq;
  const int m = s->from->nc;
  const ir_expr **weights = ARENA_ARRAY(s->memory, d, const ir_expr *);
  const ir_expr **parts = ARENA_ARRAY(s->memory, 2 * d + m, const ir_expr *);
  for (int i = 0; i < d; i++) {
    weights[i] = acceleration_weight(s, m + i);
    for (int j = 0; j < m; j++) {
      const ir_expr *by_B = ir_times(c, acceleration_weight(s, m + d + j), s->g_z[j][i]);
      weights[i] = ir_plus(c, weights[i], by_B);
    }
  }
  const ir_expr **alpha = acceleration_solved(s, weights);
  for (int i = 0; i < d; i++) {
    parts[i] = ir_times(c, alpha[i], s->F[i]);
    parts[d + i] = ir_times(c, acceleration_weight(s, 2 * m + d + i), s->H_z[d + i]);
  }
  for (int j = 0; j < m; j++) {
    parts[2 * d + j] = ir_times(c, acceleration_weight(s, m + d + j), second_rate(s, j, NULL));
  }
  return ir_add(c, 2 * d + m, parts);
}

/* a.A + b.B + c.H_p. */
static const ir_expr *weighted_rates(acceleration *s)
{
  if (s->F) {
    return weighted_forces(s);
  }
  const int d = s->from->nq;
  const int m = s->from->nc;
  const ir_function *f = &s->to->functions[IR_ACCELERATION];
  const ir_expr **parts = ARENA_ARRAY(s->memory, 2 * d + m, const ir_expr *);
  for (int i = 0; i < 2 * d + m; i++) {
    const ir_expr *of = i < d + m ? f->entries[i].value : s->H_z[i - m];
    parts[i] = ir_times(s->context, acceleration_weight(s, m + i), of);
  }
  return ir_add(s->context, 2 * d + m, parts);
}

/* tau.Dg u; the inputs are (tau, u). */
static const ir_expr *weighted_slopes(acceleration *s)
{
  const int d = s->from->nq;
  const int m = s->from->nc;
  const ir_expr **parts = ARENA_ARRAY(s->memory, m * d + 1, const ir_expr *);
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < d; j++) {
      const ir_expr *both =
          ir_times(s->context, acceleration_weight(s, i), acceleration_weight(s, m + j));
      parts[i * d + j] = ir_times(s->context, both, s->g_z[i][j]);
    }
  }
  return ir_add(s->context, m * d, parts);
}

static long acceleration_count(const ir_expr *e, char *visited)
{
  if (visited[e->id]) {
    return 0;
  }
  visited[e->id] = 1;
  long n = 1;
  for (int i = 0; i < e->n; i++) {
    n += acceleration_count(ir_operand(e, i), visited);
  }
  return n;
}

/* The number of distinct nodes in a function. */
static long nodes_of(const acceleration *s, const ir_function *f)
{
  char *visited = ir_zeros(ir_context_size(s->context), 1);
  long n = 0;
  for (int i = 0; i < f->n; i++) {
    n += acceleration_count(f->entries[i].value, visited);
  }
  free(visited);
  return n;
}

/* Adds the functions.  Returns 0 early if they have too many nodes. */
static int acceleration_make_functions(acceleration *s)
{
  const ir_program *p = s->from;
  ir_program *to = s->to;
  make_rates(s);
  to->functions[IR_ACCELERATION_JAC] = jacobian_of(s, &to->functions[IR_ACCELERATION]);
  if (ir_is_spent(s->context) ||
      FEWEST_TIMES * nodes_of(s, &to->functions[IR_ACCELERATION_JAC]) > ACCELERATION_MOST) {
    return 0;
  }
  to->functions[IR_ACCELERATION_HESS] =
      acceleration_second_derivatives(s, weighted_rates(s), 2 * p->nq + p->nc, 1);
  if (ir_is_spent(s->context) ||
      nodes_of(s, &to->functions[IR_ACCELERATION_HESS]) > ACCELERATION_MOST) {
    return 0;
  }
  if (p->nc > 0) {
    to->functions[IR_CONSTRAINT_THIRD] =
        acceleration_second_derivatives(s, weighted_slopes(s), p->nq, 0);
  }
  return 1;
}

const ir_program *ir_with_acceleration(ir_context *c, const ir_program *p, const char **why)
{
  arena *outside = ir_context_arena(c);
  *why = NULL;
  if (!p->structure.holonomic) {
    return p;
  }
  ir_attempt attempt = ir_attempt_begin(c, (size_t)IR_ATTEMPT_MIB_METHOD << 20);
  arena *a = ir_context_arena(c);
  ir_program *to = ARENA_COPY(a, ir_program, p);
  const ir_expr *const **g_z = ARENA_ARRAY(a, p->nc + 1, const ir_expr *const *);
  acceleration s = {c, a, p, to, g_z, NULL, NULL};
  const int quadratic = acceleration_is_quadratic(c, p->nq, &p->functions[IR_HAMILTONIAN_HESS]);
  to->n_weights = 2 * p->nq + p->nc;
  for (int i = 0; i < p->nc; i++) {
    g_z[i] = gradient_of(&s, p->functions[IR_CONSTRAINT].entries[i].value);
  }
  s.H_z = gradient_of(&s, p->functions[IR_HAMILTONIAN].entries[0].value);
  const int good = quadratic && acceleration_make_functions(&s);
  if (ir_is_spent(c)) {
    *why = arena_printf(outside, "their formulas %s", ir_attempt_excess(outside, c));
  } else if (quadratic && !good) {
    *why = arena_printf(outside, "they have more than %d operations", ACCELERATION_MOST);
  }
  return ir_attempt_settle(&attempt, good) ? to : p;
}

/* Third and fourth derivatives of the kernels of a family along directions, which emit/ makes
 * again, of the same nodes. */
static void derive_family(ir_context *c, const ir_looped_family *family)
{
  for (int i = 0; i < family->n_parts && !ir_is_spent(c); i++) {
    const ir_kernel *kernel = &family->parts[i].kernel;
    const int n = 2 * kernel->n_sites;
    const ir_function third = ir_along(c, &kernel->hessian, n, 0);
    ir_along(c, &third, n, n);
  }
}

const ir_loops *ir_with_directions(ir_context *c, const ir_loops *loops, const char **why)
{
  arena *outside = ir_context_arena(c);
  ir_loops *to = ARENA_COPY(outside, ir_loops, loops);
  *why = NULL;
  to->has_directions = loops->structure.holonomic;
  ir_attempt attempt = ir_attempt_begin(c, (size_t)IR_ATTEMPT_MIB_METHOD << 20);
  for (int i = 0; i < loops->hamiltonian.n_parts && to->has_directions; i++) {
    const ir_kernel *kernel = &loops->hamiltonian.parts[i].kernel;
    to->has_directions = acceleration_is_quadratic(c, kernel->n_sites, &kernel->hessian);
  }
  if (to->has_directions) {
    derive_family(c, &loops->hamiltonian);
  }
  for (int i = 0; i < loops->n_constraints && to->has_directions; i++) {
    derive_family(c, &loops->constraints[i]);
  }
  if (ir_is_spent(c)) {
    *why = arena_printf(outside, "the formulas they are made of %s", ir_attempt_excess(outside, c));
  }
  to->has_directions = ir_attempt_settle(&attempt, to->has_directions);
  return to;
}
