/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/discrete.h -- a step with discrete gradients: values, directions and patterns.
 *
 *   r(z1; z, mu) = z1 - z - J (h DH(z,z1) + sum_i mu_i Dg_i(z,z1)) = 0,    mu = h lambda,   J f_z = (f_p, -f_q)
 *
 * The derivatives by z are those by z1 with the states exchanged, for D(z,z1) = D(z1,z).
 *
 * The unknowns x, beside the multipliers lambda, are z1; or p1 alone, where the discrete gradients by p depend on no positions: then
 * q1 = q + h D_p H(p,p1) is computed.  That is so for H(q,p) = T(p) + V(q) with constraints on the positions, as long as the midpoint
 * formula does not connect all.
 */
#ifndef SIDEWINDER_STEP_DISCRETE_H
#define SIDEWINDER_STEP_DISCRETE_H

#include "common/carver.h"
#include "model/scale.h"
#include "model/system.h"

typedef struct sw_discrete {
  const sw_system *system;
  const double *k;
  int explicit_q; /* 1 where x is p1 */

  /* Of the last values. */
  double h;
  const double *z;
  const double *z1;
  const double *mu;

  double *gradient; /* 2d: h DH + sum_i mu_i Dg_i, without h while it is made */
  double *jac;      /* values of Dg */
  double *hess_H;   /* of dDH/dz1 */
  double *hess_g;   /* of d(mu.Dg)/dz1 */
  double *change;   /* 2d x columns: of the gradient */
  double *seed;     /* m x columns: directions of multipliers */
} sw_discrete;

/* Blocks of d unknowns besides the multipliers: 1 where q1 is computed, else 2. */
int sw_discrete_blocks(const sw_system *system);

/* Points *s, of which system and k are set, at its arrays, for directions of n columns at most. */
void sw_discrete_carve(sw_carver *c, size_t n, sw_discrete *s);

/* A first guess of x, from z + h X_H(z). */
void sw_discrete_guess(sw_discrete *s, double h, const double z[], double x[]);

/* r, as many values as x, and z1, 2d.  The arrays stay where they are until the directions. */
void sw_discrete_values(sw_discrete *s, double h, const double z[], const double mu[],
                        const double x[], double r[], double z1[]);

/* How far the last values are from z, the largest in each half, and by how much r misses zero. */
sw_sizes sw_discrete_moved(const sw_discrete *s, const double r[]);

/* The directions DR of r and DZ of z1 (2d x n) at the last values, for the directions V of z (2d x n, or NULL for 0), DL of lambda
 * (m x n) and DX of x; DR, DX: as many rows as x has values. */
void sw_discrete_directions(sw_discrete *s, int n, const double V[], const double DL[],
                            const double DX[], double DR[], double DZ[]);

/* The pattern of the derivatives of g(z1) and r by the unknowns, those of the multipliers first.  Errors: SW_ERR_MEMORY. */
sw_status sw_discrete_pattern(const sw_system *system, sw_pattern *pattern);

#endif
