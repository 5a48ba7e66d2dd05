/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/envelope.h -- LU factorisation within the envelope of a matrix, without row exchanges.
 *
 * A = L D U with unit diagonals of L and U.  A row of L and the column of U with the same number reach
 * from their first entry to the diagonal; elimination fills them and nothing else.  The cost of a
 * tridiagonal matrix, or of many small blocks on the diagonal, is what it would be by hand.
 *
 * Large matrices are divided into parts that threads can factorise side by side: between blocks, or, where all unknowns hang together by a
 * waist of one unknown, as those of a chain do, at one near the middle, which both ends are eliminated towards.  The division depends on the
 * pattern alone, and so do the bits of the results.
 */
#ifndef SIDEWINDER_LINEAR_ENVELOPE_H
#define SIDEWINDER_LINEAR_ENVELOPE_H

#include "common/team.h"
#include "linear/pattern.h"
#include "linear/row_maker.h"
#include "linear/signature.h"
#include "sidewinder/status.h"

typedef struct sw_envelope sw_envelope;

/* Where it pays: *envelope is made for matrices n x n with the pattern A, sorted by row and column.
 * Where the diagonal has gaps or the envelope is more than a few times the entries, *envelope is NULL and
 * SW_OK is returned.  Errors: SW_ERR_MEMORY. */
sw_status sw_envelope_create(const sw_pattern *A, sw_envelope **envelope);
void sw_envelope_free(sw_envelope *envelope);

/* Lets the threads of a team share the parts. */
void sw_envelope_share(sw_envelope *envelope, sw_team *team);

/* Factorises the matrix with these values, one per entry of the pattern, which `maker` makes, NULL where they are there.  Returns 0, or 1
 * where a pivot is too small for a stable factorisation in this order, which does not mean that A is singular: at most SW_LINEAR_CLEAR times
 * the largest entry of its column, say; then not all values need have been made. */
int sw_envelope_factor(sw_envelope *envelope, const double values[], const sw_row_maker *maker);

/* x <- A^{-1} x, or A^{-T} x, with the last factorisation, which was a good one. */
void sw_envelope_solve(sw_envelope *envelope, double x[]);

/* As sw_linear_signature; block: NULL if all unknowns are in one. */
sw_signature sw_envelope_signature(const sw_envelope *envelope, const int block[]);

/* Sign of det A, 1 or -1. */
int sw_envelope_sign(const sw_envelope *envelope);

#endif
