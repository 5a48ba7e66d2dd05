/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/descent.h -- the stopping rule of iterations that converge to round-off.
 */
#ifndef SIDEWINDER_STEP_DESCENT_H
#define SIDEWINDER_STEP_DESCENT_H

#include <float.h>
#include <math.h>

typedef struct sw_descent {
  double before;
  int n;
  int failed; /* 1 while the iteration has not converged */
} sw_descent;

static inline sw_descent sw_descent_begin(void)
{
  return (sw_descent){INFINITY, 0, 0};
}

/* Returns 1 if another iteration should follow. `moved` is the last change relative to the
 * whole. */
static inline int sw_descent_goes_on(sw_descent *s, int most_iterations, double moved)
{
  const double floor = 2.0 * DBL_EPSILON;
  const double good = 1e-12; /* accepted once the changes no longer halve */
  const int stalls = moved <= good && moved > 0.5 * s->before;

  s->before = moved;
  s->failed = !(moved <= floor || stalls);
  return s->failed && isfinite(moved) && ++s->n < most_iterations;
}

#endif
