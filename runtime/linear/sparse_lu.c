/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/sparse_lu.c -- LU factorisation of general sparse matrices, by KLU of SuiteSparse.
 *
 * KLU expects the columns of a matrix; we store rows.  KLU therefore factorises A^T, and no values
 * have to be moved.
 *
 * Pivots on the diagonal suit a Newton matrix: each stage value has its own equation, and each
 * multiplier its own constraint.  A constraint does not contain its multiplier, but eliminating the
 * stage values that couple the two fills in that diagonal entry, about h N_ii.  Unknowns without a
 * diagonal entry therefore follow all of their neighbours.
 */
#include "linear/sparse_lu.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/klu.h>

#include "common/zeros.h"

/* Threshold of partial pivoting: a pivot is at least this fraction of the largest candidate.  KLU's
 * default, 1e-3, loses six digits on cyclic bands of a dozen entries per row. */
static const double pivot_tolerance = 0.1;

/* If KLU's reciprocal pivot growth is below this, the pivots on the diagonal are rejected. */
static const double good_growth = 1e-3;

/* A factorisation and its pattern. */
typedef struct {
  int *start;
  int *col;
  klu_symbolic *symbolic;
  klu_numeric *numeric;
  int odd; /* 1 if the product of the row and column permutations is odd */
} factors;

struct sw_sparse_lu {
  int n;
  factors diagonal; /* of the pattern with a full diagonal; owns its arrays */
  int *place;       /* number in that pattern of each given entry */
  double *values;   /* of that pattern */
  factors chosen;   /* of the given pattern; allocated when the diagonal first fails */
  const factors *used;
  klu_common common;
  unsigned char *seen; /* n */
  int sign;
  double least; /* the smallest pivot of A^T, relative to the largest entry of its column */
};

static void release(factors *f, klu_common *common)
{
  if (f->numeric) {
    klu_free_numeric(&f->numeric, common);
  }
  if (f->symbolic) {
    klu_free_symbolic(&f->symbolic, common);
  }
}

/* ---- the pivot order that depends on the pattern alone ---- */

/* Copies row i and adds its diagonal entry if that is missing.  Returns 1 if it was missing. */
static int complete_row(sw_sparse_lu *lu, int i)
{
  const factors *given = &lu->chosen;
  factors *whole = &lu->diagonal;
  int at = whole->start[i];
  int e = given->start[i];
  const int end = given->start[i + 1];

  for (; e < end && given->col[e] < i; e++, at++) {
    whole->col[at] = given->col[e];
    lu->place[e] = at;
  }
  const int missing = e == end || given->col[e] > i;
  whole->col[at] = i;
  at += missing;
  for (; e < end; e++, at++) {
    whole->col[at] = given->col[e];
    lu->place[e] = at;
  }
  whole->start[i + 1] = at;
  return missing;
}

/* Writes to last[i] the position of i or, if i has no diagonal entry, the largest position among i
 * and its neighbours that have one. */
static void find_last(const factors *whole, int n, const int order[], const unsigned char gap[],
                      int last[])
{
  for (int k = 0; k < n; k++) {
    last[order[k]] = k;
  }
  for (int k = 0; k < n; k++) {
    const int i = order[k];
    for (int e = whole->start[i]; e < whole->start[i + 1]; e++) {
      const int j = whole->col[e];
      if (gap[j] && !gap[i] && last[j] < k) {
        last[j] = k;
      }
      if (gap[i] && !gap[j] && last[i] < last[j]) {
        last[i] = last[j];
      }
    }
  }
}

/* Moves each unknown without a diagonal entry behind the last of its neighbours.  scratch: 3 n. */
static void move_gaps(const factors *whole, int n, const int order[], const unsigned char gap[],
                      int moved[], int scratch[])
{
  int *last = scratch;
  int *first = last + n; /* heads of lists: the unknowns to insert behind a position */
  int *next = first + n;
  int count = 0;

  find_last(whole, n, order, gap, last);
  for (int k = n - 1; k >= 0; k--) {
    first[k] = -1;
  }
  for (int k = n - 1; k >= 0; k--) {
    if (gap[order[k]]) {
      next[order[k]] = first[last[order[k]]];
      first[last[order[k]]] = order[k];
    }
  }
  for (int k = 0; k < n; k++) {
    if (!gap[order[k]]) {
      moved[count++] = order[k];
    }
    for (int i = first[k]; i >= 0; i = next[i]) {
      moved[count++] = i;
    }
  }
}

