/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * solver/redundancy.c -- which unknowns of A x = b can be dropped, because their columns depend on others?
 */
#include "solver/redundancy.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns that dgeqp3 works on at once. */
enum { panel = 32 };

struct sw_redundancy {
  int n;
  int entries;
  int first;
  int count;
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
  double *row_size;    /* widest */
  double *col_size;    /* widest */
  double *tau;         /* widest */
  double *coefficient; /* widest */
  double *work;        /* LAPACK's */
  lapack_int *order;   /* widest */
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
    r->widest = n > r->widest && n <= SW_REDUNDANCY_BLOCK ? n : r->widest;
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
  const size_t w = (size_t)r->widest + 1;
  r->full = calloc(w * w, sizeof *r->full);
  r->row_size = calloc(w, sizeof *r->row_size);
  r->col_size = calloc(w, sizeof *r->col_size);
  r->tau = calloc(w, sizeof *r->tau);
  r->coefficient = calloc(w, sizeof *r->coefficient);
  r->work = calloc((panel + 3) * w, sizeof *r->work);
  r->order = calloc(w, sizeof *r->order);
  return r->full && r->row_size && r->col_size && r->tau && r->coefficient && r->work && r->order;
}

sw_status sw_redundancy_create(const sw_pattern *A, int first, int count,
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
  free(r->block_start);
  free(r->member);
  free(r->local);
  free(r->entry_start);
  free(r->entry);
  free(r->row);
  free(r->col);
  free(r->dropped);
  free(r->full);
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

/* The block, by columns, its rows and then its columns divided by their largest entries. */
static void fill(sw_redundancy *r, int b, const double values[])
{
  const size_t n = (size_t)size_of(r, b);

  memset(r->full, 0, n * n * sizeof *r->full);
  memset(r->row_size, 0, n * sizeof *r->row_size);
  memset(r->col_size, 0, n * sizeof *r->col_size);
  for (int s = r->entry_start[b]; s < r->entry_start[b + 1]; s++) {
    const int e = r->entry[s];
    r->row_size[r->row[e]] = fmax(r->row_size[r->row[e]], fabs(values[e]));
  }
  for (int s = r->entry_start[b]; s < r->entry_start[b + 1]; s++) {
    const int e = r->entry[s];
    const double entry = values[e] / nonzero(r->row_size[r->row[e]]);
    r->full[(size_t)r->col[e] * n + (size_t)r->row[e]] = entry;
    r->col_size[r->col[e]] = fmax(r->col_size[r->col[e]], fabs(entry));
  }
  for (size_t j = 0; j < n; j++) {
    r->col_size[j] = nonzero(r->col_size[j]);
    for (size_t i = 0; i < n; i++) {
      r->full[j * n + i] /= r->col_size[j];
    }
  }
}

/* The relation of column k of R, k >= rank, to those before, in the unscaled columns of the block. */
static void solve_relation(sw_redundancy *r, int n, int rank, int k)
{
  const double *right = r->full + (size_t)k * (size_t)n;
  const int dropped = r->order[k] - 1;
  double *c = r->row_size; /* not needed any more */

  for (int i = 0; i < rank; i++) {
    c[i] = right[i];
  }
  for (int j = rank - 1; j >= 0; j--) {
    const double *column = r->full + (size_t)j * (size_t)n;
    c[j] /= column[j];
    for (int i = 0; i < j; i++) {
      c[i] -= column[i] * c[j];
    }
  }
  memset(r->coefficient, 0, (size_t)n * sizeof *r->coefficient);
  for (int i = 0; i < rank; i++) {
    const int at = r->order[i] - 1;
    r->coefficient[at] = c[i] * r->col_size[dropped] / r->col_size[at];
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
                          (panel + 3) * (r->widest + 1)) != 0) {
    return 0;
  }
  const int rank = rank_of(r, n, fixed);
  for (int k = rank; k < n; k++) {
    r->dropped[member[r->order[k] - 1]] = 1;
    if (relation) {
      solve_relation(r, n, rank, k);
      relation(context, member[r->order[k] - 1], n, member, r->coefficient);
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
    if (size_of(r, b) <= SW_REDUNDANCY_BLOCK) {
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
    room += n <= SW_REDUNDANCY_BLOCK ? (size_t)n * multipliers : 0;
  }
  return room;
}

int sw_redundancy_largest_block(const sw_redundancy *redundancy)
{
  return redundancy->largest;
}
