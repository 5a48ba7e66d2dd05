/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/study.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "expr/derivative.h"

/* Limits on nodes of a model that is balanced, on rounds of reweighting, and on steps of conjugate
 * gradients in a round. */
enum { MOST_NODES = 300000, ROUNDS = 10, STEPS = 400 };
/* Weights of rows: for the terms of H, and for the assumption that an inner sum is as large as its
 * terms. */
static const double weight_of_H = 0.01;
static const double weight_of_inner = 0.2;
/* A term this many bits below the largest of its sum has its weight reduced by 1/e. */
static const double fading = 8;
static const double least_fade = 1e-3;
/* Logarithms of scales are multiples of `grid`, and at most `largest_log` in magnitude. */
static const double grid = 0x1p-20;
static const double largest_log = 900;

/* constant + sum_i factor_i unknown_i: the base-2 logarithm of a size. */
typedef struct form {
  int is_zero; /* 1 if the value itself is 0 */
  double constant;
  int n;
  int *unknown;
  double *factor;
} form;

/* A residual: form = 0.  The rows of a group are the terms of one sum, whose largest term has the
 * full weight.  A row of group -1 is the argument of a function; it has less weight if the argument
 * is below 1. */
typedef struct row {
  form f;
  double weight;
  int group;
  int level;   /* unknown that all rows of the group subtract, or -1 */
  double fade; /* weight factor from 0 to 1, updated in every round */
} row;

typedef struct balance {
  study *s;
  /* number of unknowns: first the arrays of positions and of momenta, then the levels of sums */
  int n;
  int arrays;
  const double *known; /* by array: known logarithm, or NaN */
  form **done;         /* by node id */
  unsigned nodes;
  row *rows;
  int n_rows;
  int most_rows;
  int groups;
  double weight;
} balance;

static form *scales_make_form(balance *b, int n)
{
  form *f = ARENA_NEW(b->s->memory, form);
  f->unknown = ARENA_ARRAY(b->s->memory, n + 1, int);
  f->factor = ARENA_ARRAY(b->s->memory, n + 1, double);
  return f;
}

static void scales_add_to(form *f, int unknown, double factor)
{
  for (int i = 0; i < f->n; i++) {
    if (f->unknown[i] == unknown) {
      f->factor[i] += factor;
      return;
    }
  }
  f->unknown[f->n] = unknown;
  f->factor[f->n++] = factor;
}

static form *unknown_form(balance *b, int unknown)
{
  form *f = scales_make_form(b, 1);
  scales_add_to(f, unknown, 1);
  return f;
}

static form *constant_form(balance *b, double value)
{
  form *f = scales_make_form(b, 0);
  f->is_zero = value == 0;
  f->constant = f->is_zero ? 0 : log2(fabs(value));
  return f;
}

static void add_row(balance *b, const form *f, double constant, int level, int group, double weight)
{
  form *own = scales_make_form(b, f->n + 1);
  own->constant = f->constant + constant;
  for (int i = 0; i < f->n; i++) {
    scales_add_to(own, f->unknown[i], f->factor[i]);
  }
  if (level >= 0) {
    scales_add_to(own, level, -1);
  }
  if (b->n_rows == b->most_rows) {
    b->most_rows = 2 * b->most_rows + 64;
    row *longer = ARENA_ARRAY(b->s->memory, b->most_rows, row);
    if (b->n_rows > 0) {
      memcpy(longer, b->rows, (size_t)b->n_rows * sizeof *longer);
    }
    b->rows = longer;
  }
  b->rows[b->n_rows++] = (row){*own, weight * b->weight, group, level, 1};
}

static form *scales_size_of(balance *b, const ir_expr *e);

/* Adds the rows of a sum's terms; returns the unknown of their level.  With `but_constant`, a
 * constant term is omitted. */
