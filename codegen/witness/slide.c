/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "witness/slide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "witness/taylor.h"
#include "witness/tree.h"

/* ---- the field of a fibre flow, F = sum_i lambda_i X_{g_i}, along a power series in time ---- */

/* The fibre flow's solution, along which the field is evaluated. */
typedef struct solution {
  tree *t;
  int d;
  int n; /* 2d */
  int nc;
} solution;

/* An entry of a sparse vector or matrix that depends on time. */
typedef struct moving {
  int row;
  int col;
  arb_poly_struct value;
  double size; /* magnitude of the terms of its value at time 0, before they cancel */
} moving;

/* DF and the vector fields X_{g_i} along a solution. */
typedef struct field {
  moving *DF;
  long n;
  moving *X; /* col: number i of the constraint */
  long n_X;
} field;

static int conjugate(const solution *s, int v)
{
  return v < s->d ? v + s->d : v - s->d;
}

/* X_f = (f_p, -f_q): the derivative by v belongs to the row of its conjugate variable, with this
 * sign. */
static int field_sign_of(const solution *s, int v)
{
  return v < s->d ? -1 : 1;
}

/* The constraints along z, family after family; the caller frees the array. */
static const jet **constraints_along(solution *s, arb_poly_struct *z, int order, slong length)
{
  const jet **g = flint_malloc((size_t)(s->nc + 1) * sizeof *g);
  s->t->arithmetic->order = order;
  s->t->arithmetic->length = length;
  s->t->z = z;
  tree_constraints(s->t, g);
  return g;
}

/* Writes F along z, truncated to `length` coefficients, into n series. Overwrites the z of the
 * tree. */
static void field_speed(solution *s, arb_poly_struct *z, slong length, arb_poly_struct F[])
{
  size_t mark = s->t->arithmetic->n_made;
  const jet **g = constraints_along(s, z, 1, length);
  const jet *sum = tree_combined(s->t, s->nc, g);
  for (int v = 0; v < s->n; v++) {
    arb_poly_zero(&F[v]);
  }
  for (long i = 0; i < sum->n; i++) {
    if (monomial_degree(sum->terms[i].monomial) == 1) {
      int v = monomial_variable(sum->terms[i].monomial, 0);
      series_times(&F[conjugate(s, v)], &sum->terms[i].value, field_sign_of(s, v),
                   s->t->arithmetic->precision);
    }
  }
  flint_free(g);
  jets_release(s->t->arithmetic, mark);
}

static void set_moving(solution *s, moving *at, int row, int col, const jet_term *term, int factor)
{
  at->row = row;
  at->col = col;
  at->size = abs(factor) * mag_get_d(&term->size);
  arb_poly_init(&at->value);
  series_times(&at->value, &term->value, factor, s->t->arithmetic->precision);
}

/* Returns DF and the X_{g_i} along z, truncated to `length` coefficients. Overwrites the z of the
 * tree. The caller releases the field with field_clear. */
static field field_along(solution *s, arb_poly_struct *z, slong length)
{
  size_t mark = s->t->arithmetic->n_made;
  const jet **g = constraints_along(s, z, 2, length);
  const jet *sum = tree_combined(s->t, s->nc, g);
  long n_X = 0;
  for (int i = 0; i < s->nc && !s->t->arithmetic->trouble; i++) {
    n_X += g[i]->n;
  }
  field f = {flint_malloc((size_t)(2 * sum->n + 1) * sizeof *f.DF), 0,
             flint_malloc((size_t)(n_X + 1) * sizeof *f.X), 0};
  for (long i = 0; i < sum->n; i++) {
    const jet_term *term = &sum->terms[i];
    if (monomial_degree(term->monomial) != 2) {
      continue;
    }
    int a = monomial_variable(term->monomial, 0);
    int b = monomial_variable(term->monomial, 1);
    int factor = a == b ? 2 : 1;
    set_moving(s, &f.DF[f.n++], conjugate(s, a), b, term, factor * field_sign_of(s, a));
    if (a != b) {
      set_moving(s, &f.DF[f.n++], conjugate(s, b), a, term, field_sign_of(s, b));
    }
  }
  for (int i = 0; i < s->nc && !s->t->arithmetic->trouble; i++) {
    for (long e = 0; e < g[i]->n; e++) {
      const jet_term *term = &g[i]->terms[e];
      if (monomial_degree(term->monomial) == 1) {
        int v = monomial_variable(term->monomial, 0);
        set_moving(s, &f.X[f.n_X++], conjugate(s, v), i, term, field_sign_of(s, v));
      }
    }
  }
  flint_free(g);
  jets_release(s->t->arithmetic, mark);
  return f;
}

