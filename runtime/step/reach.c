/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/reach.h"

#include <limits.h>
#include <stdlib.h>

#include "linear/pattern.h"
#include "linear/sparse_product.h"

/* Room for a pattern in the pool; NULL where nothing can be made any more. */
static sw_pattern *take(sw_reach *reach)
{
  sw_pattern **pool =
      reach->failed ? NULL : realloc(reach->pool, ((size_t)reach->count + 1) * sizeof *pool);

  if (pool) {
    reach->pool = pool;
    pool[reach->count] = calloc(1, sizeof **pool);
  }
  if (!pool || !pool[reach->count]) {
    reach->failed = 1;
    return NULL;
  }
  return pool[reach->count];
}

static const sw_pattern *keep(sw_reach *reach, sw_pattern *made, sw_status status)
{
  if (status != SW_OK) {
    free(made);
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
    return keep(reach, made, SW_ERR_MEMORY);
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

const sw_pattern *sw_reach_full(sw_reach *reach, int rows, int cols)
{
  sw_pattern *made = take(reach);
  sw_status status = SW_ERR_MEMORY;

  if (!made) {
    return NULL;
  }
  const size_t entries = (size_t)rows * (size_t)cols;
  int *row = entries <= INT_MAX ? malloc((entries + 1) * sizeof *row) : NULL;
  int *col = entries <= INT_MAX ? malloc((entries + 1) * sizeof *col) : NULL;
  if (row && col) {
    for (size_t e = 0; e < entries; e++) {
      row[e] = (int)(e / (size_t)cols);
      col[e] = (int)(e % (size_t)cols);
    }
    status = sw_pattern_create(rows, cols, (int)entries, row, col, made, NULL);
  }
  free(row);
  free(col);
  return keep(reach, made, status);
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
      made ? keep(reach, made, sw_pattern_symmetric(&system->hamiltonian_hess_pattern, made, NULL))
           : NULL;

  reach->H_qq = block(reach, hessian, 0, 0);
  reach->H_qp = block(reach, hessian, 0, 1);
  reach->H_pq = block(reach, hessian, 1, 0);
  reach->H_pp = block(reach, hessian, 1, 1);
}

void sw_reach_end(sw_reach *reach)
{
  for (int i = 0; i < reach->count; i++) {
    sw_pattern_free(reach->pool[i]);
    free(reach->pool[i]);
  }
  free(reach->pool);
  reach->pool = NULL;
  reach->count = 0;
}

/* The pattern of A X + B Y, of which either may be missing. */
static const sw_pattern *slope(sw_reach *reach, const sw_pattern *A, const sw_pattern *X,
                               const sw_pattern *B, const sw_pattern *Y)
{
  const sw_pattern *left = X ? sw_reach_product(reach, A, X) : NULL;
  const sw_pattern *right = Y ? sw_reach_product(reach, B, Y) : NULL;

  return !X ? right : !Y ? left : sw_reach_sum(reach, left, right);
}

/* The pattern of the force of the constraints at Q with these multipliers. */
static const sw_pattern *force(sw_reach *reach, const sw_pattern *Q, const sw_pattern *lambda)
{
  const sw_system *system = reach->system;
  const int d = system->nq;
  const part of_q = {&system->fibre_flow_z_pattern, d, d, 0, d, 0};
  const part of_lambda = {&system->fibre_flow_lambda_pattern, d, d, 0, system->nc, 0};

  return slope(reach, collect(reach, d, d, &of_q, NULL), Q,
               collect(reach, d, system->nc, &of_lambda, NULL), lambda);
}

void sw_reach_stages(sw_reach *reach, const sw_stage_plan *plan, const sw_pattern *const y[2],
                     const sw_pattern *const x[], const sw_pattern *const lambda[],
                     sw_stage_reach *found)
{
  const sw_pattern *made[SW_VALUES_MOST] = {NULL};
  const sw_pattern *read[SW_VALUES_MOST] = {NULL};

  for (int v = 0; v < plan->values; v++) {
    made[v] = read[v] = y[plan->value[v].half];
    if (plan->value[v].block >= 0) {
      read[v] = x[plan->value[v].block];
    }
  }
  for (int k = 0; k < plan->slopes && !reach->failed; k++) {
    const sw_stage_slope *at = &plan->slope[k];
    const sw_pattern *Q = at->q < 0 ? NULL : read[at->q];
    const sw_pattern *P = at->p < 0 ? NULL : read[at->p];
    const sw_pattern *half[2] = {P ? slope(reach, reach->H_pp, P, reach->H_pq, Q) : NULL,
                                 Q ? slope(reach, reach->H_qq, Q, reach->H_qp, P) : NULL};
    if (lambda && at->force >= 0) {
      half[1] = sw_reach_sum(reach, half[1], force(reach, Q, lambda[at->force]));
    }
    for (int n = at->first; n < at->last; n++) {
      const int v = plan->push[n].value;
      made[v] = sw_reach_sum(reach, made[v], half[plan->value[v].half]);
      read[v] = plan->value[v].block < 0 ? made[v] : read[v];
    }
  }
  for (int b = 0; b < plan->blocks; b++) {
    found->r[b] = sw_reach_sum(reach, x[b], made[plan->block_value[b]]);
  }
  for (int k = 0; k < plan->slopes; k++) {
    if (plan->slope[k].force >= 0) {
      found->forced[plan->slope[k].force] = made[plan->slope[k].q];
    }
  }
  found->z1[0] = made[SW_VALUE_Q1];
  found->z1[1] = made[SW_VALUE_P1];
}
