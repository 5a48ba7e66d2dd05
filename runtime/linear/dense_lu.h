/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/dense_lu.h -- LU factorisation of small dense matrices, with row exchanges.
 *
 * P A = L U.  A: n x n, column by column; overwritten by L (unit diagonal, not stored) and U.
 */
#ifndef SIDEWINDER_LINEAR_DENSE_LU_H
#define SIDEWINDER_LINEAR_DENSE_LU_H

#include <float.h>
#include <math.h>
#include <stddef.h>

/* Row of the largest |column[i]|, i >= from. */
static inline int sw_lu_pivot(int n, int from, const double column[])
{
  int best = from;

  for (int i = from + 1; i < n; i++) {
    if (fabs(column[i]) > fabs(column[best])) {
      best = i;
    }
  }
  return best;
}

/* x <- P x, for the first `count` exchanges. */
static inline void sw_lu_exchange(int count, const int exchange[], double x[])
{
  for (int j = 0; j < count; j++) {
    const double moved = x[exchange[j]];
    x[exchange[j]] = x[j];
    x[j] = moved;
  }
}

/* The row of the largest |column[i]|, i >= from, that exceeds the round-off of its terms; `from` if
 * no entry does. */
static inline int sw_lu_clear_pivot(int n, int from, const double column[], const double terms[])
{
  int best = from;
  double largest = 0.0;

  for (int i = from; i < n; i++) {
    if (fabs(column[i]) > largest && fabs(column[i]) > n * DBL_EPSILON * terms[i]) {
      largest = fabs(column[i]);
      best = i;
    }
  }
  return best;
}

/* Factorises A and writes the row exchanged with row j to exchange[j].  *least becomes the smallest
 * pivot relative to its column.  terms: scratch for n values, or NULL.
 *
 * Returns 0, or 1 if a column has no usable pivot: the column is zero, or elimination leaves at
 * most the round-off of its largest entry.  The test does not depend on the scale of the unknowns.
 * With `terms`, a pivot is round-off if it is at most n DBL_EPSILON times the sum of the sizes of
 * its terms, an entry of |L||U|: this test does not depend on the scale of the equations either. */
static inline int sw_lu_factor_by(int n, double A[], int exchange[], double terms[], double *least)
{
  *least = 1.0;
  for (int j = 0; j < n; j++) {
    double *column = A + (size_t)j * (size_t)n;
    double largest = 0.0;

    for (int i = 0; i < n; i++) {
      largest = fmax(largest, fabs(column[i]));
    }
    sw_lu_exchange(j, exchange, column);
    for (int i = 0; i < n && terms; i++) {
      terms[i] = fabs(column[i]);
    }
    for (int s = 0; s < j; s++) {
      const double *left = A + (size_t)s * (size_t)n;
      for (int i = s + 1; i < n; i++) {
        column[i] -= left[i] * column[s];
      }
      for (int i = s + 1; i < n && terms; i++) {
        terms[i] += fabs(left[i] * column[s]);
      }
    }
    exchange[j] = terms ? sw_lu_clear_pivot(n, j, column, terms) : sw_lu_pivot(n, j, column);
    const double pivot = fabs(column[exchange[j]]);
    const double size = terms ? n * terms[exchange[j]] : largest;
    if (!(pivot > DBL_EPSILON * size)) {
      return 1;
    }
    *least = fmin(*least, pivot / size);
    for (int s = 0; s <= j; s++) {
      double *row = A + (size_t)s * (size_t)n;
      const double moved = row[exchange[j]];
      row[exchange[j]] = row[j];
      row[j] = moved;
    }
    for (int i = j + 1; i < n; i++) {
      column[i] /= column[j];
    }
  }
  return 0;
}

/* sw_lu_factor_by without `terms`. */
static inline int sw_lu_factor(int n, double A[], int exchange[], double *least)
{
  return sw_lu_factor_by(n, A, exchange, NULL, least);
}

/* x <- A^{-1} x. */
static inline void sw_lu_solve(int n, const double A[], const int exchange[], double x[])
{
  sw_lu_exchange(n, exchange, x);
  for (int j = 0; j < n; j++) {
    const double *column = A + (size_t)j * (size_t)n;
    for (int i = j + 1; i < n; i++) {
      x[i] -= column[i] * x[j];
    }
  }
  for (int j = n - 1; j >= 0; j--) {
    const double *column = A + (size_t)j * (size_t)n;
    x[j] /= column[j];
    for (int i = 0; i < j; i++) {
      x[i] -= column[i] * x[j];
    }
  }
}

#endif
