/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/redundancy.c -- finds unknowns of A x = b that can be dropped because their columns depend
 * on others.
 */
#include "linear/redundancy.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/carver.h"
#include "linear/blocks.h"

/* block size of dgeqp3, in columns */
enum { panel = 32 };

/* An unknown is dropped for a relation only if its coefficient is at least this fraction of the
 * largest one. */
static const double enough = 0.1;

struct sw_redundancy {
  sw_pattern A; /* the caller owns the arrays */
  int first;
  int count;
  int limit;
  int largest;      /* unknowns of the largest block */
  int widest;       /* unknowns of the largest examined block */
  sw_blocks blocks; /* empty if no block is small enough to be examined, as in a long chain */

  unsigned char *dropped; /* n */

  /* Scratch for one block. */
  double *full;        /* widest^2 */
  double *null_space;  /* widest^2 */
  double *row_size;    /* widest */
  double *col_size;    /* widest */
  double *tau;         /* widest */
  double *coefficient; /* widest */
  double *work;        /* scratch of LAPACK */
  lapack_int *order;   /* widest: the column permutation of QR, later the dropped columns */
  void *memory;        /* owns all arrays above */
};

static size_t work_size(const sw_redundancy *r)
{
  return (panel + 3) * (size_t)r->widest + panel;
}

static void carve(sw_carver *c, void *of)
{
  sw_redundancy *r = of;
  const size_t w = (size_t)r->widest;

  r->dropped = sw_carve_bytes(c, (size_t)r->A.rows);
  SW_CARVE(c, w, w, &r->full, &r->null_space);
  SW_CARVE(c, w, 1, &r->row_size, &r->col_size, &r->tau, &r->coefficient);
  r->work = sw_carve(c, w > 0 ? work_size(r) : 0, 1);
  r->order = sw_carve_bytes(c, w * sizeof *r->order);
}

static int redundancy_make(sw_redundancy *r)
{
  if (sw_blocks_create(&r->A, &r->blocks) != SW_OK) {
    return 0;
  }
  for (int b = 0; b < r->blocks.count; b++) {
    const int n = sw_block_size(&r->blocks, b);
    r->largest = n > r->largest ? n : r->largest;
    r->widest = n > r->widest && n <= r->limit ? n : r->widest;
  }
  if (r->widest == 0) {
    sw_blocks_free(&r->blocks);
  }
  r->memory = sw_carve_block(carve, r);
  return r->memory != NULL;
}

sw_status sw_redundancy_create(const sw_pattern *A, int first, int count, int limit,
                               sw_redundancy **redundancy)
{
  sw_redundancy *r = calloc(1, sizeof *r);

  *redundancy = r;
  if (!r) {
    return SW_ERR_MEMORY;
  }
  r->A = *A;
  r->first = first;
  r->count = count;
  r->limit = limit;
  if (!redundancy_make(r)) {
    sw_redundancy_free(redundancy);
    return SW_ERR_MEMORY;
  }
  return SW_OK;
}

void sw_redundancy_free(sw_redundancy **redundancy)
{
  sw_redundancy *r = redundancy ? *redundancy : NULL;

  if (!r) {
    return;
  }
  sw_blocks_free(&r->blocks);
  free(r->memory);
  free(r);
  *redundancy = NULL;
}

static int redundancy_is_multiplier(const sw_redundancy *r, int unknown)
{
  return unknown >= r->first && unknown < r->first + r->count;
}

static double nonzero(double size)
{
  return size > 0.0 ? size : 1.0;
}

/* Divides each column of the block by its largest entry, and multiplies col_size by that entry. */
static void divide_columns(sw_redundancy *r, size_t n)
{
  for (size_t j = 0; j < n; j++) {
    double *column = r->full + j * n;
    double largest = 0.0;
    for (size_t i = 0; i < n; i++) {
      largest = fmax(largest, fabs(column[i]));
    }
    largest = nonzero(largest);
    r->col_size[j] *= largest;
    for (size_t i = 0; i < n; i++) {
      column[i] /= largest;
    }
  }
}

