/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/acceleration_rates.h -- the rates A of the velocities and rho' of rho along the constrained
 * field (sw_model.acceleration), as functions of y = (q, p, lambda), with first and second
 * derivatives as dense matrices.
 *
 * The model provides these functions, or they are computed from derivatives of H and g along
 * directions. With X = (H_p, -H_q - Dg^T lambda),
 *
 *   a.A + b.rho' = U^T Hess H X + (b.g)_qq[v,v],   U = (0, a + Dg^T b),   v = H_p,
 *
 * which is linear in U and X. Its derivatives need third and fourth derivatives of H along U and X,
 * and derivatives of b.g and lambda.g along v, A and H_pp a.
 */
#ifndef SIDEWINDER_STEP_ACCELERATION_RATES_H
#define SIDEWINDER_STEP_ACCELERATION_RATES_H

#include "common/carver.h"
#include "model/system.h"

typedef struct sw_rates {
  const sw_system *system;
  const double *k;
  double *values; /* scratch for the values of the largest pattern */

  /* The members below are for models without accelerations; n = 2d + m. */
  double *jac;      /* values of Dg */
  double *along;    /* derivatives of Dg along a vector, in its pattern */
  double *gradient; /* 2d: gradient of H */
  double *hess;     /* 2d x 2d: Hess H */
  double *T;        /* 2d x 2d: third or fourth derivatives */
  double *X;        /* 2d */
  double *X_y;      /* 2d x n */
  double *A;        /* d */
  double *U;        /* 2d */
  double *Y;        /* 2d: Hess H U */
  double *weights;  /* 4d + m: scratch for directions */
  double *second;   /* d x d: (b.g)_qq */
  double *third;    /* d x d */
  double *product;  /* 2d x n */
  double *of_A;     /* d x n: H_pz X_y */
} sw_rates;

/* Sets the array pointers of *s; system and k are already set. */
void sw_rates_carve(sw_carver *c, sw_rates *s);

/* 1 if the model provides the rates, or the derivatives for computing them. */
int sw_rates_are_there(const sw_model *model);

/* A and rho', d + m values; their derivative in y, d + m x n; and the second derivatives in y of
 * a.A + b.rho' + c.H_p for weights = (lambda, a, b, c), n x n. */
void sw_rates_values(sw_rates *s, const double y[], double rate[]);
void sw_rates_jacobian(sw_rates *s, const double y[], double rate_y[]);
void sw_rates_second(sw_rates *s, const double y[], const double weights[], double K[]);

#endif
