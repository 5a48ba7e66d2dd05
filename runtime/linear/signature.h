/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/signature.h -- the signs of the independent blocks of a matrix, combined into one number.
 *
 * The determinant of a block-diagonal matrix is a product, so it does not show two signs that
 * change together.  A signature does: it combines a random 64-bit number for each block that
 * counts.  Two matrices with the same pattern have equal signatures if all blocks agree, and
 * otherwise with probability 2^-64.
 */
#ifndef SIDEWINDER_LINEAR_SIGNATURE_H
#define SIDEWINDER_LINEAR_SIGNATURE_H

#include <stdint.h>

typedef struct sw_signature {
  uint64_t signs; /* XOR of the keys of the blocks with a negative determinant */
  /* sum of the keys of the blocks, each multiplied by its number of negative pivots */
  uint64_t negative;
  /* number of negative pivots, or -1 if rows were exchanged; `negative` is valid only without
   * exchanges */
  int count;
} sw_signature;

/* The random number of a block: SplitMix64. */
static inline uint64_t sw_block_key(int block)
{
  uint64_t x = ((uint64_t)block + 1) * 0x9e3779b97f4a7c15u;

  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return (x ^ (x >> 31)) | 1u;
}

/* Counts a pivot of this block if it is negative. */
static inline void sw_signature_add(sw_signature *s, int block, int is_negative)
{
  if (is_negative) {
    const uint64_t key = sw_block_key(block);
    s->signs ^= key;
    s->negative += key;
    s->count++;
  }
}

/* Counts the row exchanges of n rows: the pivot of column j is in row row[j] of the same block.
 * Overwrites row. */
static inline void sw_signature_exchange(sw_signature *s, int n, const int block[], int row[])
{
  for (int i = 0; i < n; i++) {
    int j = i;
    /* a cycle of c elements is a product of c - 1 transpositions */
    while (row[j] >= 0 && row[j] != i) {
      const int next = row[j];
      s->signs ^= sw_block_key(block ? block[i] : 0);
      s->count = -1;
      row[j] = -1;
      j = next;
    }
    row[j] = -1;
  }
}

#endif
