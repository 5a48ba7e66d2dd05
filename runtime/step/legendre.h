/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/legendre.h -- a discrete Legendre transform, z -> (x, mu): one end of the curve that belongs to z, and the momentum there.
 *
 * With the layer R of paper 004 (layer.h) at two times, near and far, the ends P R^q(w) of the curve of w = (q, H_p(z)), P the foot
 * (foot.h), and the action S_near - S_far between them, mu is defined by
 *
 *   D (S_near - S_far) = mu D x_near + lambda D x_far   on directions of w that are tangent to {g = 0, rho = 0}.
 *
 * In the terms of Stage 4 of the paper (with hats: what P takes to mu and lambda) the equations are linear,
 *
 *   mu^ D R^q_near + lambda^ D R^q_far + nu_1 [Dg, 0] + nu_2 [v^T D^2 g, Dg] = D (S_near - S_far),
 *   Dg(x_near) mu^ = 0,   Dg(x_far) lambda^ = 0,   mu = (1 + D^2(theta.g)(x_near)) mu^,
 *
 * and mu is determined up to multiples of Dg(x_near).
 */
#ifndef SIDEWINDER_STEP_LEGENDRE_H
#define SIDEWINDER_STEP_LEGENDRE_H

#include "step/foot.h"
#include "step/layer.h"

typedef struct sw_legendre {
  sw_lagrangian lagrangian;
  sw_surface surface;
  sw_layer near;
  sw_layer far;
  sw_foot near_foot;
  sw_foot far_foot;
  double *z;     /* 2d: where */
  double *v;     /* d: H_p there */
  double *Dg;    /* m x d: there */
  double *Dg_v;  /* m x d: derivatives of Dg v by q */
  double *scale; /* m: of the rows of Dg */
  double time;   /* the scale of t_near - t_far */
  double *
      matrix; /* (2d + 2m)^2: factors of the linear equations, derivatives by v in units of time, Dg in its scales */
  int *exchange;
  double *u;  /* 2d + 2m: mu^, lambda^, nu_1, nu_2 */
  double *mu; /* d */

  double *K;      /* 2d x 2d: second derivatives */
  double *du;     /* (2d + 2m) x 2d */
  double *dx;     /* d x 2d: of x_near */
  double *dx_far; /* d x 2d */
  double *dtheta; /* m x 2d, twice */
  double *by_z;   /* 2d x 2d: the derivative of (x, mu) by z */
  double *column; /* 2d + 2m */
  double *along;  /* m x d */
} sw_legendre;

/* Points *s at its arrays; k: the parameters; the methods of both parts of the curve. */
void sw_legendre_carve(sw_carver *c, const sw_system *system, const double k[],
                       const sw_layer_method *near, const sw_layer_method *far, sw_legendre *s);

/* (x, mu) at z, left in s->near_foot.x and s->mu; NaN where there is none. */
void sw_legendre_values(sw_legendre *s, double t_near, double t_far, const double z[]);

/* s->by_z at the last values. */
void sw_legendre_derivative(sw_legendre *s);

/* mu without its part along Dg(x)^T, in the Euclidean metric. */
void sw_legendre_tangent(sw_legendre *s, double mu[]);

#endif
