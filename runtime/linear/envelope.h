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
#include "linear/row_product.h"
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

/* ---- the memory layout, for the files envelope*.c ----
 *
 * The values of row and column i are contiguous: row i of L and column i of U, each of length[i] =
 * i - first[i] values, and the reciprocal of the pivot.  A factorisation or a solve thus passes
 * through memory once, and inner products run over contiguous pieces of L's rows and U's columns.
 *
 * Rows of different parts are coupled only by the border.  The border is one last row, which
 * extends into the ends of two parts; it is stored behind them as two rows of L, two columns of U
 * and a pivot.
 */

/* Rows first .. end-1 of an envelope.  Each has one entry beside the pivot, and its row in A is
 * `step` (1 or -1) after that of the row before. */
typedef struct sw_line {
  int first;
  int end;
  int step;
} sw_line;

struct sw_envelope {
  int n;
  int entries;
  int size;         /* number of values in store */
  int negative;     /* 1 if the number of negative pivots is odd */
  int *length;      /* n: entries of row i of L, and of column i of U */
  int *start;       /* n: index in store of row i of L; column i of U and the pivot follow */
  int *place;       /* entries: index in store of each entry of A */
  int *entry;       /* n + 1: the first entry of each row of A, then the number of entries */
  int *order;       /* n: row i of the envelope is row order[i] of A; NULL for the identity */
  double *store;    /* size */
  double *permuted; /* n: NULL if order is NULL */
  sw_team *team;    /* NULL for one thread */
  int rows;         /* n, or n - 1 if there is a border */
  int parts;
  int *part;       /* parts + 1: the first row of each part, then `rows` */
  int reach[2];    /* entries of the border in each of two parts */
  sw_line line[2]; /* the longest line in each of two parts */
};

/* Returns 1 if one thread does all parts, as it does if the matrix is small. */
int sw_parts_alone(const sw_envelope *envelope);

/* Runs the job for all parts, in parallel or in order on this thread. */
void sw_along_parts(const sw_envelope *envelope, sw_team_job *job, void *context);

#endif
