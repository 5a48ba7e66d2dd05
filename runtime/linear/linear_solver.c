/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/linear_solver.c -- A x = b: chooses a method from the pattern, and delegates to it.
 */
#include "linear/linear_solver.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/klu.h>

#include "common/vectors.h"
#include "common/zeros.h"
#include "linear/blocks.h"
#include "linear/dense_lu.h"
#include "linear/envelope.h"
#include "linear/sparse.h"

/* ---- LU factorisation of general sparse matrices, by KLU of SuiteSparse ---- */

/* A factorisation depends on the pattern and the values, not on earlier factorisations.  The first
 * attempt uses pivots on the diagonal, in an order that depends on the pattern alone.  If these are
 * bad, KLU chooses other pivots for the matrix at hand; KLU allocates memory only then.
 *
 * KLU expects the columns of a matrix; we store rows.  KLU therefore factorises A^T, and no values
 * have to be moved.
 *
 * Pivots on the diagonal suit a Newton matrix: each stage value has its own equation, and each
 * multiplier its own constraint.  A constraint does not contain its multiplier, but eliminating the
 * stage values that couple the two fills in that diagonal entry, about h N_ii.  Unknowns without a
 * diagonal entry therefore follow all of their neighbours. */

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

typedef struct sw_sparse_lu {
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
} sw_sparse_lu;

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

static void sw_sparse_lu_free(sw_sparse_lu *lu)
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

/* For n x n matrices whose row i has the columns col[start[i]] .. col[start[i+1]-1], in increasing
 * order.  Both arrays are kept by reference and only read.  Returns NULL if memory is short. */
static sw_sparse_lu *sw_sparse_lu_create(int n, int start[], int col[])
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

/* Factorises the matrix with these values, one per entry.
 *
 * Errors: SW_ERR_SINGULAR if A is structurally singular or a value is not finite.  Also
 * SW_ERR_SINGULAR if all pivots of a row are at the round-off of its entries, after each column has
 * been divided by its largest entry.  SW_ERR_MEMORY. */
static sw_status sw_sparse_lu_factor(sw_sparse_lu *lu, const double values[])
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

/* The smallest pivot of the last factorisation, which must have succeeded, relative to the largest
 * entry of its row. */
static double sw_sparse_lu_least(const sw_sparse_lu *lu)
{
  return lu->least;
}

/* x <- A^{-1} x.  The last factorisation must have succeeded. */
static void sw_sparse_lu_solve(sw_sparse_lu *lu, double x[])
{
  (void)klu_tsolve(lu->used->symbolic, lu->used->numeric, lu->n, 1, x, &lu->common);
}

/* See sw_linear_signature.  block: NULL if all unknowns are in one block. */
static sw_signature sw_sparse_lu_signature(const sw_sparse_lu *lu, const int block[], int scratch[])
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

/* Sign of det A, 1 or -1. */
static int sw_sparse_lu_sign(const sw_sparse_lu *lu)
{
  return lu->sign;
}

enum {
  always_dense = 12, /* full storage up to this number of unknowns */
  never_dense = 200  /* no full storage above this number */
};

typedef enum linear_kind { KIND_DENSE, KIND_ENVELOPE, KIND_SPARSE } linear_kind;

struct sw_linear {
  int n;
  sw_team *team; /* NULL for one thread */
  int entries;
  linear_kind kind; /* the method chosen from the pattern */
  /* the method of the last factorisation: KIND_SPARSE if an envelope had a bad pivot */
  linear_kind used;
  sw_pattern pattern; /* the caller owns the arrays */
  int *start; /* n + 1: the start of each row of the pattern, for KLU; NULL until first needed */
  int *col;   /* entries: the columns, for KLU; NULL until first needed */

