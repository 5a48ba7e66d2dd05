/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/redundancy.c -- which unknowns of A x = b can be dropped, because their columns depend on others?
 */
#include "linear/redundancy.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns that dgeqp3 works on at once. */
enum { panel = 32 };

/* The least share in a relation, of its largest, that an unknown must have to be dropped for it. */
static const double enough = 0.1;

struct sw_redundancy {
  int n;
  int entries;
  int first;
  int count;
  int limit;
  int blocks;
  int largest; /* unknowns of the largest block */
  int widest;  /* unknowns of the largest block that is examined */

  int *block_start;       /* blocks + 1: where the unknowns of a block start in member */
  int *member;            /* n: the unknowns, block by block */
  int *local;             /* n: where an unknown stands in its block */
  int *entry_start;       /* blocks + 1 */
  int *entry;             /* entries, block by block */
  int *row;               /* entries: local row */
  int *col;               /* entries: local column */
  unsigned char *dropped; /* n */

  /* For the block at hand. */
  double *full;        /* widest^2 */
  double *null_space;  /* widest^2 */
  double *row_size;    /* widest */
  double *col_size;    /* widest */
  double *tau;         /* widest */
  double *coefficient; /* widest */
  double *work;        /* LAPACK's */
  lapack_int *order;   /* widest: the columns as QR takes them, then those that are dropped */
};

/* The unknown that stands for the block of v; paths are halved on the way. */
static int root_of(int parent[], int v)
{
  while (parent[v] != v) {
    parent[v] = parent[parent[v]];
    v = parent[v];
  }
  return v;
}

/* block[v] becomes the number of the block of v, in the order of their first unknowns.  Returns how many. */
static int number_blocks(const sw_pattern *A, int parent[], int block[])
{
  int blocks = 0;

  for (int v = 0; v < A->rows; v++) {
    parent[v] = v;
  }
  for (int e = 0; e < A->entries; e++) {
    const int a = root_of(parent, A->row[e]);
    const int b = root_of(parent, A->col[e]);
    /* The smaller one stands for both, so that it comes first. */
    parent[a > b ? a : b] = a > b ? b : a;
  }
  for (int v = 0; v < A->rows; v++) {
    const int root = root_of(parent, v);
    block[v] = root == v ? blocks++ : block[root];
  }
  return blocks;
}

/* Sorts things 0 .. n-1 by the block they are in: start (zeros, blocks + 1) and list. */
static void sort_by_block(int n, const int line[], const int block[], int blocks, int start[],
                          int list[])
{
  for (int i = 0; i < n; i++) {
    start[block[line ? line[i] : i] + 1]++;
  }
  for (int b = 0; b < blocks; b++) {
    start[b + 1] += start[b];
  }
  for (int i = 0; i < n; i++) {
    list[start[block[line ? line[i] : i]]++] = i;
  }
  for (int b = blocks; b > 0; b--) {
    start[b] = start[b - 1];
  }
  start[0] = 0;
}

static int size_of(const sw_redundancy *r, int b)
{
  return r->block_start[b + 1] - r->block_start[b];
}

static int find_blocks(sw_redundancy *r, const sw_pattern *A, int parent[], int block[])
{
  r->blocks = number_blocks(A, parent, block);
  r->block_start = calloc((size_t)r->blocks + 1, sizeof *r->block_start);
  r->entry_start = calloc((size_t)r->blocks + 1, sizeof *r->entry_start);
  if (!r->block_start || !r->entry_start) {
    return 0;
  }
  sort_by_block(A->rows, NULL, block, r->blocks, r->block_start, r->member);
  sort_by_block(A->entries, A->row, block, r->blocks, r->entry_start, r->entry);
  for (int b = 0; b < r->blocks; b++) {
    const int n = size_of(r, b);
    r->largest = n > r->largest ? n : r->largest;
    r->widest = n > r->widest && n <= r->limit ? n : r->widest;
    for (int i = 0; i < n; i++) {
      r->local[r->member[r->block_start[b] + i]] = i;
    }
  }
  for (int e = 0; e < A->entries; e++) {
    r->row[e] = r->local[A->row[e]];
    r->col[e] = r->local[A->col[e]];
  }
  return 1;
}

