/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/bracket_terms.h -- how large are the terms of a Poisson bracket?
 *
 * {a,b} = a_q . b_p - a_p . b_q is a sum of products, and what is at the round-off of these is zero.  Positions
 * and momenta have different units, so that the two halves of a gradient are measured apart:
 *
 *   |{a,b}| <= |a_q| |b_p| + |a_p| |b_q|,   |x| = sum_j |x_j|.
 */
#ifndef SIDEWINDER_CHECKS_BRACKET_TERMS_H
#define SIDEWINDER_CHECKS_BRACKET_TERMS_H

#include "model/scale.h"

/* |a_q| and |a_p| of the rows of a Jacobian: as many values as it has rows. */
typedef struct sw_gradients {
  double *q;
  double *p;
} sw_gradients;

void sw_gradients_of(const sw_pattern *pattern, const double jac[], int d, sw_gradients sizes);

/* The bound above for the rows i of a and j of b. */
static inline double sw_bracket_terms(sw_gradients a, int i, sw_gradients b, int j)
{
  return a.q[i] * b.p[j] + a.p[i] * b.q[j];
}

/* |{g_i,g_j}| relative to that; 0 where there are no terms.  NaN where it is not finite. */
static inline double sw_bracket_relative(double value, sw_gradients g, int i, int j)
{
  const double terms = sw_bracket_terms(g, i, g, j);

  return terms == 0.0 ? 0.0 : fabs(value) / terms;
}

/* What row i changes by when the state changes by its size: the unit of function i.  1 where that is 0. */
static inline double sw_gradient_change(sw_gradients a, int i, sw_sizes size)
{
  return sw_nonzero_scale(a.q[i] * sw_nonzero_scale(size.q) + a.p[i] * sw_nonzero_scale(size.p));
}

/* Makes entries of N_ij = {rho_i,g_j} that are at the round-off of their bracket zero, and divides row i by the power
 * of two below the change of g_i, so that the rows of the result have one unit; what is left in the
 * columns are the units of the multipliers.  values: of N, with that pattern.  Returns 0 where an entry
 * is not finite. */
int sw_nondegeneracy_clean(const sw_pattern *pattern, sw_gradients g, sw_gradients rho,
                           sw_sizes size, double values[]);

#endif
