/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/approach.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "common/random.h"

approach *approach_create(study *s, int rows)
{
  approach *a = ARENA_NEW(s->memory, approach);
  size_t n = (size_t)s->n;
  size_t m = (size_t)rows;
  a->s = s;
  a->random = 20121;
  a->rows = rows;
  a->z = ARENA_ARRAY(s->memory, n, double);
  a->value = ARENA_ARRAY(s->memory, m + 1, double);
  a->jac = ARENA_ARRAY(s->memory, m * n + 1, double);
  a->size = ARENA_ARRAY(s->memory, m + 1, double);
  a->step = ARENA_ARRAY(s->memory, m > n ? m : n, double);
  a->pivots = ARENA_ARRAY(s->memory, n, int);
  return a;
}

void approach_start(approach *a, const setting *at, int trial)
{
  static const double disturbance[] = {0.001, 0.05, 0.6, 0.2};
  const study *s = a->s;
  if (at->n_states == 0 || (trial >= at->n_states && trial % 5 == 4)) {
    approach_start_anywhere(a);
    return;
  }
  approach_start_near(a, at->states + (size_t)(trial % at->n_states) * (size_t)s->n,
                      trial < at->n_states ? 0.0 : disturbance[trial % 4]);
}

void approach_start_near(approach *a, const double from[], double size)
{
  for (int j = 0; j < a->s->n; j++) {
    a->z[j] = from[j] + size * a->s->scale[j] * sw_random(&a->random);
  }
}

void approach_start_anywhere(approach *a)
{
  for (int j = 0; j < a->s->n; j++) {
    a->z[j] = 1.5 * a->s->scale[j] * sw_random(&a->random);
  }
}

double approach_size(const approach *a)
{
  double size = 0;
  for (int j = 0; j < a->s->n; j++) {
    double entry = fabs(a->z[j]) / a->s->scale[j];
    size = isfinite(entry) ? fmax(size, entry) : (double)INFINITY;
  }
  return size;
}

/* Evaluates the values, the scaled Jacobian and the sizes at z; returns 0 if one of them is not
 * finite. */
static int approach_evaluate(approach *a, const setting *at, const surface *f)
{
  study *s = a->s;
  int finite = 1;
  study_begin(s, at, a->z);
  memset(a->jac, 0, (size_t)f->rows * (size_t)s->n * sizeof *a->jac);
  for (int i = 0; i < f->rows; i++) {
    a->value[i] = ir_evaluator_value(s->doubles, f->value[i]);
    a->size[i] = ir_evaluator_value(s->doubles, f->size[i]);
    finite = finite && isfinite(a->value[i]);
  }
  for (int e = 0; e < f->n && finite; e++) {
    const ir_entry *slope = &f->slope[e];
    double entry = ir_evaluator_value(s->doubles, slope->value) * s->scale[slope->col];
    a->jac[(size_t)slope->row * (size_t)s->n + (size_t)slope->col] = entry;
    finite = isfinite(entry);
  }
  return finite;
}

/* The largest change of equation i when one coordinate changes by its scale. */
static double largest_slope(const approach *a, int i)
{
  const double *row = a->jac + (size_t)i * (size_t)a->s->n;
  double largest = 0;
  for (int j = 0; j < a->s->n; j++) {
    largest = fmax(largest, fabs(row[j]));
  }
  return largest;
}

static double scaled_residual(const approach *a, int rows)
{
  double worst = 0;
  for (int i = 0; i < rows; i++) {
    double unit = fmax(isfinite(a->size[i]) ? a->size[i] : 0, largest_slope(a, i));
    if (a->value[i] != 0) {
      worst = fmax(worst, unit > 0 ? fabs(a->value[i]) / unit : (double)INFINITY);
    }
  }
  return worst;
}

/* The Gauss-Newton step of minimal norm, -Jacobian^+ value in the scales.  Rows are normalised to
 * largest entry one, so that a small gradient does not count as a missing one.  Returns the largest
 * entry of the step, or a negative number if LAPACK fails. */
static double shortest_step(approach *a, int rows)
{
  study *s = a->s;
  for (int i = 0; i < rows; i++) {
    double largest = largest_slope(a, i);
    double factor = largest > 0 ? 1 / largest : 0;
    double *row = a->jac + (size_t)i * (size_t)s->n;
    a->step[i] = -a->value[i] * factor;
    for (int j = 0; j < s->n; j++) {
      row[j] *= factor;
    }
  }
  for (int i = rows; i < s->n; i++) {
    a->step[i] = 0;
  }
  lapack_int rank = 0;
  memset(a->pivots, 0, (size_t)s->n * sizeof *a->pivots);
  /* measured cost of the rank-revealing factorisation in unblocked loops */
  s->work += 10.0 * rows * rows * s->n + 2e3;
  if (LAPACKE_dgelsy(LAPACK_ROW_MAJOR, rows, s->n, 1, a->jac, s->n, a->step, 1, a->pivots, 1e-12,
                     &rank) != 0) {
    return -1;
  }
  double largest = 0;
  for (int j = 0; j < s->n; j++) {
    largest = fmax(largest, fabs(a->step[j]));
    a->z[j] += a->step[j] * s->scale[j];
  }
  return largest;
}

int approach_reach(approach *a, const setting *at, const surface *f, int iterations)
{
  for (int i = 0; i < iterations; i++) {
    if (f->rows > a->rows || !approach_evaluate(a, at, f)) {
      return 0;
    }
    if (scaled_residual(a, f->rows) < 1e-13) {
      return 1;
    }
    double step = shortest_step(a, f->rows);
    if (step >= 0 && step <= 1e-15 * fmin(1, approach_size(a))) {
      return 1;
    }
    if (!(step >= 0) || study_exhausted(a->s, 2)) {
      return 0;
    }
  }
  return 0;
}
