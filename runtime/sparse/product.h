/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sparse/product.h -- C = A B for sparse matrices of fixed patterns.
 *
 * The patterns are multiplied once; after that a product is a list of which entries of A and B meet in
 * which entry of C.
 */
#ifndef SIDEWINDER_SPARSE_PRODUCT_H
#define SIDEWINDER_SPARSE_PRODUCT_H

#include "sidewinder/model.h"
#include "sidewinder/status.h"

/* Entry e of C is the sum of a[left[t]] * b[right[t]] for start[e] <= t < start[e+1]. */
typedef struct sw_product {
  int entries; /* of C */
  int *start;  /* entries + 1 */
  int *left;
  int *right;
} sw_product;

/* Multiplies the patterns, each sorted by row and column; *C is made, sorted likewise, with what is
 * structurally not zero.  Cost: linear in the entries of A, B, C and the terms.  Errors: SW_ERR_MEMORY, also where the terms
 * are too many for an int; then nothing has to be released. */
sw_status sw_product_create(const sw_pattern *A, const sw_pattern *B, sw_product *product,
                            sw_pattern *C);
void sw_product_free(sw_product *product);

static inline void sw_product_values(const sw_product *product, const double a[], const double b[],
                                     double c[])
{
  int t = 0;

  for (int e = 0; e < product->entries; e++) {
    double sum = 0.0;
    for (; t < product->start[e + 1]; t++) {
      sum += a[product->left[t]] * b[product->right[t]];
    }
    c[e] = sum;
  }
}

#endif
