/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/deficient.h -- A x = b where some of the unknowns are multipliers of constraints, and some
 * of these constraints may follow from others.
 *
 * A may then have fewer independent columns than unknowns.  The caller chooses what happens:
 *
 *   SW_REDUNDANT_ERROR     such a matrix counts as singular
 *   SW_REDUNDANT_DROP      dependent multipliers are 0, and the equations with the same numbers are
 *                          dropped:  A_RR x_R = b_R, x_D = 0
 *   SW_REDUNDANT_MIN_NORM  the DROP solution minus its component in the null space of A: of all
 *                          multipliers that solve the same equations, those with the smallest
 *                          sum_j (w_j x_j)^2.  The weights w_j = max_i |A_ij|, rounded down to
 *                          powers of two, make the result independent of the multipliers' units;
 *                          sw_deficient_weigh replaces them
 *
 * If the constraints are consistent, the dropped equations follow from the others.  The caller has
 * to check their residuals.  A_RR is regular if A is symmetric, as N is on M^H, and near such A.
 *
 * If A loses rank after sw_deficient_begin, as the iterates of a solve approach a singular
 * configuration, both DROP and MIN_NORM return the x of smallest norm.  The multipliers have
 * converged by then, and a step along the near-null space would make the iterate worse.
 *
 * All equations must have the same unit, for example residuals divided by their scales.
 *
 * If an LU factorisation looks ill-conditioned, the dependent unknowns are determined
 * (redundancy.h, with its limits).  They stay dropped until sw_deficient_begin, so that all
 * iterates of a solve have the same multipliers at 0.
 */
#ifndef SIDEWINDER_LINEAR_DEFICIENT_H
#define SIDEWINDER_LINEAR_DEFICIENT_H

#include "common/team.h"
#include "linear/pattern.h"
#include "linear/row_product.h"
#include "linear/signature.h"
#include "sidewinder/status.h"

typedef enum sw_redundant {
  SW_REDUNDANT_ERROR,
  SW_REDUNDANT_DROP,
  SW_REDUNDANT_MIN_NORM
} sw_redundant;

/* The unknowns first .. first+count-1 are multipliers. */
typedef struct sw_multipliers {
  sw_redundant how;
  int first;
  int count;
} sw_multipliers;

typedef struct sw_deficient sw_deficient;

/* A: n x n, n >= 1, sorted by row and column.  A is only read and must outlive *deficient.  All
 * memory is allocated here; linear_solver.h names the exception for KLU.  Memory: see
 * linear_solver.h.  Unless SW_REDUNDANT_ERROR is chosen, add the memory of redundancy.h and n times
 * the number of multipliers for each block of n unknowns.  On failure *deficient is NULL.  Errors:
 * SW_ERR_MEMORY. */
sw_status sw_deficient_create(const sw_pattern *A, sw_multipliers multipliers,
                              sw_deficient **deficient);
void sw_deficient_free(sw_deficient **deficient);

/* See sw_linear_share. */
void sw_deficient_share(sw_deficient *deficient, sw_team *team);

/* Sets the weights of MIN_NORM: n positive values, which belong to the caller and are read whenever
 * dependent unknowns are determined. */
void sw_deficient_weigh(sw_deficient *deficient, const double weight[]);

/* Forgets which unknowns are dropped. */
void sw_deficient_begin(sw_deficient *deficient);

/* Factorises the matrix with these values, one per entry of the pattern.
 *
 * Errors: SW_ERR_SINGULAR if A is singular or a value is not finite; DROP and MIN_NORM tolerate
 * dependent multipliers.  SW_ERR_MEMORY. */
sw_status sw_deficient_factor(sw_deficient *deficient, const double values[]);

/* As sw_deficient_factor; `maker` produces all values, before or during the factorisation. */
sw_status sw_deficient_make_and_factor(sw_deficient *deficient, const double values[],
                                       const sw_row_maker *maker);

/* x <- the solution for the right-hand side x.  Here and below, the last factorisation must have
 * succeeded. */
void sw_deficient_solve(sw_deficient *deficient, double x[]);

/* Sign of det A_RR, 1 or -1.  If A is symmetric, the sign does not depend on the choice of dropped
 * unknowns. */
int sw_deficient_sign(const sw_deficient *deficient);

/* The signs of the connected blocks of A_RR, and the block of each unknown (linear_solver.h). */
sw_signature sw_deficient_signature(const sw_deficient *deficient);
const int *sw_deficient_blocks(const sw_deficient *deficient);

/* The number of dropped unknowns. */
int sw_deficient_dropped(const sw_deficient *deficient);

/* 1 if sw_deficient_solve sets this unknown to 0 because it is dropped. */
int sw_deficient_drops(const sw_deficient *deficient, int unknown);

/* 1 if a matrix since sw_deficient_begin had no dependent columns. */
int sw_deficient_was_regular(const sw_deficient *deficient);

/* 0 if A_RR looks ill-conditioned, see sw_linear_clear. */
int sw_deficient_clear(const sw_deficient *deficient);

#endif
