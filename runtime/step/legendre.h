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
 *
 * Where one of the positions is a clock t (model/mass.h), H = c p_t + a function of the others and of t, the velocity of t is c, always,
 * and t is no variable of the principle: the layer takes it along, t + c s at the time s of a stage, with A_t = 0; P leaves it alone; w
 * is that of the other positions; and all of the above, Dg included, is at fixed t.  p_t is to change as the action does with t: with
 * the one-form Theta = mu dx_near + mu_t dt on {g(q,t) = 0, rho(q,v,t) = 0} it takes Theta_plus - Theta_minus = D L_h for directions
 * with dt != 0, too, so that a step keeps the two-form of (x, t, mu, mu_t) on the whole, and that of (x, mu) at fixed t.  One such direction
 * is enough, and the motion (v,A) is one.  Along it
 *
 *   mu . D x_near (v,A) + c mu_t = p.v + c p_t + D S_near (v,A),
 *
 * of which the difference for both parts of a curve is that, and which an exact layer satisfies by the conservation of H; so that p_t has the
 * order of the others.  In terms of mu^, and mu_t = mu^_t + theta . D_t Dg(x) mu^, it is
 *
 *   (mu^ D R^q_near - D S_near) (v,A) + c mu^_t = p.v + c p_t,
 *
 * which stands in the place of the equation for derivatives by the velocity of t.  In derivatives by w, p_t stands there.
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
  double *u;  /* 2d + 2m: mu^, lambda^, nu_1, nu_2; 0 for the clock, whose mu^_t is in mu alone */
  double *mu; /* d */

  double *K;      /* 2d x 2d: second derivatives */
  double *du;     /* (2d + 2m) x 2d */
  double *dx;     /* d x 2d: of x_near */
  double *dx_far; /* d x 2d */
  double *dtheta; /* m x 2d, twice */
  double *by_z;   /* 2d x 2d: the derivative of (x, mu) by z */
  double *column; /* 2d + 2m */

  /* Where there is a clock. */
  sw_lagrangian_point here; /* of w */
  double *along_motion;     /* 2d: its rate, (v,A) */
  double *energy;           /* 2d: D (mu^.R_near - S_near) */
  double *along;            /* m x d */
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
