/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * solver/kinsol_vectors.h -- vectors for KINSOL: SUNDIALS' serial ones, with operations of ours.
 *
 * Distributions build SUNDIALS without optimisation; then each of its dozen operations per iteration
 * costs as much per component as eliminating a row of a tridiagonal matrix.
 */
#ifndef SIDEWINDER_SOLVER_KINSOL_VECTORS_H
#define SIDEWINDER_SOLVER_KINSOL_VECTORS_H

#include <sundials/sundials_context.h>
#include <sundials/sundials_nvector.h>

/* A vector of n components, not set; N_VDestroy releases it.  Its clones have the same operations.
 * Returns NULL where memory is short. */
N_Vector sw_vector_create(int n, SUNContext context);

double *sw_vector_data(N_Vector v);

#endif
