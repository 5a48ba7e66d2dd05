/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/difference.h -- compares a generated derivative with central differences of its
 * function.
 */
#ifndef SW_PROGRAM_DIFFERENCE_H
#define SW_PROGRAM_DIFFERENCE_H

#include "model/system.h"
#include "sidewinder/status.h"

/* Largest error of a correct derivative, relative to the entry; see sw_difference_compare. */
#define SW_DIFFERENCE_TOLERANCE 1e-8

/* A function f: R^cols -> R^rows near v, and its supposed derivative A. */
typedef struct sw_difference {
  void (*evaluate)(void *context, const double v[], double out[]); /* f, writes rows values */
  void *context;
  int rows;
  int cols;
  const double *v;
  const double *length;      /* cols: typical size of each variable, positive */
  const sw_pattern *pattern; /* of A; NULL: every entry, row by row */
  const double *value;       /* entries of A, in the order of the pattern */
  int symmetric;             /* 1 if the pattern holds only row >= col of a symmetric matrix */
  /* Magnitudes of the terms of f_i (rows values) and of the terms of A's entries (one for each
   * value).  Both are NULL unless these terms may cancel for all v. */
  const double *terms;
  const double *value_terms;
} sw_difference;

/* The entry with the largest figure. */
typedef struct sw_difference_worst {
  double figure;
  int row;
  int col;
  double generated;  /* A at (row, col); 0 if the pattern lacks the entry */
  double difference; /* the extrapolated difference */
} sw_difference_worst;

/* Compares every entry a of A, also outside the pattern, with the extrapolated central difference
 * a' of step h, by the figure
 *
 *   |a - a'| / (|a| + 64 eps (S / h + U) / tolerance),
 *   S = |f_i| + sum_j |A_ij v_j| + terms_i,   U = value_terms_ij.
 *
 * The figure is at most SW_DIFFERENCE_TOLERANCE if |a - a'| is within that fraction of |a| plus
 * the rounding errors of a' and a.  A NaN counts as the worst figure.  Errors: SW_ERR_MEMORY. */
sw_status sw_difference_compare(const sw_difference *f, sw_difference_worst *worst);

/* Approximates one column: derivative[i] = df_i/dv_j, and rounding[i] = 64 eps size[i] / h
 * with the step h of that value, for i < rows.
 *
 * The steps are length_j / 16, halved at most 39 times.  Neville's scheme in h^2 extrapolates
 * from up to 14 of them.  The first one is the largest step with finite f_i after which each
 * f_i(v + h) - 2 f_i(v) + f_i(v - h) falls with h.  A pole within the step would violate this
 * condition.
 *
 * The extrapolation with the least estimated error is kept.  Halving ends when the estimate
 * is a tenth of the tolerance.  If no step is usable, the derivative is NaN.  Errors:
 * SW_ERR_MEMORY. */
sw_status sw_difference_column(const sw_difference *f, int column, const double size[],
                               double derivative[], double rounding[]);

#endif
