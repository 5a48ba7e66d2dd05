/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/phase_plan.h -- what the Newton matrix of a phase looks like, and the cheapest way to fill it.
 *
 * The matrix dF/du (phase.h) is sparse, and its pattern follows from those of Hess H, the requirement's Jacobian and the fibre flow
 * (reach.h).
 *
 *   compressed   Columns that share no row have one colour, and all columns of a colour are found with a
 *                single direction (A. R. Curtis, M. J. D. Powell, J. K. Reid, On the estimation of sparse
 *                Jacobian matrices, J. Inst. Maths Applics 13, 1974).
 *   product      Without stages it is Df dGamma/dlambda.
 *   holonomic    Products of Dg, H_pp and Dg^T where holonomic.h applies (holonomic_plan.h).
 */
#ifndef SIDEWINDER_STEP_PHASE_PLAN_H
#define SIDEWINDER_STEP_PHASE_PLAN_H

#include "linear/sparse_product.h"
#include "methods/methods.h"
#include "model/system.h"
#include "sidewinder/flows.h"
#include "sidewinder/tableau.h"
#include "step/holonomic_plan.h"
#include "step/part_flow.h"
#include "step/stage_plan.h"

typedef struct sw_phase_plan {
  const sw_stage_plan
      *stages; /* the base method, where it is a tableau and the phase has it; else NULL */
  const sw_flows *flows;     /* likewise, where it is made of maps, */
  const sw_part_plan *parts; /* and of each, where they are flows of parts of H; else NULL */
  double force;              /* what stages multiply H_q with */
  int is_forced;             /* 1 where constraints act in the stages, too */
  int closes;                /* 1 if g(Q_i) = (1 - c_i) g(q) in the stages (methods/methods.h) */
  const sw_combination
      *combination; /* where the phase is that, and nothing is solved for; else NULL */
  int discrete; /* a step with discrete gradients (discrete.h) in the place of a base method: blocks of unknowns */
  /* The methods of the parts of a curve before and after its state, where the phase is that of a variational integrator
   * (variational_step.h); else NULL, */
  const struct sw_layer_method *layer;
  int fixed_point; /* which is solved for in the way of stage_four.h where this is 1 */
  double bias[2];  /* with alpha-, alpha+ */
  int has_fibre;
  int has_increment; /* 1 where sw_phase_increment is asked for */
  int hidden;        /* 1 where rho is required, else g */
  int m;             /* multipliers of the fibre, and rows of the requirement */
  int forces;        /* multipliers in stages, and rows of g(Q_i) */
  int n;             /* unknowns: these, and the stage values that are solved for */
  int is_made; /* 1 once the rest is there; a slide that holonomic.h replaces is made when it is wanted */
  int holonomic;       /* 1 where holonomic.h applies, */
  double kick;         /* with this c */
  sw_pattern jacobian; /* n x n; no arrays where n = 0 */

  int colours; /* directions that are taken together; 0 where products fill the matrix */
  int *colour; /* n: of the columns, or NULL */

  sw_product product; /* Df dGamma/dlambda */
  sw_holonomic_plan short_way;
} sw_phase_plan;

/* Fills in the rest of a plan of which the members down to n are set.  may_be_holonomic: whether the method is one of those
 * that holonomic.h can take.  Errors: SW_ERR_MEMORY.  Memory and time are linear in the entries of the patterns. */
sw_status sw_phase_plan_make(const sw_system *system, int may_be_holonomic, sw_phase_plan *plan);
void sw_phase_plan_free(sw_phase_plan *plan);

/* Makes *newton the plan of the same phase as *plan, which is for a fixed-point iteration, by Newton's method.  Errors: SW_ERR_MEMORY. */
sw_status sw_phase_plan_newton(const sw_system *system, const sw_phase_plan *plan,
                               sw_phase_plan *newton);

#endif
