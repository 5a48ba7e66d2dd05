/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/acceleration_rates.h -- the rates of the velocities and of rho along the constrained field, A and rho' as sw_model.acceleration defines them, of
 * y = (q, p, lambda), with first and second derivatives as dense matrices.
 *
 * They are the model's own, or made of derivatives of H and g along directions.  With X = (H_p, -H_q - Dg^T lambda),
 *
 *   a.A + b.rho' = U^T Hess H X + (b.g)_qq[v,v],   U = (0, a + Dg^T b),   v = H_p,
 *
 * which is linear in U and X, so that its derivatives take third and fourth derivatives of H along U and X, and those of b.g and
 * lambda.g along v, A and H_pp a.
 */
#ifndef SIDEWINDER_STEP_ACCELERATION_RATES_H
#define SIDEWINDER_STEP_ACCELERATION_RATES_H

#include "common/carver.h"
#include "model/system.h"

typedef struct sw_rates {
  const sw_system *system;
  const double *k;
  double *values; /* of the largest pattern */

  /* The rest where the model has no accelerations; n = 2d + m. */
  double *jac;      /* values of Dg */
  double *along;    /* and of what has its places */
  double *gradient; /* 2d: of H */
  double *hess;     /* 2d x 2d: Hess H */
  double *T;        /* 2d x 2d: third or fourth derivatives */
  double *X;        /* 2d */
  double *X_y;      /* 2d x n */
  double *A;        /* d */
  double *U;        /* 2d */
  double *Y;        /* 2d: Hess H U */
  double *weights;  /* 4d + m: directions */
  double *second;   /* d x d: (b.g)_qq */
  double *third;    /* d x d */
  double *product;  /* 2d x n */
  double *of_A;     /* d x n: H_pz X_y */
} sw_rates;

/* Points *s, of which system and k are set, at its arrays. */
void sw_rates_carve(sw_carver *c, sw_rates *s);

/* Whether a model has what they are made of, or has them itself. */
int sw_rates_are_there(const sw_model *model);

/* A and rho', d + m values; their derivative by y, d + m x n; and the second derivatives of a.A + b.rho' + c.H_p for the weights
 * (lambda, a, b, c), n x n. */
void sw_rates_values(sw_rates *s, const double y[], double rate[]);
void sw_rates_jacobian(sw_rates *s, const double y[], double rate_y[]);
void sw_rates_second(sw_rates *s, const double y[], const double weights[], double K[]);

#endif
