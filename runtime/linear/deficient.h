/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/deficient.h -- A x = b where some of the unknowns are multipliers of constraints, of which some may
 * follow from others.
 *
 * A may then have fewer independent columns than unknowns.  What happens is the caller's choice:
 *
 *   SW_REDUNDANT_ERROR     such a matrix is singular
 *   SW_REDUNDANT_DROP      dependent multipliers are 0, and the equations of the same numbers are left out:
 *                          A_RR x_R = b_R, x_D = 0
 *   SW_REDUNDANT_MIN_NORM  that solution, less its part in the null space of A: the multipliers have the
 *                          smallest norm of all that solve the same equations.  A multiplier is measured by
 *                          what it changes in the equations, sum_j (w_j x_j)^2 with w_j = max_i |A_ij|, in
 *                          powers of two: its unit does not matter
 *
 * The equations that are left out follow from the others where the constraints are consistent; whoever
 * solves has to look at their residuals.  A_RR is regular where A is symmetric, as N is on M^H, and near
 * there.
 *
 * Where A has lost rank since sw_deficient_begin, in the iterates of a solve that leads to a singular
 * configuration, both choices give the shortest x: the multipliers have their values by then, and steps in
 * directions that the equations hardly see would only disturb them.
 *
 * The equations have to have one unit, as residuals that are divided by their scales.
 *
 * Dependent unknowns are sought (redundancy.h, with its limits) where an LU factorisation looks
 * ill-conditioned.  The choice is kept until sw_deficient_begin, so that the iterates of one
 * solve have the same multipliers at 0.
 */
#ifndef SIDEWINDER_LINEAR_DEFICIENT_H
#define SIDEWINDER_LINEAR_DEFICIENT_H

#include "common/team.h"
#include "linear/pattern.h"
#include "linear/row_maker.h"
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

/* A: n x n, n >= 1, sorted by row and column; only read, and it must outlive *deficient.  Everything is allocated here, but for what
 * linear_solver.h says of KLU.  Memory: as for linear_solver.h with SW_REDUNDANT_ERROR; else also what redundancy.h says,
 * and n times its multipliers for each block of n.  On failure *deficient is NULL.
 * Errors: SW_ERR_MEMORY. */
sw_status sw_deficient_create(const sw_pattern *A, sw_multipliers multipliers,
                              sw_deficient **deficient);
void sw_deficient_free(sw_deficient **deficient);

/* As sw_linear_share. */
void sw_deficient_share(sw_deficient *deficient, sw_team *team);

/* Forgets which unknowns are dropped. */
void sw_deficient_begin(sw_deficient *deficient);

/* Factorises the matrix with these values, one per entry of the pattern.  Errors: SW_ERR_SINGULAR, for
 * SW_REDUNDANT_DROP and SW_REDUNDANT_MIN_NORM beyond its dependent multipliers; also where a value is not
 * finite.  SW_ERR_MEMORY. */
sw_status sw_deficient_factor(sw_deficient *deficient, const double values[]);

/* The same, where `maker` makes the values on the way: all of them. */
sw_status sw_deficient_make_and_factor(sw_deficient *deficient, const double values[],
                                       const sw_row_maker *maker);

/* x <- the solution for the right-hand side x, with the last factorisation, which has to be a good one; so
 * for all that follows. */
void sw_deficient_solve(sw_deficient *deficient, double x[]);

/* Sign of det A_RR, 1 or -1: for a symmetric A it does not depend on which unknowns are dropped. */
int sw_deficient_sign(const sw_deficient *deficient);

/* The signs of the connected blocks of A_RR, and these blocks (linear_solver.h). */
sw_signature sw_deficient_signature(const sw_deficient *deficient);
const int *sw_deficient_blocks(const sw_deficient *deficient);

/* How many unknowns are dropped. */
int sw_deficient_dropped(const sw_deficient *deficient);

/* 1 if a matrix since sw_deficient_begin had no dependent columns. */
int sw_deficient_was_regular(const sw_deficient *deficient);

/* 0 where A, without what is dropped, looks ill-conditioned, as sw_linear_clear. */
int sw_deficient_clear(const sw_deficient *deficient);

#endif
