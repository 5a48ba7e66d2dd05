/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * holonomic_plan.c -- when the short way of holonomic.h applies, and the products that it consists of.
 */
#include <limits.h>
#include <stdlib.h>

#include "linear/pattern.h"
#include "step/phase_plan.h"

int sw_positions_alone(const sw_system *system)
{
  const sw_pattern *Dg = &system->constraint_jac_pattern;

  for (int e = 0; e < Dg->entries; e++) {
    if (Dg->col[e] >= system->nq) {
      return 0;
    }
  }
  return 1;
}

int sw_is_holonomic(const sw_system *system, const sw_stage_plan *stages)
{
  const sw_structure *s = &system->model->structure;

  return system->nc > 0 && !system->fibre && s->holonomic && s->separable &&
         s->mass != SW_MASS_GENERAL && sw_stage_plan_kick(stages) >= 0.0 &&
         sw_positions_alone(system);
}

sw_status sw_momentum_block(const sw_system *system, sw_pattern *H_pp, int **source)
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
sw_status sw_holonomic_plan(const sw_system *system, sw_phase_plan *plan)
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
      place && jac_entry ? sw_momentum_block(system, &H_pp, &hess_entry) : SW_ERR_MEMORY;
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
    status = sw_product_create(&Dg, &plan->slope, &plan->product, &plan->jacobian);
  }
  sw_pattern_free(&H_pp);
  sw_pattern_free(&transposed);
  free(hess_entry);
  free(place);
  free(jac_entry);
  return status;
}
