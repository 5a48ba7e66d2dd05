/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/holonomic_plan.h"

#include <limits.h>
#include <stdlib.h>

#include "linear/pattern.h"

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
  const int clock = sw_mass_clock(system);
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
    if (clock >= 0) {
      row[n] = col[n] = clock;
      from[n++] = -1;
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

sw_status sw_holonomic_plan_make(const sw_system *system, sw_holonomic_plan *plan,
                                 sw_pattern *jacobian)
{
  sw_pattern Dg = system->constraint_jac_pattern;
  sw_status status = sw_mass_create(system, &plan->mass);

  /* Drop the columns of momenta: no constraint depends on p. */
  Dg.cols = system->nq;
  if (status == SW_OK) {
    status = sw_runs_create(&Dg, &plan->jac_runs);
  }
  if (status == SW_OK && !sw_mass_is_diagonal(&plan->mass)) {
    status = sw_product_create(&Dg, &plan->mass.pattern, &plan->drift, &plan->slope);
    status = status == SW_OK ? sw_runs_create(&plan->slope, &plan->slope_runs) : status;
  }
  return status == SW_OK ? sw_row_product_create(&Dg, plan->slope.row ? &plan->slope : &Dg,
                                                 &plan->product, jacobian)
                         : status;
}

void sw_holonomic_plan_free(sw_holonomic_plan *plan)
{
  sw_mass_free(&plan->mass);
  sw_runs_free(&plan->jac_runs);
  sw_runs_free(&plan->slope_runs);
  sw_pattern_free(&plan->slope);
  sw_product_free(&plan->drift);
  sw_row_product_free(&plan->product);
}