  double *full;   /* dense only: n x n by columns, later its factors */
  int *place;     /* dense only: the position in `full` of each entry */
  int *exchange;  /* dense only: n */
  double *row;    /* dense only: n, the divisors of the rows in the last factorisation, */
  int is_scaled;  /* if this is 1 */
  double *column; /* dense only: n, scratch */
  int sign;       /* dense only */
  double least;   /* dense only: the smallest pivot, relative to its column */
  int *block;     /* n: the connected block of each unknown; NULL if all are in one */
  sw_envelope *envelope;
  sw_sparse_lu *sparse; /* if kind is KIND_ENVELOPE, allocated on first use */
};

static int is_dense(const sw_pattern *A)
{
  const double n = A->rows;

  return A->rows <= always_dense || (A->rows <= never_dense && A->entries > n * n / 4.0);
}

static int make_dense(sw_linear *linear, const sw_pattern *A)
{
  const size_t n = (size_t)A->rows;

  linear->kind = KIND_DENSE;
  linear->full = sw_zeros(n * n, sizeof *linear->full);
  linear->place = sw_zeros((size_t)A->entries + 1, sizeof *linear->place);
  linear->exchange = sw_zeros(n, sizeof *linear->exchange);
  linear->row = sw_zeros(n, sizeof *linear->row);
  linear->column = sw_zeros(n, sizeof *linear->column);
  if (!linear->full || !linear->place || !linear->exchange || !linear->row || !linear->column) {
    return 0;
  }
  for (int e = 0; e < A->entries; e++) {
    linear->place[e] = A->col[e] * A->rows + A->row[e];
  }
  return 1;
}

static int copy_pattern(sw_linear *linear, const sw_pattern *A)
{
  linear->start = sw_zeros((size_t)A->rows + 1, sizeof *linear->start);
  linear->col = sw_zeros((size_t)A->entries + 1, sizeof *linear->col);
  if (!linear->start || !linear->col) {
    free(linear->start);
    free(linear->col);
    linear->start = linear->col = NULL;
    return 0;
  }
  sw_pattern_rows(A, linear->start);
  for (int e = 0; e < A->entries; e++) { /* a pattern without entries has no array */
    linear->col[e] = A->col[e];
  }
  return 1;
}

static int make_sparse(sw_linear *linear)
{
  if (!linear->start && !copy_pattern(linear, &linear->pattern)) {
    return 0;
  }
  linear->sparse = sw_sparse_lu_create(linear->n, linear->start, linear->col);
  return linear->sparse != NULL;
}

static int linear_solver_make(sw_linear *linear, const sw_pattern *A)
{
  linear->n = A->rows;
  linear->entries = A->entries;
  linear->pattern = *A;
  if (is_dense(A)) {
    return make_dense(linear, A);
  }
  if (sw_envelope_create(A, &linear->envelope) != SW_OK) {
    return 0;
  }
  if (linear->envelope) {
    linear->kind = KIND_ENVELOPE;
    return 1;
  }
  linear->kind = KIND_SPARSE;
  return make_sparse(linear);
}

/* Returns 0 if memory is short. */
static int find_blocks(sw_linear *linear, const sw_pattern *A)
{
  sw_blocks blocks;
  const sw_status status = sw_blocks_create(A, &blocks);

  if (status == SW_OK && blocks.count > 1) {
    linear->block = sw_zeros((size_t)A->rows, sizeof *linear->block);
    for (int b = 0; b < blocks.count && linear->block; b++) {
      for (int i = blocks.start[b]; i < blocks.start[b + 1]; i++) {
        linear->block[blocks.member[i]] = b;
      }
    }
  }
  const int found = status == SW_OK && (blocks.count <= 1 || linear->block);
  sw_blocks_free(&blocks);
  return found;
}

sw_status sw_linear_create(const sw_pattern *A, sw_linear **linear)
{
  *linear = calloc(1, sizeof **linear);
  if (!*linear) {
    return SW_ERR_MEMORY;
  }
  if (!linear_solver_make(*linear, A) || !find_blocks(*linear, A)) {
    sw_linear_free(linear);
    return SW_ERR_MEMORY;
  }
  (*linear)->used = (*linear)->kind;
  return SW_OK;
}