/* Runs KLU's symbolic analysis for that order.  Returns 0 if memory is short. */
static int analyse_diagonal(sw_sparse_lu *lu)
{
  const size_t n = (size_t)lu->n;
  factors *whole = &lu->diagonal;
  int *scratch = sw_zeros(4 * n, sizeof *scratch);
  klu_common one_block = lu->common;

  one_block.btf = 0;
  whole->symbolic = scratch ? klu_analyze(lu->n, whole->start, whole->col, &one_block) : NULL;
  if (whole->symbolic) {
    move_gaps(whole, lu->n, whole->symbolic->Q, lu->seen, scratch, scratch + n);
    klu_free_symbolic(&whole->symbolic, &one_block);
    whole->symbolic =
        klu_analyze_given(lu->n, whole->start, whole->col, scratch, scratch, &one_block);
  }
  free(scratch);
  return whole->symbolic != NULL;
}

/* Returns 1 if a permutation is odd.  seen: n values, all 0 on entry and on return. */
static int is_odd(int n, const int permutation[], unsigned char seen[])
{
  int odd = 0;

  for (int i = 0; i < n; i++) {
    for (int j = i; !seen[j]; j = permutation[j]) {
      /* A cycle of c elements is a product of c - 1 transpositions. */
      odd ^= permutation[j] != i;
      seen[j] = 1;
    }
  }
  memset(seen, 0, (size_t)n);
  return odd;
}

/* Sets the parity of the permutations of f. */
static void find_parity(sw_sparse_lu *lu, factors *f)
{
  f->odd = is_odd(lu->n, f->numeric->Pnum, lu->seen) ^ is_odd(lu->n, f->symbolic->Q, lu->seen);
}

/* Makes KLU choose the diagonal as pivots, by factorising a matrix with 1 on the diagonal and
 * DBL_EPSILON elsewhere. */
static int factor_diagonal(sw_sparse_lu *lu)
{
  factors *whole = &lu->diagonal;

  memset(lu->seen, 0, (size_t)lu->n);
  for (int i = 0; i < lu->n; i++) {
    for (int e = whole->start[i]; e < whole->start[i + 1]; e++) {
      lu->values[e] = whole->col[e] == i ? 1.0 : DBL_EPSILON;
    }
  }
  whole->numeric = klu_factor(whole->start, whole->col, lu->values, whole->symbolic, &lu->common);
  memset(lu->values, 0, (size_t)whole->start[lu->n] * sizeof *lu->values);
  if (whole->numeric) {
    find_parity(lu, whole);
  }
  return whole->numeric != NULL;
}

static int sparse_lu_make(sw_sparse_lu *lu)
{
  const size_t n = (size_t)lu->n;
  const size_t entries = (size_t)lu->chosen.start[lu->n];
  factors *whole = &lu->diagonal;

  lu->seen = sw_zeros(n, sizeof *lu->seen);
  lu->place = sw_zeros(entries + 1, sizeof *lu->place);
  lu->values = sw_zeros(entries + n, sizeof *lu->values);
  whole->start = sw_zeros(n + 1, sizeof *whole->start);
  whole->col = sw_zeros(entries + n, sizeof *whole->col);
  if (!lu->seen || !lu->place || !lu->values || !whole->start || !whole->col ||
      !klu_defaults(&lu->common)) {
    return 0;
  }
  lu->common.tol = pivot_tolerance;
  for (int i = 0; i < lu->n; i++) {
    lu->seen[i] = (unsigned char)complete_row(lu, i);
  }
  return analyse_diagonal(lu) && factor_diagonal(lu);
}

sw_sparse_lu *sw_sparse_lu_create(int n, int start[], int col[])
{
  sw_sparse_lu *lu = calloc(1, sizeof *lu);

  if (!lu) {
    return NULL;
  }
  lu->n = n;
  lu->chosen.start = start;
  lu->chosen.col = col;
  if (!sparse_lu_make(lu)) {
    sw_sparse_lu_free(lu);
    return NULL;
  }
  return lu;
}

void sw_sparse_lu_free(sw_sparse_lu *lu)
{
  if (!lu) {
    return;
  }
  release(&lu->diagonal, &lu->common);
  release(&lu->chosen, &lu->common);
  free(lu->diagonal.start);
  free(lu->diagonal.col);
  free(lu->place);
  free(lu->values);
  free(lu->seen);
  free(lu);
}

/* ---- numerical factorisation ---- */

/* The smallest pivot relative to the largest entry of its column, for rows scaled as in KLU; NaN
 * counts as 0. */
