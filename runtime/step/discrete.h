/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/discrete.h -- a step with discrete gradients: values, directions and patterns.
 *
 *   r(z1; z, lambda) = z1 - z - J (h DH(z,z1) + sum_i h lambda_i Dg_i(z,z1)) = 0
 *   J f_z = (f_p, -f_q)
 *
 * The derivatives in z are those in z1 with the states exchanged, because D(z,z1) = D(z1,z).
 *
 * The unknowns are the multipliers lambda and x. Usually x = z1. If the discrete gradients in p do
 * not depend on positions, x = p1 and q1 = q + h D_p H(p,p1) is explicit. This is the case for
 * H(q,p) = T(p) + V(q) with constraints on the positions, unless the midpoint formula couples all
 * variables.
 */
#ifndef SIDEWINDER_STEP_DISCRETE_H
#define SIDEWINDER_STEP_DISCRETE_H

#include "common/carver.h"
#include "model/scale.h"
#include "model/system.h"

typedef struct sw_discrete {
  const sw_system *system;
  const double *k;
  int explicit_q; /* 1 if x is p1 */

  /* Arguments of the last sw_discrete_values. */
  double h;
  const double *z;
  const double *z1;
  const double *h_lambda; /* m */

  double *gradient; /* 2d: h DH + sum_i h lambda_i Dg_i; without the factor h during assembly */
  double *jac;      /* values of Dg */
  double *hess_H;   /* values of dDH/dz1 */
  double *hess_g;   /* values of d(h lambda.Dg)/dz1 */
  double *change;   /* 2d x columns: directions of the gradient */
  double *seed;     /* m x columns: directions of multipliers */
} sw_discrete;

/* Number of blocks of d unknowns in x: 1 if q1 is explicit, else 2. */
int sw_discrete_blocks(const sw_system *system);

/* Sets the array pointers of *s, whose system and k are set, for at most n directions at once. */
void sw_discrete_carve(sw_carver *c, size_t n, sw_discrete *s);

/* Initial guess of x, from z + h X_H(z). */
void sw_discrete_guess(sw_discrete *s, double h, const double z[], double x[]);

/* Computes r, as many values as x, and z1, 2d. The argument arrays must stay valid until
 * sw_discrete_directions. */
void sw_discrete_values(sw_discrete *s, double h, const double z[], const double h_lambda[],
                        const double x[], double r[], double z1[]);

/* Largest distance of the last values from z, plus the residual r, for positions and momenta
 * separately. */
sw_sizes sw_discrete_moved(const sw_discrete *s, const double r[]);

/* Directions DR of r and DZ of z1 (2d x n) at the last values, for the directions V of z (2d x n;
 * NULL for 0), DL of lambda (m x n) and DX of x. DR and DX have as many rows as x has values. */
void sw_discrete_directions(sw_discrete *s, int n, const double V[], const double DL[],
                            const double DX[], double DR[], double DZ[]);

/* Pattern of the derivatives of g(z1) and r in the unknowns, multipliers first.
 * Errors: SW_ERR_MEMORY. */
sw_status sw_discrete_pattern(const sw_system *system, sw_pattern *pattern);

#endif
