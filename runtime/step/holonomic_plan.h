/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/holonomic_plan.h -- when the short way of holonomic.h applies, and the products that it consists of.
 *
 * All of them go along rows of Dg and of the slope S^T = Dg H_pp, m x d each: row i is what constraint i does to the momenta
 * and to the positions.  Where H_pp is diagonal the slope has the pattern of Dg.
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
  sw_row_product product; /* Dg S: the Newton matrix, but for factors */
  sw_runs jac_runs;       /* of Dg */
  sw_pattern slope;       /* of S^T; no arrays where H_pp is diagonal, */
  sw_runs slope_runs;     /* nor has this, */
  sw_product drift;       /* nor S^T from the values of Dg and H_pp */
} sw_holonomic_plan;

/* Whether holonomic.h applies to a phase with a fibre, these stages and g as its requirement. */
int sw_is_holonomic(const sw_system *system, const sw_stage_plan *stages);

/* Whether Dg has entries for positions only, so that the model's word that it is holonomic can be taken: products of Dg as an m x d
 * matrix have no room for others. */
int sw_positions_alone(const sw_system *system);

/* H_pp, both triangles, d x d; (*source)[e], to be freed, is the entry of Hess H that entry e repeats, and -1 on the diagonal for a clock
 * (model/mass.h), which has none.  Errors: SW_ERR_MEMORY, also
 * where the entries are too many; then *source, which may be NULL, has still to be freed. */
sw_status sw_momentum_block(const sw_system *system, sw_pattern *H_pp, int **source);

/* With the pattern of the Newton matrix.  Errors: SW_ERR_MEMORY; what has been made is to be freed in either case. */
sw_status sw_holonomic_plan_make(const sw_system *system, sw_holonomic_plan *plan,
                                 sw_pattern *jacobian);
void sw_holonomic_plan_free(sw_holonomic_plan *plan);

/* The pattern of the slope, and its rows. */
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
