/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/layer.h -- a one-step method R_t for q' = v, v' = A(q,v), S' = L(q,v), the
 * "standard layer" of paper 004, with first and second derivatives of R^q_t and R^S_t in w = (q,v).
 *
 * R_t is an explicit method E_t (Runge-Kutta, or user-computed) or the adjoint of E_t (layer.c),
 *
 *   R_t = E_{-t}^{-1},   R^S_t(w) = -E^S_{-t}(R_t(w)).
 */
#ifndef SIDEWINDER_STEP_LAYER_H
#define SIDEWINDER_STEP_LAYER_H

#include "sidewinder/one_step.h"
#include "sidewinder/tableau.h"
#include "step/acceleration_rates.h"

/*
 * The equation of motion in positions and velocities, w = (q,v), on M and off
 * it, with its derivatives.
 *
 * H is quadratic in the momenta, and L(q,v) = p.v - H(q,p) with H_p(q,p) = v. p follows from v by a
 * factorisation of H_pp. q'' = A(q,v) is {H_p,H} + sum_j lambda_j {H_p,g_j}, with the multipliers
 * that make the rate of rho zero (paper 004, (4.2)). Off M they depend on the formula of g and not
 * only on the set M. Derivatives of y = (q, p, lambda) in w follow from the equations that define p
 * and lambda.
 */

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

/* The choice of the method: either `tableau` or `map`. */
typedef struct sw_layer_method {
  const sw_tableau *tableau; /* explicit: a_ij = 0 for j >= i; or NULL */
  const sw_one_step *map;    /* user-computed method; or NULL */
  int adjoint;               /* 1: use the adjoint */
} sw_layer_method;

/* E_t at w, implemented in explicit_layer.c. */
typedef struct sw_explicit {
  const sw_layer_method *method;
  sw_lagrangian *lagrangian;
  double t; /* time of the last values */
  sw_lagrangian_point point[SW_TABLEAU_STAGES];
  double *stage_w;  /* stages x (2d x 2d): derivatives of (Q_i, V_i) in w */
  double *slope_w;  /* stages x (d x 2d): derivatives of A_i in w */
  double *at;       /* 2d: w */
  double *w1;       /* 2d: E^q, E^v */
  double *w1_w;     /* 2d x 2d */
  double *S_w;      /* 2d: derivative of E^S; the value of E^S itself is not needed */
  double *slopes_q; /* stages x d each: derivatives of a weighted sum in Q_i, V_i and A_i */
  double *slopes_v;
  double *slopes_A;
  double *second;  /* 2d x 2d: at one stage */
  double *product; /* 2d x 2d */
} sw_explicit;

typedef struct sw_layer {
  const sw_layer_method *method;
  sw_explicit of; /* E */
  double *q;      /* d: R^q */
  double *v;      /* d: R^v */
  double *q_w;    /* d x 2d */
  double *S_w;    /* 2d */
  double *a;      /* 2d: weights of E^q, E^v */

  /* For the adjoint. */
  double *w1;     /* 2d: R_t(w) */
  double *w1_w;   /* 2d x 2d: derivative of R_t, the inverse of that of E */
  double *matrix; /* 2d x 2d: factorisation of the derivative of E */
  double *step;   /* 2d */
  int *exchange;  /* 2d */
} sw_layer;

/* Sets the array pointers of *s, whose `method` is set. */
void sw_layer_carve(sw_carver *c, sw_lagrangian *lagrangian, sw_layer *s);

/* R_t at (q,v), with q_w and S_w if with_derivatives is 1; NaN if there is no value. t = 0 gives
 * (q, v). */
void sw_layer_values(sw_layer *s, double t, const double q[], const double v[],
                     int with_derivatives);

/* K += the second derivatives in w of a.R^q + b R^S at the last values, which must include
 * derivatives; a: d, K: 2d x 2d. */
void sw_layer_second(sw_layer *s, const double a[], double b, double K[]);

/* ---- explicit_layer.c ---- */

void sw_explicit_carve(sw_carver *c, sw_explicit *s);

/* E_t at w for t != 0, as sw_layer_values; and K += the second derivatives of a.(E^q, E^v) + b E^S,
 * with a: 2d. */
void sw_explicit_values(sw_explicit *s, double t, const double w[], int with_derivatives);
void sw_explicit_second(sw_explicit *s, const double a[], double b, double K[]);

#endif