/* Where no block is to be examined, as in a long chain, only their sizes matter. */
static void forget_blocks(sw_redundancy *r)
{
  int **const arrays[] = {&r->block_start, &r->member, &r->local, &r->entry_start,
                          &r->entry,       &r->row,    &r->col};

  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
    free(*arrays[i]);
    *arrays[i] = NULL;
  }
  r->blocks = 0;
}

static int make(sw_redundancy *r, const sw_pattern *A)
{
  const size_t n = (size_t)A->rows;
  const size_t entries = (size_t)A->entries + 1;
  int *scratch = calloc(2 * n, sizeof *scratch);

  r->member = calloc(n, sizeof *r->member);
  r->local = calloc(n, sizeof *r->local);
  r->dropped = calloc(n, sizeof *r->dropped);
  r->entry = calloc(entries, sizeof *r->entry);
  r->row = calloc(entries, sizeof *r->row);
  r->col = calloc(entries, sizeof *r->col);
  const int made = scratch && r->member && r->local && r->dropped && r->entry && r->row && r->col &&
                   find_blocks(r, A, scratch, scratch + n);
  free(scratch);
  if (!made) {
    return 0;
  }
  if (r->widest == 0) {
    forget_blocks(r);
    return 1;
  }
  const size_t w = (size_t)r->widest;
  r->full = calloc(w * w, sizeof *r->full);
  r->null_space = calloc(w * w, sizeof *r->null_space);
  r->row_size = calloc(w, sizeof *r->row_size);
  r->col_size = calloc(w, sizeof *r->col_size);
  r->tau = calloc(w, sizeof *r->tau);
  r->coefficient = calloc(w, sizeof *r->coefficient);
  r->work = calloc((panel + 3) * w + panel, sizeof *r->work);
  r->order = calloc(w, sizeof *r->order);
  return r->full && r->null_space && r->row_size && r->col_size && r->tau && r->coefficient &&
         r->work && r->order;
}