void sw_linear_free(sw_linear **linear)
{
  sw_linear *l = linear ? *linear : NULL;

  if (!l) {
    return;
  }
  free(l->start);
  free(l->col);
  free(l->full);
  free(l->place);
  free(l->exchange);
  free(l->row);
  free(l->column);
  free(l->block);
  sw_envelope_free(l->envelope);
  sw_sparse_lu_free(l->sparse);
  free(l);
  *linear = NULL;
}

void sw_linear_share(sw_linear *linear, sw_team *team)
{
  linear->team = team;
  if (linear->envelope) {
    sw_envelope_share(linear->envelope, team);
  }
}

/* Writes A to the full matrix and factorises it.  Returns 1 if each pivot is more than `clear`
 * times the largest entry of its column or, with scaled rows, times its terms. */
static int factor_full(sw_linear *linear, const double values[], double clear)
{
  const size_t n = (size_t)linear->n;
  double *terms = linear->is_scaled ? linear->column : NULL;

  if ((size_t)linear->entries < n * n) {
    memset(linear->full, 0, n * n * sizeof *linear->full);
  }
  for (int e = 0; e < linear->entries; e++) {
    linear->full[linear->place[e]] =
        linear->is_scaled ? values[e] / linear->row[linear->pattern.row[e]] : values[e];
  }
  return sw_lu_factor_by(linear->n, linear->full, linear->exchange, terms, &linear->least) == 0 &&
         linear->least > clear;
}

/* The powers of two below the largest entries of the rows, relative to those of their columns, so
 * that they do not depend on the units of unknowns. */
static void find_row_sizes(sw_linear *linear, const double values[])
{
  const sw_pattern *A = &linear->pattern;

  sw_column_weights(linear->n, linear->entries, A->col, values, linear->column);
  for (int i = 0; i < linear->n; i++) {
    linear->row[i] = 0.0;
  }
  for (int e = 0; e < linear->entries; e++) {
    double *row = &linear->row[A->row[e]];
    *row = fmax(*row, fabs(values[e]) / linear->column[A->col[e]]);
  }
  for (int i = 0; i < linear->n; i++) {
    linear->row[i] = sw_power_below(linear->row[i]);
  }
}

static void find_sign_of_dense(sw_linear *linear)
{
  const int n = linear->n;
  int odd = 0;

  for (int j = 0; j < n; j++) {
    odd ^= (linear->full[(size_t)j * (size_t)n + (size_t)j] < 0.0) ^ (linear->exchange[j] != j);
  }
  linear->sign = odd ? -1 : 1;
}

static sw_status factor_dense_clearly(sw_linear *linear, const double values[], double clear)
{
  linear->used = KIND_DENSE;
  linear->is_scaled = 0;
  if (!factor_full(linear, values, clear)) {
    return SW_ERR_SINGULAR;
  }
  find_sign_of_dense(linear);
  return SW_OK;
}

/* A pivot that is small in its column may be no round-off, if the equations have different units:
 * then the rows are scaled, and each pivot is compared with its own terms. */
static sw_status factor_dense(sw_linear *linear, const double values[])
{
  if (factor_dense_clearly(linear, values, 0.0) == SW_OK) {
    return SW_OK;
  }
  find_row_sizes(linear, values);
  linear->is_scaled = 1;
  if (!factor_full(linear, values, 0.0)) {
    return SW_ERR_SINGULAR;
  }
  find_sign_of_dense(linear);
  return SW_OK;
}

/* x <- A^{-1} x. */
static void solve_dense(const sw_linear *linear, double x[])
{
  for (int i = 0; i < linear->n && linear->is_scaled; i++) {
    x[i] /= linear->row[i];
  }
  sw_lu_solve(linear->n, linear->full, linear->exchange, x);
}

