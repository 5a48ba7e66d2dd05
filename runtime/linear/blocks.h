/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/blocks.h -- the connected blocks of a square pattern: row i and column j are in one block
 * if (i,j) is an entry.
 */
#ifndef SIDEWINDER_LINEAR_BLOCKS_H
#define SIDEWINDER_LINEAR_BLOCKS_H

#include "linear/pattern.h"
#include "sidewinder/status.h"

/* Blocks are sorted by their first unknowns.  Unknowns and entries keep their order within a
 * block. */
typedef struct sw_blocks {
  int count;
  int *start;       /* count + 1: index in member of a block's first unknown */
  int *member;      /* n: the unknowns, block by block */
  int *local;       /* n: index of an unknown within its block */
  int *entry_start; /* count + 1: index in `entry` of a block's first entry */
  int *entry;       /* entry numbers of the pattern, block by block */
  int *memory;      /* owns all arrays above */
} sw_blocks;

/* Errors: SW_ERR_MEMORY.  The caller calls sw_blocks_free in both cases. */
sw_status sw_blocks_create(const sw_pattern *A, sw_blocks *blocks);
void sw_blocks_free(sw_blocks *blocks);

static inline int sw_block_size(const sw_blocks *blocks, int b)
{
  return blocks->start[b + 1] - blocks->start[b];
}

#endif