static int balance_terms(balance *b, const ir_expr *e, int but_constant)
{
  int level = b->n++;
  int group = b->groups++;
  for (int i = 0; i < e->n; i++) {
    const form *f = scales_size_of(b, e->terms[i].node);
    double c = mpq_get_d(e->terms[i].coefficient);
    int reads = ir_reads_state(b->s->c, e->terms[i].node);
    if (!f->is_zero && c != 0 && (reads || !but_constant)) {
      add_row(b, f, log2(fabs(c)), level, group, 1);
    }
  }
  return level;
}

static form *size_of_sum(balance *b, const ir_expr *e)
{
  if (e->n == 1) {
    const form *term = scales_size_of(b, e->terms[0].node);
    form *f = scales_make_form(b, term->n);
    f->is_zero = term->is_zero;
    f->constant = term->constant + log2(fabs(mpq_get_d(e->terms[0].coefficient)));
    for (int i = 0; i < term->n; i++) {
      scales_add_to(f, term->unknown[i], term->factor[i]);
    }
    return f;
  }
  /* A value may be smaller than its terms, such as x - 1e6 in (x - 1e6)^2 == 1. */
  int level = balance_terms(b, e, 0);
  form *f = unknown_form(b, b->n++);
  add_row(b, f, 0, level, b->groups++, weight_of_inner);
  return f;
}

static form *size_of_product(balance *b, const ir_expr *e)
{
  int n = 0;
  for (int i = 0; i < e->n; i++) {
    n += scales_size_of(b, e->factors[i].base)->n;
  }
  form *f = scales_make_form(b, n);
  for (int i = 0; i < e->n; i++) {
    const form *base = scales_size_of(b, e->factors[i].base);
    double power = mpq_get_d(e->factors[i].exponent);
    f->is_zero |= base->is_zero;
    f->constant += power * base->constant;
    for (int k = 0; k < base->n; k++) {
      scales_add_to(f, base->unknown[k], power * base->factor[k]);
    }
  }
  return f;
}

static form *size_of_call(balance *b, const ir_expr *e)
{
  const form *x = scales_size_of(b, e->arguments[0]);
  const form *y = e->n == 2 ? scales_size_of(b, e->arguments[1]) : NULL;
  if (e->call == IR_ABS || e->call == IR_HOLD) {
    return (form *)x;
  }
  if (y) {
    int level = b->n++;
    int group = b->groups++;
    int order = ir_universal_order(e->call);
    if (e->call == IR_POW || order >= 0) {
      return constant_form(b, 1);
    }
    add_row(b, x, 0, level, group, 1);
    add_row(b, y, 0, level, group, 1);
    return e->call == IR_ATAN2 ? constant_form(b, 1) : unknown_form(b, level);
  }
  if (e->call != IR_SIGN && e->call != IR_INSIDE && !x->is_zero) {
    add_row(b, x, 0, -1, -1, 1);
  }
  return constant_form(b, 1);
}

/* The size of an expression.  The first visit adds rows for the sums in it. */
static form *scales_size_of(balance *b, const ir_expr *e)
{
  if (e->id >= b->nodes) {
    return constant_form(b, 1);
  }
  if (b->done[e->id]) {
    return b->done[e->id];
  }
  form *f = NULL;
  if (!ir_reads_state(b->s->c, e)) {
    double value = ir_evaluator_value(b->s->doubles, e);
    f = constant_form(b, isfinite(value) ? value : 1);
  } else if (e->kind == IR_INPUT) {
    int d = b->s->p->nq;
    int array =
        e->index < d ? b->s->p->q_array[e->index] : b->arrays / 2 + b->s->p->q_array[e->index - d];
    int is_known = !isnan(b->known[array]);
    f = is_known ? scales_make_form(b, 0) : unknown_form(b, array);
    f->constant = is_known ? b->known[array] : 0;
  } else {
    f = e->kind == IR_SUM       ? size_of_sum(b, e)
        : e->kind == IR_PRODUCT ? size_of_product(b, e)
                                : size_of_call(b, e);
  }
  b->done[e->id] = f;
  return f;
}

/* ---- least squares ---- */

