/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/blocks.h -- the connected blocks of a square pattern, in which rows and columns meet by entries.
 */
#ifndef SIDEWINDER_LINEAR_BLOCKS_H
#define SIDEWINDER_LINEAR_BLOCKS_H

#include "linear/pattern.h"
#include "sidewinder/status.h"

/* Blocks are in the order of their first unknowns, and the unknowns and entries of each in theirs. */
typedef struct sw_blocks {
  int count;
  int *start;       /* count + 1: where the unknowns of a block start in member */
  int *member;      /* n: the unknowns, block by block */
  int *local;       /* n: where an unknown stands in its block */
  int *entry_start; /* count + 1: where the entries of a block start in entry */
  int *entry;       /* entries, block by block */
  int *memory;      /* all of these */
} sw_blocks;

/* Errors: SW_ERR_MEMORY; sw_blocks_free is to be called in both cases. */
sw_status sw_blocks_create(const sw_pattern *A, sw_blocks *blocks);
void sw_blocks_free(sw_blocks *blocks);

static inline int sw_block_size(const sw_blocks *blocks, int b)
{
  return blocks->start[b + 1] - blocks->start[b];
}

#endif
