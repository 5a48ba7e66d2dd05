/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/redundancy.h -- which unknowns of A x = b can be dropped, because their columns depend on others?
 *
 * A falls apart into connected blocks, in which rows and columns meet by entries.  Each block is made full,
 * its columns, then its rows, then its columns again are divided by their largest entries, so that the units of the unknowns do not
 * matter, while those of the equations are to be one, and QR with column exchanges (LAPACK
 * dgeqp3) puts the columns that depend on others last:
 *
 *   A P = Q [R11 R12; 0 R22],   |R22| <= SW_REDUNDANCY_ZERO max |R_ii|,   a_j = sum_i (R11^{-1} R12)_ij a_i.
 *
 * Of the unknowns that meet in such a relation late ones are dropped, those of the last constraints, as
 * long as their share in it is not small: so the choice seldom changes from matrix to matrix.  Only
 * multipliers are dropped: the columns of other unknowns come first, whatever their size.
 *
 * Limits: a block of more unknowns than the caller allows is not examined, and counts as independent.  A
 * block of n takes some 4/3 n^3 operations; the memory is 2 n^2 for the largest one, and linear otherwise.
 */
#ifndef SIDEWINDER_LINEAR_REDUNDANCY_H
#define SIDEWINDER_LINEAR_REDUNDANCY_H

#include <stddef.h>

#include "linear/pattern.h"
#include "sidewinder/status.h"

/* The largest block that is examined to leave unknowns out, and to name the constraints of a failure. */
enum { SW_REDUNDANCY_BLOCK = 512, SW_REDUNDANCY_NAMED = 256 };

/* A column is dependent where what is left of it is at most this, relative to the largest one: some times the
 * round-off of a QR of the largest block. */
#define SW_REDUNDANCY_ZERO 1e-13

typedef struct sw_redundancy sw_redundancy;

/* A: n x n, n >= 1, sorted by row and column; only read, and it must outlive *redundancy.  The unknowns first .. first+count-1 are
 * multipliers; blocks of at most `limit` unknowns are examined.  Everything is allocated here.  On failure
 * *redundancy is NULL.  Errors: SW_ERR_MEMORY. */
sw_status sw_redundancy_create(const sw_pattern *A, int first, int count, int limit,
                               sw_redundancy **redundancy);
void sw_redundancy_free(sw_redundancy **redundancy);

/* Told of every column that is dropped: sum_i coefficient[i] a_{index[i]} = 0 over the n unknowns of its
 * block, with coefficient -1 for the dropped one and 0 for others that are dropped.  coefficient is the
 * callee's for the time of the call; index is the same array for all columns of a block, as long as the
 * redundancy. */
typedef void sw_relation(void *context, int dropped, int n, const int index[],
                         const double coefficient[]);

/* Finds the dependent columns of the matrix with these values, one per entry of the pattern; relation may be
 * NULL.  Returns their number, or -1 where a value is not finite. */
int sw_redundancy_find(sw_redundancy *redundancy, const double values[], sw_relation *relation,
                       void *context);

/* n flags, 1 for each unknown that the last call of sw_redundancy_find dropped. */
const unsigned char *sw_redundancy_dropped(const sw_redundancy *redundancy);

/* How many coefficients all relations of one sw_redundancy_find can have together. */
size_t sw_redundancy_room(const sw_redundancy *redundancy);

/* How many unknowns the largest block has, where it is too large to be examined; else 0. */
int sw_redundancy_too_large(const sw_redundancy *redundancy);

#endif
