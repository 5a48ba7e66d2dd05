/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * common/shared_vectors.h -- the operations of vectors.h for long arrays, by a team of threads.
 * team NULL means one thread.
 *
 * The results have the same bits for any number of threads: elements are computed independently,
 * and a maximum does not depend on the order.
 *
 * The code for one thread is inline, because a step of a small system, which has no team, calls
 * these functions dozens of times.
 */
#ifndef SIDEWINDER_COMMON_SHARED_VECTORS_H
#define SIDEWINDER_COMMON_SHARED_VECTORS_H

#include <stdatomic.h>
#include <stdint.h>

#include "common/team.h"
#include "common/vectors.h"

/* The largest size found by any thread. */
typedef struct sw_most {
  _Atomic uint64_t bits; /* as sw_size_bits */
  int is_shared;         /* 0: there is one thread, and no atomic exchange is needed */
} sw_most;

static inline sw_most sw_most_by(const sw_team *team)
{
  return (sw_most){0, team != NULL};
}

static inline void sw_most_meet(sw_most *most, uint64_t bits)
{
  uint64_t known = atomic_load(&most->bits);

  if (!most->is_shared) {
    atomic_store_explicit(&most->bits, sw_larger_bits(known, bits), memory_order_relaxed);
    return;
  }
  while (bits > known && !atomic_compare_exchange_weak(&most->bits, &known, bits)) {
  }
}

static inline double sw_most_of(const sw_most *most)
{
  const uint64_t bits = atomic_load(&most->bits);
  double largest;

  memcpy(&largest, &bits, sizeof largest);
  return largest;
}

/* As sw_copy, sw_fill and sw_max_abs.  The arrays of a copy must not overlap. */
void sw_share_out_copy(sw_team *team, double to[], const double from[], size_t n);
static inline void sw_share_copy(sw_team *team, double to[], const double from[], size_t n)
{
  if (team) {
    sw_share_out_copy(team, to, from, n);
  } else if (n > 0) {
    memcpy(to, from, n * sizeof *to);
  }
}

void sw_share_out_fill(sw_team *team, double values[], double with, size_t n);
static inline void sw_share_fill(sw_team *team, double values[], double with, size_t n)
{
  if (team) {
    sw_share_out_fill(team, values, with, n);
  } else {
    sw_fill(values, with, n);
  }
}

double sw_share_out_max_abs(sw_team *team, size_t n, const double x[]);
double sw_long_max_abs(size_t n, const double x[]); /* on one thread */
static inline double sw_share_max_abs(sw_team *team, size_t n, const double x[])
{
  enum { LONG = 64 };

  return team       ? sw_share_out_max_abs(team, n, x)
         : n < LONG ? sw_max_abs(n, x)
                    : sw_long_max_abs(n, x);
}

/* f_i is accepted (sidewinder/acceptance.h) if |f_i| <= by_a a_i or |f_i| <= by_b b_i. a_i and b_i
 * are two parts of its scale; by_a and by_b include the round-off floor. */
typedef struct sw_size_limits {
  const double *f;
  const double *a;
  const double *b;
  double by_a;
  double by_b;
} sw_size_limits;

/* Returns 1 if all f_i, i < n, are accepted. */
int sw_share_within(sw_team *team, size_t n, const sw_size_limits *of);

/* y += a x, n values. */
void sw_share_add_scaled(sw_team *team, size_t n, double a, const double x[], double y[]);

/* Calls `of`, which reduces elements first .. end - 1 to one number such as their sum, for the
 * ranges of sw_team_range, and stores the results in part[0], part[1], ... The ranges do not depend
 * on the number of threads.  Returns the number of ranges. */
typedef double sw_part_job(const void *context, size_t first, size_t end);
int sw_share_out_parts(sw_team *team, size_t n, sw_part_job *of, const void *context,
                       double part[SW_TEAM_RANGES]);
static inline int sw_share_parts(sw_team *team, size_t n, sw_part_job *of, const void *context,
                                 double part[SW_TEAM_RANGES])
{
  if (n > SW_TEAM_GRAIN) {
    return sw_share_out_parts(team, n, of, context, part);
  }
  part[0] = n > 0 ? of(context, 0, n) : 0.0;
  return n > 0;
}

/* Returns 1 if n values are equal bit by bit. */
int sw_share_is_same(sw_team *team, size_t n, const double a[], const double b[]);

/* Returns 1 if all n values are zero. */
static inline int sw_share_is_zero(sw_team *team, size_t n, const double x[])
{
  /* Test the first value separately, because nonzero values mostly occur early. */
  return n == 0 || (x[0] == 0.0 && sw_share_max_abs(team, n, x) == 0.0);
}

#endif
