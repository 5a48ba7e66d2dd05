/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dependence_means.h -- do constraints, or their gradients, or the rows of N depend on each other?
 *
 * That they do, and where, is decided by rank.c alone, in balls at a point, and proved by what minors.c and repeated.c write
 * down: determinants, of which certify.h shows where they vanish, and factors.  combination.c says for people which
 * ones depend on which.
 */
#ifndef SIDEWINDER_ANALYSIS_DEPENDENCE_MEANS_H
#define SIDEWINDER_ANALYSIS_DEPENDENCE_MEANS_H

#include "analysis/sample.h"

/* ---- rank.c ----
 *
 * The rank of a matrix of balls, and determinants that are not zero.
 *
 * Gaussian elimination in balls with complete pivoting, rows and columns measured in units that come from the matrix
 * itself, so that those of the model do not matter.  Sizes are carried along, to first order as in ball.h.  A
 * pivot's ball excludes 0, so that the rank is at least their number; it is said to be just that where everything
 * that is left is zero in the sense of ball.h.
 */

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

/* ---- minors.c ----
 *
 * Determinants that are written down: those of N, and the minors of Dg. */

/* Rows up to which a determinant is written down, and minors of Dg that are. */
#define MINORS_ORDER 3
#define MINORS_MOST  40

/* det of a square matrix function with at most MINORS_ORDER rows, by expansion. */
const ir_expr *determinant_of(study *s, const ir_function *f);

/* The same with row `row` and column `column` left out (1 where nothing is left). */
const ir_expr *minor_of(study *s, const ir_function *f, int row, int column);

/* All m x m minors of Dg that are not zero identically; out: MINORS_MOST at most.  0 where there are more, or m is
 * too large. */
int gradient_minors(study *s, const ir_expr *out[]);

/* ---- repeated.c ----
 *
 * Factors that a constraint has more than once. */

/* g = c prod_i f_i^n_i, where the f_i are the factors that may vanish; found as a polynomial over the rationals
 * (FLINT, square-free factorisation), with what is no polynomial as further variables. */
typedef struct repeated {
  const ir_expr *
      base; /* prod_i f_i, which is 0 where g is; NULL where no factor is repeated, or it is too large */
  int all; /* 1: every n_i >= 2, so that dg = 0 on all of {g = 0} */
} repeated;

repeated find_repeated(study *s, const ir_expr *g);

/* ---- combination.c ----
 *
 * Linear combinations of constraints that vanish at points: of their gradients, and of the columns of N.
 *
 * In double precision and for display; whether there is one is decided by rank.c.
 */

/* sum_i x_i dg_i = 0 over the constraints that are kept, at each of the first n points; x of the first one, and whether
 * it is the same at all.  coefficients is NULL where there is none at one of them. */
record_combination combination_of_gradients(study *s, const points *p, int n, const char kept[]);

/* N x = 0, likewise. */
record_combination combination_of_N(study *s, const points *p, int n);

/* Which constraints follow from others at the point, "'c' follows from 'a', 'b'; 'd' follows from 'a'", or without `follow` "'c'
 * depends on 'a', 'b'", by QR with column
 * exchanges of the gradients (LAPACK dgeqp3), weighted so that later ones are taken for those that follow; "" where none
 * does. */
const char *combination_words(study *s, point *x, int follow);

#endif
