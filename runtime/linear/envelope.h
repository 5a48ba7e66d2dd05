/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/envelope.h -- LU factorisation within the envelope of a matrix, without row exchanges.
 *
 * A = L D U with unit diagonals of L and U.  Row i of L and column i of U extend from their first
 * entry to the diagonal, and elimination fills only these.  Tridiagonal matrices and many small
 * diagonal blocks thus cost no more than code written for them.
 *
 * Large matrices are divided into parts that threads can factorise in parallel.  Parts are
 * separated between blocks.  If all unknowns are connected, as in a chain, a separator of one
 * unknown near the middle becomes the border, and elimination proceeds from both ends towards it.
 * The division depends on the pattern alone, so the results do not depend on the number of threads.
 */
#ifndef SIDEWINDER_LINEAR_ENVELOPE_H
#define SIDEWINDER_LINEAR_ENVELOPE_H

#include "common/team.h"
#include "linear/pattern.h"
#include "linear/row_maker.h"
#include "linear/signature.h"
#include "sidewinder/status.h"

typedef struct sw_envelope sw_envelope;

/* Makes *envelope for n x n matrices with the pattern A, sorted by row and column.  *envelope is
 * NULL, with SW_OK, if the diagonal has gaps or the envelope is more than a few times larger than
 * the entries.  Errors: SW_ERR_MEMORY. */
sw_status sw_envelope_create(const sw_pattern *A, sw_envelope **envelope);
void sw_envelope_free(sw_envelope *envelope);

/* Lets the threads of a team share the parts. */
void sw_envelope_share(sw_envelope *envelope, sw_team *team);

/* Factorises the matrix with these values, one per entry of the pattern.  maker: produces the
 * values; NULL if they exist already.
 *
 * Returns 0, or 1 if a pivot is too small for a stable factorisation in this order: for example, at
 * most SW_LINEAR_CLEAR times the largest entry of its column.  A need not be singular then, and
 * some of the values may not have been produced. */
int sw_envelope_factor(sw_envelope *envelope, const double values[], const sw_row_maker *maker);

/* x <- A^{-1} x.  The last factorisation must have succeeded. */
void sw_envelope_solve(sw_envelope *envelope, double x[]);

/* See sw_linear_signature.  block: NULL if all unknowns are in one block. */
sw_signature sw_envelope_signature(const sw_envelope *envelope, const int block[]);

/* Sign of det A, 1 or -1. */
int sw_envelope_sign(const sw_envelope *envelope);

#endif
