/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/row_product.h -- C = A B^T for sparse matrices of fixed patterns, each by rows.
 *
 * C_ij is the product of row i of A with row j of B.  Where two rows have columns in common these mostly stand side by side
 * in both, so that an entry of C is one product of pieces of three or six values, which takes less memory and
 * time than a list of terms (sparse_product.h).
 */
#ifndef SIDEWINDER_LINEAR_ROW_PRODUCT_H
#define SIDEWINDER_LINEAR_ROW_PRODUCT_H

#include <stddef.h>

#include "linear/pattern.h"
#include "linear/row_runs.h"
#include "sidewinder/status.h"

/* Entry number `entry` of a row gets the product of a[left + t] and b[right + t] for t < length. */
typedef struct sw_piece {
  int entry;
  int left;
  int right;
  int length;
} sw_piece;

/* Rows that have the same pieces, from row to row a step farther in A and in B: of a model with loops hardly more than its
 * families.  So the pieces of one row are kept for all of them. */
typedef struct sw_strip {
  int first; /* row */
  int rows;
  int entry; /* the first of C; each row has `width` of them */
  int width;
  int pieces; /* of a row, from piece[from] on: by entries, those of each in the order of their columns */
  int from;
  int left_step;
  int right_step;
} sw_strip;

typedef struct sw_row_product {
  int strips;
  sw_strip *strip;
  sw_piece *piece;
  sw_runs runs; /* of C */
} sw_row_product;

/* A, B: n columns each, sorted by row and column; *C is made, sorted likewise, with what is structurally not zero.
 * Errors: SW_ERR_MEMORY, also where the terms are too many for an int; then nothing has to be released. */
sw_status sw_row_product_create(const sw_pattern *A, const sw_pattern *B, sw_row_product *product,
                                sw_pattern *C);
void sw_row_product_free(sw_row_product *product);

/* c: the values of rows first .. end-1 of C, row i multiplied by factor[i]. */
void sw_row_product_values(const sw_row_product *product, int first, int end, const double a[],
                           const double b[], const double factor[], double c[]);

/* Rows of which each has three entries in C: three columns in common with the row before, and three others with the row behind, as those of
 * a chain in space. */
typedef struct sw_neighbours {
  int first; /* row */
  int end;
  const double *a; /* row `first` of A, of B: six values a row */
  const double *b;
  const double *factor; /* of row `first` */
  double *c;            /* three values a row */
} sw_neighbours;

/* The longest such strip of sw_row_product_values, and none (first = end) where there is none. */
sw_neighbours sw_row_product_neighbours(const sw_row_product *product, const double a[],
                                        const double b[], const double factor[], double c[]);

/* Makes a row, counted from the first one. */
static inline void sw_neighbours_row(const sw_neighbours *rows, ptrdiff_t row, double c[3])
{
  const double *a = rows->a + 6 * row;
  const double *same = rows->b + 6 * row;
  const double *before = same - 3;
  const double *behind = same + 6;
  double with_before = a[0] * before[0];
  double with_itself = a[0] * same[0];
  double with_behind = a[3] * behind[0];

  for (int t = 1; t < 3; t++) {
    with_before += a[t] * before[t];
    with_itself += a[t] * same[t];
    with_behind += a[3 + t] * behind[t];
  }
  for (int t = 3; t < 6; t++) {
    with_itself += a[t] * same[t];
  }
  c[0] = rows->factor[row] * with_before;
  c[1] = rows->factor[row] * with_itself;
  c[2] = rows->factor[row] * with_behind;
}

/* y: rows first .. end-1 of C x, for values c of C, whose columns are `col`; each sum in the order of the columns. */
void sw_row_product_times(const sw_row_product *product, int first, int end, const double c[],
                          const int col[], const double x[], double y[]);

#endif