static void divide_rows(sw_redundancy *r, size_t n)
{
  memset(r->row_size, 0, n * sizeof *r->row_size);
  for (size_t j = 0; j < n; j++) {
    for (size_t i = 0; i < n; i++) {
      r->row_size[i] = fmax(r->row_size[i], fabs(r->full[j * n + i]));
    }
  }
  for (size_t j = 0; j < n; j++) {
    for (size_t i = 0; i < n; i++) {
      r->full[j * n + i] /= nonzero(r->row_size[i]);
    }
  }
}

/* Copies the block, column by column, and scales its columns, its rows and again its columns by
 * their largest entries. */
static void redundancy_fill(sw_redundancy *r, int b, const double values[])
{
  const sw_blocks *blocks = &r->blocks;
  const size_t n = (size_t)sw_block_size(blocks, b);

  memset(r->full, 0, n * n * sizeof *r->full);
  for (int s = blocks->entry_start[b]; s < blocks->entry_start[b + 1]; s++) {
    const int e = blocks->entry[s];
    r->full[(size_t)blocks->local[r->A.col[e]] * n + (size_t)blocks->local[r->A.row[e]]] =
        values[e];
  }
  for (size_t j = 0; j < n; j++) {
    r->col_size[j] = 1.0;
  }
  divide_columns(r, n);
  divide_rows(r, n);
  divide_columns(r, n);
}

/* Vector j of the null space of the block with scaled columns. */
static double *null_vector(const sw_redundancy *r, int n, int j)
{
  return r->null_space + (size_t)j * (size_t)n;
}

/* Computes the null space from R: for each column of R12, R11^{-1} times that column, and -1 for
 * the column itself. */
static void solve_null_space(sw_redundancy *r, int n, int rank)
{
  double *R12 = r->full + (size_t)rank * (size_t)n;

  if (rank > 0 && rank < n) {
    (void)LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', 'N', 'N', rank, n - rank, r->full, n, R12, n);
  }
  for (int k = rank; k < n; k++) {
    const double *c = r->full + (size_t)k * (size_t)n;
    double *v = null_vector(r, n, k - rank);
    memset(v, 0, (size_t)n * sizeof *v);
    for (int i = 0; i < rank; i++) {
      v[r->order[i] - 1] = c[i];
    }
    v[r->order[k] - 1] = -1.0;
  }
}

/* Among vectors first .. count-1, finds the last multiplier of the block with an entry of at least
 * `enough` times their largest entry.  *vector becomes the vector with the largest entry at that
 * multiplier. */
static int choose_multiplier(const sw_redundancy *r, int n, const int member[], int first,
                             int count, int *vector)
{
  double largest = 0.0;

  for (int pass = 0; pass < 2; pass++) {
    for (int i = n - 1; i >= 0; i--) {
      double size = 0.0;
      for (int j = first; j < count && redundancy_is_multiplier(r, member[i]); j++) {
        const double entry = fabs(null_vector(r, n, j)[i]);
        *vector = pass && entry > size ? j : *vector;
        size = fmax(size, entry);
      }
      if (pass && size >= enough * largest) {
        return i;
      }
      largest = pass ? largest : fmax(largest, size);
    }
  }
  return 0; /* not reached: the second pass finds the maximum of the first */
}

static void redundancy_exchange(int n, double a[], double b[])
{
  for (int i = 0; i < n; i++) {
    const double moved = a[i];
    a[i] = b[i];
    b[i] = moved;
  }
}

/* Chooses the dropped unknowns by elimination in the null space, preferring late multipliers whose
 * coefficients are not small.  QR's own choice depends on the sizes of the columns and would change
 * from matrix to matrix.  On return vector j is -1 at r->order[j], and 0 at the other dropped
 * unknowns. */
