/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/redundancy.h -- finds unknowns of A x = b that can be dropped because their columns depend
 * on others.
 *
 * The pattern of A splits into connected blocks (blocks.h).  Each block is copied to a dense
 * matrix, whose columns, then rows, then again columns are divided by their largest entries.  The
 * units of the unknowns thus do not matter; all equations must have the same unit.  QR with column
 * pivoting (LAPACK dgeqp3) moves the dependent columns to the end:
 *
 *   A P = Q [R11 R12; 0 R22],   |R22| <= SW_REDUNDANCY_ZERO max |R_ii|,
 *   a_j = sum_i (R11^{-1} R12)_ij a_i.
 *
 * Each relation drops one of its unknowns: a late one, that is a multiplier of a late constraint,
 * unless its coefficient is small.  The choice therefore seldom changes from matrix to matrix.
 * Only multipliers are dropped: QR takes the columns of all other unknowns first, whatever their
 * norm.
 *
 * Limits: a block with more unknowns than the caller's limit is not examined and counts as
 * independent.  A block of n unknowns costs about 4/3 n^3 operations.  Memory: 2 n^2 values for the
 * largest examined block, and otherwise linear.
 */
#ifndef SIDEWINDER_LINEAR_REDUNDANCY_H
#define SIDEWINDER_LINEAR_REDUNDANCY_H

#include <stddef.h>

#include "linear/pattern.h"
#include "sidewinder/status.h"

/* The limits of two callers: BLOCK to drop unknowns, NAMED to name the redundant constraints in the
 * message of a failure. */
enum { SW_REDUNDANCY_BLOCK = 512, SW_REDUNDANCY_NAMED = 256 };

/* A column is dependent if its remainder in QR, relative to the largest column, is at most this: a
 * small multiple of the round-off of QR for the largest block. */
#define SW_REDUNDANCY_ZERO 1e-13

typedef struct sw_redundancy sw_redundancy;

/* A: n x n, n >= 1, sorted by row and column.  A is only read and must outlive *redundancy.
 * Unknowns first .. first+count-1 are multipliers.  Blocks of at most `limit` unknowns are
 * examined.  All memory is allocated here.  On failure *redundancy is NULL.  Errors:
 * SW_ERR_MEMORY. */
sw_status sw_redundancy_create(const sw_pattern *A, int first, int count, int limit,
                               sw_redundancy **redundancy);
void sw_redundancy_free(sw_redundancy **redundancy);

/* Callback for each dropped column: sum_i coefficient[i] a_{index[i]} = 0 over the n unknowns of
 * its block, with coefficient -1 for the dropped column and 0 for other dropped columns.  The array
 * coefficient is valid only during the call.  All columns of a block share the array index, which
 * lives as long as the redundancy. */
typedef void sw_relation(void *context, int dropped, int n, const int index[],
                         const double coefficient[]);

/* Finds the dependent columns of the matrix with these values, one per entry of the pattern.
 * relation may be NULL.  Returns the number of dependent columns, or -1 if a value is not
 * finite. */
int sw_redundancy_find(sw_redundancy *redundancy, const double values[], sw_relation *relation,
                       void *context);

/* n flags: 1 for each unknown dropped by the last sw_redundancy_find. */
const unsigned char *sw_redundancy_dropped(const sw_redundancy *redundancy);

/* An upper bound of the number of coefficients in all relations of one sw_redundancy_find. */
size_t sw_redundancy_room(const sw_redundancy *redundancy);

/* The number of unknowns of the largest block if that exceeds the limit, else 0. */
int sw_redundancy_too_large(const sw_redundancy *redundancy);

#endif
