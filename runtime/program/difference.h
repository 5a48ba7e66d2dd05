/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/difference.h -- a generated derivative against central differences of the function itself.
 */
#ifndef SW_PROGRAM_DIFFERENCE_H
#define SW_PROGRAM_DIFFERENCE_H

#include "model/system.h"
#include "sidewinder/status.h"

/* Largest error of a good derivative, relative to the entry; see sw_difference_compare. */
#define SW_DIFFERENCE_TOLERANCE 1e-8

/* f: R^cols -> R^rows near v, and A, which claims to be its derivative. */
typedef struct sw_difference {
  void (*evaluate)(void *context, const double v[], double out[]); /* f, writes rows values */
  void *context;
  int rows;
  int cols;
  const double *v;
  const double *length;      /* cols: typical size of each variable, positive */
  const sw_pattern *pattern; /* of A; NULL: every entry, row by row */
  const double *value;       /* entries of A */
  int symmetric;             /* 1 where pattern holds only row >= col of a symmetric matrix */
  /* The sizes of terms that f_i and the entries of A sum, where these may cancel for all v: rows values, and one for each value of A;
   * both NULL where there are none. */
  const double *terms;
  const double *value_terms;
} sw_difference;

/* The entry with the largest figure. */
typedef struct sw_difference_worst {
  double figure;
  int row;
  int col;
  double generated;  /* A at (row, col); 0 where the pattern says so */
  double difference; /* what the differences say */
} sw_difference_worst;

/* Compares every entry of A, those outside its pattern included, with the extrapolated central
 * difference a' of step h, by the figure
 *     |a - a'| / (|a| + 64 eps (S / h + U) / tolerance),   S = |f_i| + sum_j |A_ij v_j| + terms_i,   U = value_terms_ij,
 * which is at most SW_DIFFERENCE_TOLERANCE where |a - a'| is within that part of |a| plus the
 * rounding of the difference and of a.  A figure that is not a number is the worst.  Errors: SW_ERR_MEMORY. */
sw_status sw_difference_compare(const sw_difference *f, sw_difference_worst *worst);

/* One column: derivative[i] = df_i/dv_j, and rounding[i] = 64 eps size[i] / h for the step it was
 * taken from, for i < rows.  Steps: length_j / 16, halved at most 39 times; 14 of them are extrapolated by
 * Neville's scheme in h^2, from the first one on at which all f_i are finite, and behind which each
 * f_i(v + h) - 2 f_i(v) + f_i(v - h) falls as h does, as it would not while a pole is within the step.  The
 * extrapolation with the least estimated error is kept, and halving ends where that estimate is a tenth of
 * what the tolerance allows; where no step is good the derivative is NaN.  Errors: SW_ERR_MEMORY. */
sw_status sw_difference_column(const sw_difference *f, int column, const double size[],
                               double derivative[], double rounding[]);

#endif
