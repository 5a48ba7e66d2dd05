/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/sparse_lu.h -- LU factorisation of general sparse matrices, by KLU of SuiteSparse.
 *
 * A factorisation depends on the pattern and the values, not on earlier factorisations.  The first
 * attempt uses pivots on the diagonal, in an order that depends on the pattern alone.  If these are
 * bad, KLU chooses other pivots for the matrix at hand; KLU allocates memory only then.
 */
#ifndef SIDEWINDER_LINEAR_SPARSE_LU_H
#define SIDEWINDER_LINEAR_SPARSE_LU_H

#include "linear/signature.h"
#include "sidewinder/status.h"

typedef struct sw_sparse_lu sw_sparse_lu;

/* For n x n matrices whose row i has the columns col[start[i]] .. col[start[i+1]-1], in increasing
 * order.  Both arrays are kept by reference and only read.  Returns NULL if memory is short. */
sw_sparse_lu *sw_sparse_lu_create(int n, int start[], int col[]);
void sw_sparse_lu_free(sw_sparse_lu *lu);

/* Factorises the matrix with these values, one per entry.
 *
 * Errors: SW_ERR_SINGULAR if A is structurally singular or a value is not finite.  Also
 * SW_ERR_SINGULAR if all pivots of a row are at the round-off of its entries, after each column has
 * been divided by its largest entry.  SW_ERR_MEMORY. */
sw_status sw_sparse_lu_factor(sw_sparse_lu *lu, const double values[]);

/* The smallest pivot of the last factorisation, which must have succeeded, relative to the largest
 * entry of its row. */
double sw_sparse_lu_least(const sw_sparse_lu *lu);

/* x <- A^{-1} x.  The last factorisation must have succeeded. */
void sw_sparse_lu_solve(sw_sparse_lu *lu, double x[]);

/* See sw_linear_signature.  block: NULL if all unknowns are in one block. */
sw_signature sw_sparse_lu_signature(const sw_sparse_lu *lu, const int block[], int scratch[]);

/* Sign of det A, 1 or -1. */
int sw_sparse_lu_sign(const sw_sparse_lu *lu);

#endif
