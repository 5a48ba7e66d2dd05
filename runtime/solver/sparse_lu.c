/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * solver/sparse_lu.c -- LU factorisation of general sparse matrices, by KLU of SuiteSparse.
 *
 * KLU stores matrices by columns.  Ours stand by rows, which is their transpose by columns: so KLU
 * factorises A^T, and the values need not be moved.
 */
#include "solver/sparse_lu.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/klu.h>

/* A pivot is at least this part of the largest candidate.  KLU's own default, 1e-3, costs six digits in
 * cyclic bands of a dozen entries a row. */
static const double pivot_tolerance = 0.1;

/* KLU tells by which factor entries shrink in elimination; small is bad.  Pivots chosen for another
 * matrix are given up where it is below the first, and a small part of what it was for that matrix. */
static const double good_growth = 1e-3;
static const double growth_ratio = 1e-2;

struct sw_sparse_lu {
  int n;
  int *start;
  int *col;
  klu_common common;
  klu_symbolic *symbolic; /* NULL where the pattern is singular */
  klu_numeric *numeric;   /* NULL before the first factorisation */
  unsigned char *seen;    /* n */
  double first_growth;    /* of the matrix for which the pivots were chosen */
  int sign;
};

sw_sparse_lu *sw_sparse_lu_create(int n, int start[], int col[])
{
  sw_sparse_lu *lu = calloc(1, sizeof *lu);

  if (!lu) {
    return NULL;
  }
  lu->n = n;
  lu->start = start;
  lu->col = col;
  lu->seen = calloc((size_t)n, sizeof *lu->seen);
  if (!lu->seen || !klu_defaults(&lu->common)) {
    sw_sparse_lu_free(lu);
    return NULL;
  }
  lu->common.tol = pivot_tolerance;
  lu->symbolic = klu_analyze(n, start, col, &lu->common);
  if (lu->common.status < 0) {
    sw_sparse_lu_free(lu);
    return NULL;
  }
  if (lu->common.structural_rank < n) {
    klu_free_symbolic(&lu->symbolic, &lu->common);
  }
  return lu;
}

void sw_sparse_lu_free(sw_sparse_lu *lu)
{
  if (!lu) {
    return;
  }
  if (lu->numeric) {
    klu_free_numeric(&lu->numeric, &lu->common);
  }
  if (lu->symbolic) {
    klu_free_symbolic(&lu->symbolic, &lu->common);
  }
  free(lu->seen);
  free(lu);
}

/* 1 where each column, its rows scaled as KLU scaled them, has a pivot above `floor` times its largest
 * entry. */
static int pivots_stand_out(const sw_sparse_lu *lu, double floor, const double values[])
{
  const double *pivot = lu->numeric->Udiag;

  for (int k = 0; k < lu->n; k++) {
    const int j = lu->symbolic->Q[k];
    double largest = 0.0;
    for (int e = lu->start[j]; e < lu->start[j + 1]; e++) {
      const double scale = lu->numeric->Rs[lu->numeric->Pinv[lu->col[e]]];
      const double size = fabs(values[e]) / scale;
      largest = size > largest ? size : largest;
    }
    if (!(fabs(pivot[k]) > floor * largest)) {
      return 0;
    }
  }
  return 1;
}

/* Whether a permutation is odd; seen: n zeros, on entry and on return. */
static int is_odd(int n, const int permutation[], unsigned char seen[])
{
  int odd = 0;

  for (int i = 0; i < n; i++) {
    for (int j = i; !seen[j]; j = permutation[j]) {
      /* A cycle of c entries is c - 1 exchanges. */
      odd ^= permutation[j] != i;
      seen[j] = 1;
    }
  }
  memset(seen, 0, (size_t)n);
  return odd;
}

/* Each block on the diagonal has its own L U; what is above the blocks does not matter to the
 * determinant, and the scales of the rows are positive. */
static int determinant_sign(sw_sparse_lu *lu)
{
  const double *pivot = lu->numeric->Udiag;
  int odd = is_odd(lu->n, lu->numeric->Pnum, lu->seen) ^ is_odd(lu->n, lu->symbolic->Q, lu->seen);

  for (int k = 0; k < lu->n; k++) {
    odd ^= pivot[k] < 0.0;
  }
  return odd ? -1 : 1;
}

/* By which factor the entries of a column shrink at most in elimination. */
static double growth(sw_sparse_lu *lu, double values[])
{
  (void)klu_rgrowth(lu->start, lu->col, values, lu->symbolic, lu->numeric, &lu->common);
  return lu->common.rgrowth;
}

/* With the pivots of an earlier matrix; returns 1 where they will do. */
static int refactor(sw_sparse_lu *lu, double values[])
{
  return lu->numeric &&
         klu_refactor(lu->start, lu->col, values, lu->symbolic, lu->numeric, &lu->common) &&
         lu->common.status == KLU_OK &&
         growth(lu, values) >= fmin(good_growth, growth_ratio * lu->first_growth) &&
         pivots_stand_out(lu, DBL_EPSILON, values);
}

/* With pivots of its own. */
static int factor_anew(sw_sparse_lu *lu, double values[])
{
  if (lu->numeric) {
    klu_free_numeric(&lu->numeric, &lu->common);
  }
  lu->numeric = klu_factor(lu->start, lu->col, values, lu->symbolic, &lu->common);
  if (!lu->numeric || lu->common.status != KLU_OK) {
    return 0;
  }
  lu->first_growth = growth(lu, values);
  return pivots_stand_out(lu, DBL_EPSILON, values);
}

int sw_sparse_lu_factor(sw_sparse_lu *lu, const double values[])
{
  /* KLU only reads them, but its interface is older than const. */
  double *readable = (double *)values;

  if (!lu->symbolic) {
    return 1;
  }
  /* A column of NaN would send KLU's search for a pivot out of its arrays. */
  for (int e = 0; e < lu->start[lu->n]; e++) {
    if (!isfinite(values[e])) {
      return 1;
    }
  }
  if (!refactor(lu, readable) && !factor_anew(lu, readable)) {
    return 1;
  }
  lu->sign = determinant_sign(lu);
  return 0;
}

int sw_sparse_lu_factor_above(sw_sparse_lu *lu, double floor, const double values[])
{
  return sw_sparse_lu_factor(lu, values) != 0 || !pivots_stand_out(lu, floor, values);
}

void sw_sparse_lu_solve(sw_sparse_lu *lu, int transposed, double x[])
{
  if (transposed) {
    (void)klu_solve(lu->symbolic, lu->numeric, lu->n, 1, x, &lu->common);
  } else {
    (void)klu_tsolve(lu->symbolic, lu->numeric, lu->n, 1, x, &lu->common);
  }
}

int sw_sparse_lu_sign(const sw_sparse_lu *lu)
{
  return lu->sign;
}
