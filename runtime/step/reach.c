/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/reach.h"

#include <stdlib.h>

#include "linear/pattern.h"
#include "linear/sparse_product.h"

/* Adds a pattern to the pool. Returns NULL if there is no pattern or no memory. */
static const sw_pattern *reach_keep(sw_reach *reach, sw_status status, sw_pattern made)
{
  const size_t count = (size_t)reach->count;
  sw_pattern **pool =
      status == SW_OK && !reach->failed ? realloc(reach->pool, (count + 1) * sizeof *pool) : NULL;
  sw_pattern *kept = pool ? malloc(sizeof *kept) : NULL;

  reach->pool = pool ? pool : reach->pool;
  if (!kept) {
    sw_pattern_free(&made);
    reach->failed = 1;
    return NULL;
  }
  *kept = made;
  reach->pool[reach->count++] = kept;
  return kept;
}

static const sw_pattern *reach_keep_entries(sw_reach *reach, sw_gathered *entries, int rows,
                                            int cols)
{
  sw_pattern made;
  const sw_status status = sw_gathered_pattern(entries, rows, cols, &made, NULL);

  return reach_keep(reach, status, made);
}

/* A window of a pattern, and its displacement in the result. */
typedef struct part {
  const sw_pattern *from;
  int first_row;
  int rows;
  int first_col;
  int cols;
  int move; /* rows to move down */
} part;

static void reach_add_part(const part *p, sw_gathered *to)
{
  for (int e = 0; e < p->from->entries; e++) {
    const int i = p->from->row[e] - p->first_row;
    const int j = p->from->col[e] - p->first_col;
    if (i >= 0 && i < p->rows && j >= 0 && j < p->cols) {
      sw_gather(to, i + p->move, j);
    }
  }
}

/* The union of two parts as a rows x cols pattern. */
static const sw_pattern *reach_collect(sw_reach *reach, int rows, int cols, const part *a,
                                       const part *b)
{
  sw_gathered all = {0};

  reach_add_part(a, &all);
  if (b) {
    reach_add_part(b, &all);
  }
  return reach_keep_entries(reach, &all, rows, cols);
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

  return reach_collect(reach, A->rows, A->cols, &a, &b);
}

const sw_pattern *sw_reach_rows(sw_reach *reach, const sw_pattern *A, int first, int rows)
{
  if (!A) {
    return NULL;
  }
  const part a = {A, first, rows, 0, A->cols, 0};

  return reach_collect(reach, rows, A->cols, &a, NULL);
}

const sw_pattern *sw_reach_columns(sw_reach *reach, const sw_pattern *A, int first, int cols)
{
  if (!A) {
    return NULL;
  }
  const part a = {A, 0, A->rows, first, cols, 0};

  return reach_collect(reach, A->rows, cols, &a, NULL);
}

const sw_pattern *sw_reach_full(sw_reach *reach, int rows, int cols)
{
  sw_gathered all = {0};

  for (int i = 0; i < rows && !all.failed; i++) {
    for (int j = 0; j < cols; j++) {
      sw_gather(&all, i, j);
    }
  }
  return reach_keep_entries(reach, &all, rows, cols);
}

const sw_pattern *sw_reach_stack(sw_reach *reach, const sw_pattern *A, const sw_pattern *B)
{
  if (!A || !B) {
    return NULL;
  }
  const part a = whole(A);
  part b = whole(B);

  b.move = A->rows;
  return reach_collect(reach, A->rows + B->rows, A->cols, &a, &b);
}

const sw_pattern *sw_reach_product(sw_reach *reach, const sw_pattern *A, const sw_pattern *B)
{
  sw_product product;
  sw_pattern made;

  if (!A || !B) {
    return NULL;
  }
  const sw_status status = sw_product_create(A, B, &product, &made);
  if (status == SW_OK) {
    sw_product_free(&product);
  }
  return reach_keep(reach, status, made);
}

const sw_pattern *sw_reach_unit(sw_reach *reach, int rows, int cols, int first)
{
  sw_gathered all = {0};

  for (int i = 0; i < rows; i++) {
    sw_gather(&all, i, first + i);
  }
  return reach_keep_entries(reach, &all, rows, cols);
}

static const sw_pattern *block(sw_reach *reach, const sw_pattern *hessian, int row, int col)
{
  const int d = reach->system->nq;
  const part window = {hessian, row * d, d, col * d, d, 0};

  return hessian ? reach_collect(reach, d, d, &window, NULL) : NULL;
}

void sw_reach_begin(sw_reach *reach, const sw_system *system)
{
  *reach = (sw_reach){.system = system};
  sw_pattern made;
  const sw_status status = sw_pattern_symmetric(&system->hamiltonian_hess_pattern, &made, NULL);
  const sw_pattern *hessian = reach_keep(reach, status, made);

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

/* The pattern of A X + B Y; either product may be absent. */
static const sw_pattern *slope(sw_reach *reach, const sw_pattern *A, const sw_pattern *X,
                               const sw_pattern *B, const sw_pattern *Y)
{
  const sw_pattern *left = X ? sw_reach_product(reach, A, X) : NULL;
  const sw_pattern *right = Y ? sw_reach_product(reach, B, Y) : NULL;

  return !X ? right : !Y ? left : sw_reach_sum(reach, left, right);
}

/* The pattern of the constraint force at Q with these multipliers. */
static const sw_pattern *force(sw_reach *reach, const sw_pattern *Q, const sw_pattern *lambda)
{
  const sw_system *system = reach->system;
  const int d = system->nq;
  const part of_q = {&system->fibre_flow_z_pattern, d, d, 0, d, 0};
  const part of_lambda = {&system->fibre_flow_lambda_pattern, d, d, 0, system->nc, 0};

  return slope(reach, reach_collect(reach, d, d, &of_q, NULL), Q,
               reach_collect(reach, d, system->nc, &of_lambda, NULL), lambda);
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
