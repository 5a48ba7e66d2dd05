/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * solve/solver.h -- n nonlinear equations F(u) = 0 in n unknowns, to round-off.
 *
 * The caller scales F so that |F|_inf of a few DBL_EPSILON is round-off. A solve continues until
 * |F|_inf <= SW_SOLVE_TARGET, or until |F|_inf is at most the tolerance and no longer falls. The
 * first step may increase |F|_inf: if a force moves positions by less than the tolerance, only the
 * second step finds it. The number of evaluations is bounded for any problem, and F is finite at
 * the result.
 */
#ifndef SIDEWINDER_SOLVE_SOLVER_H
#define SIDEWINDER_SOLVE_SOLVER_H

#include <float.h>
#include <stddef.h>
#include <stdint.h>

#include "common/team.h"
#include "linear/deficient.h"
#include "linear/pattern.h"
#include "sidewinder/status.h"

/* Half a unit of round-off. Stopping at a few units, where one more iteration is nearly free,
 * leaves residuals of one sign that add up: 20 times the error of the Hopf model after 1000
 * steps. */
#define SW_SOLVE_TARGET (0.5 * DBL_EPSILON)

/* The problem. jacobian is always called right after residual at the same u, but not after every
 * residual: with fast convergence, one Jacobian serves several full steps. A successful solve ends
 * with a call of residual at the returned u, so the context holds the values at the solution. The
 * callbacks cannot fail; the solver detects values that are not finite. */
typedef struct sw_problem {
  void (*residual)(void *context, const double u[], double F[]);
  void (*jacobian)(void *context, const double u[],
                   double J[]); /* writes one value per entry of the pattern */
  void *context;
} sw_problem;

typedef struct sw_solve_report {
  double residual; /* smallest |F|_inf seen; infinite if F was never finite */
  long iterations; /* Newton iterations */
  int exhausted;   /* 1 if the iterations ran out before Newton stalled */
} sw_solve_report;

typedef struct sw_solver sw_solver;

/* Creates a solver with one unknown per row of the Jacobian's pattern (at least one). Some unknowns
 * may be dependent multipliers (linear/deficient.h; zeros: none). All equations must hold at the
 * solution, including those omitted from Newton's steps, so a solve with contradictory constraints
 * does not converge. The pattern, n x n and sorted by row and column, must outlive the solver. All
 * memory is allocated here, except as linear/linear_solver.h says of KLU. On failure *solver is
 * NULL.
 * Errors: SW_ERR_MEMORY. */
sw_status sw_solver_create(const sw_pattern *jacobian, sw_multipliers multipliers, double tolerance,
                           int max_iterations, sw_solver **solver);

/* Distributes long loops over the threads of a team, which must outlive the solver. The results
 * agree bit for bit.
 * Errors: SW_ERR_MEMORY. */
sw_status sw_solver_share(sw_solver *solver, sw_team *team);

/* Frees *solver and sets it to NULL. Does nothing if `solver` or *solver is NULL. */
void sw_solver_free(sw_solver **solver);

/* u: on entry the initial guess, on success the solution, on failure unspecified.
 * Errors: SW_ERR_NOT_CONVERGED, SW_ERR_SINGULAR (no pivot in the Jacobian, or a Newton step that is
 * not finite), SW_ERR_NOT_FINITE, SW_ERR_MEMORY (of KLU). */
sw_status sw_solver_solve(sw_solver *solver, const sw_problem *problem, double u[],
                          sw_solve_report *report);

/* Takes one more Newton step from the last solution of this problem, for residuals F that the
 * caller knows more accurately: u -= J^-1 F, with the available factorisation, or else that of J at
 * u. Does nothing if J is singular. Overwrites F. Ends with a call of residual at u. */
void sw_solver_correct(sw_solver *solver, const sw_problem *problem, double u[], double F[]);

/* The linear solver of the Jacobian. Between two solves it may factorise another matrix of the same
 * pattern. */
sw_deficient *sw_solver_linear(const sw_solver *solver);

/* Data about the root of the last solve, also for other searches (sw_holonomic_search). */
typedef struct sw_root {
  /* multipliers dropped from the last factorised Jacobian; the signs are those of the rest */
  int dropped;
  /* sign of the determinant of the last factorised Jacobian, which may belong to an iterate before
   * the solution: 1 or -1; 0 if there was no factorisation, or a singular one */
  int sign;
  int first_sign; /* the same for the first factorised Jacobian, at the initial guess */
  /* hash of the signs of its connected blocks (linear/signature.h), 0 if it has one block */
  uint64_t signs;
  uint64_t first_signs; /* the same for the first Jacobian */
  const int *block;     /* the block of each unknown; NULL if there is one block */
  /* largest entry of each column of the Jacobian near the initial guess, as a power of two; NULL if
   * the root is the first iterate, or zero */
  const double *weights;
  const double *at_guess; /* F at the initial guess; NULL if unavailable */
} sw_root;
sw_root sw_solver_root(const sw_solver *solver);

/* Hash of the signs of the connected blocks of the matrix factorised last; 0 if it has one
 * block. */
static inline uint64_t sw_signs_of_blocks(const sw_deficient *linear)
{
  return sw_deficient_blocks(linear) ? sw_deficient_signature(linear).signs : 0;
}

/* Computes the n weights of a Jacobian with these values. */
void sw_solver_weigh(const sw_solver *solver, const double values[], double weight[]);

#endif
