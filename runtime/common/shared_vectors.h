/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * common/shared_vectors.h -- what vectors.h does with arrays, for long ones and by a team of threads; team: NULL is one thread.
 *
 * The results have the same bits for any number of threads: each element is computed by itself, and the largest one of many does not
 * depend on their order.
 */
#ifndef SIDEWINDER_COMMON_SHARED_VECTORS_H
#define SIDEWINDER_COMMON_SHARED_VECTORS_H

#include <stdatomic.h>
#include <stdint.h>

#include "common/team.h"
#include "common/vectors.h"

/* The bits (sw_size_bits) of the largest size that any thread has met. */
typedef _Atomic uint64_t sw_most;

static inline void sw_most_meet(sw_most *most, uint64_t bits)
{
  uint64_t known = atomic_load(most);

  while (bits > known && !atomic_compare_exchange_weak(most, &known, bits)) {
  }
}

static inline double sw_most_of(sw_most *most)
{
  const uint64_t bits = atomic_load(most);
  double largest;

  memcpy(&largest, &bits, sizeof largest);
  return largest;
}

/* As sw_copy, sw_fill, sw_add_scaled and sw_max_abs; copied arrays do not overlap. */
void sw_share_copy(sw_team *team, double to[], const double from[], size_t n);
void sw_share_fill(sw_team *team, double values[], double with, size_t n);
void sw_share_add_scaled(sw_team *team, size_t n, double a, const double x[], double y[]);
double sw_share_max_abs(sw_team *team, size_t n, const double x[]);

/* What `of` finds of the elements from first to end - 1, such as their sum, for ranges of sw_team_range, also where there is one thread:
 * part[0] and so on.  Returns how many ranges there are. */
typedef double sw_part_job(const void *context, size_t first, size_t end);
int sw_share_parts(sw_team *team, size_t n, sw_part_job *of, const void *context,
                   double part[SW_TEAM_RANGES]);

/* 1 where n values have the same bits as others. */
int sw_share_is_same(sw_team *team, size_t n, const double a[], const double b[]);

/* 1 where all n values are zero. */
int sw_share_is_zero(sw_team *team, size_t n, const double x[]);

#endif
