/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * random.h -- random numbers that are the same on every machine: SplitMix64 (Steele, Lea and Flood,
 * OOPSLA 2014).  The generator, the runtime and the tests use them.
 */
#ifndef SIDEWINDER_COMMON_RANDOM_H
#define SIDEWINDER_COMMON_RANDOM_H

#include <stdint.h>

static inline uint64_t sw_random_bits(uint64_t *state)
{
  uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

/* Uniform in [-1, 1), with 53 bits. */
static inline double sw_random(uint64_t *state)
{
  return (double)(sw_random_bits(state) >> 11) * 0x1p-52 - 1.0;
}

#endif
