/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/inertia.h -- how many eigenvalues of a symmetric matrix are negative?
 */
#ifndef SIDEWINDER_LINEAR_INERTIA_H
#define SIDEWINDER_LINEAR_INERTIA_H

/* The number of negative eigenvalues of A, by the signs of the pivots of A = L D L^T (J. J. Sylvester's law
 * of inertia; pivots of size 1 and 2 after Bunch and Kaufman), or -1 where a pivot is zero.  A: n x n, its
 * lower triangle column by column, finite; overwritten.  pivots: n.  work: n.  Allocates nothing. */
int sw_inertia_negative(int n, double A[], int pivots[], double work[]);

#endif