static double least_pivot(const sw_sparse_lu *lu, const factors *f, const double values[])
{
  const double *pivot = f->numeric->Udiag;
  double least = 1.0;

  for (int k = 0; k < lu->n; k++) {
    const int j = f->symbolic->Q[k];
    double largest = 0.0;
    for (int e = f->start[j]; e < f->start[j + 1]; e++) {
      const double scale = f->numeric->Rs[f->numeric->Pinv[f->col[e]]];
      const double size = fabs(values[e]) / scale;
      largest = size > largest ? size : largest;
    }
    const double ratio = fabs(pivot[k]) / largest;
    least = ratio > 0.0 ? fmin(least, ratio) : 0.0;
    if (least == 0.0) {
      break;
    }
  }
  return least;
}

/* KLU's matrix is block triangular with one L U per diagonal block.  Blocks above the diagonal do
 * not change the determinant, and the row scales are positive. */
static int determinant_sign(const sw_sparse_lu *lu, const factors *f)
{
  const double *pivot = f->numeric->Udiag;
  int odd = f->odd;

  for (int k = 0; k < lu->n; k++) {
    odd ^= pivot[k] < 0.0;
  }
  return odd ? -1 : 1;
}

/* Factorises with pivots on the diagonal.  Returns 1 if they are acceptable. */
static int refactor(sw_sparse_lu *lu, const double values[])
{
  factors *f = &lu->diagonal;

  for (int e = 0; e < lu->chosen.start[lu->n]; e++) {
    lu->values[lu->place[e]] = values[e];
  }
  return klu_refactor(f->start, f->col, lu->values, f->symbolic, f->numeric, &lu->common) &&
         lu->common.status == KLU_OK &&
         klu_rgrowth(f->start, f->col, lu->values, f->symbolic, f->numeric, &lu->common) &&
         lu->common.rgrowth >= good_growth &&
         (lu->least = least_pivot(lu, f, lu->values)) > DBL_EPSILON;
}

/* Factorises with freely chosen pivots. */
static sw_status factor_anew(sw_sparse_lu *lu, const double values[])
{
  factors *f = &lu->chosen;
  /* KLU only reads the values, but its interface is not const-correct. */
  double *readable = (double *)values;

  if (!f->symbolic) {
    f->symbolic = klu_analyze(lu->n, f->start, f->col, &lu->common);
  }
  if (!f->symbolic) {
    return SW_ERR_MEMORY;
  }
  if (f->symbolic->structural_rank < lu->n) {
    return SW_ERR_SINGULAR;
  }
  if (f->numeric) {
    klu_free_numeric(&f->numeric, &lu->common);
  }
  f->numeric = klu_factor(f->start, f->col, readable, f->symbolic, &lu->common);
  if (lu->common.status < 0) {
    return SW_ERR_MEMORY;
  }
  if (!f->numeric || lu->common.status != KLU_OK) {
    return SW_ERR_SINGULAR;
  }
  find_parity(lu, f);
  lu->least = least_pivot(lu, f, values);
  return lu->least > DBL_EPSILON ? SW_OK : SW_ERR_SINGULAR;
}

sw_status sw_sparse_lu_factor(sw_sparse_lu *lu, const double values[])
{
  sw_status status = SW_OK;

  /* A column of NaN would make KLU's pivot search leave its arrays. */
  for (int e = 0; e < lu->chosen.start[lu->n]; e++) {
    if (!isfinite(values[e])) {
      return SW_ERR_SINGULAR;
    }
  }
  lu->used = &lu->diagonal;
  if (!refactor(lu, values)) {
    lu->used = &lu->chosen;
    status = factor_anew(lu, values);
  }
  if (status == SW_OK) {
    lu->sign = determinant_sign(lu, lu->used);
  }
  return status;
}

double sw_sparse_lu_least(const sw_sparse_lu *lu)
{
  return lu->least;
}

void sw_sparse_lu_solve(sw_sparse_lu *lu, double x[])
{
  (void)klu_tsolve(lu->used->symbolic, lu->used->numeric, lu->n, 1, x, &lu->common);
}

sw_signature sw_sparse_lu_signature(const sw_sparse_lu *lu, const int block[], int scratch[])
{
  const factors *f = lu->used;
  sw_signature s = {0};

  for (int k = 0; k < lu->n; k++) {
    const int j = f->symbolic->Q[k];
    scratch[j] = f->numeric->Pnum[k];
    sw_signature_add(&s, block ? block[j] : 0, ((const double *)f->numeric->Udiag)[k] < 0.0);
  }
  sw_signature_exchange(&s, lu->n, block, scratch);
  return s;
}

int sw_sparse_lu_sign(const sw_sparse_lu *lu)
{
  return lu->sign;
}
