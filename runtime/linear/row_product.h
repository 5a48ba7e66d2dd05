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

#include "linear/pattern.h"
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
} sw_row_product;

/* A, B: n columns each, sorted by row and column; *C is made, sorted likewise, with what is structurally not zero.
 * Errors: SW_ERR_MEMORY, also where the terms are too many for an int; then nothing has to be released. */
sw_status sw_row_product_create(const sw_pattern *A, const sw_pattern *B, sw_row_product *product,
                                sw_pattern *C);
void sw_row_product_free(sw_row_product *product);

/* c: the values of rows first .. end-1 of C, row i multiplied by factor[i]. */
void sw_row_product_values(const sw_row_product *product, int first, int end, const double a[],
                           const double b[], const double factor[], double c[]);

/* y: rows first .. end-1 of C x, for values c of C, whose columns are `col`; each sum in the order of the columns. */
void sw_row_product_times(const sw_row_product *product, int first, int end, const double c[],
                          const int col[], const double x[], double y[]);

#endif
