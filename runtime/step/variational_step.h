/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/variational_step.h -- the solve of a variational integrator: the state z1 whose curve begins
 * at the end of the current state's curve, with the same momentum (paper 004, Stage 4),
 *
 *   F-(z1) = F+(z),   g(z1) = 0,   rho(z1) = 0.
 *
 * F+ and F- are the Legendre transforms at h alpha+ and at h alpha-. Both sides lie on
 * {g = 0}, and mu is determined up to multiples of Dg. The additional unknowns theta and zeta make
 * the system square, u = (z1, theta, zeta),
 *
 *   x-(z1) - x + Dg(x)^T theta = 0,   mu-(z1) - mu + Dg(x)^T zeta = 0,   (x, mu) = F+(z),
 *
 * with theta = 0 at the solution.
 */
#ifndef SIDEWINDER_STEP_VARIATIONAL_STEP_H
#define SIDEWINDER_STEP_VARIATIONAL_STEP_H

#include "common/carver.h"
#include "model/system.h"
#include "step/layer.h"
#include "step/requirement.h"

/*
 * A discrete Legendre transform z -> (x, mu): one end x of the curve that
 * belongs to z, and the momentum mu there.
 *
 * Take the layer R of paper 004 (layer.h) at two times, near and far. The ends of the curve of w =
 * (q, H_p(z)) are P R^q(w), where P maps a position to its foot, and S_near - S_far is the
 * action between them. Then mu is defined by
 *
 *   D (S_near - S_far) = mu D x_near + lambda D x_far
 *
 * on directions of w that are tangent to {g = 0, rho = 0}. With mu^ and lambda^, which P maps to mu
 * and lambda (Stage 4 of the paper), the equations are linear,
 *
 *   mu^ D R^q_near + lambda^ D R^q_far + nu_1 [Dg, 0] + nu_2 [v^T D^2 g, Dg] = D (S_near - S_far),
 *   Dg(x_near) mu^ = 0,   Dg(x_far) lambda^ = 0,   mu = (1 + D^2(theta.g)(x_near)) mu^,
 *
 * and determine mu up to multiples of Dg(x_near).
 *
 * The clock. If a position is the time t of the model (model/mass.h), then H = c p_t + a function
 * of the other variables and t, and the velocity of t is the constant c. The variational principle
 * does not vary t. The layer advances it, t + c s at the time s of a stage, with A_t = 0; P does
 * not change it; w consists of the other positions and velocities; and all equations above, with
 * Dg, hold at fixed t. p_t changes as the derivative of the action in t prescribes. With the
 * one-form Theta = mu dx_near + mu_t dt on {g(q,t) = 0, rho(q,v,t) = 0} this means Theta_plus -
 * Theta_minus = D L_h also for directions with dt != 0. A step then preserves the two-form of (x,
 * t, mu, mu_t), and that of (x, mu) at fixed t. One direction with dt != 0 suffices; this code uses
 * the motion (v,A):
 *
 *   mu . D x_near (v,A) + c mu_t = p.v + c p_t + D S_near (v,A).
 *
 * The difference of this equation for the two parts of a curve is the condition above. An exact
 * layer satisfies it by conservation of H, so p_t has the same order of accuracy as the other
 * variables. In terms of mu^, with mu_t = mu^_t + theta . D_t Dg(x) mu^, it is
 *
 *   (mu^ D R^q_near - D S_near) (v,A) + c mu^_t = p.v + c p_t,
 *
 * which replaces the equation for derivatives in the velocity of t. In derivatives by w, p_t takes
 * the position of that velocity.
 */

/* The foot x of a position x^ on {g = 0}, for constraints on the positions,
 *
 *   x^ = x + Dg(x)^T theta,   g(x) = 0     (paper 004, (3.2)),
 *
 * with the derivatives of g that the derivatives of x and theta need. Matrices are dense,
 * row-major. */

/* g and its derivatives in the positions x; m may be 0. */
typedef struct sw_surface {
  const sw_system *system;
  const double *k;
  int clock;       /* index of the clock, a position that P does not change, or -1 */
  double *z;       /* 2d: (x, 0) */
  double *values;  /* scratch for the values of the largest pattern */
  double *weights; /* m + d */
  double *hess;    /* d x d */
} sw_surface;

/* H = the Hessian of a.g, d x d. */
void sw_surface_second(sw_surface *s, const double x[], const double a[], double H[]);

