/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * solve/kinsol_vectors.h -- vectors for KINSOL, all made before it asks for them.
 *
 * Distributions build SUNDIALS without optimisation; then each of its dozen operations per iteration
 * costs as much per component as eliminating a row of a tridiagonal matrix.  And SUNDIALS 6 does not survive
 * a vector that cannot be cloned.  So the operations are ours, and a clone is taken from a stock.
 */
#ifndef SIDEWINDER_SOLVE_KINSOL_VECTORS_H
#define SIDEWINDER_SOLVE_KINSOL_VECTORS_H

#include <sundials/sundials_context.h>
#include <sundials/sundials_nvector.h>

#include "common/team.h"

typedef struct sw_vectors sw_vectors;

/* `count` vectors of n components, and what they have in common.  Returns NULL where memory is short.  The context is only
 * handed on. */
sw_vectors *sw_vectors_create(int n, int count, SUNContext context);

/* Lets the threads of a team share what is done with them. */
void sw_vectors_share(sw_vectors *stock, sw_team *team);

/* Releases all of them, also those that have been taken. */
void sw_vectors_free(sw_vectors *stock);

/* The next vector, not set; N_VDestroy puts it back, and so does KINFree with its clones.  NULL where the
 * stock is used up. */
N_Vector sw_vectors_take(sw_vectors *stock);

double *sw_vector_data(N_Vector v);

#endif
