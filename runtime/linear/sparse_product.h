/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/sparse_product.h -- C = A B for sparse matrices of fixed patterns.
 *
 * The patterns are multiplied once; after that a product is a list of which entries of A and B meet in
 * which entry of C.
 */
#ifndef SIDEWINDER_LINEAR_SPARSE_PRODUCT_H
#define SIDEWINDER_LINEAR_SPARSE_PRODUCT_H

#include "linear/pattern.h"
#include "sidewinder/status.h"

/* Entry e of C is the sum of a[left[t]] * b[right[t]] for start[e] <= t < start[e+1]. */
typedef struct sw_product {
  int entries; /* of C */
  int single;  /* 1 where each of them is one term, as where A or B is diagonal */
  int *start;  /* entries + 1 */
  int *left;
  int *right;
} sw_product;

/* Multiplies the patterns, each sorted by row and column; *C is made, sorted likewise, with what is
 * structurally not zero.  Cost: linear in the entries of A, B, C and the terms.  Errors: SW_ERR_MEMORY,
 * also where the terms are too many for an int; then nothing has to be released. */
sw_status sw_product_create(const sw_pattern *A, const sw_pattern *B, sw_product *product,
                            sw_pattern *C);
void sw_product_free(sw_product *product);

/* The same of A B^T, where right[t] is an entry of B. */
sw_status sw_product_create_transposed(const sw_pattern *A, const sw_pattern *B,
                                       sw_product *product, sw_pattern *C);

/* Gives the product the entries of a pattern that holds those of C among others, which are then 0: entry e
 * becomes entry place[e] of `entries`, in the same order.  Errors: SW_ERR_MEMORY; the product is unchanged. */
sw_status sw_product_spread(sw_product *product, int entries, const int place[]);

/* c: the values of s A B; a and b those of A and B. */
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
