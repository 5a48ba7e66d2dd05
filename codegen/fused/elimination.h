/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/elimination.h -- Gaussian elimination of a small sparse matrix as straight-line code over
 * its nonzero entries.
 *
 * There are no row exchanges; the caller must check the pivots and the accuracy of the solution.
 */
#ifndef SIDEWINDER_FUSED_ELIMINATION_H
#define SIDEWINDER_FUSED_ELIMINATION_H

#include "fused/values.h"

/* A = L U, in place, in the order of elimination. The strict lower triangle becomes that of L, the
 * rest becomes U. NULL is zero. */
typedef struct fused_matrix {
  int n;
  int is_free; /* 1: the order of pivots may be chosen; 0: it is the order of the rows */
  int order[FUSED_UNKNOWNS_MOST]; /* order of elimination */
  const ir_expr *at[FUSED_UNKNOWNS_MOST][FUSED_UNKNOWNS_MOST];
  const ir_expr *over_pivot[FUSED_UNKNOWNS_MOST]; /* 1/U_ii */
} fused_matrix;

/* Factorises m; the names of the values begin with `name`. Returns 0 if a pivot is always zero. A
 * free order is chosen to reduce fill-in and the dependence of pivots on each other: a chain is
 * eliminated from both ends. */
int fused_factorise(fused_values *f, const char *name, fused_matrix *m);

/* x <- A^{-1} x, with the factors. */
void fused_solve(fused_values *f, const char *name, const fused_matrix *m, const ir_expr *x[]);

/* x <- A^{-1} x by cofactors and one division, for an unfactorised matrix of at most
 * FUSED_COFACTORS_MOST rows. This has a shorter chain of dependent operations than divisions by
 * pivots. Returns the determinant, or NULL if it is always zero. */
enum { FUSED_COFACTORS_MOST = 3 };
const ir_expr *fused_solve_by_cofactors(fused_values *f, const char *name, const fused_matrix *m,
                                        const ir_expr *x[]);

#endif
