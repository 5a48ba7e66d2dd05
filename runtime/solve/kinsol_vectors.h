/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * solve/kinsol_vectors.h -- vectors for KINSOL, all allocated before it asks for them.
 *
 * Distributions build SUNDIALS without optimisation; each of its dozen vector operations per
 * iteration then costs as much per component as eliminating a row of a tridiagonal matrix. SUNDIALS
 * 6 also crashes if it cannot clone a vector. This file therefore implements the operations itself,
 * and clones come from a preallocated stock.
 */
#ifndef SIDEWINDER_SOLVE_KINSOL_VECTORS_H
#define SIDEWINDER_SOLVE_KINSOL_VECTORS_H

#include <sundials/sundials_context.h>
#include <sundials/sundials_nvector.h>

#include "common/team.h"

typedef struct sw_vectors sw_vectors;

/* Creates a stock of `count` vectors of n components. Returns NULL if memory runs out. The context
 * is passed on to the vectors. */
sw_vectors *sw_vectors_create(int n, int count, SUNContext context);

/* Distributes the vector operations over the threads of a team. */
void sw_vectors_share(sw_vectors *stock, sw_team *team);

/* Frees all vectors of the stock, including those in use. */
void sw_vectors_free(sw_vectors *stock);

/* Takes a vector, uninitialised. N_VDestroy returns it to the stock, and KINFree returns its
 * clones. NULL if the stock is empty. */
N_Vector sw_vectors_take(sw_vectors *stock);

double *sw_vector_data(N_Vector v);

#endif
