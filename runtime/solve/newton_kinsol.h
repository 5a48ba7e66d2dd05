/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * solve/newton_kinsol.h -- one search for a root by SUNDIALS KINSOL, with full Newton steps or with
 * a line search.
 *
 * KINSOL controls the iteration and the line search. The caller computes residuals, Jacobians and
 * linear solves, and judges the result.
 */
#ifndef SIDEWINDER_SOLVE_NEWTON_KINSOL_H
#define SIDEWINDER_SOLVE_NEWTON_KINSOL_H

#include <sundials/sundials_context.h>
#include <sundials/sundials_nvector.h>

#include "common/team.h"
#include "linear/deficient.h"

/* Vectors for KINSOL, all allocated before it asks for them.
 *
 * Distributions build SUNDIALS without optimisation; each of its dozen vector operations per
 * iteration then costs as much per component as eliminating a row of a tridiagonal matrix. SUNDIALS
 * 6 also crashes if it cannot clone a vector. This file therefore implements the operations itself,
 * and clones come from a preallocated stock. */

typedef struct sw_vectors sw_vectors;

/* Creates a stock of `count` vectors of n components. Returns NULL if memory runs out. The context
 * is passed on to the vectors. */
sw_vectors *sw_vectors_create(int n, int count, SUNContext context);

/* Frees all vectors of the stock, including those in use. */
void sw_vectors_free(sw_vectors *stock);

/* Takes a vector, uninitialised. N_VDestroy returns it to the stock, and KINFree returns its
 * clones. NULL if the stock is empty. */
N_Vector sw_vectors_take(sw_vectors *stock);

double *sw_vector_data(N_Vector v);

/* Callbacks of a search. residual: computes F at u; returns 0 to continue, +1 if u is out of range
 * (recoverable), -1 to stop. jacobian: factorises the Jacobian at u, the point of the last
 * residual, in `system`; returns 0, or -1 on failure. */
typedef struct sw_newton_calls {
  int (*residual)(void *context, const double u[], double F[]);
  int (*jacobian)(void *context, const double u[]);
  void *context;
  sw_deficient *system;
} sw_newton_calls;

typedef struct sw_newton sw_newton;

/* Creates a search for n unknowns with at most max_iterations iterations, which ends when |F|_inf
 * <= target. NULL if memory runs out. */
sw_newton *sw_newton_create(int n, int max_iterations, double target, sw_newton_calls calls);
void sw_newton_free(sw_newton *s);

/* Distributes the loops over vectors over the threads of a team. */
void sw_newton_share(sw_newton *s, sw_team *team);

/* n values each: the start of the next search, which overwrites it; and weights, the effect of each
 * unknown on the equations, for the norm of steps. */
double *sw_newton_start(sw_newton *s);
double *sw_newton_weights(const sw_newton *s);

typedef enum sw_newton_end {
  SW_NEWTON_ENDED,     /* the caller judges the residual */
  SW_NEWTON_NO_MATRIX, /* a Jacobian could not be factorised */
  SW_NEWTON_EXHAUSTED  /* iteration limit reached */
} sw_newton_end;

sw_newton_end sw_newton_search(sw_newton *s, int line_search, long *iterations);

#endif
