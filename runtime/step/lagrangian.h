/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/lagrangian.h -- the equation of motion in positions and velocities, w = (q,v), on M and off
 * it, with its derivatives.
 *
 * H is quadratic in the momenta, and L(q,v) = p.v - H(q,p) with H_p(q,p) = v. p follows from v by a
 * factorisation of H_pp. q'' = A(q,v) is {H_p,H} + sum_j lambda_j {H_p,g_j}, with the multipliers
 * that make the rate of rho zero (paper 004, (4.2)). Off M they depend on the formula of g and not
 * only on the set M. Derivatives of y = (q, p, lambda) in w follow from the equations that define p
 * and lambda.
 */
#ifndef SIDEWINDER_STEP_LAGRANGIAN_H
#define SIDEWINDER_STEP_LAGRANGIAN_H

#include "step/acceleration_rates.h"

/* Data and scratch shared by all points. */
typedef struct sw_lagrangian {
  const sw_system *system;
  const double *k;
  int clock; /* a position with constant velocity (model/mass.h), or -1 */
  sw_rates rates;
  double *gradient; /* 2d: gradient of H */
  double *hess_H;   /* 2d x 2d */
  double *values;   /* scratch for the values of the largest pattern */
  double *weights;  /* 2m + 2d: multipliers and weights of second derivatives */
  double *hess;     /* (2d + m) x (2d + m) */
  double *product;  /* (2d + m) x 2d */
} sw_lagrangian;

/* Matrices are row-major; factorised matrices are symmetric. */
typedef struct sw_lagrangian_point {
  double *y;       /* 2d + m: q, p, lambda */
  double *v;       /* d */
  double *rate;    /* d + m: A, and the rate of rho, which is 0 */
  double *L_w;     /* 2d: derivative of L in w, (-H_q, p) */
  double *rate_y;  /* (d + m) x (2d + m) */
  double *y_w;     /* (2d + m) x 2d */
  double *A_w;     /* d x 2d */
  double *mass;    /* d x d: factorisation of H_pp */
  double *N;       /* m x m: factorisation of N */
  double *of_mass; /* d: scales of H_pp */
  double *of_N;    /* m: scales of N */
  int *by_mass;    /* d: row exchanges of H_pp */
  int *by_N;       /* m: row exchanges of N */
} sw_lagrangian_point;

void sw_lagrangian_carve(sw_carver *c, sw_lagrangian *s);
void sw_lagrangian_point_carve(sw_carver *c, const sw_lagrangian *s, sw_lagrangian_point *point);

/* Computes y, v and A at (q,v), and the derivatives if with_derivatives is 1. All values are NaN if
 * H_pp or N is singular. */
void sw_lagrangian_at(sw_lagrangian *s, const double q[], const double v[], int with_derivatives,
                      sw_lagrangian_point *point);

/* K += the second derivatives in w of a.A + b L at a point with derivatives; K: 2d x 2d. */
void sw_lagrangian_second(sw_lagrangian *s, const sw_lagrangian_point *point, const double a[],
                          double b, double K[]);

/* Writes Hess H at z, both triangles, 2d x 2d, to s->hess_H. The diagonal entry of the clock's
 * momentum is set to 1: the velocity does not determine this momentum, and p(q,v) has 0 there. */
void sw_lagrangian_hessian(sw_lagrangian *s, const double z[]);

#endif
