/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model/gauss.h -- Gauss-Legendre collocation on [0,1]: s stages, order 2s.
 *
 *   Z_i = z + tau sum_j a_ij F(Z_j),   z1 = z + tau sum_j b_j F(Z_j)
 */
#ifndef SIDEWINDER_MODEL_GAUSS_H
#define SIDEWINDER_MODEL_GAUSS_H

#define SW_GAUSS_STAGES 12 /* the largest number of stages */

typedef struct sw_gauss {
  int stages;
  double b[SW_GAUSS_STAGES];
  double a[SW_GAUSS_STAGES][SW_GAUSS_STAGES];
  /* The last two coefficients of the Legendre series of the polynomial through F(Z_j):
   * sum_j last[0][j] F(Z_j) belongs to degree s - 1, last[1] to degree s - 2. */
  double last[2][SW_GAUSS_STAGES];
  double radius; /* spectral radius of a, by power iteration */
} sw_gauss;

/* Computes the rule with 2 to SW_GAUSS_STAGES stages. */
void sw_gauss_make(int stages, sw_gauss *rule);

#endif
