/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/linear_solver.c -- A x = b: chooses a method from the pattern, and delegates to it.
 */
#include "linear/linear_solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/vectors.h"
#include "common/zeros.h"
#include "linear/blocks.h"
#include "linear/dense_lu.h"
#include "linear/envelope.h"
#include "linear/sparse.h"
#include "linear/sparse_lu.h"

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

static sw_status factor_sparse(sw_linear *linear, const double values[])
{
  linear->used = KIND_SPARSE;
  return linear->sparse || make_sparse(linear) ? sw_sparse_lu_factor(linear->sparse, values)
                                               : SW_ERR_MEMORY;
}

sw_status sw_linear_make_and_factor(sw_linear *linear, const double values[],
                                    const sw_row_maker *maker)
{
  linear->used = linear->kind;
  if (linear->kind == KIND_ENVELOPE && !sw_envelope_factor(linear->envelope, values, maker)) {
    return SW_OK;
  }
  sw_make_rows(maker, linear->team, (size_t)linear->n);
  return linear->kind == KIND_DENSE ? factor_dense(linear, values) : factor_sparse(linear, values);
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
