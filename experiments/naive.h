/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * naive.h -- steps that look like RATTLE and are not, for models with a few constraints on the positions, a constant
 * diagonal mass matrix and a potential: the controls of paper 003.
 *
 * All begin with the half kick p' = p - h/2 V_q(q) and the drift q* = q + h M^{-1} p', and end with
 * p1 = p'' + G(q1)^T gamma, where G(q1) M^{-1} p1 = 0.  With A = G M^{-1} G^T they solve in between:
 *
 *   AS_PRINTED   q1 = q* + M^{-1} G(q)^T lambda with g(q1) = 0, and p'' = p' - h/2 V_q(q1): the paper's five steps as they
 *                stand, which forget to add the force of the constraints to p'
 *   REGULARISED  RATTLE, p'' = M (q1 - q)/h - h/2 V_q(q1), with A + eps I in both solves: what it finds then is
 *                g(q1) = -eps lambda and G M^{-1} p1 = -eps gamma
 *   PROJECTED    Verlet without constraints, p'' = p' - h/2 V_q(q*), and q1 = q* + M^{-1} G(q*)^T lambda with g(q1) = 0
 */
#ifndef EXPERIMENTS_NAIVE_H
#define EXPERIMENTS_NAIVE_H

#include "sidewinder/model.h"

typedef enum naive_kind { NAIVE_AS_PRINTED, NAIVE_REGULARISED, NAIVE_PROJECTED } naive_kind;

typedef struct naive_method {
  const sw_model *model;
  const double *k; /* its parameters */
  int d;
  int m;
  naive_kind kind;
  double eps;
} naive_method;

/* One step of z, in place.  Returns 0, or 1 where a matrix is singular or Newton's method does not converge. */
int naive_step(const naive_method *method, double h, double z[]);

#endif
