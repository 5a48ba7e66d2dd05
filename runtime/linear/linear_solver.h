/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/linear_solver.h -- A x = b for square matrices A of one fixed pattern.
 *
 * The pattern is looked at once and decides how: small or full matrices by LU with row exchanges
 * (dense_lu.h); matrices that are block-diagonal or banded after reverse Cuthill-McKee by LU within their
 * envelope; all others, and those whose envelope has a bad pivot, by KLU.  The caller cannot tell, but by
 * the time it takes.  Memory: linear in n, the entries and their fill.
 *
 * Everything is allocated in create, with one exception: KLU allocates when it has to choose pivots off the
 * diagonal, and all that it needs when an envelope has its first bad pivot.  A factorisation is a function of
 * the pattern and the values alone: what was factorised before leaves no trace.
 */
#ifndef SIDEWINDER_LINEAR_LINEAR_SOLVER_H
#define SIDEWINDER_LINEAR_LINEAR_SOLVER_H

#include "common/team.h"
#include "linear/pattern.h"
#include "linear/row_maker.h"
#include "linear/signature.h"
#include "sidewinder/status.h"

typedef struct sw_linear sw_linear;

/* A: n x n, n >= 1, sorted by row and column; only read, and its arrays must outlive *linear.  On failure *linear is NULL.
 * Errors: SW_ERR_MEMORY. */
sw_status sw_linear_create(const sw_pattern *A, sw_linear **linear);
void sw_linear_free(sw_linear **linear);

/* Lets the threads of a team share the work where the pattern has independent parts; the results have the same bits. */
void sw_linear_share(sw_linear *linear, sw_team *team);

/* Factorises the matrix with these values, one per entry of the pattern.  Errors: SW_ERR_SINGULAR: structurally,
 * or a column has no pivot but what is at the round-off of its entries, also after the rows are scaled to their largest entries; also where a
 * value is not finite.
 * SW_ERR_MEMORY, where KLU finds none. */
sw_status sw_linear_factor(sw_linear *linear, const double values[]);

/* The same, where `maker` makes the values on the way: all of them. */
sw_status sw_linear_make_and_factor(sw_linear *linear, const double values[],
                                    const sw_row_maker *maker);

/* The same, without leaving an envelope for KLU, and SW_ERR_SINGULAR also where A looks ill-conditioned: a pivot is at most SW_LINEAR_CLEAR
 * times the largest entry of its column. */
#define SW_LINEAR_CLEAR 1e-10
sw_status sw_linear_factor_clearly(sw_linear *linear, const double values[]);

/* 0 where A looks ill-conditioned in that sense. */
int sw_linear_clear(const sw_linear *linear);

/* x <- A^{-1} x with the last factorisation, which has to be a good one; so for all that follows, and for
 * sw_linear_clear. */
void sw_linear_solve(sw_linear *linear, double x[]);

/* The connected block of each unknown, n numbers in the order of the blocks' first unknowns; NULL
 * if all are in one. */
const int *sw_linear_blocks(const sw_linear *linear);

/* The signs of the blocks in the last factorisation.  n integers of scratch. */
sw_signature sw_linear_signature(const sw_linear *linear, int scratch[]);

/* Sign of det A: 1 or -1. */
int sw_linear_sign(const sw_linear *linear);

/* How the last factorisation was made, or, before the first, the next will be: "dense", "envelope" or "KLU".
 * Static storage. */
const char *sw_linear_kind(const sw_linear *linear);

#endif
