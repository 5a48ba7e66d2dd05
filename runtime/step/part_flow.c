/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/part_flow.h"

#include <stdlib.h>
#include <string.h>

#include "linear/phi_matrix.h"
#include "linear/sparse.h"

/* ---- the entries that it couples ---- */

/* (J x)_i = sign * x_j. Returns j. */
static int conjugate(int d, int i, double *sign)
{
  *sign = i < d ? 1.0 : -1.0;
  return i < d ? i + d : i - d;
}

/* The pattern of 1 + J f''; an entry of the lower triangle of f'' gives two entries. */
static sw_status pattern_of_step(const sw_system *system, const sw_pattern *hess,
                                 sw_pattern *pattern)
{
  const int dim = 2 * system->nq;
  sw_gathered all = {0};
  double sign = 0.0;

  for (int i = 0; i < dim; i++) {
    sw_gather(&all, i, i);
  }
  for (int e = 0; e < hess->entries; e++) {
    sw_gather(&all, conjugate(system->nq, hess->row[e], &sign), hess->col[e]);
    sw_gather(&all, conjugate(system->nq, hess->col[e], &sign), hess->row[e]);
  }
  return sw_gathered_pattern(&all, dim, dim, pattern, NULL);
}

/* The pattern of a matrix with full blocks. */
static sw_status pattern_of_blocks(const sw_blocks *blocks, int dim, sw_pattern *pattern)
{
  sw_gathered all = {0};

  for (int b = 0; b < blocks->count; b++) {
    for (int i = blocks->start[b]; i < blocks->start[b + 1]; i++) {
      for (int j = blocks->start[b]; j < blocks->start[b + 1]; j++) {
        sw_gather(&all, blocks->member[i], blocks->member[j]);
      }
    }
  }
  return sw_gathered_pattern(&all, dim, dim, pattern, NULL);
}

/* Offset of (i, j) in the matrix of the block of i and j. */
static size_t part_flow_place_of(const sw_part_plan *plan, int block, int i, int j)
{
  const size_t n = (size_t)sw_block_size(&plan->blocks, block);

  return plan->square[block] + (size_t)plan->blocks.local[i] * n + (size_t)plan->blocks.local[j];
}

/* Fills square and place; block: the block of each entry of z. */
static void place_blocks(int d, const int block[], sw_part_plan *plan)
{
  const sw_pattern *hess = &plan->hess;
  double sign = 0.0;

  for (int b = 0; b < plan->blocks.count; b++) {
    const int n = sw_block_size(&plan->blocks, b);
    plan->largest = n > plan->largest ? n : plan->largest;
    plan->square[b + 1] = plan->square[b] + (size_t)n * (size_t)n;
  }
  for (int e = 0; e < hess->entries; e++) {
    const int i = conjugate(d, hess->row[e], &sign);
    const int j = conjugate(d, hess->col[e], &sign);
    plan->place[2 * e] = part_flow_place_of(plan, block[i], i, hess->col[e]);
    plan->place[2 * e + 1] = part_flow_place_of(plan, block[j], j, hess->row[e]);
  }
}

/* Plans a linear flow: closes the set of directly coupled entries to full blocks. */
static sw_status plan_blocks(const sw_system *system, sw_part_plan *plan)
{
  const int dim = 2 * system->nq;
  const sw_blocks *blocks = &plan->blocks;
  const sw_status status = sw_blocks_create(&plan->derivative, &plan->blocks);
  int *block = calloc((size_t)dim, sizeof *block);

  plan->square = calloc((size_t)dim + 1, sizeof *plan->square);
  plan->place = calloc(2 * (size_t)plan->hess.entries + 1, sizeof *plan->place);
  if (status != SW_OK || !block || !plan->square || !plan->place) {
    free(block);
    return SW_ERR_MEMORY;
  }
  for (int b = 0; b < blocks->count; b++) {
    for (int i = blocks->start[b]; i < blocks->start[b + 1]; i++) {
      block[blocks->member[i]] = b;
    }
  }
  place_blocks(system->nq, block, plan);
  free(block);
  if (plan->largest > SW_BLOCK_MOST) {
    return SW_ERR_SIZE;
  }
  sw_pattern_free(&plan->derivative);
  return pattern_of_blocks(blocks, dim, &plan->derivative);
}

sw_status sw_part_plan_make(const sw_system *system, const sw_part *part, sw_part_plan *plan)
{
  const sw_places *places = part ? &part->hess.places : NULL;
  const int dim = 2 * system->nq;

  *plan = (sw_part_plan){.kind = part ? part->kind : SW_PART_QUADRATIC, .part = part};
  plan->hess = part ? (sw_pattern){dim, dim, places->n, places->row, places->col}
                    : system->hamiltonian_hess_pattern;
  const sw_status status = pattern_of_step(system, &plan->hess, &plan->derivative);
  return status == SW_OK && plan->kind == SW_PART_QUADRATIC ? plan_blocks(system, plan) : status;
}

void sw_part_plan_free(sw_part_plan *plan)
{
  sw_pattern_free(&plan->derivative);
  sw_blocks_free(&plan->blocks);
  free(plan->square);
  free(plan->place);
  *plan = (sw_part_plan){0};
}

