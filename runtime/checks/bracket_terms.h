/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/bracket_terms.h -- the size of the terms of a Poisson bracket.
 *
 * {a,b} = a_q . b_p - a_p . b_q is a sum of products; a value at the round-off of these terms
 * counts as zero. Positions and momenta have different units, so the two halves of a gradient are
 * measured separately:
 *
 *   |{a,b}| <= |a_q| |b_p| + |a_p| |b_q|,   |x| = sum_j |x_j|.
 */
#ifndef SIDEWINDER_CHECKS_BRACKET_TERMS_H
#define SIDEWINDER_CHECKS_BRACKET_TERMS_H

#include "model/scale.h"

/* |a_q| and |a_p| for each row of a Jacobian. */
typedef struct sw_gradients {
  double *q;
  double *p;
} sw_gradients;

void sw_gradients_of(const sw_pattern *pattern, const double jac[], int d, sw_gradients sizes);

/* The bound above for row i of a and row j of b. */
static inline double sw_bracket_terms(sw_gradients a, int i, sw_gradients b, int j)
{
  return a.q[i] * b.p[j] + a.p[i] * b.q[j];
}

/* |{g_i,g_j}| relative to this bound; 0 if the bound is 0. NaN if the result is not finite. */
static inline double sw_bracket_relative(double value, sw_gradients g, int i, int j)
{
  const double terms = sw_bracket_terms(g, i, g, j);

  return terms == 0.0 ? 0.0 : fabs(value) / terms;
}

/* The change of function i when the state changes by its size: the unit of this function. 1 if it
 * is 0. */
static inline double sw_gradient_change(sw_gradients a, int i, sw_sizes size)
{
  return sw_nonzero_scale(a.q[i] * sw_nonzero_scale(size.q) + a.p[i] * sw_nonzero_scale(size.p));
}

/* Cleans N_ij = {rho_i,g_j}: sets entries at the round-off of their bracket to zero, and divides
 * row i by the largest power of two not above the change of g_i. The rows of the result then have
 * one unit, and the columns have the units of the multipliers. values: the entries of N in
 * `pattern`. Returns 0 if an entry is not finite. */
int sw_nondegeneracy_clean(const sw_pattern *pattern, sw_gradients g, sw_gradients rho,
                           sw_sizes size, double values[]);

#endif
