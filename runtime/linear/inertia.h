/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/inertia.h -- the number of negative eigenvalues of a symmetric matrix.
 */
#ifndef SIDEWINDER_LINEAR_INERTIA_H
#define SIDEWINDER_LINEAR_INERTIA_H

/* The number of negative eigenvalues of A, from the signs of the pivots of A = L D L^T (Sylvester's
 * law of inertia; Bunch-Kaufman pivots of size 1 and 2), or -1 if a pivot is zero.  A: n x n, its
 * lower triangle column by column, finite; overwritten.  pivots: n.  work: n.  Allocates
 * nothing. */
int sw_inertia_negative(int n, double A[], int pivots[], double work[]);

#endif
