/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/elimination.h -- Gaussian elimination of a small sparse matrix, written out along its entries that are not zero.
 *
 * Without exchanges of rows: whoever uses it has to look at the pivots, and at what the solution is worth.
 */
#ifndef SIDEWINDER_FUSED_ELIMINATION_H
#define SIDEWINDER_FUSED_ELIMINATION_H

#include "fused/values.h"

/* A = L U, in place, in the order of elimination: the strict lower triangle becomes that of L, the rest U; NULL is zero. */
typedef struct fused_matrix {
  int n;
  int is_free; /* 1: pivots may be taken in any order, else in that of the rows */
  int order[FUSED_UNKNOWNS_MOST]; /* in which they have been taken */
  const ir_expr *at[FUSED_UNKNOWNS_MOST][FUSED_UNKNOWNS_MOST];
  const ir_expr *over_pivot[FUSED_UNKNOWNS_MOST]; /* 1/U_ii */
} fused_matrix;

/* Factorises; `name` begins the names of the values.  Returns 0 where a pivot is always zero.  Of orders that are free, one that fills few entries and
 * leaves few pivots to wait for each other: a chain is taken from both ends. */
int fused_factorise(fused_values *f, const char *name, fused_matrix *m);

/* x <- A^{-1} x of a factorised matrix. */
void fused_solve(fused_values *f, const char *name, const fused_matrix *m, const ir_expr *x[]);

/* x <- A^{-1} x of a matrix of at most FUSED_COFACTORS_MOST rows, before it is factorised, by its cofactors and one division: less of that has to wait for
 * other results than where pivots are divided by.  Returns the determinant; NULL where that is always zero. */
enum { FUSED_COFACTORS_MOST = 3 };
const ir_expr *fused_solve_by_cofactors(fused_values *f, const char *name, const fused_matrix *m,
                                        const ir_expr *x[]);

#endif
