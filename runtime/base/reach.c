/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/reach.h"

#include <limits.h>
#include <stdlib.h>

#include "sparse/pattern.h"
#include "sparse/product.h"

/* Room for a pattern in the pool; NULL where nothing can be made any more. */
static sw_pattern *take(sw_reach *reach)
{
  if (reach->failed || reach->count == SW_REACH_PATTERNS) {
    reach->failed = 1;
    return NULL;
  }
  reach->pool[reach->count] = (sw_pattern){0};
  return &reach->pool[reach->count];
}

static const sw_pattern *keep(sw_reach *reach, const sw_pattern *made, sw_status status)
{
  if (status != SW_OK) {
    reach->failed = 1;
    return NULL;
  }
  reach->count++;
  return made;
}

/* Entries of A, and of B below or beside it, that satisfy a window, moved by (row, col). */
typedef struct part {
  const sw_pattern *from;
  int first_row;
  int rows;
  int first_col;
  int cols;
  int move; /* rows by which they are moved down */
} part;

static long count_part(const part *p, int *row, int *col, long n)
{
  for (int e = 0; e < p->from->entries; e++) {
    const int i = p->from->row[e] - p->first_row;
    const int j = p->from->col[e] - p->first_col;
    if (i < 0 || i >= p->rows || j < 0 || j >= p->cols) {
      continue;
    }
    if (row) {
      row[n] = i + p->move;
      col[n] = j;
    }
    n++;
  }
  return n;
}

/* The union of two parts as a rows x cols pattern. */
static const sw_pattern *collect(sw_reach *reach, int rows, int cols, const part *a, const part *b)
{
  sw_pattern *made = take(reach);
  long n = 0;

  if (!made) {
    return NULL;
  }
  n = count_part(a, NULL, NULL, n);
  n = b ? count_part(b, NULL, NULL, n) : n;
  if (n > INT_MAX) {
    return keep(reach, NULL, SW_ERR_MEMORY);
  }
  int *row = malloc(((size_t)n + 1) * sizeof *row);
  int *col = malloc(((size_t)n + 1) * sizeof *col);
  sw_status status = SW_ERR_MEMORY;
  if (row && col) {
    const long first = count_part(a, row, col, 0);
    if (b) {
      (void)count_part(b, row, col, first);
    }
    status = sw_pattern_create(rows, cols, (int)n, row, col, made, NULL);
  }
  free(row);
  free(col);
  return keep(reach, made, status);
}

static part whole(const sw_pattern *A)
{
  return (part){A, 0, A->rows, 0, A->cols, 0};
}

const sw_pattern *sw_reach_sum(sw_reach *reach, const sw_pattern *A, const sw_pattern *B)
{
  if (!A || !B) {
    return NULL;
  }
  const part a = whole(A);
  const part b = whole(B);

  return collect(reach, A->rows, A->cols, &a, &b);
}

const sw_pattern *sw_reach_rows(sw_reach *reach, const sw_pattern *A, int first, int rows)
{
  if (!A) {
    return NULL;
  }
  const part a = {A, first, rows, 0, A->cols, 0};

  return collect(reach, rows, A->cols, &a, NULL);
}

const sw_pattern *sw_reach_columns(sw_reach *reach, const sw_pattern *A, int first, int cols)
{
  if (!A) {
    return NULL;
  }
  const part a = {A, 0, A->rows, first, cols, 0};

  return collect(reach, A->rows, cols, &a, NULL);
}

const sw_pattern *sw_reach_stack(sw_reach *reach, const sw_pattern *A, const sw_pattern *B)
{
  if (!A || !B) {
    return NULL;
  }
  const part a = whole(A);
  part b = whole(B);

  b.move = A->rows;
  return collect(reach, A->rows + B->rows, A->cols, &a, &b);
}

const sw_pattern *sw_reach_product(sw_reach *reach, const sw_pattern *A, const sw_pattern *B)
{
  sw_product product;

  if (!A || !B) {
    return NULL;
  }
  sw_pattern *made = take(reach);
  if (!made) {
    return NULL;
  }
  const sw_status status = sw_product_create(A, B, &product, made);
  if (status == SW_OK) {
    sw_product_free(&product);
  }
  return keep(reach, made, status);
}

const sw_pattern *sw_reach_unit(sw_reach *reach, int rows, int cols, int first)
{
  sw_pattern *made = take(reach);

  if (!made) {
    return NULL;
  }
  int *row = malloc(((size_t)rows + 1) * sizeof *row);
  int *col = malloc(((size_t)rows + 1) * sizeof *col);
  sw_status status = SW_ERR_MEMORY;
  if (row && col) {
    for (int i = 0; i < rows; i++) {
      row[i] = i;
      col[i] = first + i;
    }
    status = sw_pattern_create(rows, cols, rows, row, col, made, NULL);
  }
  free(row);
  free(col);
  return keep(reach, made, status);
}

static const sw_pattern *block(sw_reach *reach, const sw_pattern *hessian, int row, int col)
{
  const int d = reach->system->nq;
  const part window = {hessian, row * d, d, col * d, d, 0};

  return hessian ? collect(reach, d, d, &window, NULL) : NULL;
}

void sw_reach_begin(sw_reach *reach, const sw_system *system)
{
  *reach = (sw_reach){.system = system};
  sw_pattern *made = take(reach);
  const sw_pattern *hessian =
      keep(reach, made, sw_pattern_symmetric(&system->hamiltonian_hess_pattern, made, NULL));

  reach->H_qq = block(reach, hessian, 0, 0);
  reach->H_qp = block(reach, hessian, 0, 1);
  reach->H_pq = block(reach, hessian, 1, 0);
  reach->H_pp = block(reach, hessian, 1, 1);
}

void sw_reach_end(sw_reach *reach)
{
  for (int i = 0; i < reach->count; i++) {
    sw_pattern_free(&reach->pool[i]);
  }
  reach->count = 0;
}
