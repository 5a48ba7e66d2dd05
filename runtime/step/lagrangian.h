/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/lagrangian.h -- the equation of motion in positions and velocities, w = (q,v), on M and off it, with its derivatives.
 *
 * For an H that is quadratic in the momenta, L(q,v) = p.v - H(q,p) with H_p(q,p) = v; p is found from v by H_pp, factorised.
 * q'' = A(q,v) is {H_p,H} + sum_j lambda_j {H_p,g_j} with the multipliers that make the rate of rho zero (paper 004, (4.2)).  Off M
 * these depend on what g is there, and not on M alone.  Derivatives of y = (q, p, lambda) by w follow from the equations that define
 * p and lambda.
 */
#ifndef SIDEWINDER_STEP_LAGRANGIAN_H
#define SIDEWINDER_STEP_LAGRANGIAN_H

#include "step/acceleration_rates.h"

/* What points have in common: where their derivatives are evaluated. */
typedef struct sw_lagrangian {
  const sw_system *system;
  const double *k;
  int clock; /* a position with constant velocity (model/mass.h), or -1 */
  sw_rates rates;
  double *gradient; /* 2d: of H */
  double *hess_H;   /* 2d x 2d */
  double *values;   /* of the largest pattern */
  double *weights;  /* 2m + 2d: multipliers and weights of second derivatives */
  double *hess;     /* (2d + m) x (2d + m) */
  double *product;  /* (2d + m) x 2d */
} sw_lagrangian;

/* Matrices are row by row, but for those that are factorised, which are symmetric. */
typedef struct sw_lagrangian_point {
  double *y;       /* 2d + m: q, p, lambda */
  double *v;       /* d */
  double *rate;    /* d + m: A, and the rate of rho, which is 0 */
  double *L_w;     /* 2d: the derivative of L, (-H_q, p) */
  double *rate_y;  /* (d + m) x (2d + m) */
  double *y_w;     /* (2d + m) x 2d */
  double *A_w;     /* d x 2d */
  double *mass;    /* d x d: factors of H_pp */
  double *N;       /* m x m: and of N */
  double *of_mass; /* d: their scales, */
  double *of_N;    /* m */
  int *by_mass;    /* d: and exchanges of rows */
  int *by_N;       /* m */
} sw_lagrangian_point;

void sw_lagrangian_carve(sw_carver *c, sw_lagrangian *s);
void sw_lagrangian_point_carve(sw_carver *c, const sw_lagrangian *s, sw_lagrangian_point *point);

/* y, v and A at (q,v); with_derivatives: the rest, too.  Without a value (H_pp or N is singular) they are NaN. */
void sw_lagrangian_at(sw_lagrangian *s, const double q[], const double v[], int with_derivatives,
                      sw_lagrangian_point *point);

/* K += the second derivatives by w of a.A + b L at a point that has derivatives; K: 2d x 2d. */
void sw_lagrangian_second(sw_lagrangian *s, const sw_lagrangian_point *point, const double a[],
                          double b, double K[]);

/* The Hessian of H at z with both triangles, 2d x 2d, in s->hess_H; with 1 for H_pp of the momentum of the clock, of which no velocity
 * tells anything: p(q,v) has 0 for it. */
void sw_lagrangian_hessian(sw_lagrangian *s, const double z[]);

#endif