sw_status sw_linear_make_and_factor(sw_linear *linear, const double values[],
                                    const sw_row_maker *maker)
{
  linear->used = linear->kind;
  if (linear->kind == KIND_ENVELOPE && !sw_envelope_factor(linear->envelope, values, maker)) {
    return SW_OK;
  }
  sw_make_rows(maker, linear->team, (size_t)linear->n);
  if (linear->kind == KIND_DENSE) {
    return factor_dense(linear, values);
  }
  linear->used = KIND_SPARSE;
  return linear->sparse || make_sparse(linear) ? sw_sparse_lu_factor(linear->sparse, values)
                                               : SW_ERR_MEMORY;
}

sw_status sw_linear_factor(sw_linear *linear, const double values[])
{
  return sw_linear_make_and_factor(linear, values, NULL);
}

int sw_linear_clear(const sw_linear *linear)
{
  switch (linear->used) {
  case KIND_ENVELOPE:
    return 1;
  case KIND_SPARSE:
    return sw_sparse_lu_least(linear->sparse) > SW_LINEAR_CLEAR;
  case KIND_DENSE:
    break;
  }
  return linear->least > SW_LINEAR_CLEAR;
}

sw_status sw_linear_factor_clearly(sw_linear *linear, const double values[])
{
  if (linear->kind == KIND_DENSE) {
    return factor_dense_clearly(linear, values, SW_LINEAR_CLEAR);
  }
  if (linear->kind == KIND_SPARSE) {
    const sw_status status = sw_linear_factor(linear, values);
    return status == SW_OK && !sw_linear_clear(linear) ? SW_ERR_SINGULAR : status;
  }
  linear->used = KIND_ENVELOPE;
  return sw_envelope_factor(linear->envelope, values, NULL) ? SW_ERR_SINGULAR : SW_OK;
}

void sw_linear_solve(sw_linear *linear, double x[])
{
  switch (linear->used) {
  case KIND_DENSE:
    solve_dense(linear, x);
    break;
  case KIND_ENVELOPE:
    sw_envelope_solve(linear->envelope, x);
    break;
  case KIND_SPARSE:
    sw_sparse_lu_solve(linear->sparse, x);
    break;
  }
}

const int *sw_linear_blocks(const sw_linear *linear)
{
  return linear->block;
}

static sw_signature signature_of_dense(const sw_linear *linear, int row[])
{
  const int n = linear->n;
  sw_signature s = {0};

  for (int j = 0; j < n; j++) {
    row[j] = j;
  }
  for (int j = 0; j < n; j++) {
    const int moved = row[j];
    row[j] = row[linear->exchange[j]];
    row[linear->exchange[j]] = moved;
    sw_signature_add(&s, linear->block ? linear->block[j] : 0,
                     linear->full[(size_t)j * (size_t)n + (size_t)j] < 0.0);
  }
  sw_signature_exchange(&s, n, linear->block, row);
  return s;
}

sw_signature sw_linear_signature(const sw_linear *linear, int scratch[])
{
  switch (linear->used) {
  case KIND_ENVELOPE:
    return sw_envelope_signature(linear->envelope, linear->block);
  case KIND_SPARSE:
    return sw_sparse_lu_signature(linear->sparse, linear->block, scratch);
  case KIND_DENSE:
    break;
  }
  return signature_of_dense(linear, scratch);
}

int sw_linear_sign(const sw_linear *linear)
{
  switch (linear->used) {
  case KIND_ENVELOPE:
    return sw_envelope_sign(linear->envelope);
  case KIND_SPARSE:
    return sw_sparse_lu_sign(linear->sparse);
  case KIND_DENSE:
    break;
  }
  return linear->sign;
}

const char *sw_linear_kind(const sw_linear *linear)
{
  static const char *const names[] = {
      [KIND_DENSE] = "dense", [KIND_ENVELOPE] = "envelope", [KIND_SPARSE] = "KLU"};

  return names[linear->used];
}
