/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dependence_means.h -- tools to decide whether constraints, their gradients, or the rows of N are
 * dependent.
 *
 * rank.c alone decides dependence, in balls at a point.  minors.c and repeated.c write down
 * determinants and factors for proofs; certify.h proves where these vanish.  combination.c
 * describes dependences for readers.
 */
#ifndef SIDEWINDER_ANALYSIS_DEPENDENCE_MEANS_H
#define SIDEWINDER_ANALYSIS_DEPENDENCE_MEANS_H

#include "analysis/sample.h"

/* ---- rank.c ----
 *
 * The rank of a matrix of balls, and determinants that are not zero.
 *
 * Gaussian elimination in balls with complete pivoting.  The units of rows and columns come from
 * the matrix itself, so those of the model do not matter.  Sizes are propagated to first order as
 * in ball.h.  The ball of a pivot excludes 0, so the rank is at least the number of pivots.  It is
 * equal to this number if all remaining entries are zero in the sense of ball.h. */

typedef struct matrix_rank {
  int decided; /* 0 if an entry could not be distinguished from zero */
  int rank;    /* proved lower bound of the rank */
} matrix_rank;

/* The rank of a matrix function of the model at the point, at increasing precision. */
matrix_rank rank_at(study *s, point *x, ir_function_id id);

/* The largest ratio of the terms of a pivot to the pivot, among the first `wanted` pivots of a
 * matrix function, at a state with the default parameters.  Infinite for RANK_LOST or more: doubles
 * then cannot distinguish the matrix from a singular one.  NaN if the matrix is not finite. */
double rank_loss(study *s, const double z[], ir_function_id id, int wanted);

#define RANK_LOST 1e13

/* Solves A x = b at the point for a square matrix function A of the model; sizes are propagated.  b
 * has as many values as A has rows, and x overwrites it.  Returns 0 unless A is shown to be regular
 * at this precision. */
int rank_solve(study *s, const ir_function *f, arb_ptr b, mag_ptr b_size, slong precision);

/* ---- minors.c ----
 *
 * Explicit determinants: of N, and the minors of Dg. */

/* Limits on the rows of an explicit determinant, and on the number of minors of Dg. */
#define MINORS_ORDER 3
#define MINORS_MOST  40

/* det of a square matrix function with at most MINORS_ORDER rows, by expansion. */
const ir_expr *determinant_of(study *s, const ir_function *f);

/* The same without row `row` and column `column`; 1 if nothing remains. */
const ir_expr *minor_of(study *s, const ir_function *f, int row, int column);

/* All m x m minors of Dg that are not identically zero, at most MINORS_MOST.  Returns their number,
 * or 0 if there are more or m is too large. */
int gradient_minors(study *s, const ir_expr *out[]);

/* ---- repeated.c ----
 *
 * Repeated factors of a constraint. */

/* g = c prod_i f_i^n_i with the factors f_i that may vanish.  FLINT's square-free factorisation
 * over the rationals finds them; parts that are not polynomials count as further variables. */
typedef struct repeated {
  /* prod_i f_i, with the same zeros as g; NULL if no factor is repeated, or g is too large */
  const ir_expr *base;
  int all; /* 1 if every n_i >= 2, so that dg = 0 on all of {g = 0} */
} repeated;

repeated find_repeated(study *s, const ir_expr *g);

/* ---- combination.c ----
 *
 * Linear combinations that vanish at points: of the gradients of constraints, and of the columns of
 * N.
 *
 * They are in double precision and for display only; rank.c decides whether there is one. */

/* sum_i x_i dg_i = 0 over the kept constraints, at each of the first n points.  The result is x at
 * the first point, and whether x is the same at all points.  coefficients is NULL if one point has
 * no combination. */
record_combination combination_of_gradients(study *s, const points *p, int n, const char kept[]);

/* The same for N x = 0. */
record_combination combination_of_N(study *s, const points *p, int n);

/* A description of the constraints that follow from others at the point: "'c' follows from 'a',
 * 'b'; 'd' follows from 'a'", or without `follow` "'c' depends on 'a', 'b'"; "" if there are none.
 * It comes from a QR factorisation of the gradients with column exchanges (LAPACK dgeqp3).  Weights
 * make later constraints the dependent ones. */
const char *combination_words(study *s, point *x, int follow);

#endif
