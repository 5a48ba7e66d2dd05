/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/sparse_product.h -- C = A B for sparse matrices of fixed patterns.
 *
 * The patterns are multiplied once.  After that a product is a list of terms: pairs of entries of A
 * and B for each entry of C.
 */
#ifndef SIDEWINDER_LINEAR_SPARSE_PRODUCT_H
#define SIDEWINDER_LINEAR_SPARSE_PRODUCT_H

#include "linear/pattern.h"
#include "sidewinder/status.h"

/* Entry e of C is the sum of a[left[t]] * b[right[t]] for start[e] <= t < start[e+1]. */
typedef struct sw_product {
  int entries; /* of C */
  int single;  /* 1 if each entry of C is a single term, as when A or B is diagonal */
  int *start;  /* entries + 1 */
  int *left;
  int *right;
} sw_product;

/* Multiplies the patterns, each sorted by row and column.  *C receives the pattern of the
 * structurally nonzero entries, sorted too.  Cost: linear in the terms and the entries of A, B and
 * C.  Errors: SW_ERR_MEMORY, also if the number of terms overflows an int; nothing has to be
 * released then. */
sw_status sw_product_create(const sw_pattern *A, const sw_pattern *B, sw_product *product,
                            sw_pattern *C);
void sw_product_free(sw_product *product);

/* The same for A B^T; right[t] is an entry of B. */
sw_status sw_product_create_transposed(const sw_pattern *A, const sw_pattern *B,
                                       sw_product *product, sw_pattern *C);

/* Extends the entries of the product to a larger pattern that contains them: entry e becomes entry
 * place[e] of `entries`, in the same order, and all other entries are 0.  Errors: SW_ERR_MEMORY;
 * the product is unchanged then. */
sw_status sw_product_spread(sw_product *product, int entries, const int place[]);

/* c: the values of s A B.  a, b: the values of A and B. */
static inline void sw_product_scaled(const sw_product *product, double s, const double a[],
                                     const double b[], double c[])
{
  const int *left = product->left;
  const int *right = product->right;
  int t = 0;

  for (int e = 0; product->single && e < product->entries; e++) {
    c[e] = s * (a[left[e]] * b[right[e]]);
  }
  if (product->single) {
    return;
  }
  for (int e = 0; e < product->entries; e++) {
    const int end = product->start[e + 1];
    double sum = 0.0;
    for (; t < end; t++) {
      sum += a[left[t]] * b[right[t]];
    }
    c[e] = s * sum;
  }
}

static inline void sw_product_values(const sw_product *product, const double a[], const double b[],
                                     double c[])
{
  sw_product_scaled(product, 1.0, a, b, c);
}

#endif
