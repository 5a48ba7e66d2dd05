/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/phase_plan.h -- the sparsity of a phase's Newton matrix, and the cheapest method to fill it.
 *
 * The matrix dF/du (phase.h) is sparse. Its pattern follows from the patterns of Hess H, the
 * requirement's Jacobian and the fibre flow (reach.h).
 *
 *   compressed   Columns that share no row have one colour, and a single direction gives all
 *                columns of a colour (A. R. Curtis, M. J. D. Powell, J. K. Reid, On the
 *                estimation of sparse Jacobian matrices, J. Inst. Maths Applics 13, 1974).
 *   product      Without stages it is Df dGamma/dlambda.
 *   holonomic    Products of Dg, H_pp and Dg^T if holonomic.h applies.
 */
#ifndef SIDEWINDER_STEP_PHASE_PLAN_H
#define SIDEWINDER_STEP_PHASE_PLAN_H

#include "linear/row_product.h"
#include "linear/row_runs.h"
#include "linear/sparse_product.h"
#include "methods/methods.h"
#include "model/mass.h"
#include "model/system.h"
#include "sidewinder/flows.h"
#include "sidewinder/tableau.h"
#include "step/part_flow.h"
#include "step/stage_plan.h"

/*
 * Decides when holonomic.h applies, and prepares its products.
 *
 * All products run along rows of Dg and of the slope S^T = Dg H_pp, m x d each: row i is the effect
 * of constraint i on the momenta and on the positions. If H_pp is diagonal, the slope has the
 * pattern of Dg.
 */

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

typedef struct sw_phase_plan {
  const sw_stage_plan *stages; /* base method given by a tableau; NULL if the phase has none */
  const sw_flows *flows;       /* base method composed of maps; else NULL */
  const sw_part_plan *parts;   /* plans of the maps if they are flows of parts of H; else NULL */
  double force;                /* factor on H_q in the stages */
  int has_noise;               /* 1 if noise (noise.h) changes the start of the phase */
  int is_forced;               /* 1 if constraint forces act in the stages */
  int closes;                  /* 1 if g(Q_i) = (1 - c_i) g(q) in the stages (methods/methods.h) */
  const sw_combination *combination; /* a combination of states, without a solve; else NULL */
  /* number of blocks of unknowns of a step with discrete gradients (discrete.h), which has no base
   * method; else 0 */
  int discrete;
  /* For a variational integrator (variational_step.h): the methods for the parts of the curve
   * before and after its state; else NULL. */
  const struct sw_layer_method *layer;
  double bias[2]; /* alpha-, alpha+ */
  int has_fibre;
  int has_increment; /* 1 if sw_phase_increment will be called */
  int hidden;        /* 1: the requirement is rho = 0; 0: g = 0 */
  int m;             /* multipliers of the fibre = rows of the requirement */
  int forces;        /* multipliers in stages = rows of g(Q_i) */
  int n;             /* all unknowns: both kinds of multipliers and the implicit stage values */
  /* 1 once the members below are set; for a slide that holonomic.h replaces this happens on first
   * use */
  int is_made;
  int holonomic;       /* 1 if holonomic.h applies */
  double kick;         /* c of sw_stage_plan_kick, if holonomic */
  sw_pattern jacobian; /* n x n; without arrays if n = 0 */

  int colours; /* number of colours; 0 if products fill the matrix */
  int *colour; /* n: colour of each column; or NULL */

  sw_product product; /* Df dGamma/dlambda */
  sw_holonomic_plan fast;
} sw_phase_plan;

/* Completes a plan whose members down to n are set. may_be_holonomic: whether holonomic.h supports
 * the method. Memory and time are linear in the entries of the patterns.
 * Errors: SW_ERR_MEMORY. */
sw_status sw_phase_plan_make(const sw_system *system, int may_be_holonomic, sw_phase_plan *plan);
void sw_phase_plan_free(sw_phase_plan *plan);

#endif
