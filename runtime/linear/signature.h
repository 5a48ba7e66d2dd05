/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/signature.h -- the signs of the independent blocks of a matrix, in one number each.
 *
 * The determinant of a block-diagonal matrix is a product, and two signs that change together leave
 * it as it is.  A signature tells them apart: it is the sum of a random number of 64 bits for each
 * block that counts, so two matrices with one pattern have the same signature if they agree in all
 * blocks, and otherwise with a probability of 2^-64 only.
 */
#ifndef SIDEWINDER_LINEAR_SIGNATURE_H
#define SIDEWINDER_LINEAR_SIGNATURE_H

#include <stdint.h>

typedef struct sw_signature {
  uint64_t signs; /* of the blocks with a negative determinant */
  uint64_t
      negative; /* of each block as often as it has negative pivots, if no rows were exchanged, */
  int count;    /* and how many these are; else -1 */
} sw_signature;

/* The random number of a block: SplitMix64. */
static inline uint64_t sw_block_key(int block)
{
  uint64_t x = ((uint64_t)block + 1) * 0x9e3779b97f4a7c15u;

  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return (x ^ (x >> 31)) | 1u;
}

/* Counts a pivot of this block. */
static inline void sw_signature_add(sw_signature *s, int block, int is_negative)
{
  if (is_negative) {
    const uint64_t key = sw_block_key(block);
    s->signs ^= key;
    s->negative += key;
    s->count++;
  }
}

/* Counts the exchanges of n rows: pivot j has been found in row row[j], which is in its block.
 * Overwrites row. */
static inline void sw_signature_exchange(sw_signature *s, int n, const int block[], int row[])
{
  for (int i = 0; i < n; i++) {
    int j = i;
    while (row[j] >= 0 && row[j] != i) { /* a cycle of c entries is c - 1 exchanges */
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