sw_status sw_redundancy_create(const sw_pattern *A, int first, int count, int limit,
                               sw_redundancy **redundancy)
{
  sw_redundancy *r = calloc(1, sizeof *r);

  *redundancy = r;
  if (!r) {
    return SW_ERR_MEMORY;
  }
  r->n = A->rows;
  r->entries = A->entries;
  r->first = first;
  r->count = count;
  r->limit = limit;
  if (!make(r, A)) {
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
  forget_blocks(r);
  free(r->dropped);
  free(r->full);
  free(r->null_space);
  free(r->row_size);
  free(r->col_size);
  free(r->tau);
  free(r->coefficient);
  free(r->work);
  free(r->order);
  free(r);
  *redundancy = NULL;
}

static int is_multiplier(const sw_redundancy *r, int unknown)
{
  return unknown >= r->first && unknown < r->first + r->count;
}

static double nonzero(double size)
{
  return size > 0.0 ? size : 1.0;
}

/* Divides the columns of the block by their largest entries, and col_size with them. */
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

/* The block, by columns: its columns, its rows and its columns again divided by their largest entries. */
static void fill(sw_redundancy *r, int b, const double values[])
{
  const size_t n = (size_t)size_of(r, b);

  memset(r->full, 0, n * n * sizeof *r->full);
  for (int s = r->entry_start[b]; s < r->entry_start[b + 1]; s++) {
    const int e = r->entry[s];
    r->full[(size_t)r->col[e] * n + (size_t)r->row[e]] = values[e];
  }
  for (size_t j = 0; j < n; j++) {
    r->col_size[j] = 1.0;
  }
  divide_columns(r, n);
  divide_rows(r, n);
  divide_columns(r, n);
}

/* Vector j of the null space, of the scaled columns of the block. */
static double *null_vector(const sw_redundancy *r, int n, int j)
{
  return r->null_space + (size_t)j * (size_t)n;
}

/* The null space from R: R11^{-1} times a column of R12, and -1 for that column. */
static void solve_null_space(sw_redundancy *r, int n, int rank)
{
  for (int k = rank; k < n; k++) {
    double *c = r->full + (size_t)k * (size_t)n;
    double *v = null_vector(r, n, k - rank);
    for (int j = rank - 1; j >= 0; j--) {
      const double *column = r->full + (size_t)j * (size_t)n;
      c[j] /= column[j];
      for (int i = 0; i < j; i++) {
        c[i] -= column[i] * c[j];
      }
    }
    memset(v, 0, (size_t)n * sizeof *v);
    for (int i = 0; i < rank; i++) {
      v[r->order[i] - 1] = c[i];
    }
    v[r->order[k] - 1] = -1.0;
  }
}

/* The last multiplier of the block with an entry of the vectors first .. count-1 that is at least `enough`
 * of their largest; *vector is the one that has the largest entry there. */
static int choose_multiplier(const sw_redundancy *r, int n, const int member[], int first,
                             int count, int *vector)
{
  double largest = 0.0;

  for (int pass = 0; pass < 2; pass++) {
    for (int i = n - 1; i >= 0; i--) {
      double size = 0.0;
      for (int j = first; j < count && is_multiplier(r, member[i]); j++) {
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
  return 0; /* not reached: the second pass meets what the first one found */
}

static void exchange(int n, double a[], double b[])
{
  for (int i = 0; i < n; i++) {
    const double moved = a[i];
    a[i] = b[i];
    b[i] = moved;
  }
}

/* Which unknowns are dropped is decided again, by elimination in the null space: late ones, whose share in
 * the relations is not small.  The order by QR follows the sizes of columns, and would change from matrix
 * to matrix.  Vector j then is -1 for dropped[j] (r->order), and 0 for the others. */
static void choose_dropped(sw_redundancy *r, int n, const int member[], int count)
{
  for (int s = 0; s < count; s++) {
    int vector = s;
    const int at = choose_multiplier(r, n, member, s, count, &vector);
    double *pivot = null_vector(r, n, s);
    if (vector != s) {
      exchange(n, pivot, null_vector(r, n, vector));
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

/* Vector j in the unscaled columns. */
static void unscale(sw_redundancy *r, int n, int j)
{
  const double *v = null_vector(r, n, j);
  const int dropped = r->order[j];

  for (int i = 0; i < n; i++) {
    r->coefficient[i] = v[i] * (r->col_size[dropped] / r->col_size[i]);
  }
  r->coefficient[dropped] = -1.0;
}

/* How many columns of R stand out; never fewer than the `fixed` ones that came first. */
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
  const int n = size_of(r, b);
  const int *member = r->member + r->block_start[b];
  int fixed = 0;

  fill(r, b, values);
  for (int i = 0; i < n; i++) {
    r->order[i] = !is_multiplier(r, member[i]);
    fixed += r->order[i];
  }
  /* The variant that is given its scratch memory: the other one allocates, and prints. */
  if (LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, n, n, r->full, n, r->order, r->tau, r->work,
                          (panel + 3) * r->widest + panel) != 0) {
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

  memset(r->dropped, 0, (size_t)r->n);
  for (int e = 0; e < r->entries; e++) {
    if (!isfinite(values[e])) {
      return -1;
    }
  }
  for (int b = 0; b < r->blocks; b++) {
    if (size_of(r, b) <= r->limit) {
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

  for (int b = 0; b < r->blocks; b++) {
    const int n = size_of(r, b);
    size_t multipliers = 0;
    for (int i = 0; i < n; i++) {
      multipliers += (size_t)is_multiplier(r, r->member[r->block_start[b] + i]);
    }
    room += n <= r->limit ? (size_t)n * multipliers : 0;
  }
  return room;
}

int sw_redundancy_too_large(const sw_redundancy *redundancy)
{
  return redundancy->largest > redundancy->limit ? redundancy->largest : 0;
}