void sw_part_flow_carve(sw_carver *c, sw_part_flow *flow)
{
  const sw_part_plan *plan = flow->plan;
  const size_t entries = (size_t)plan->hess.entries;
  const size_t largest = (size_t)plan->largest;
  const size_t all = plan->square ? plan->square[plan->blocks.count] : 0;

  flow->field = sw_carve(c, 2 * (size_t)flow->system->nq, 1);
  flow->hess = sw_carve(c, entries, 1);
  flow->used = sw_carve(c, plan->square ? entries : 0, 1);
  SW_CARVE(c, all, 1, &flow->matrix, &flow->phi);
  flow->work = sw_carve(c, 2 * largest, largest);
}

/* ---- f' and f'' ---- */

static void evaluate_field(sw_part_flow *flow, const double z[], const double k[])
{
  const sw_system *system = flow->system;
  const sw_part *part = flow->plan->part;
  double *F = flow->field;

  if (part) {
    part->grad(sw_system_sizes(system), z, k, F);
  } else {
    system->hamiltonian_grad(system, z, k, F);
  }
  sw_turn((size_t)system->nq, F, F);
}

static void evaluate_hess(sw_part_flow *flow, const double z[], const double k[])
{
  const sw_part *part = flow->plan->part;

  if (part) {
    part->hess.values(sw_system_sizes(flow->system), z, k, flow->hess);
  } else {
    flow->system->hamiltonian_hess(flow->system, z, k, flow->hess);
  }
}

/* ---- Phi ---- */

/* Computes A = J f'' of each block, and Phi. */
static void make_phi(sw_part_flow *flow, double h)
{
  const sw_part_plan *plan = flow->plan;
  const sw_pattern *hess = &plan->hess;
  const int d = flow->system->nq;
  double sign = 0.0;

  sw_zero(flow->matrix, plan->square[plan->blocks.count]);
  for (int e = 0; e < hess->entries; e++) {
    (void)conjugate(d, hess->row[e], &sign);
    flow->matrix[plan->place[2 * e]] -= sign * flow->hess[e];
    if (hess->row[e] != hess->col[e]) {
      (void)conjugate(d, hess->col[e], &sign);
      flow->matrix[plan->place[2 * e + 1]] -= sign * flow->hess[e];
    }
  }
  for (int b = 0; b < plan->blocks.count; b++) {
    const size_t at = plan->square[b];
    sw_phi_matrix(sw_block_size(&plan->blocks, b), h, flow->matrix + at, flow->phi + at,
                  flow->work);
  }
  sw_copy(flow->used, flow->hess, (size_t)hess->entries);
  flow->h = h;
  flow->is_known = 1;
}

/* Recomputes Phi if h or f'' changed. */
static void find_phi(sw_part_flow *flow, double h, const double z[], const double k[])
{
  const size_t bytes = (size_t)flow->plan->hess.entries * sizeof *flow->hess;

  evaluate_hess(flow, z, k);
  if (!flow->is_known || flow->h != h ||
      (bytes > 0 && memcmp(flow->used, flow->hess, bytes) != 0)) {
    make_phi(flow, h);
  }
}

/* y = x + Phi F. */
static void move_along(const sw_part_flow *flow, double h, const double x[], const double F[],
                       double y[])
{
  const sw_part_plan *plan = flow->plan;
  const sw_blocks *blocks = &plan->blocks;

  if (plan->kind == SW_PART_COMMUTING) {
    for (int i = 0; i < 2 * flow->system->nq; i++) {
      y[i] = x[i] + h * F[i];
    }
    return;
  }
  for (int b = 0; b < blocks->count; b++) {
    const int *member = blocks->member + blocks->start[b];
    const int n = sw_block_size(blocks, b);
    for (int i = 0; i < n; i++) {
      const double *row = sw_const_row(flow->phi + plan->square[b], n, i);
      double sum = 0.0;
      for (int j = 0; j < n; j++) {
        sum += row[j] * F[member[j]];
      }
      y[member[i]] = x[member[i]] + sum;
    }
  }
}

/* ---- the flow ---- */

static void part_flow_find_field(sw_part_flow *flow, double h, const double z[], const double k[])
{
  evaluate_field(flow, z, k);
  if (flow->plan->kind == SW_PART_QUADRATIC) {
    find_phi(flow, h, z, k);
  }
}

int sw_part_flow_values(void *context, double h, const double z[], const double k[], double z1[])
{
  sw_part_flow *flow = context;

  part_flow_find_field(flow, h, z, k);
  move_along(flow, h, z, flow->field, z1);
  return 0;
}

void sw_part_flow_increment(void *context, double h, const double z[], const double k[],
                            double out[])
{
  sw_part_flow *flow = context;

  part_flow_find_field(flow, h, z, k);
  sw_zero(out, 2 * (size_t)flow->system->nq);
  move_along(flow, h, out, flow->field, out);
}

int sw_part_flow_directions(void *context, double h, const double z[], const double k[], int n,
                            const double V[], double DV[])
{
  sw_part_flow *flow = context;
  const size_t d = (size_t)flow->system->nq;
  double *F = flow->field;

  if (flow->plan->kind == SW_PART_QUADRATIC) {
    find_phi(flow, h, z, k);
  } else {
    evaluate_hess(flow, z, k);
  }
  for (size_t j = 0; j < (size_t)n; j++) {
    const double *v = V + j * 2 * d;
    double *Dv = DV + j * 2 * d;
    sw_symmetric_multiply(&flow->plan->hess, flow->hess, 1, v, Dv);
    sw_turn(d, Dv, F);
    move_along(flow, h, v, F, Dv);
  }
  return 0;
}
