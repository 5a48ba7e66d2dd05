/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/phase_plan.h"

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