static double scales_residual(const form *f, const double x[])
{
  double sum = f->constant;
  for (int i = 0; i < f->n; i++) {
    sum += f->factor[i] * x[f->unknown[i]];
  }
  return sum;
}

static double row_weight(const row *r)
{
  return r->weight * r->fade;
}

/* out = A^T u for the weighted rows. */
static void multiply_transposed(const balance *b, const double u[], double out[])
{
  memset(out, 0, (size_t)b->n * sizeof *out);
  for (int k = 0; k < b->n_rows; k++) {
    const form *f = &b->rows[k].f;
    for (int i = 0; i < f->n; i++) {
      out[f->unknown[i]] += row_weight(&b->rows[k]) * f->factor[i] * u[k];
    }
  }
}

static double norm(int n, const double x[])
{
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += x[i] * x[i];
  }
  return sum;
}

/* Dense solutions are preferred up to this work; singular values below the tolerance count as 0. */
static const double dense_work = 2e7;
static const double singular = 1e-10;

/* The least-squares solution x of minimal norm, by a complete orthogonal factorisation; returns 0
 * if LAPACK fails. */
static int solve_dense(balance *b, double x[])
{
  arena *a = b->s->memory;
  const size_t n = (size_t)b->n;
  const int tall = b->n_rows > b->n ? b->n_rows : b->n;
  double *A = ARENA_ARRAY(a, (size_t)b->n_rows * n + 1, double);
  double *right = ARENA_ARRAY(a, tall + 1, double);
  lapack_int *pivots = ARENA_ARRAY(a, b->n + 1, lapack_int);
  lapack_int rank = 0;
  for (int k = 0; k < b->n_rows; k++) {
    const form *f = &b->rows[k].f;
    for (int i = 0; i < f->n; i++) {
      A[(size_t)k * n + (size_t)f->unknown[i]] = row_weight(&b->rows[k]) * f->factor[i];
    }
    right[k] = -row_weight(&b->rows[k]) * f->constant;
  }
  b->s->work += 4.0 * b->n_rows * b->n * b->n;
  if (b->n_rows == 0 || LAPACKE_dgelsy(LAPACK_ROW_MAJOR, b->n_rows, b->n, 1, A, b->n, right, 1,
                                       pivots, singular, &rank) != 0) {
    return 0;
  }
  memcpy(x, right, n * sizeof *x);
  return 1;
}

/* The same by conjugate gradients (CGLS), starting from 0. */
static void solve_by_gradients(balance *b, double x[])
{
  arena *a = b->s->memory;
  double *u = ARENA_ARRAY(a, b->n_rows + 1, double);
  double *w = ARENA_ARRAY(a, b->n_rows + 1, double);
  double *g = ARENA_ARRAY(a, b->n, double);
  double *p = ARENA_ARRAY(a, b->n, double);
  memset(x, 0, (size_t)b->n * sizeof *x);
  for (int k = 0; k < b->n_rows; k++) {
    u[k] = -row_weight(&b->rows[k]) * b->rows[k].f.constant;
  }
  multiply_transposed(b, u, g);
  memcpy(p, g, (size_t)b->n * sizeof *p);
  double size = norm(b->n, g);
  double least = 1e-26 * size;
  for (int step = 0; step < STEPS && size > least; step++) {
    for (int k = 0; k < b->n_rows; k++) {
      w[k] = row_weight(&b->rows[k]) * (scales_residual(&b->rows[k].f, p) - b->rows[k].f.constant);
    }
    double moved = norm(b->n_rows, w);
    if (!(moved > 1e-28 * norm(b->n, p))) {
      break; /* p is in the null space up to rounding */
    }
    double length = size / moved;
    for (int i = 0; i < b->n; i++) {
      x[i] += length * p[i];
    }
    for (int k = 0; k < b->n_rows; k++) {
      u[k] -= length * w[k];
    }
    multiply_transposed(b, u, g);
    double next = norm(b->n, g);
    for (int i = 0; i < b->n; i++) {
      p[i] = g[i] + next / size * p[i];
    }
    size = next;
  }
  b->s->work += 10.0 * STEPS * (b->n + 3.0 * b->n_rows);
}

