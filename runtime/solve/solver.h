/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * solve/solver.h -- n nonlinear equations F(u) = 0 in n unknowns, down to round-off.
 *
 * F is scaled by whoever poses the problem, so that |F|_inf of a few DBL_EPSILON is round-off.  A
 * solve goes on until |F|_inf <= SW_SOLVE_TARGET, or until it is at most the tolerance and no
 * longer falls; the first step may raise it, since a force that moves positions by less than the
 * tolerance is found by the second.  It ends after a bounded number of evaluations on any problem, and never returns a
 * point at which F is not finite.
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

/* Half a unit of round-off.  Stopping at a few units, where one more iteration is nearly free, leaves
 * residuals of one sign that add up: 20 times the error of the Hopf model after 1000 steps. */
#define SW_SOLVE_TARGET (0.5 * DBL_EPSILON)

/* The problem.  jacobian is always called right after residual at the same u, but not after every
 * residual: where full steps converge fast, a Jacobian serves several of them.  A successful solve ends
 * with a call of residual at the u that it returns, so the context holds what belongs to the
 * solution.  Neither can fail: values that are not finite are seen by the solver. */
typedef struct sw_problem {
  void (*residual)(void *context, const double u[], double F[]);
  void (*jacobian)(void *context, const double u[],
                   double J[]); /* one value per entry of the pattern */
  void *context;
} sw_problem;

typedef struct sw_solve_report {
  double residual; /* smallest |F|_inf that was seen; infinite where F never was finite */
  long iterations; /* Newton iterations */
  int exhausted;   /* 1 where the iterations ran out before Newton stalled */
  int fixed_point; /* 1 where it was no Newton's method but a fixed-point iteration (fixed_point.h) */
} sw_solve_report;

typedef struct sw_solver sw_solver;

/* Makes a solver for as many unknowns as the pattern of the Jacobian has rows, at least one; some of them may be multipliers that
 * depend on each other (linear/deficient.h; zeros: none).  All equations have to hold in the end, also those that are left out of
 * Newton's steps: where constraints contradict each other, the solve does not converge.  The pattern, n x n and sorted by row and column, is only read, and must outlive the solver.  Everything that a solve needs is
 * allocated here, but for what linear/linear_solver.h says of KLU.  On failure *solver is NULL.
 * Errors: SW_ERR_MEMORY. */
sw_status sw_solver_create(const sw_pattern *jacobian, sw_multipliers multipliers, double tolerance,
                           int max_iterations, sw_solver **solver);

/* Lets the threads of a team, which must outlive the solver, share what long loops it has; the results have the same bits.  Errors:
 * SW_ERR_MEMORY. */
sw_status sw_solver_share(sw_solver *solver, sw_team *team);

/* Releases what *solver owns and sets it to NULL; NULL, or a pointer to NULL, is fine. */
void sw_solver_free(sw_solver **solver);

/* u: on entry the first guess, on success the solution, on failure unspecified.
 * Errors: SW_ERR_NOT_CONVERGED, SW_ERR_SINGULAR (no pivot in the Jacobian, or a Newton step that is
 * not finite), SW_ERR_NOT_FINITE, SW_ERR_MEMORY (of KLU). */
sw_status sw_solver_solve(sw_solver *solver, const sw_problem *problem, double u[],
                          sw_solve_report *report);

/* One more Newton step from the u that the last solve of this problem has ended with, for residuals F that the caller knows better than
 * the problem does: u -= J^-1 F, with the factorisation at hand, or that of J at u where there is none; where that is singular,
 * nothing.  F is spoilt.  Ends with a call of residual at u. */
void sw_solver_correct(sw_solver *solver, const sw_problem *problem, double u[], double F[]);

/* What the Jacobian is factorised with; between two solves it may serve for another matrix of the same pattern. */
sw_deficient *sw_solver_linear(const sw_solver *solver);

/* What the last solve says of its root, for who looks at roots that another search has found, too. */
typedef struct sw_root {
  int dropped; /* multipliers dropped from the Jacobian that it factored last; the signs are those of the rest */
  int sign; /* 1 or -1, of the determinant of that Jacobian, which can belong to an iterate before
                     the solution; 0 where it factored none, or that one was singular */
  int first_sign; /* the same of the Jacobian that it factored first: the one at the first guess */
  uint64_t signs; /* the signs of its connected blocks (linear/signature.h), 0 if it has one, */
  uint64_t first_signs; /* and those of the first Jacobian */
  const int *block;     /* the block of each unknown; NULL if there is one */
  const double *
      weights; /* by how much a change of each unknown by 1 changes an equation near the first guess, in
                            powers of two: the largest entry of its column of the Jacobian there.  NULL
                            where the root is the first iterate, or zero */
  const double *at_guess; /* F at the first guess; NULL if it is not at hand */
} sw_root;
sw_root sw_solver_root(const sw_solver *solver);

/* The signs of the connected blocks of the matrix that has just been factorised; 0 if it has one
 * block. */
static inline uint64_t sw_signs_of_blocks(const sw_deficient *linear)
{
  return sw_deficient_blocks(linear) ? sw_deficient_signature(linear).signs : 0;
}

/* The weights of a Jacobian with these values: n of them. */
void sw_solver_weigh(const sw_solver *solver, const double values[], double weight[]);

#endif
