/* SPDX-License-Identifier: BSD-3-Clause */
#include "linear/sparse_product.h"

#include <limits.h>
#include <stdlib.h>

#include "common/zeros.h"
#include "linear/pattern.h"

/* Lists the terms of A B, row by row: pairs of entries of A and B or, if `positions` is 1, the row
 * and the column of each term.  start: of the rows of B. */
static void list_terms(const sw_pattern *A, const sw_pattern *B, const int start[], int positions,
                       int left[], int right[])
{
  int n = 0;

  for (int a = 0; a < A->entries; a++) {
    for (int b = start[A->col[a]]; b < start[A->col[a] + 1]; b++, n++) {
      left[n] = positions ? A->row[a] : a;
      right[n] = positions ? B->col[b] : b;
    }
  }
}

sw_status sw_product_create(const sw_pattern *A, const sw_pattern *B, sw_product *product,
                            sw_pattern *C)
{
  int *start = sw_zeros((size_t)B->rows + 1, sizeof *start);
  long long terms = 0;
  sw_status status = SW_ERR_MEMORY;

  *product = (sw_product){0};
  *C = (sw_pattern){A->rows, B->cols, 0, NULL, NULL};
  if (!start) {
    return SW_ERR_MEMORY;
  }
  sw_pattern_rows(B, start);
  for (int a = 0; a < A->entries; a++) {
    terms += start[A->col[a] + 1] - start[A->col[a]];
  }
  const int n = terms < INT_MAX ? (int)terms : 0;
  const size_t room = (size_t)n + 1;
  int *left = sw_zeros(room, sizeof *left);
  int *right = sw_zeros(room, sizeof *right);
  int *place = sw_zeros(room, sizeof *place);
  if (left && right && place && n == terms) {
    list_terms(A, B, start, 1, left, right);
    status = sw_pattern_create(A->rows, B->cols, n, left, right, C, place);
  }
  if (status == SW_OK) {
    product->start = sw_zeros((size_t)C->entries + 1, sizeof *product->start);
    product->left = sw_zeros(room, sizeof *product->left);
    product->right = sw_zeros(room, sizeof *product->right);
    status = product->start && product->left && product->right ? SW_OK : SW_ERR_MEMORY;
  }
  if (status == SW_OK) {
    product->entries = C->entries;
    product->single = n == C->entries;
    list_terms(A, B, start, 0, left, right);
    sw_sort_by_key(n, NULL, place, C->entries, product->start, product->left);
    for (int t = 0; t < n; t++) {
      product->right[t] = right[product->left[t]];
      product->left[t] = left[product->left[t]];
    }
  } else {
    sw_product_free(product);
    sw_pattern_free(C);
  }
  free(start);
  free(left);
  free(right);
  free(place);
  return status;
}

void sw_product_free(sw_product *product)
{
  free(product->start);
  free(product->left);
  free(product->right);
  *product = (sw_product){0};
}

sw_status sw_product_create_transposed(const sw_pattern *A, const sw_pattern *B,
                                       sw_product *product, sw_pattern *C)
{
  sw_pattern transposed = {0};
  int *place = sw_zeros((size_t)B->entries + 1, sizeof *place);
  int *source = sw_zeros((size_t)B->entries + 1, sizeof *source);
  sw_status status = place && source ? sw_pattern_transpose(B, &transposed, place) : SW_ERR_MEMORY;

  *product = (sw_product){0};
  for (int e = 0; e < B->entries && status == SW_OK; e++) {
    source[place[e]] = e;
  }
  free(place);
  if (status == SW_OK) {
    status = sw_product_create(A, &transposed, product, C);
  }
  sw_pattern_free(&transposed);
  for (int t = 0; status == SW_OK && t < product->start[product->entries]; t++) {
    product->right[t] = source[product->right[t]];
  }
  free(source);
  return status;
}

sw_status sw_product_spread(sw_product *product, int entries, const int place[])
{
  int *start = sw_zeros((size_t)entries + 1, sizeof *start);

  if (!start) {
    return SW_ERR_MEMORY;
  }
  for (int e = 0; e < product->entries; e++) {
    start[place[e] + 1] = product->start[e + 1] - product->start[e];
  }
  for (int e = 0; e < entries; e++) {
    start[e + 1] += start[e];
  }
  product->single &= entries == product->entries;
  free(product->start);
  product->start = start;
  product->entries = entries;
  return SW_OK;
}