static void field_clear(field *f)
{
  for (long i = 0; i < f->n; i++) {
    arb_poly_clear(&f->DF[i].value);
  }
  for (long i = 0; i < f->n_X; i++) {
    arb_poly_clear(&f->X[i].value);
  }
  flint_free(f->DF);
  flint_free(f->X);
}

/* Largest number of equal steps; the numbers tried are 1, 2, 4, ... */
enum { MOST_STEPS = 32 };

/* Bits of precision for values that only bound a remainder. */
enum { BOUND_PRECISION = 64 };

/* Limits beyond which the integration takes too long. */
enum { MOST_PRECISION = 256, MOST_VARIABLES = 400 };

typedef struct slide {
  solution at;
  jets *arithmetic;
  int n; /* 2d */
  int nc;
  slong precision;
  slong order; /* order of the series in time */
  double h;
  arb_ptr state;   /* n: Z */
  arb_ptr columns; /* (n + nc) columns of n values: those of S, then those of W */
  int exact;       /* every remainder so far is 0 */
  int good; /* every remainder so far is at the round-off of the value to which it is added */
} slide;

/* ---- one step of an equation y' = R(y, t) ---- */

/* Right-hand side of an equation: `along` writes it along y, truncated to `length` coefficients,
 * into R[]. */
typedef struct equation {
  slide *s;
  void (*along)(const struct equation *e, arb_poly_struct *y, slong length, arb_poly_struct R[]);
  const field *f; /* coefficients of a linear equation */
  int forced;     /* number of the constraint whose X is added; -1: none */
} equation;

static void along_flow(const equation *e, arb_poly_struct *y, slong length, arb_poly_struct R[])
{
  field_speed(&e->s->at, y, length, R);
}

/* Computes only the coefficient of t^(length-1) of DF y + X; the caller uses no other. */
static void along_linear(const equation *e, arb_poly_struct *y, slong length, arb_poly_struct R[])
{
  const slide *s = e->s;
  slong precision = s->arithmetic->precision;
  arb_t sum;
  arb_init(sum);
  for (int v = 0; v < s->n; v++) {
    arb_poly_zero(&R[v]);
  }
  for (long i = 0; i < e->f->n; i++) {
    const moving *at = &e->f->DF[i];
    const arb_poly_struct *with = &y[at->col];
    arb_poly_get_coeff_arb(sum, &R[at->row], length - 1);
    slong last = arb_poly_length(&at->value) < length ? arb_poly_length(&at->value) : length;
    for (slong k = 0; k < last; k++) {
      if (length - 1 - k < arb_poly_length(with)) {
        arb_addmul(sum, arb_poly_get_coeff_ptr(&at->value, k),
                   arb_poly_get_coeff_ptr(with, length - 1 - k), precision);
      }
    }
    arb_poly_set_coeff_arb(&R[at->row], length - 1, sum);
  }
  for (long i = 0; i < e->f->n_X; i++) {
    const moving *at = &e->f->X[i];
    if (at->col == e->forced && arb_poly_length(&at->value) >= length) {
      arb_poly_get_coeff_arb(sum, &R[at->row], length - 1);
      arb_add(sum, sum, arb_poly_get_coeff_ptr(&at->value, length - 1), precision);
      arb_poly_set_coeff_arb(&R[at->row], length - 1, sum);
    }
  }
  arb_clear(sum);
}

