/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sparse.h -- products of a matrix that has a pattern with a dense block of columns.
 *
 * A block of n columns of length r is r x n, row by row: entry (i,j) stands at X[i n + j], so that
 * one entry of the sparse matrix acts on n neighbouring values.
 */
#ifndef SIDEWINDER_SPARSE_H
#define SIDEWINDER_SPARSE_H

#include <stddef.h>
#include <string.h>

#include "sidewinder/model.h"

/* Row i of a block of n columns. */
static inline double *sw_row(double *block, int n, int i)
{
  return block + (size_t)i * (size_t)n;
}

static inline const double *sw_const_row(const double *block, int n, int i)
{
  return block + (size_t)i * (size_t)n;
}

static inline void sw_zero(double *values, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    values[i] = 0.0;
  }
}

static inline void sw_copy(double *to, const double *from, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    to[i] = from[i];
  }
}

/* y += a x, n values. */
static inline void sw_add_scaled(int n, double a, const double *x, double *y)
{
  for (int j = 0; j < n; j++) {
    y[j] += a * x[j];
  }
}

/* Y = A X.  X: cols x n, Y: rows x n. */
static inline void sw_multiply(const sw_pattern *pattern, const double a[], int n, const double X[],
                               double Y[])
{
  sw_zero(Y, (size_t)pattern->rows * (size_t)n);
  for (int e = 0; e < pattern->entries; e++) {
    sw_add_scaled(n, a[e], sw_const_row(X, n, pattern->col[e]), sw_row(Y, n, pattern->row[e]));
  }
}

/* Y = A X for a symmetric A of which the pattern holds the lower triangle.  X, Y: rows x n. */
static inline void sw_symmetric_multiply(const sw_pattern *pattern, const double a[], int n,
                                         const double X[], double Y[])
{
  sw_zero(Y, (size_t)pattern->rows * (size_t)n);
  for (int e = 0; e < pattern->entries; e++) {
    const int i = pattern->row[e];
    const int j = pattern->col[e];
    sw_add_scaled(n, a[e], sw_const_row(X, n, j), sw_row(Y, n, i));
    if (i != j) {
      sw_add_scaled(n, a[e], sw_const_row(X, n, i), sw_row(Y, n, j));
    }
  }
}

/* y += A^T x.  x: rows values, y: cols values. */
static inline void sw_add_transposed(const sw_pattern *pattern, const double a[], const double x[],
                                     double y[])
{
  for (int e = 0; e < pattern->entries; e++) {
    y[pattern->col[e]] += a[e] * x[pattern->row[e]];
  }
}

#endif
