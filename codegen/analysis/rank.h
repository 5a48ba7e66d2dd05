/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rank.h -- the rank of a matrix of balls, and determinants that are not zero.
 *
 * Gaussian elimination in balls with complete pivoting, rows and columns measured in units that come from the matrix
 * itself, so that those of the model do not matter.  Sizes are carried along, to first order as in ball.h.  A
 * pivot's ball excludes 0, so that the rank is at least their number; it is said to be just that where everything
 * that is left is zero in the sense of ball.h.
 */
#ifndef SIDEWINDER_ANALYSIS_RANK_H
#define SIDEWINDER_ANALYSIS_RANK_H

#include "analysis/point.h"

typedef struct matrix_rank {
  int decided; /* 0: something could not be told from zero */
  int rank;    /* proved to be at least this */
} matrix_rank;

/* The matrix of a function of the model at the point, at rising precision. */
matrix_rank rank_at(study *s, point *x, ir_function_id id);

/* How many times larger the terms of a pivot are than the pivot, at most, among the first `wanted` pivots of a function of
 * the model at a state with the default parameters; infinite where they are RANK_LOST times or more, so that doubles
 * cannot tell the matrix from a singular one; NaN where it is not finite. */
double rank_loss(study *s, const double z[], ir_function_id id, int wanted);

#define RANK_LOST 1e13

/* x with A x = b at the point for the square matrix A of a function of the model, where A is shown to be regular
 * at this precision; sizes go along.  b, x: as many values as A has rows.  0 where it is not. */
int rank_solve(study *s, const ir_function *f, arb_ptr b, mag_ptr b_size, slong precision);

#endif