/* The Taylor series of the solution from `start`, with the powers t^0 .. t^order. */
static void slide_series(const equation *e, arb_srcptr start, slong order, arb_poly_struct y[])
{
  int n = e->s->n;
  arb_poly_struct *R = polys_init(n);
  arb_t value;
  arb_init(value);
  polys_set(y, start, n);
  for (slong k = 0; k < order && !e->s->arithmetic->trouble; k++) {
    e->along(e, y, k + 1, R);
    for (int v = 0; v < n; v++) {
      arb_poly_get_coeff_arb(value, &R[v], k);
      if (!arb_is_zero(value)) {
        arb_div_si(value, value, k + 1, e->s->arithmetic->precision);
        arb_poly_set_coeff_arb(&y[v], k + 1, value);
      }
    }
  }
  arb_clear(value);
  polys_clear(R, n);
}

/* Finds a box that contains the solution from `start` for 0 <= t <= h. Any box B with start + [0,h]
 * R(B) within B is one. Returns 0 if none is found. */
static int slide_enclose(const equation *e, arb_srcptr start, arb_ptr box)
{
  int n = e->s->n;
  int inside = 0;
  arb_poly_struct *at = polys_init(n);
  arb_poly_struct *R = polys_init(n);
  arb_ptr next = _arb_vec_init(n);
  arb_t time;
  arb_init(time);
  arb_set_d(time, e->s->h / 2);
  mag_set_d(arb_radref(time), e->s->h / 2);
  _arb_vec_set(box, start, n);
  for (int trial = 0; trial < 8 && !inside && !e->s->arithmetic->trouble; trial++) {
    polys_set(at, box, n);
    e->along(e, at, 1, R);
    inside = 1;
    for (int v = 0; v < n; v++) {
      arb_poly_get_coeff_arb(next + v, &R[v], 0);
      arb_mul(next + v, next + v, time, e->s->arithmetic->precision);
      arb_add(next + v, next + v, start + v, e->s->arithmetic->precision);
      inside = inside && arb_is_finite(next + v) && arb_contains(box + v, next + v);
    }
    for (int v = 0; v < n && !inside; v++) {
      arb_set(box + v, next + v);
      mag_mul_2exp_si(arb_radref(box + v), arb_radref(box + v), 1);
    }
  }
  arb_clear(time);
  _arb_vec_clear(next, n);
  polys_clear(R, n);
  polys_clear(at, n);
  return inside;
}

/* end = y(h) + h^(order+1) times the coefficient of t^(order+1) in `beyond`. */
static void sum_up(slide *s, const arb_poly_struct y[], const arb_poly_struct beyond[],
                   arb_srcptr box, arb_ptr end)
{
  arb_t h;
  arb_t rest;
  mag_t error;
  mag_t allowed;
  arb_init(h);
  arb_init(rest);
  mag_init(error);
  mag_init(allowed);
  for (int v = 0; v < s->n; v++) {
    arb_set_d(h, s->h);
    arb_poly_evaluate(end + v, &y[v], h, s->precision);
    arb_poly_get_coeff_arb(rest, &beyond[v], s->order + 1);
    arb_pow_ui(h, h, (ulong)s->order + 1, s->precision);
    arb_mul(rest, rest, h, s->precision);
    arb_get_mag(error, rest);
    arb_get_mag(allowed, box + v);
    mag_mul_2exp_si(allowed, allowed, 20 - s->precision);
    s->exact = s->exact && mag_is_zero(error);
    s->good = s->good && mag_cmp(error, allowed) <= 0;
    arb_add(end + v, end + v, rest, s->precision);
  }
  mag_clear(allowed);
  mag_clear(error);
  arb_clear(rest);
  arb_clear(h);
}