static void choose_dropped(sw_redundancy *r, int n, const int member[], int count)
{
  for (int s = 0; s < count; s++) {
    int vector = s;
    const int at = choose_multiplier(r, n, member, s, count, &vector);
    double *pivot = null_vector(r, n, s);
    if (vector != s) {
      redundancy_exchange(n, pivot, null_vector(r, n, vector));
    }
    const double factor = -1.0 / pivot[at];
    for (int i = 0; i < n; i++) {
      pivot[i] *= factor;
    }
    pivot[at] = -1.0;
    for (int j = 0; j < count; j++) {
      double *v = null_vector(r, n, j);
      const double part = j == s ? 0.0 : v[at];
      for (int i = 0; i < n && part != 0.0; i++) {
        v[i] += part * pivot[i];
      }
      v[at] = j == s ? -1.0 : 0.0;
    }
    r->order[s] = at;
  }
}

/* Undoes the scaling of the columns in vector j. */
static void unscale(sw_redundancy *r, int n, int j)
{
  const double *v = null_vector(r, n, j);
  const int dropped = r->order[j];

  for (int i = 0; i < n; i++) {
    r->coefficient[i] = v[i] * (r->col_size[dropped] / r->col_size[i]);
  }
  r->coefficient[dropped] = -1.0;
}

/* The numerical rank of R; at least `fixed`, the number of columns that QR had to take first. */
static int rank_of(const sw_redundancy *r, int n, int fixed)
{
  double largest = 0.0;
  int rank = fixed;

  for (int i = 0; i < n; i++) {
    largest = fmax(largest, fabs(r->full[(size_t)i * (size_t)n + (size_t)i]));
  }
  while (rank < n &&
         fabs(r->full[(size_t)rank * (size_t)n + (size_t)rank]) > SW_REDUNDANCY_ZERO * largest) {
    rank++;
  }
  return rank;
}

static int examine(sw_redundancy *r, int b, const double values[], sw_relation *relation,
                   void *context)
{
  const int n = sw_block_size(&r->blocks, b);
  const int *member = r->blocks.member + r->blocks.start[b];
  int fixed = 0;

  redundancy_fill(r, b, values);
  for (int i = 0; i < n; i++) {
    r->order[i] = !redundancy_is_multiplier(r, member[i]);
    fixed += r->order[i];
  }
  /* The _work variant uses our scratch memory; the other variant allocates, and prints on
   * failure. */
  if (LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, n, n, r->full, n, r->order, r->tau, r->work,
                          (lapack_int)work_size(r)) != 0) {
    return 0;
  }
  const int rank = rank_of(r, n, fixed);
  solve_null_space(r, n, rank);
  choose_dropped(r, n, member, n - rank);
  for (int k = 0; k < n - rank; k++) {
    r->dropped[member[r->order[k]]] = 1;
    if (relation) {
      unscale(r, n, k);
      relation(context, member[r->order[k]], n, member, r->coefficient);
    }
  }
  return n - rank;
}

int sw_redundancy_find(sw_redundancy *r, const double values[], sw_relation *relation,
                       void *context)
{
  int found = 0;

  memset(r->dropped, 0, (size_t)r->A.rows);
  for (int e = 0; e < r->A.entries; e++) {
    if (!isfinite(values[e])) {
      return -1;
    }
  }
  for (int b = 0; b < r->blocks.count; b++) {
    if (sw_block_size(&r->blocks, b) <= r->limit) {
      found += examine(r, b, values, relation, context);
    }
  }
  return found;
}

const unsigned char *sw_redundancy_dropped(const sw_redundancy *redundancy)
{
  return redundancy->dropped;
}

size_t sw_redundancy_room(const sw_redundancy *r)
{
  size_t room = 0;

  for (int b = 0; b < r->blocks.count; b++) {
    const int n = sw_block_size(&r->blocks, b);
    size_t multipliers = 0;
    for (int i = 0; i < n; i++) {
      multipliers += (size_t)redundancy_is_multiplier(r, r->blocks.member[r->blocks.start[b] + i]);
    }
    room += n <= r->limit ? (size_t)n * multipliers : 0;
  }
  return room;
}

int sw_redundancy_too_large(const sw_redundancy *redundancy)
{
  return redundancy->largest > redundancy->limit ? redundancy->largest : 0;
}
