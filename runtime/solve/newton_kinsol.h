/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * solve/newton_kinsol.h -- one search for a root by SUNDIALS KINSOL, with full Newton steps or with line search.
 *
 * KINSOL owns the iteration and the
 * line search; residuals, Jacobians and linear systems are the caller's, and so is what it makes of the end.
 */
#ifndef SIDEWINDER_SOLVE_NEWTON_KINSOL_H
#define SIDEWINDER_SOLVE_NEWTON_KINSOL_H

#include "linear/deficient.h"

/* What a search asks for.  residual: F at u; 0 to go on, +1 where u is too far, -1 to stop.  jacobian: has the matrix
 * at u factorised by `system`, where the residual was evaluated last; 0, or -1 where there is none. */
typedef struct sw_newton_calls {
  int (*residual)(void *context, const double u[], double F[]);
  int (*jacobian)(void *context, const double u[]);
  void *context;
  sw_deficient *system;
} sw_newton_calls;

typedef struct sw_newton sw_newton;

/* For n unknowns and at most that many iterations, which end where |F|_inf <= target.  NULL without memory. */
sw_newton *sw_newton_create(int n, int max_iterations, double target, sw_newton_calls calls);
void sw_newton_free(sw_newton *s);

/* Lets the threads of a team share the loops over vectors. */
void sw_newton_share(sw_newton *s, sw_team *team);

/* n values each: where the next search starts, which it overwrites, and by how much each unknown changes the equations,
 * for the norm of its steps. */
double *sw_newton_start(sw_newton *s);
double *sw_newton_weights(const sw_newton *s);

typedef enum sw_newton_end {
  SW_NEWTON_ENDED,     /* where the residual tells how good it is */
  SW_NEWTON_NO_MATRIX, /* a Jacobian was refused */
  SW_NEWTON_EXHAUSTED  /* the iterations ran out */
} sw_newton_end;

sw_newton_end sw_newton_search(sw_newton *s, int line_search, long *iterations);

#endif