/* Makes one step of equation `e`, whose remainder is bounded by that of `bound`. y: series of the
 * step; beyond: series on the box, which bounds the remainder. Returns 0 on failure. */
static int step(const equation *e, const equation *bound, arb_ptr state, arb_poly_struct y[],
                arb_poly_struct beyond[])
{
  slide *s = e->s;
  arb_ptr box = _arb_vec_init(s->n);
  s->arithmetic->precision = BOUND_PRECISION;
  int good = slide_enclose(bound, state, box);
  if (good) {
    slide_series(bound, box, s->order + 1, beyond);
    s->arithmetic->precision = s->precision;
    slide_series(e, state, s->order, y);
    sum_up(s, y, beyond, box, state);
  }
  s->arithmetic->precision = s->precision;
  _arb_vec_clear(box, s->n);
  return good && !s->arithmetic->trouble;
}

/* ---- from time 0 to 1 ---- */

/* Makes a step of the flow and of all columns. */
static int step_all(slide *s)
{
  arb_poly_struct *z = polys_init(s->n);
  arb_poly_struct *around = polys_init(s->n);
  arb_poly_struct *y = polys_init(s->n);
  arb_poly_struct *beyond = polys_init(s->n);
  const equation flow = {s, along_flow, NULL, -1};
  int good = step(&flow, &flow, s->state, z, around);
  if (good) {
    field f = field_along(&s->at, z, s->order);
    s->arithmetic->precision = BOUND_PRECISION;
    field wide = field_along(&s->at, around, s->order + 1);
    s->arithmetic->precision = s->precision;
    for (int j = 0; j < s->n + s->nc && good && s->good; j++) {
      const equation column = {s, along_linear, &f, j - s->n};
      const equation bound = {s, along_linear, &wide, j - s->n};
      good = step(&column, &bound, s->columns + (slong)j * s->n, y, beyond);
    }
    field_clear(&f);
    field_clear(&wide);
  }
  polys_clear(beyond, s->n);
  polys_clear(y, s->n);
  polys_clear(around, s->n);
  polys_clear(z, s->n);
  return good;
}

/* Integrates from the start to time 1 in this number of steps. Returns 0 if the result is not
 * accurate. */
static int try_steps(slide *s, arb_poly_struct *start, int steps, slong order)
{
  s->h = 1.0 / steps;
  s->order = order;
  s->exact = s->good = 1;
  for (int v = 0; v < s->n; v++) {
    arb_poly_get_coeff_arb(s->state + v, &start[v], 0);
  }
  for (slong i = 0; i < (slong)(s->n + s->nc) * s->n; i++) {
    arb_set_si(s->columns + i, i < (slong)s->n * s->n && i / s->n == i % s->n);
  }
  for (int i = 0; i < steps; i++) {
    if (!step_all(s) || !s->good) {
      return 0;
    }
  }
  return 1;
}

/* Integrates with more and more steps. A single step of order 1 is exact if the constraints depend
 * on q alone or on p alone, since the flow is then a straight line. Other flows use an order that
 * grows with the precision. */
static int integrate(slide *s, arb_poly_struct *start)
{
  int done = try_steps(s, start, 1, 1) && s->exact;
  for (int steps = 1; steps <= MOST_STEPS && !done; steps *= 2) {
    if (s->arithmetic->work > s->arithmetic->budget) {
      return 0;
    }
    /* A function that is undefined on a box may be defined on a smaller one. */
    s->arithmetic->trouble = NULL;
    done = try_steps(s, start, steps, s->precision / 4);
  }
  return done;
}

/* ---- sizes ---- */

/* exp |DF|, n x n, by columns, where |DF| has the sizes of the terms of DF at z. It bounds the
 * growth of rounding errors during the flow. */
