/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/variational_step.h -- the solve of a variational integrator: the state z1 whose curve begins
 * at the end of the current state's curve, with the same momentum (paper 004, Stage 4),
 *
 *   F-(z1) = F+(z),   g(z1) = 0,   rho(z1) = 0.
 *
 * F+ and F- are the Legendre transforms (legendre.h) at h alpha+ and at h alpha-. Both sides lie on
 * {g = 0}, and mu is determined up to multiples of Dg. The additional unknowns theta and zeta make
 * the system square, u = (z1, theta, zeta),
 *
 *   x-(z1) - x + Dg(x)^T theta = 0,   mu-(z1) - mu + Dg(x)^T zeta = 0,   (x, mu) = F+(z),
 *
 * with theta = 0 at the solution.
 */
#ifndef SIDEWINDER_STEP_VARIATIONAL_STEP_H
#define SIDEWINDER_STEP_VARIATIONAL_STEP_H

#include "step/legendre.h"
#include "step/requirement.h"

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
