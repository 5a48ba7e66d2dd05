/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/variational_step.h -- the solve of a variational integrator: the state z1 whose curve begins where that of the start ends, with the
 * same momentum (paper 004, Stage 4),
 *
 *   F-(z1) = F+(z),   g(z1) = 0,   rho(z1) = 0,
 *
 * F+ and F- being the Legendre transforms (legendre.h) at h alpha+ and at h alpha-.  Both sides lie on {g = 0} and mu counts up to
 * multiples of Dg, so that the equations are posed with as many more unknowns theta, zeta, u = (z1, theta, zeta),
 *
 *   x-(z1) - x + Dg(x)^T theta = 0,   mu-(z1) - mu + Dg(x)^T zeta = 0   where (x, mu) = F+(z);   theta = 0 at the solution.
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
  int derived;     /* 1 where the derivatives of both are those for directions at present */
  double *at;      /* 2d + 2m: u of the last values, in which the state z1 comes first */
  double *lambda;  /* m: multipliers at the last end that sw_variational_lambda was asked for */
  double *hess;    /* d x d */
  double *changes; /* d x n: of x, for n directions */
} sw_variational;

/* 2 (d + m): the unknowns. */
int sw_variational_unknowns(const sw_system *system);

/* Points *s, of which step, g and rho are set, at its arrays, for directions of n columns at most.  The methods are those of the
 * parts of a curve before and after its state, which may differ. */
void sw_variational_carve(sw_carver *c, const sw_system *system, const double k[],
                          const sw_layer_method method[2], const double bias[2], size_t n,
                          sw_variational *s);

/* F+ at z; u becomes the first guess, a step of the one-step method itself, which measures the step.  Returns 0 where a scale
 * is not finite. */
int sw_variational_begin(sw_variational *s, const double z[], double u[]);

/* The equations, scaled; and their derivative by u, row by row, at the last values. */
void sw_variational_values(sw_variational *s, const double u[], double F[]);
void sw_variational_jacobian(sw_variational *s, double J[]);

/* s->at = u. */
void sw_variational_move(sw_variational *s, const double u[]);

/* Makes ready for directions of z, where the step starts, and of s->at, once for all that follow until that moves; and the equations along n directions V of z and DU of u. */
void sw_variational_along(sw_variational *s, const double z[]);
void sw_variational_directions(sw_variational *s, int n, const double V[], const double DU[],
                               double DF[]);

/* The multipliers of the equation of motion at z, in s->lambda. */
void sw_variational_lambda(sw_variational *s, const double z[]);

#endif