static double *growth(slide *s, arena *a, const field *f)
{
  size_t n = (size_t)s->n;
  double *sum = ARENA_ARRAY(a, n * n, double);
  double *term = ARENA_ARRAY(a, n, double);
  double *next = ARENA_ARRAY(a, n, double);
  for (size_t j = 0; j < n; j++) {
    memset(term, 0, n * sizeof *term);
    term[j] = 1.0;
    for (int k = 1; k <= 30; k++) {
      for (size_t i = 0; i < n; i++) {
        sum[j * n + i] += term[i];
        next[i] = 0.0;
      }
      for (long e = 0; e < f->n; e++) {
        next[f->DF[e].row] += f->DF[e].size * term[f->DF[e].col] / k;
      }
      memcpy(term, next, n * sizeof *term);
    }
  }
  return sum;
}

static void add(digits *e, long row, long col, const arb_t value, double size)
{
  mag_t m;
  mag_init(m);
  mag_set_d(m, size);
  digits_add(e, row, col, value, m);
  mag_clear(m);
}

static void report(slide *s, arena *a, arb_poly_struct *start, digits out[])
{
  size_t n = (size_t)s->n;
  field f = field_along(&s->at, start, 1);
  const double *M = growth(s, a, &f);
  double *W = ARENA_ARRAY(a, (n + 1) * (size_t)(s->nc + 1), double); /* sizes of W, by columns */
  double *Z = ARENA_ARRAY(a, n, double);
  arb_t value;
  arb_init(value);
  for (long e = 0; e < f.n_X; e++) {
    for (size_t i = 0; i < n; i++) {
      W[(size_t)f.X[e].col * n + i] += M[(size_t)f.X[e].row * n + i] * f.X[e].size;
    }
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      arb_poly_get_coeff_arb(value, &start[j], 0);
      Z[i] += M[j * n + i] * fabs(arf_get_d(arb_midref(value), ARF_RND_NEAR));
      add(&out[SLIDE_FLOW_Z], (long)i, (long)j, s->columns + j * n + i, M[j * n + i]);
    }
    for (int c = 0; c < s->nc; c++) {
      arb_abs(value, s->at.t->lambda + c);
      Z[i] += W[(size_t)c * n + i] * arf_get_d(arb_midref(value), ARF_RND_NEAR);
      add(&out[SLIDE_FLOW_LAMBDA], (long)i, c, s->columns + (n + (size_t)c) * n + i,
          W[(size_t)c * n + i]);
    }
    add(&out[SLIDE_FLOW], (long)i, 0, s->state + i, Z[i]);
  }
  arb_clear(value);
  field_clear(&f);
}

static void slide_open(slide *s, tree *t)
{
  *s = (slide){.arithmetic = t->arithmetic, .precision = t->arithmetic->precision};
  s->at.t = t;
  s->at.d = (int)tree_coordinates_count(t);
  s->at.n = s->n = 2 * s->at.d;
  s->at.nc = s->nc = (int)tree_families_count(t, t->model->n_constraints, t->model->constraints);
  s->state = _arb_vec_init(s->n);
  s->columns = _arb_vec_init((slong)s->n * (s->n + s->nc));
}

static void slide_close(slide *s)
{
  _arb_vec_clear(s->columns, (slong)s->n * (s->n + s->nc));
  _arb_vec_clear(s->state, s->n);
}

void slide_at(arena *a, tree *t, digits out[SLIDE_FUNCTIONS])
{
  arb_poly_struct *start = t->z;
  const char *trouble = "its 30 digits cannot be computed";
  for (int i = 0; i < SLIDE_FUNCTIONS; i++) {
    out[i] = digits_create(a);
  }
  if (2 * tree_coordinates_count(t) > MOST_VARIABLES) {
    trouble = "it takes too much work";
  } else if (t->arithmetic->precision <= MOST_PRECISION) {
    slide s;
    slide_open(&s, t);
    if (integrate(&s, start)) {
      report(&s, a, start, out);
      trouble = NULL;
    }
    slide_close(&s);
  }
  for (int i = 0; trouble && i < SLIDE_FUNCTIONS; i++) {
    out[i].trouble = trouble;
  }
  t->z = start;
  t->arithmetic->length = 1;
}
