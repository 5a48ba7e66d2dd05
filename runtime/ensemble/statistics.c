/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * statistics.c -- mean, variance and quantiles over trajectories.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/vectors.h"
#include "sidewinder/ensemble.h"

static double mean_of(long n, const double values[])
{
  double sum = 0.0;
  double left = 0.0;
  for (long i = 0; i < n; i++) {
    sum = sw_sum_exactly(sum, values[i], &left);
  }
  return (sum + left) / (double)n;
}

/* The two-pass formula: a large mean causes no cancellation. */
static double variance_of(long n, const double values[], double mean)
{
  double sum = 0.0;
  double left = 0.0;
  for (long i = 0; i < n; i++) {
    sum = sw_sum_exactly(sum, (values[i] - mean) * (values[i] - mean), &left);
  }
  return n > 1 ? (sum + left) / (double)(n - 1) : NAN;
}

static int by_value(const void *a, const void *b)
{
  const double left = *(const double *)a;
  const double right = *(const double *)b;
  return (left > right) - (left < right);
}

static double quantile_of(long n, const double sorted[], double level)
{
  const double place = level * (double)(n - 1);
  const long below = (long)floor(place);
  const double part = place - (double)below;
  return part > 0.0 ? sorted[below] + part * (sorted[below + 1] - sorted[below]) : sorted[below];
}

void sw_statistics(long n, const double values[], int n_levels, const double levels[],
                   double sorted[], double out[])
{
  int undefined = n < 1;
  for (long i = 0; i < n; i++) {
    undefined |= isnan(values[i]);
  }
  if (undefined) {
    sw_fill(out, NAN, 2 + (size_t)n_levels);
    return;
  }
  out[0] = mean_of(n, values);
  out[1] = variance_of(n, values, out[0]);
  if (n_levels == 0) {
    return;
  }
  if (sorted != values) {
    memcpy(sorted, values, (size_t)n * sizeof *sorted);
  }
  qsort(sorted, (size_t)n, sizeof *sorted, by_value);
  for (int l = 0; l < n_levels; l++) {
    out[2 + l] = quantile_of(n, sorted, levels[l]);
  }
}