static void scales_solve(balance *b, double x[])
{
  int is_small = (double)b->n_rows * b->n * b->n <= dense_work;
  memset(x, 0, (size_t)b->n * sizeof *x);
  if (b->n_rows > 0 && !(is_small && solve_dense(b, x))) {
    solve_by_gradients(b, x);
  }
}

/* Reduces the weights of terms that are small in their sums, and of arguments below 1. */
static void reweight(balance *b, const double x[])
{
  double *largest = ARENA_ARRAY(b->s->memory, b->groups + 1, double);
  for (int i = 0; i < b->groups; i++) {
    largest[i] = -(double)INFINITY;
  }
  for (int k = 0; k < b->n_rows; k++) {
    const row *r = &b->rows[k];
    if (r->group >= 0) {
      largest[r->group] = fmax(largest[r->group], scales_residual(&r->f, x));
    }
  }
  for (int k = 0; k < b->n_rows; k++) {
    row *r = &b->rows[k];
    double off = scales_residual(&r->f, x) - (r->group >= 0 ? largest[r->group] : 0);
    r->fade = fmax(exp(fmin(off, 0) / fading), least_fade);
  }
}

/* ---- scales ---- */

/* The base-2 logarithm of the largest entry of each array in the initial states; NaN if all are
 * 0. */
static void from_states(const study *s, int arrays, double known[])
{
  const setting *at = &s->settings[0];
  double *size = ARENA_ARRAY(s->memory, arrays + 1, double);
  for (int k = 0; k < at->n_states; k++) {
    const double *z = at->states + (size_t)k * (size_t)s->n;
    for (int j = 0; j < s->n; j++) {
      int array = j < s->p->nq ? s->p->q_array[j] : arrays / 2 + s->p->q_array[j - s->p->nq];
      size[array] = fmax(size[array], fabs(z[j]));
    }
  }
  for (int i = 0; i < arrays; i++) {
    known[i] = size[i] > 0 ? log2(size[i]) : (double)NAN;
  }
}

/* Adds rows for the sums in H and in the constraints. */
static void add_functions(balance *b)
{
  const ir_expr *H = b->s->H;
  b->weight = 1;
  for (int i = 0; i < b->s->p->nc; i++) {
    scales_size_of(b, b->s->g[i]);
  }
  b->weight = weight_of_H;
  H = H->kind == IR_SUM && H->n == 1 ? H->terms[0].node : H;
  if (H->kind == IR_SUM) {
    balance_terms(b, H, 1); /* a constant in H has no effect */
  } else {
    scales_size_of(b, H);
  }
}

void scales_find(study *s)
{
  int arrays = 0;
  for (int i = 0; i < s->p->nq; i++) {
    arrays = s->p->q_array[i] >= arrays ? s->p->q_array[i] + 1 : arrays;
  }
  arrays *= 2;
  double *known = ARENA_ARRAY(s->memory, arrays + 1, double);
  balance b = {.s = s, .n = arrays, .arrays = arrays, .known = known};
  from_states(s, arrays, known);
  b.nodes = ir_context_size(s->c);
  s->scale = ARENA_ARRAY(s->memory, s->n, double);
  double *x = NULL;
  if (b.nodes <= MOST_NODES) {
    b.done = ARENA_ARRAY(s->memory, b.nodes, form *);
    add_functions(&b);
    x = ARENA_ARRAY(s->memory, b.n, double);
    for (int i = 0; i < ROUNDS; i++) {
      scales_solve(&b, x);
      reweight(&b, x);
    }
  }
  for (int j = 0; j < s->n; j++) {
    int array = j < s->p->nq ? s->p->q_array[j] : arrays / 2 + s->p->q_array[j - s->p->nq];
    double log = !isnan(known[array]) ? known[array] : x ? grid * round(x[array] / grid) : 0;
    s->scale[j] = isfinite(log) ? exp2(fmax(-largest_log, fmin(largest_log, log))) : 1;
  }
}
