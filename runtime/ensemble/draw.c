/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * draw.c -- random numbers as functions of the seed, the trajectory and the coordinate.
 *
 * Three rounds of SplitMix64: each round adds the next of these numbers to the output of the
 * previous round.
 */
#include <math.h>

#include "common/random.h"
#include "sidewinder/ensemble.h"

static uint64_t state_at(uint64_t seed, uint64_t i, uint64_t c)
{
  uint64_t state = seed;
  state = sw_random_bits(&state) + i;
  state = sw_random_bits(&state) + c;
  return sw_random_bits(&state);
}

/* A number in (0, 1): the midpoint of one of 2^52 intervals, so 0 and 1 cannot occur. */
static double uniform(uint64_t *state)
{
  return ((double)(sw_random_bits(state) >> 12) + 0.5) * 0x1p-52;
}

double sw_draw_uniform(uint64_t seed, uint64_t i, uint64_t c)
{
  uint64_t state = state_at(seed, i, c);
  return uniform(&state);
}

/* The method of G. E. P. Box and M. E. Muller, Ann. Math. Stat. 29 (1958). */
double sw_draw_normal(uint64_t seed, uint64_t i, uint64_t c)
{
  const double two_pi = 6.283185307179586;
  uint64_t state = state_at(seed, i, c);
  const double radius = sqrt(-2.0 * log(uniform(&state)));
  return radius * cos(two_pi * uniform(&state));
}
