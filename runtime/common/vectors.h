/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vectors.h -- basic operations on arrays.
 */
#ifndef SIDEWINDER_COMMON_VECTORS_H
#define SIDEWINDER_COMMON_VECTORS_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline void sw_zero(double *values, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    values[i] = 0.0;
  }
}

static inline void sw_fill(double *values, double with, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    values[i] = with;
  }
}

/* Returns 1 if all n values are zero, or n is 0. */
static inline int sw_is_zero(int n, const double x[])
{
  int i = 0;

  while (i < n && x[i] == 0.0) {
    i++;
  }
  return i == n;
}

static inline void sw_copy(double *to, const double *from, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    to[i] = from[i];
  }
}

/* Copies x and appends as many zeros, as for positions without momenta.  Returns `to`. */
static inline double *sw_copy_and_zero(double *to, const double *x, size_t count)
{
  sw_copy(to, x, count);
  sw_zero(to + count, count);
  return to;
}

/* field = J gradient = (gradient_p, -gradient_q), 2d values.  Both may be the same array. */
static inline void sw_turn(size_t d, const double gradient[], double field[])
{
  for (size_t i = 0; i < d; i++) {
    const double slope = gradient[i];
    field[i] = gradient[d + i];
    field[d + i] = -slope;
  }
}

static inline int sw_larger_int(int a, int b)
{
  return a > b ? a : b;
}

static inline int sw_smaller_int(int a, int b)
{
  return a < b ? a : b;
}

/* y += a x, n values. */
static inline void sw_add_scaled(int n, double a, const double *x, double *y)
{
  for (int j = 0; j < n; j++) {
    y[j] += a * x[j];
  }
}

/* sum_i x_i y_i, in the order of i. */
static inline double sw_inner(int n, const double x[], const double y[])
{
  double sum = 0.0;

  for (int i = 0; i < n; i++) {
    sum += x[i] * y[i];
  }
  return sum;
}

/* The bits of |x|. As integers they are ordered like the numbers, with NaN above infinity. */
static inline uint64_t sw_size_bits(double x)
{
  uint64_t bits;

  memcpy(&bits, &x, sizeof bits);
  return bits & (UINT64_MAX >> 1);
}

/* The larger of two values of sw_size_bits.  Their sign bit is 0, so a signed comparison is valid;
 * processors do it faster. */
static inline uint64_t sw_larger_bits(uint64_t a, uint64_t b)
{
  return (int64_t)a > (int64_t)b ? a : b;
}

/* The largest power of two that is not above x, if x is a normal number 0 < x < 2^1023; else 1. */
static inline double sw_power_below(double x)
{
  const uint64_t exponent = sw_size_bits(x) >> 52;
  /* A mask of ones or zeros: a branch would prevent vectorisation. */
  const uint64_t is_good = -(uint64_t)(exponent - 1 < 2045);
  const uint64_t bits = ((exponent & is_good) | (1023 & ~is_good)) << 52;
  double power;

  memcpy(&power, &bits, sizeof power);
  return power;
}

/* 1/power for a value of sw_power_below, without a division. */
static inline double sw_over_power(double power)
{
  uint64_t bits;

  memcpy(&bits, &power, sizeof bits);
  bits = ((uint64_t)2046 << 52) - bits;
  memcpy(&power, &bits, sizeof power);
  return power;
}

/* max |x_i|, 0 for n = 0; NaN if an entry is NaN. Uses four lanes, without a branch or a call per
 * entry. */
static inline double sw_max_abs(size_t n, const double x[])
{
  enum { LANES = 4 };
  uint64_t most[LANES] = {0};
  double largest;
  size_t i = 0;

  for (; i + LANES <= n; i += LANES) {
    for (size_t j = 0; j < LANES; j++) {
      most[j] = sw_larger_bits(most[j], sw_size_bits(x[i + j]));
    }
  }
  for (; i < n; i++) {
    most[0] = sw_larger_bits(most[0], sw_size_bits(x[i]));
  }
  most[0] = sw_larger_bits(sw_larger_bits(most[0], most[1]), sw_larger_bits(most[2], most[3]));
  memcpy(&largest, most, sizeof largest);
  return largest;
}

/* Returns a + b rounded, and adds the exact rounding error to *left (Knuth's two-sum). */
static inline double sw_sum_exactly(double a, double b, double *left)
{
  const double sum = a + b;
  const double of_b = sum - a;

  *left += (a - (sum - of_b)) + (b - of_b);
  return sum;
}

/* A sum of n values with its rounding errors: the exact sum is sum[i] + left[i]. */
typedef struct sw_two_sums {
  double *sum;
  double *left;
} sw_two_sums;

/* Adds a x to entries first .. first + n - 1. */
static inline void sw_two_sums_add(sw_two_sums to, size_t first, size_t n, double a,
                                   const double x[])
{
  for (size_t i = 0; i < n; i++) {
    to.sum[first + i] = sw_sum_exactly(to.sum[first + i], a * x[i], &to.left[first + i]);
  }
}

/* The larger of two numbers; NaN if one is NaN, unlike fmax. */
static inline double sw_larger_or_nan(double a, double b)
{
  return a >= b || isnan(a) ? a : b;
}

/* max |a_i - b_i|, 0 for n = 0; NaN if a difference is NaN. */
static inline double sw_distance(size_t n, const double a[], const double b[])
{
  uint64_t most = 0;
  double largest;

  for (size_t i = 0; i < n; i++) {
    most = sw_larger_bits(most, sw_size_bits(a[i] - b[i]));
  }
  memcpy(&largest, &most, sizeof largest);
  return largest;
}

#endif
