/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * solve/fixed_point.h -- u = G(u) by iteration with Anderson acceleration (SUNDIALS KINSOL), to
 * round-off.
 *
 * The caller scales u so that |G(u) - u|_inf of a few DBL_EPSILON is round-off. The iteration ends
 * if this norm is at most SW_SOLVE_TARGET, or if it is at most the tolerance and no longer falls.
 * The number of evaluations is bounded, and the result is always finite.
 */
#ifndef SIDEWINDER_SOLVE_FIXED_POINT_H
#define SIDEWINDER_SOLVE_FIXED_POINT_H

#include "solve/solver.h"

typedef struct sw_fixed_point sw_fixed_point;

typedef void sw_fixed_map(void *context, const double u[], double G[]);

/* Creates a solver for n >= 2 unknowns and allocates all of its memory. On failure *solver is NULL.
 * Errors: SW_ERR_MEMORY. */
sw_status sw_fixed_point_create(int n, double tolerance, int max_iterations,
                                sw_fixed_point **solver);
void sw_fixed_point_free(sw_fixed_point **solver);

/* u: on entry the initial guess, on success the solution. Adds to report->iterations.
 * Errors: SW_ERR_NOT_CONVERGED, SW_ERR_NOT_FINITE. */
sw_status sw_fixed_point_solve(sw_fixed_point *solver, sw_fixed_map *map, void *context, double u[],
                               sw_solve_report *report);

#endif
