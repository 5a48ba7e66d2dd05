/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pieces.h -- what a system computes, piece by piece, as dense matrices.
 *
 *   pieces.c       evaluation, and how large the terms of a piece are
 *   agreement.c    two systems of one model against each other
 *   derivatives.c  one system against differences of itself
 *   compare.c      the program
 */
#ifndef TESTS_RANDOM_PIECES_H
#define TESTS_RANDOM_PIECES_H

#include "model/system.h"

/* The functions of a system, in the order of sw_system, without the scales. */
typedef enum piece {
  PIECE_H,
  PIECE_GRAD,
  PIECE_HESS,
  PIECE_G,
  PIECE_DG,
  PIECE_LAMBDA_HESS,
  PIECE_HIDDEN,
  PIECE_HIDDEN_JAC,
  PIECE_COISOTROPY,
  PIECE_NONDEGENERACY,
  PIECE_FLOW,
  PIECE_FLOW_LAMBDA,
  PIECE_FLOW_Z,
  PIECE_OBSERVE,
  PIECE_INVARIANT,
  PIECES
} piece;

/* Where a system is evaluated: 2d, nk and nc values, of which there is room for one at least. */
typedef struct point {
  double *z;
  double *k;
  double *lambda; /* m multipliers, then m impulses for observables */
} point;

/* All pieces at one point.  at[p] is a dense matrix of rows[p] x cols[p] values, row by row,
 * symmetric ones with both triangles; terms[p] is the size of the largest terms of which an entry
 * is a sum. */
typedef struct pieces {
  int rows[PIECES];
  int cols[PIECES];
  double *at[PIECES];
  double terms[PIECES];
} pieces;

extern const char *const piece_names[PIECES];

/* n values of T, all bytes zero, at least one; ends the program where there is no memory. */
void *allocate(size_t n, size_t size);

void point_create(const sw_system *system, point *x);
void point_free(point *x);
/* A random one: z in (-1, 1), lambda in (-0.3, 0.3), k within a tenth of its default.  *state is
 * that of the random numbers. */
void point_random(const sw_system *system, unsigned long *state, point *x);

/* One piece into out[], which has room for it. */
void piece_evaluate(const sw_system *system, piece p, const point *x, double out[]);
void piece_shape(const sw_system *system, piece p, int *rows, int *cols);

void pieces_create(const sw_system *system, pieces *all);
void pieces_free(pieces *all);
void pieces_evaluate(const sw_system *system, const point *x, pieces *all);

/* The failures of the pair that is being compared: the first few are printed after its label. */
typedef struct findings {
  const char *label;
  int failures;
} findings;

__attribute__((format(printf, 2, 3))) void finding(findings *f, const char *format, ...);

/* (agreement.c) Whether two systems are the same model: sizes, names, defaults, states. */
int same_model(const sw_system *a, const sw_system *b, findings *f);
/* Their functions at one point, and what each of them claims about its structure. */
void same_values(const sw_system *a, const sw_system *b, const point *x, findings *f);

/* (derivatives.c) Derivatives of a system against central differences of what they are derivatives
 * of. */
void true_derivatives(const sw_system *system, const point *x, findings *f);

#endif
