/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/sparse.h -- products of a sparse matrix with a dense block of columns.
 *
 * A block of n columns of length r is stored by rows as an r x n array: entry (i,j) is X[i n + j].
 * One entry of the sparse matrix thus acts on n adjacent values.
 */
#ifndef SIDEWINDER_LINEAR_SPARSE_H
#define SIDEWINDER_LINEAR_SPARSE_H

#include <math.h>
#include <stddef.h>

#include "common/vectors.h"
#include "linear/pattern.h"

/* Row i of a block of n columns. */
static inline double *sw_row(double *block, int n, int i)
{
  return block + (size_t)i * (size_t)n;
}

static inline const double *sw_const_row(const double *block, int n, int i)
{
  return block + (size_t)i * (size_t)n;
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

/* Y = A X for a symmetric A; the pattern holds the lower triangle.  X, Y: rows x n. */
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

/* y += f A x for a symmetric A; the pattern holds the lower triangle.  x, y: rows values. */
static inline void sw_symmetric_add(const sw_pattern *pattern, double f, const double a[],
                                    const double x[], double y[])
{
  for (int e = 0; e < pattern->entries; e++) {
    const int i = pattern->row[e];
    const int j = pattern->col[e];
    y[i] += f * a[e] * x[j];
    y[j] += i != j ? f * a[e] * x[i] : 0.0;
  }
}

/* weight[j] = the largest power of two that is at most max_i |a_ij|, or 1 if column j is zero; n
 * values. */
static inline void sw_column_weights(int n, int entries, const int column[], const double a[],
                                     double weight[])
{
  sw_zero(weight, (size_t)n);
  for (int e = 0; e < entries; e++) {
    const double size = fabs(a[e]);
    double *largest = &weight[column[e]];
    *largest = size > *largest ? size : *largest;
  }
  for (int j = 0; j < n; j++) {
    weight[j] = sw_power_below(weight[j]);
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
