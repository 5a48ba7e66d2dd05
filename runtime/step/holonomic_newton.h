/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/holonomic_newton.h -- SHAKE's multipliers by Newton's method with full steps, in as few passes over the rows as that takes.
 *
 * These are the iterates of solver.h, bit for bit, and its rules of when to stop and when to factorise anew.  What it does not take, a
 * residual that does not fall, or is not finite, a matrix without pivots, too many iterations, is left to solver.h, which begins again.
 */
#ifndef SIDEWINDER_STEP_HOLONOMIC_NEWTON_H
#define SIDEWINDER_STEP_HOLONOMIC_NEWTON_H

#include "solve/solver.h"
#include "step/holonomic.h"

typedef struct sw_holonomic_search {
  const sw_solver *solver; /* whose linear solver it uses, and which drops no rows */
  double tolerance;
  long most_iterations; /* of solver.h */
  double *first;        /* m: the first iterate but zero, where there are more */
  double *change;       /* m: scratch */
  double *other;        /* m: scratch */
  double *weights;      /* m: scratch, of which `root` tells */

  /* What it has found. */
  double at_zero;         /* max |F_i(0)| */
  sw_solve_report report; /* 0 iterations where zero is good */
  sw_root root;
} sw_holonomic_search;

/* Begins behind sw_holonomic_begin.  Returns 1 with the solution in lambda, m values, and its positions and g in the context; 0 where that is left
 * to solver.h. */
int sw_holonomic_search_from_zero(sw_holonomic *s, sw_holonomic_search *search, double lambda[]);

#endif
