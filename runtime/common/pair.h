/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * common/pair.h -- two numbers at once, by a vector extension of gcc and clang.  Used for sums over
 * short rows, which compilers do not vectorise.
 */
#ifndef SIDEWINDER_COMMON_PAIR_H
#define SIDEWINDER_COMMON_PAIR_H

#include <stdint.h>
#include <string.h>

typedef double sw_pair __attribute__((vector_size(16)));
typedef uint64_t sw_pair_bits __attribute__((vector_size(16)));

/* x[0] and x[1]; x needs no alignment. */
static inline sw_pair sw_pair_at(const double x[])
{
  sw_pair pair;

  memcpy(&pair, x, sizeof pair);
  return pair;
}

static inline void sw_pair_put(double to[], sw_pair pair)
{
  memcpy(to, &pair, sizeof pair);
}

/* |x|. */
static inline sw_pair sw_pair_size(sw_pair x)
{
  const sw_pair_bits all_but_sign = {UINT64_MAX >> 1, UINT64_MAX >> 1};

  return (sw_pair)((sw_pair_bits)x & all_but_sign);
}

/* The first numbers of two pairs, and the second numbers. */
static inline sw_pair sw_pair_firsts(sw_pair x, sw_pair y)
{
  return (sw_pair){x[0], y[0]};
}

static inline sw_pair sw_pair_seconds(sw_pair x, sw_pair y)
{
  return (sw_pair){x[1], y[1]};
}

/* {x[0] + x[1], y[0] + y[1]}. */
static inline sw_pair sw_pair_sums(sw_pair x, sw_pair y)
{
  return sw_pair_firsts(x, y) + sw_pair_seconds(x, y);
}

static inline double sw_pair_sum(sw_pair x)
{
  return x[0] + x[1];
}

#endif
