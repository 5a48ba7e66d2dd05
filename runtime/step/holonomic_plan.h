/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/holonomic_plan.h -- decides when holonomic.h applies, and prepares its products.
 *
 * All products run along rows of Dg and of the slope S^T = Dg H_pp, m x d each: row i is the effect
 * of constraint i on the momenta and on the positions. If H_pp is diagonal, the slope has the
 * pattern of Dg.
 */
#ifndef SIDEWINDER_STEP_HOLONOMIC_PLAN_H
#define SIDEWINDER_STEP_HOLONOMIC_PLAN_H

#include "linear/row_product.h"
#include "linear/row_runs.h"
#include "linear/sparse_product.h"
#include "model/mass.h"
#include "step/stage_plan.h"

typedef struct sw_holonomic_plan {
  sw_mass mass;
  sw_row_product product; /* Dg S: the Newton matrix up to factors */
  sw_runs jac_runs;       /* runs of rows of Dg */
  sw_pattern slope;       /* pattern of S^T; without arrays if H_pp is diagonal */
  sw_runs slope_runs;     /* runs of rows of S^T; empty if H_pp is diagonal */
  sw_product drift;       /* S^T from the values of Dg and H_pp; unused if H_pp is diagonal */
} sw_holonomic_plan;

/* 1 if holonomic.h applies to a phase with a fibre, these stages and g as its requirement. */
int sw_is_holonomic(const sw_system *system, const sw_stage_plan *stages);

/* 1 if Dg has entries for positions only. The products use Dg as an m x d matrix, so
 * `structure.holonomic` alone is not enough. */
int sw_positions_alone(const sw_system *system);

/* Creates the plan and the pattern of the Newton matrix.
 * Errors: SW_ERR_MEMORY. Call sw_holonomic_plan_free and free the pattern in either case. */
sw_status sw_holonomic_plan_make(const sw_system *system, sw_holonomic_plan *plan,
                                 sw_pattern *jacobian);
void sw_holonomic_plan_free(sw_holonomic_plan *plan);

/* The pattern of the slope, and its runs. */
static inline const sw_pattern *sw_slope_pattern(const sw_holonomic_plan *plan,
                                                 const sw_system *system)
{
  return plan->slope.row ? &plan->slope : &system->constraint_jac_pattern;
}

static inline const sw_runs *sw_slope_runs(const sw_holonomic_plan *plan)
{
  return plan->slope.row ? &plan->slope_runs : &plan->jac_runs;
}

#endif
