/* SPDX-License-Identifier: BSD-3-Clause */
#include "methods/shake_plan.h"

#include <limits.h>
#include <stdlib.h>

#include "sparse/colouring.h"
#include "sparse/pattern.h"
#include "step/reach.h"

/* Whether Dg has entries for positions only, so that the model's word that it is holonomic can be taken:
 * the products below have no room for others. */
static int positions_alone(const sw_system *system)
{
  const sw_pattern *Dg = &system->constraint_jac_pattern;

  for (int e = 0; e < Dg->entries; e++) {
    if (Dg->col[e] >= system->nq) {
      return 0;
    }
  }
  return 1;
}

/* Whether methods/holonomic.h applies. */
static int is_holonomic(const sw_system *system, const sw_stage_plan *base)
{
  const sw_structure *s = &system->model->structure;

  return system->nc > 0 && !system->fibre && s->holonomic && s->separable &&
         s->mass != SW_MASS_GENERAL && sw_stage_plan_kick(base) >= 0.0 && positions_alone(system);
}

/* The unknowns' directions: y = Gamma_{h lambda}(z0) and the stage values. */
static void directions(sw_reach *reach, const sw_stage_plan *base, int n, const sw_pattern *y[2],
                       const sw_pattern *x[])
{
  const sw_system *system = reach->system;
  const int d = system->nq;
  const int m = system->nc;
  const sw_pattern empty = {2 * d, m, 0, NULL, NULL};
  const sw_pattern *flow = m > 0 ? &system->fibre_flow_lambda_pattern : &empty;

  /* Widened to n columns. */
  const sw_pattern *wide = sw_reach_columns(reach, flow, 0, n);
  y[0] = sw_reach_rows(reach, wide, 0, d);
  y[1] = sw_reach_rows(reach, wide, d, d);
  for (int b = 0; b < base->blocks; b++) {
    x[b] = sw_reach_unit(reach, d, n, m + b * d);
  }
}

/* The pattern of the Newton matrix by way of the base method. */
static const sw_pattern *newton_pattern(sw_reach *reach, const sw_stage_plan *base, int n)
{
  const sw_system *system = reach->system;
  const int m = system->nc;
  const sw_pattern *y[2] = {NULL, NULL};
  const sw_pattern *x[SW_VALUES_MOST] = {NULL};
  const sw_pattern *r[SW_VALUES_MOST] = {NULL};
  const sw_pattern *z1[2] = {NULL, NULL};
  const sw_pattern *rows = NULL;

  directions(reach, base, n, y, x);
  sw_reach_stages(reach, base, y, x, r, z1);
  if (m > 0) {
    rows = sw_reach_product(reach, &system->constraint_jac_pattern,
                            sw_reach_stack(reach, z1[0], z1[1]));
  }
  for (int b = 0; b < base->blocks; b++) {
    rows = rows || reach->failed ? sw_reach_stack(reach, rows, r[b]) : r[b];
  }
  return rows;
}

static sw_status plan_compressed(const sw_system *system, const sw_stage_plan *base,
                                 sw_shake_plan *plan)
{
  sw_reach *reach = malloc(sizeof *reach);
  sw_status status = SW_ERR_MEMORY;

  if (!reach) {
    return SW_ERR_MEMORY;
  }
  sw_reach_begin(reach, system);
  const sw_pattern *pattern = newton_pattern(reach, base, plan->n);
  plan->colour = malloc((size_t)plan->n * sizeof *plan->colour);
  if (pattern && plan->colour) {
    status = sw_pattern_copy(pattern, &plan->jacobian);
  }
  sw_reach_end(reach);
  free(reach);
  if (status == SW_OK) {
    status = sw_colour_columns(&plan->jacobian, plan->colour, &plan->colours);
  }
  return status;
}

