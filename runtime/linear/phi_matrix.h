/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/phi_matrix.h -- the integral of a matrix exponential, which solves linear differential
 * equations exactly.
 *
 *   Phi_h = integral_0^h exp(s A) ds = h phi_1(h A),   phi_1(x) = (e^x - 1)/x,
 *
 * so that y' = A y + b has y(h) = y(0) + Phi_h (A y(0) + b), and exp(h A) = 1 + Phi_h A.
 */
#ifndef SIDEWINDER_LINEAR_PHI_MATRIX_H
#define SIDEWINDER_LINEAR_PHI_MATRIX_H

#include <stddef.h>

/* Phi_h of the n x n matrix A, row by row, to round-off; work: 2 n x n.  NaN if A is not finite.
 *
 * Uses a Taylor series for a fraction of h, then doubles it up to h by Phi_2t = 2 Phi_t + Phi_t A
 * Phi_t.  No 1 is added to small numbers, so many doublings lose no accuracy. */
void sw_phi_matrix(int n, double h, const double A[], double Phi[], double work[]);

#endif
