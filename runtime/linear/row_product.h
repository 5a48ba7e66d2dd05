/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/row_product.h -- C = A B^T for sparse matrices of fixed patterns, stored by rows.
 *
 * C_ij is the inner product of row i of A and row j of B.  The common columns of two rows are
 * mostly contiguous in both, so an entry of C is an inner product of pieces of three or six values.
 * Pieces need less memory and time than a list of terms (sparse_product.h).
 */
#ifndef SIDEWINDER_LINEAR_ROW_PRODUCT_H
#define SIDEWINDER_LINEAR_ROW_PRODUCT_H

#include <stddef.h>

#include "common/team.h"
#include "linear/pattern.h"
#include "linear/row_runs.h"
#include "sidewinder/status.h"

/* Adds sum_t a[left + t] b[right + t], t < length, to entry number `entry` of a row. */
typedef struct sw_piece {
  int entry;
  int left;
  int right;
  int length;
} sw_piece;

/* Consecutive rows with the same pieces, shifted by constant steps in A and B from row to row.  The
 * pieces are stored once per strip.  A model with loops has about one strip per family. */
typedef struct sw_strip {
  int first; /* number of the first row */
  int rows;
  int entry; /* the first entry in C; each row has `width` entries */
  int width;
  int pieces; /* pieces per row, starting at piece[from]: sorted by entry, then by column */
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

/* A, B: the same number of columns, sorted by row and column.  *C receives the pattern of the
 * structurally nonzero entries, sorted too.  Errors: SW_ERR_MEMORY, also if the number of terms
 * overflows an int; nothing has to be released then. */
sw_status sw_row_product_create(const sw_pattern *A, const sw_pattern *B, sw_row_product *product,
                                sw_pattern *C);
void sw_row_product_free(sw_row_product *product);

/* c: the values of rows first .. end-1; row i is multiplied by factor[i]. */
void sw_row_product_values(const sw_row_product *product, int first, int end, const double a[],
                           const double b[], const double factor[], double c[]);

/* Consecutive rows of C with three entries each.  Row i of A and B has six values: it shares three
 * columns with row i - 1 and the other three with row i + 1, as in a chain in space. */
typedef struct sw_neighbours {
  int first; /* number of the first row */
  int end;
  const double *a; /* row `first` of A and of B, six values per row */
  const double *b;
  const double *factor; /* of row `first` */
  double *c;            /* three values per row */
} sw_neighbours;

/* The longest strip with that structure, or an empty one (first = end).  The arguments are those of
 * sw_row_product_values. */
sw_neighbours sw_row_product_neighbours(const sw_row_product *product, const double a[],
                                        const double b[], const double factor[], double c[]);

/* Computes row rows->first + `row` of C. */
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

/* y: rows first .. end-1 of C x.  c, col: the values and columns of C.  Each sum is in the order of
 * the columns. */
void sw_row_product_times(const sw_row_product *product, int first, int end, const double c[],
                          const int col[], const double x[], double y[]);

/* ---- rows that are produced while the matrix is factorised ----
 *
 * Each row in the elimination of a tridiagonal matrix waits for one division.  Producing a row
 * during that wait costs almost nothing. */

typedef struct sw_row_maker {
  /* writes the values of rows first .. end-1 to their place in the matrix; rows are requested
   * in any order and possibly repeatedly */
  sw_range_job *make;
  void *context;
  sw_neighbours neighbours; /* rows that can also be produced one by one; empty if first = end */
} sw_row_maker;

/* Produces all n rows.  maker: NULL if the values exist already. */
static inline void sw_make_rows(const sw_row_maker *maker, sw_team *team, size_t n)
{
  if (maker) {
    sw_team_share(team, n, maker->make, maker->context);
  }
}

#endif
