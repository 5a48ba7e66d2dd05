/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/dense.h -- products of small dense matrices, stored by rows, and symmetric linear
 * equations.
 */
#ifndef SIDEWINDER_LINEAR_DENSE_H
#define SIDEWINDER_LINEAR_DENSE_H

#include "common/vectors.h"
#include "linear/dense_lu.h"
#include "linear/sparse.h"

/* C += a A B; A: rows x inner, B: inner x cols. */
static inline void sw_dense_add_product(int rows, int inner, int cols, double a, const double A[],
                                        const double B[], double C[])
{
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < inner; j++) {
      const double factor = a * A[(size_t)i * (size_t)inner + (size_t)j];
      if (factor != 0.0) {
        sw_add_scaled(cols, factor, sw_const_row(B, cols, j), sw_row(C, cols, i));
      }
    }
  }
}

/* C += a A^T B; A: inner x rows, B: inner x cols. */
static inline void sw_dense_add_transposed(int inner, int rows, int cols, double a,
                                           const double A[], const double B[], double C[])
{
  for (int j = 0; j < inner; j++) {
    for (int i = 0; i < rows; i++) {
      const double factor = a * A[(size_t)j * (size_t)rows + (size_t)i];
      if (factor != 0.0) {
        sw_add_scaled(cols, factor, sw_const_row(B, cols, j), sw_row(C, cols, i));
      }
    }
  }
}

/* y += a A x, and y += a A^T x; A: rows x cols. */
static inline void sw_dense_add_times(int rows, int cols, double a, const double A[],
                                      const double x[], double y[])
{
  sw_dense_add_product(rows, cols, 1, a, A, x, y);
}

static inline void sw_dense_add_transposed_times(int rows, int cols, double a, const double A[],
                                                 const double x[], double y[])
{
  sw_dense_add_transposed(rows, cols, 1, a, A, x, y);
}

/* Adds a A to the upper left corner of C; A: rows x cols, C: n columns. */
static inline void sw_dense_add_corner(int rows, int cols, double a, const double A[], int n,
                                       double C[])
{
  for (int i = 0; i < rows; i++) {
    sw_add_scaled(cols, a, sw_const_row(A, cols, i), sw_row(C, n, i));
  }
}

/* Factorises a symmetric n x n matrix with a full diagonal, whose rows may have different units:
 * scale_i^2 is about |A_ii|.  Returns 0 if the matrix is singular. */
static inline int sw_dense_factor(int n, double A[], double scale[], int exchange[])
{
  double least = 0.0;

  for (int i = 0; i < n; i++) {
    const double root = sqrt(fabs(sw_const_row(A, n, i)[i]));
    scale[i] = root > 0.0 ? sw_power_below(root) : 1.0;
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      sw_row(A, n, i)[j] = sw_row(A, n, i)[j] / scale[i] / scale[j];
    }
  }
  return sw_lu_factor(n, A, exchange, &least) == 0;
}

/* x <- A^{-1} x. */
static inline void sw_dense_solve(int n, const double A[], const double scale[],
                                  const int exchange[], double x[])
{
  for (int i = 0; i < n; i++) {
    x[i] /= scale[i];
  }
  sw_lu_solve(n, A, exchange, x);
  for (int i = 0; i < n; i++) {
    x[i] /= scale[i];
  }
}

/* A = the n x n symmetric matrix with this lower triangle.  Entries outside of A are ignored. */
static inline void sw_dense_symmetric(int entries, const int row[], const int col[],
                                      const double values[], int n, double A[])
{
  sw_zero(A, (size_t)n * (size_t)n);
  for (int e = 0; e < entries; e++) {
    if (row[e] < n && col[e] < n) {
      sw_row(A, n, row[e])[col[e]] = values[e];
      sw_row(A, n, col[e])[row[e]] = values[e];
    }
  }
}

#endif
