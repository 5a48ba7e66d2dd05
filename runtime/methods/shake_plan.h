/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * methods/shake_plan.h -- what SHAKE's Newton matrix looks like, and the cheapest way to fill it.
 *
 * Unknowns u = (lambda, x), equations F = (g, r): methods/shake.h.  The matrix dF/du is sparse, and its
 * pattern follows from those of Hess H, Dg and the fibre flow (base/reach.h).
 *
 *   compressed   Columns that share no row have one colour, and all columns of a colour are found with a
 *                single direction of the tangent (A. R. Curtis, M. J. D. Powell, J. K. Reid, On the
 *                estimation of sparse Jacobian matrices, J. Inst. Maths Applics 13, 1974).
 *   affine       Where g and the fibre are those of holonomic constraints, H = T(p) + V(q) with a constant
 *                H_pp, and the base method is explicit, the positions after the step are affine in lambda,
 *                  q1(lambda) = q1(0) + h B lambda,   B = -h H_pp Dg(q0)^T,
 *                so that an iteration needs g, Dg and the product Dg(q1) B only.
 */
#ifndef SIDEWINDER_METHODS_SHAKE_PLAN_H
#define SIDEWINDER_METHODS_SHAKE_PLAN_H

#include "base/base.h"
#include "sparse/product.h"

typedef struct sw_shake_plan {
  int n;               /* unknowns: m, and the stage values where they are solved for */
  int affine;          /* 1 where q1 is affine in lambda */
  sw_pattern jacobian; /* n x n; no arrays where n = 0 */

  int colours; /* directions of the tangent; 0 where it is not needed */
  int *colour; /* n: of the columns, NULL where n = 0 or affine */

  sw_pattern slope;    /* d x m: of H_pp Dg^T */
  sw_product drift;    /* H_pp Dg^T, from the values of Hess H and Dg */
  sw_product response; /* Dg (H_pp Dg^T), from the values of Dg and the slope */
} sw_shake_plan;

/* Errors: SW_ERR_MEMORY.  Memory and time are linear in the entries of the patterns. */
sw_status sw_shake_plan_create(const sw_system *system, const sw_base *base, sw_shake_plan *plan);
void sw_shake_plan_free(sw_shake_plan *plan);

#endif
