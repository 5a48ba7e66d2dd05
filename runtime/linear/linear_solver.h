/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/linear_solver.h -- A x = b for square matrices A of one fixed pattern.
 *
 * The pattern decides the method: small or full matrices use LU with row exchanges (dense_lu.h).
 * Matrices that are block-diagonal or banded after reverse Cuthill-McKee use LU within their
 * envelope.  All others, and those whose envelope has a bad pivot, use KLU.  The methods differ for
 * the caller only in speed.  Memory: linear in n, the entries and their fill, except for full
 * matrices.
 *
 * All memory is allocated in sw_linear_create, with one exception: KLU allocates when it first has
 * to choose pivots off the diagonal, and all of its memory when an envelope has its first bad
 * pivot.  A factorisation depends on the pattern and the values, not on earlier factorisations.
 */
#ifndef SIDEWINDER_LINEAR_LINEAR_SOLVER_H
#define SIDEWINDER_LINEAR_LINEAR_SOLVER_H

#include "common/team.h"
#include "linear/pattern.h"
#include "linear/row_product.h"
#include "linear/signature.h"
#include "sidewinder/status.h"

typedef struct sw_linear sw_linear;

/* A: n x n, n >= 1, sorted by row and column.  A is only read, and its arrays must outlive *linear.
 * On failure *linear is NULL.  Errors: SW_ERR_MEMORY. */
sw_status sw_linear_create(const sw_pattern *A, sw_linear **linear);
void sw_linear_free(sw_linear **linear);

/* Lets the threads of a team share the work if the pattern has independent parts.  The results are
 * identical bit by bit. */
void sw_linear_share(sw_linear *linear, sw_team *team);

/* Factorises the matrix with these values, one per entry of the pattern.
 *
 * Errors: SW_ERR_SINGULAR if A is structurally singular, if a value is not finite, or if the pivot
 * of a column (for KLU: of a row) is at the round-off of its entries; a dense matrix is then
 * factorised again with rows scaled to their largest entries before it is refused.  SW_ERR_MEMORY
 * if KLU cannot allocate. */
sw_status sw_linear_factor(sw_linear *linear, const double values[]);

/* As sw_linear_factor; `maker` produces all values, before or during the factorisation. */
sw_status sw_linear_make_and_factor(sw_linear *linear, const double values[],
                                    const sw_row_maker *maker);

/* As sw_linear_factor, but never replaces an envelope by KLU, and also returns SW_ERR_SINGULAR if A
 * looks ill-conditioned: if a pivot is at most SW_LINEAR_CLEAR times the largest entry of its
 * column (for KLU: of its row). */
#define SW_LINEAR_CLEAR 1e-10
sw_status sw_linear_factor_clearly(sw_linear *linear, const double values[]);

/* 0 if A looks ill-conditioned in that sense.  Here and below, the last factorisation must have
 * succeeded. */
int sw_linear_clear(const sw_linear *linear);

/* x <- A^{-1} x. */
void sw_linear_solve(sw_linear *linear, double x[]);

/* The connected block of each unknown, n numbers, in the order of the blocks' first unknowns.  NULL
 * if all unknowns are in one block. */
const int *sw_linear_blocks(const sw_linear *linear);

/* The signs of the blocks in the last factorisation.  scratch: n values. */
sw_signature sw_linear_signature(const sw_linear *linear, int scratch[]);

/* Sign of det A: 1 or -1. */
int sw_linear_sign(const sw_linear *linear);

/* The method of the last factorisation, or of the next one if there was none: "dense", "envelope"
 * or "KLU".  The string is static. */
const char *sw_linear_kind(const sw_linear *linear);

#endif
