/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * methods/shake_plan.h -- what SHAKE's Newton matrix looks like, and the cheapest way to fill it.
 *
 * Unknowns u = (lambda, x), equations F = (g, r): methods/shake.h.  The matrix dF/du is sparse, and its
 * pattern follows from those of Hess H, Dg and the fibre flow (step/reach.h).
 *
 *   compressed   Columns that share no row have one colour, and all columns of a colour are found with a
 *                single direction of the tangent (A. R. Curtis, M. J. D. Powell, J. K. Reid, On the
 *                estimation of sparse Jacobian matrices, J. Inst. Maths Applics 13, 1974).
 *   holonomic    Products of Dg, H_pp and Dg^T where methods/holonomic.h applies.
 */
#ifndef SIDEWINDER_METHODS_SHAKE_PLAN_H
#define SIDEWINDER_METHODS_SHAKE_PLAN_H

#include "sparse/product.h"
#include "step/stage_plan.h"
#include "system/system.h"

typedef struct sw_shake_plan {
  int n;               /* unknowns: m, and the stage values where they are solved for */
  int holonomic;       /* 1 where methods/holonomic.h applies, */
  double kick;         /* with this c */
  sw_pattern jacobian; /* n x n; no arrays where n = 0 */

  int colours; /* directions of the tangent; 0 where it is not needed */
  int *colour; /* n: of the columns, NULL where n = 0 or holonomic */

  sw_pattern slope;    /* d x m: of H_pp Dg^T */
  sw_product drift;    /* H_pp Dg^T, from the values of Hess H and Dg */
  sw_product response; /* Dg (H_pp Dg^T), from the values of Dg and the slope */
} sw_shake_plan;

/* Errors: SW_ERR_MEMORY.  Memory and time are linear in the entries of the patterns. */
sw_status sw_shake_plan_create(const sw_system *system, const sw_stage_plan *base,
                               sw_shake_plan *plan);
void sw_shake_plan_free(sw_shake_plan *plan);

#endif
