/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/sparse_lu.h -- LU factorisation of general sparse matrices, by KLU of SuiteSparse.
 *
 * What is factorised before leaves no trace: the pivots are those of an order that follows from the pattern
 * alone, its diagonal, as long as they are good for the matrix at hand, and otherwise they are chosen anew
 * for it.  Only then does KLU allocate memory.
 */
#ifndef SIDEWINDER_LINEAR_SPARSE_LU_H
#define SIDEWINDER_LINEAR_SPARSE_LU_H

#include "linear/signature.h"
#include "sidewinder/status.h"

typedef struct sw_sparse_lu sw_sparse_lu;

/* For matrices n x n whose row i has the columns col[start[i]] .. col[start[i+1]-1], in order.  Both arrays
 * are kept by reference, and only read.  Returns NULL where memory is short. */
sw_sparse_lu *sw_sparse_lu_create(int n, int start[], int col[]);
void sw_sparse_lu_free(sw_sparse_lu *lu);

/* Factorises the matrix with these values, one per entry.  Errors: SW_ERR_SINGULAR: structurally, or a row,
 * after columns are scaled by their largest entry, has no pivot but what is at the round-off of its
 * entries; also where a value is not finite.  SW_ERR_MEMORY. */
sw_status sw_sparse_lu_factor(sw_sparse_lu *lu, const double values[]);

/* The smallest pivot of the last factorisation, which was a good one, relative to the largest entry of its
 * row. */
double sw_sparse_lu_least(const sw_sparse_lu *lu);

/* x <- A^{-1} x, or A^{-T} x, with the last factorisation, which was a good one. */
void sw_sparse_lu_solve(sw_sparse_lu *lu, double x[]);

/* As sw_linear_signature; block: NULL if all unknowns are in one. */
sw_signature sw_sparse_lu_signature(const sw_sparse_lu *lu, const int block[], int scratch[]);

/* Sign of det A, 1 or -1. */
int sw_sparse_lu_sign(const sw_sparse_lu *lu);

#endif
