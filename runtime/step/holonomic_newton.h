/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/holonomic_newton.h -- SHAKE's multipliers by Newton's method with full steps, in as few
 * passes over the rows as possible.
 *
 * The iterates agree bit for bit with solver.h, and the rules for stopping and refactorisation are
 * the same. This search gives up if a residual does not fall or is not finite, if the matrix lacks
 * pivots, or after too many iterations; then solver.h starts again.
 *
 * Without this search a step of a chain of 1000 takes 1.7 times as long as hand-written code instead
 * of 1.3 times, and that of a pendulum twice as long.
 */
#ifndef SIDEWINDER_STEP_HOLONOMIC_NEWTON_H
#define SIDEWINDER_STEP_HOLONOMIC_NEWTON_H

#include "solve/solver.h"
#include "step/holonomic.h"

typedef struct sw_holonomic_search {
  const sw_solver *solver; /* provides the linear solver; drops no rows */
  double tolerance;
  long most_iterations; /* as in solver.h */
  double *first;        /* m: the first nonzero iterate, if there is more than one iteration */
  double *change;       /* m: scratch */
  double *other;        /* m: scratch */
  double *weights;      /* m: scratch, read by `root` */

  /* Results. */
  double at_zero;         /* max |F_i(0)| */
  sw_solve_report report; /* 0 iterations if zero is accepted */
  sw_root root;
} sw_holonomic_search;

/* Call after sw_holonomic_begin. Returns 1 with the solution in lambda (m values) and its positions
 * and g in the context. Returns 0 if solver.h must solve instead. */
int sw_holonomic_search_from_zero(sw_holonomic *s, sw_holonomic_search *search, double lambda[]);

#endif
