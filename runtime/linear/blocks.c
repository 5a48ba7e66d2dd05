/* SPDX-License-Identifier: BSD-3-Clause */
#include "linear/blocks.h"

#include <stdlib.h>

/* The root of the tree that contains v; each traversed path is halved. */
static int root_of(int parent[], int v)
{
  while (parent[v] != v) {
    parent[v] = parent[parent[v]];
    v = parent[v];
  }
  return v;
}

/* Writes the number of v's block to block[v]; blocks are numbered by their first unknowns.  Returns
 * the number of blocks. */
static int number_blocks(const sw_pattern *A, int parent[], int block[])
{
  int blocks = 0;

  for (int v = 0; v < A->rows; v++) {
    parent[v] = v;
  }
  for (int e = 0; e < A->entries; e++) {
    const int a = root_of(parent, A->row[e]);
    const int b = root_of(parent, A->col[e]);
    /* The smaller root becomes the root of both, so that every root is the first unknown of its
     * block. */
    parent[a > b ? a : b] = a > b ? b : a;
  }
  for (int v = 0; v < A->rows; v++) {
    const int root = root_of(parent, v);
    block[v] = root == v ? blocks++ : block[root];
  }
  return blocks;
}

/* Cuts the allocated memory into arrays.  The two start arrays have space for n blocks. */
static void blocks_cut(sw_blocks *b, size_t n)
{
  b->start = b->memory;
  b->entry_start = b->start + n + 1;
  b->member = b->entry_start + n + 1;
  b->local = b->member + n;
  b->entry = b->local + n;
}

sw_status sw_blocks_create(const sw_pattern *A, sw_blocks *blocks)
{
  const size_t n = (size_t)A->rows;
  int *scratch = calloc(2 * n + 1, sizeof *scratch);

  *blocks = (sw_blocks){.memory = calloc(4 * n + 2 + (size_t)A->entries, sizeof *blocks->memory)};
  if (!scratch || !blocks->memory) {
    free(scratch);
    return SW_ERR_MEMORY;
  }
  int *block = scratch + n;
  blocks_cut(blocks, n);
  blocks->count = number_blocks(A, scratch, block);
  sw_sort_by_key(A->rows, NULL, block, blocks->count, blocks->start, blocks->member);
  sw_sort_by_key(A->entries, A->row, block, blocks->count, blocks->entry_start, blocks->entry);
  for (int i = 0; i < A->rows; i++) {
    const int v = blocks->member[i];
    blocks->local[v] = i - blocks->start[block[v]];
  }
  free(scratch);
  return SW_OK;
}

void sw_blocks_free(sw_blocks *blocks)
{
  free(blocks->memory);
  *blocks = (sw_blocks){0};
}