typedef struct sw_foot {
  sw_surface *surface;
  double *x;     /* d */
  double *theta; /* m */
  double *Dg;    /* m x d: at x */
  double *scale; /* m: scales of the rows of Dg */
  double *hess;  /* d x d: Hessian of theta.g at x */
  double *
      matrix; /* (d + m)^2: factorisation of [1 + hess, Dg^T; Dg, 0] with scaled Dg, column-major */
  int *exchange; /* d + m */
  double *step;  /* d + m */
} sw_foot;

typedef struct sw_legendre {
  sw_lagrangian lagrangian;
  sw_surface surface;
  sw_layer near;
  sw_layer far;
  sw_foot near_foot;
  sw_foot far_foot;
  double *z;     /* 2d: the state */
  double *v;     /* d: H_p at z */
  double *Dg;    /* m x d: Dg at q */
  double *Dg_v;  /* m x d: derivatives of Dg v in q */
  double *scale; /* m: scales of the rows of Dg */
  double time;   /* scale of t_near - t_far */
  /* (2d + 2m)^2: factorisation of the linear equations; derivatives in v are in units of `time`, Dg
   * in its scales */
  double *matrix;
  int *exchange;
  double *u;  /* 2d + 2m: mu^, lambda^, nu_1, nu_2; 0 for the clock, whose mu^_t is only in mu */
  double *mu; /* d */

  double *K;      /* 2d x 2d: second derivatives */
  double *du;     /* (2d + 2m) x 2d */
  double *dx;     /* d x 2d: derivative of x_near */
  double *dx_far; /* d x 2d */
  double *dtheta; /* m x 2d, twice */
  double *by_z;   /* 2d x 2d: derivative of (x, mu) in z */
  double *column; /* 2d + 2m */

  /* For a model with a clock. */
  sw_lagrangian_point here; /* the point of w */
  double *along_motion;     /* 2d: the rate (v,A) of w */
  double *energy;           /* 2d: D (mu^.R_near - S_near) */
  double *along;            /* m x d */
} sw_legendre;

/* Sets the array pointers of *s, the parameters k, and the methods of both parts of the curve. */
void sw_legendre_carve(sw_carver *c, const sw_system *system, const double k[],
                       const sw_layer_method *near, const sw_layer_method *far, sw_legendre *s);

/* Computes (x, mu) at z into s->near_foot.x and s->mu; NaN on failure. */
void sw_legendre_values(sw_legendre *s, double t_near, double t_far, const double z[]);

/* Computes s->by_z at the last values. */
void sw_legendre_derivative(sw_legendre *s);

/* Removes from mu its component along Dg(x)^T, in the Euclidean metric. */
void sw_legendre_tangent(sw_legendre *s, double mu[]);

typedef struct sw_variational {
  const sw_system *system;
  const double *k;
  const double *bias; /* alpha-, alpha+ */
  sw_step *step;
  sw_requirement *g;
  sw_requirement *rho;
  sw_legendre plus;
  sw_legendre minus;
  int derived;     /* 1 while both transforms have their derivatives for directions */
  double *at;      /* 2d + 2m: u of the last values; the state z1 comes first */
  double *lambda;  /* m: result of the last sw_variational_lambda */
  double *hess;    /* d x d */
  double *changes; /* d x n: directions of x */
} sw_variational;

/* The number of unknowns, 2 (d + m). */
int sw_variational_unknowns(const sw_system *system);

/* Sets the array pointers of *s, whose step, g and rho are set, for at most n directions at
 * once. method[0] and method[1] are for the parts of a curve before and after its state; they
 * may differ. */
void sw_variational_carve(sw_carver *c, const sw_system *system, const double k[],
                          const sw_layer_method method[2], const double bias[2], size_t n,
                          sw_variational *s);

/* Computes F+ at z. Sets u to the initial guess, a step of the one-step method itself, which also
 * measures the step. Returns 0 if a scale is not finite. */
int sw_variational_begin(sw_variational *s, const double z[], double u[]);

/* The scaled equations F, and their derivative in u, row-major, at the last values. */
void sw_variational_values(sw_variational *s, const double u[], double F[]);
void sw_variational_jacobian(sw_variational *s, double J[]);

/* s->at = u. */
void sw_variational_move(sw_variational *s, const double u[]);

/* sw_variational_along prepares directions at the start z and at s->at, until s->at changes.
 * sw_variational_directions applies the derivative of the equations to n directions V of z and DU
 * of u. */
void sw_variational_along(sw_variational *s, const double z[]);
void sw_variational_directions(sw_variational *s, int n, const double V[], const double DU[],
                               double DF[]);

/* Computes the multipliers of the equation of motion at z into s->lambda. */
void sw_variational_lambda(sw_variational *s, const double z[]);

#endif
