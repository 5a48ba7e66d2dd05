/* SPDX-License-Identifier: BSD-3-Clause */
#include "linear/sparse_product.h"

#include <limits.h>
#include <stdlib.h>

#include "common/zeros.h"
#include "linear/pattern.h"

/* A and B, with the start of each row of B.  last_row[j] is 1 + the last row of C with an entry in
 * column j. */
typedef struct {
  const sw_pattern *A;
  const sw_pattern *B;
  int *B_start;
  int *last_row;
} factors;

static long long count_terms(const factors *f)
{
  long long terms = 0;

  for (int a = 0; a < f->A->entries; a++) {
    terms += f->B_start[f->A->col[a] + 1] - f->B_start[f->A->col[a]];
  }
  return terms;
}

/* Returns the number of entries of C.  Unless row is NULL, writes the entries in the order in which
 * they are found.  last_row must be 0. */
static int meet(const factors *f, int row[], int col[])
{
  int n = 0;

  for (int a = 0; a < f->A->entries; a++) {
    const int i = f->A->row[a];
    for (int b = f->B_start[f->A->col[a]]; b < f->B_start[f->A->col[a] + 1]; b++) {
      if (f->last_row[f->B->col[b]] != i + 1) {
        f->last_row[f->B->col[b]] = i + 1;
        if (row) {
          row[n] = i;
          col[n] = f->B->col[b];
        }
        n++;
      }
    }
  }
  return n;
}

static sw_status pattern_of(const factors *f, int entries, sw_pattern *C)
{
  int *row = sw_zeros((size_t)entries + 1, sizeof *row);
  int *col = sw_zeros((size_t)entries + 1, sizeof *col);
  sw_status status = SW_ERR_MEMORY;

  if (row && col) {
    for (int j = 0; j < f->B->cols; j++) {
      f->last_row[j] = 0;
    }
    (void)meet(f, row, col);
    status = sw_pattern_create(f->A->rows, f->B->cols, entries, row, col, C, NULL);
  }
  free(row);
  free(col);
  return status;
}

/* Lists the terms of C row by row.  slot[j] is the entry of the current row in column j.  The first
 * pass counts the terms and the second one writes them; each start[e] is advanced to start[e + 1]
 * meanwhile. */
static void list_terms(const factors *f, const sw_pattern *C, sw_product *product)
{
  int *slot = f->last_row;
  int *start = product->start;

  for (int pass = 0; pass < 2; pass++) {
    int a = 0;
    int e = 0;
    while (e < C->entries) {
      const int i = C->row[e];
      for (; e < C->entries && C->row[e] == i; e++) {
        slot[C->col[e]] = e;
      }
      /* Skip rows of A that have no entries in C. */
      while (f->A->row[a] < i) {
        a++;
      }
      for (; a < f->A->entries && f->A->row[a] == i; a++) {
        for (int b = f->B_start[f->A->col[a]]; b < f->B_start[f->A->col[a] + 1]; b++) {
          const int entry = slot[f->B->col[b]];
          if (pass == 0) {
            start[entry + 1]++;
          } else {
            product->left[start[entry]] = a;
            product->right[start[entry]++] = b;
          }
        }
      }
    }
    if (pass == 0) {
      for (int entry = 0; entry < C->entries; entry++) {
        start[entry + 1] += start[entry];
      }
    }
  }
  for (int entry = C->entries; entry > 0; entry--) {
    start[entry] = start[entry - 1];
  }
  start[0] = 0;
}

static sw_status sparse_product_multiply(const factors *f, sw_product *product, sw_pattern *C)
{
  sw_pattern_rows(f->B, f->B_start);
  const long long terms = count_terms(f);
  if (terms >= INT_MAX || pattern_of(f, meet(f, NULL, NULL), C) != SW_OK) {
    return SW_ERR_MEMORY;
  }
  product->entries = C->entries;
  product->start = sw_zeros((size_t)C->entries + 1, sizeof *product->start);
  product->left = sw_zeros((size_t)terms + 1, sizeof *product->left);
  product->right = sw_zeros((size_t)terms + 1, sizeof *product->right);
  if (!product->start || !product->left || !product->right) {
    sw_product_free(product);
    sw_pattern_free(C);
    return SW_ERR_MEMORY;
  }
  list_terms(f, C, product);
  return SW_OK;
}

sw_status sw_product_create(const sw_pattern *A, const sw_pattern *B, sw_product *product,
                            sw_pattern *C)
{
  factors f = {A, B, NULL, NULL};
  sw_status status = SW_ERR_MEMORY;

  *product = (sw_product){0};
  *C = (sw_pattern){A->rows, B->cols, 0, NULL, NULL};
  f.B_start = sw_zeros((size_t)B->rows + 1, sizeof *f.B_start);
  f.last_row = sw_zeros((size_t)B->cols + 1, sizeof *f.last_row);
  if (f.B_start && f.last_row) {
    status = sparse_product_multiply(&f, product, C);
  }
  product->single = status == SW_OK;
  for (int e = 0; product->single && e < product->entries; e++) {
    product->single = product->start[e + 1] - product->start[e] == 1;
  }
  free(f.B_start);
  free(f.last_row);
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