/* H_pp, both triangles, d x d; source[e] is the entry of Hess H that entry e repeats. */
static sw_status momentum_block(const sw_system *system, sw_pattern *H_pp, int **source)
{
  const sw_pattern *lower = &system->hamiltonian_hess_pattern;
  const int d = system->nq;
  const size_t most = 2 * (size_t)lower->entries + 1;
  int *row = calloc(most, sizeof *row);
  int *col = calloc(most, sizeof *col);
  int *from = malloc(most * sizeof *from);
  int *place = malloc(most * sizeof *place);
  sw_status status = SW_ERR_MEMORY;
  int n = 0;

  *source = malloc(most * sizeof **source);
  if (row && col && from && place && *source && lower->entries <= INT_MAX / 2) {
    for (int e = 0; e < lower->entries; e++) {
      const int i = lower->row[e] - d;
      const int j = lower->col[e] - d;
      for (int side = 0; side < (i == j ? 1 : 2) && i >= 0 && j >= 0; side++) {
        row[n] = side ? j : i;
        col[n] = side ? i : j;
        from[n++] = e;
      }
    }
    status = sw_pattern_create(d, d, n, row, col, H_pp, place);
  }
  for (int t = 0; t < n && status == SW_OK; t++) {
    (*source)[place[t]] = from[t];
  }
  free(row);
  free(col);
  free(from);
  free(place);
  return status;
}

/* S and the Newton matrix as products; the lists of terms then refer to the values of Hess H and of Dg
 * themselves. */
static sw_status plan_holonomic(const sw_system *system, sw_shake_plan *plan)
{
  sw_pattern Dg = system->constraint_jac_pattern;
  sw_pattern H_pp = {0};
  sw_pattern transposed = {0};
  int *hess_entry = NULL;
  int *place = malloc(((size_t)Dg.entries + 1) * sizeof *place);
  int *jac_entry = malloc(((size_t)Dg.entries + 1) * sizeof *jac_entry);

  /* No constraint depends on p. */
  Dg.cols = system->nq;
  sw_status status =
      place && jac_entry ? momentum_block(system, &H_pp, &hess_entry) : SW_ERR_MEMORY;
  if (status == SW_OK) {
    status = sw_pattern_transpose(&Dg, &transposed, place);
  }
  if (status == SW_OK) {
    status = sw_product_create(&H_pp, &transposed, &plan->drift, &plan->slope);
  }
  if (status == SW_OK) {
    for (int e = 0; e < Dg.entries; e++) {
      jac_entry[place[e]] = e;
    }
    for (int t = 0; t < plan->drift.start[plan->drift.entries]; t++) {
      plan->drift.left[t] = hess_entry[plan->drift.left[t]];
      plan->drift.right[t] = jac_entry[plan->drift.right[t]];
    }
    status = sw_product_create(&Dg, &plan->slope, &plan->response, &plan->jacobian);
  }
  sw_pattern_free(&H_pp);
  sw_pattern_free(&transposed);
  free(hess_entry);
  free(place);
  free(jac_entry);
  return status;
}

sw_status sw_shake_plan_create(const sw_system *system, const sw_stage_plan *base,
                               sw_shake_plan *plan)
{
  *plan = (sw_shake_plan){.n = system->nc + base->blocks * system->nq,
                          .holonomic = is_holonomic(system, base),
                          .kick = sw_stage_plan_kick(base)};
  if (plan->n == 0) {
    return SW_OK;
  }
  const sw_status status =
      plan->holonomic ? plan_holonomic(system, plan) : plan_compressed(system, base, plan);
  if (status != SW_OK) {
    sw_shake_plan_free(plan);
  }
  return status;
}

void sw_shake_plan_free(sw_shake_plan *plan)
{
  sw_pattern_free(&plan->jacobian);
  sw_pattern_free(&plan->slope);
  sw_product_free(&plan->drift);
  sw_product_free(&plan->response);
  free(plan->colour);
  *plan = (sw_shake_plan){0};
}
