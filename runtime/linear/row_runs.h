/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/row_runs.h -- loops over the rows of a sparse matrix, by runs of rows of equal length.
 */
#ifndef SIDEWINDER_LINEAR_ROW_RUNS_H
#define SIDEWINDER_LINEAR_ROW_RUNS_H

#include <math.h>
#include <stddef.h>

#include "common/pair.h"
#include "common/processor.h"
#include "linear/pattern.h"
#include "sidewinder/status.h"

/* Rows first .. end-1, with `width` entries each; `entry` is the number of the first one.  If
 * is_dense is 1, the columns of row i are contiguous from col + (i - first) step on.  If is_dense
 * is 0, the columns may be anywhere. */
typedef struct sw_run {
  int first;
  int end;
  int width;
  int entry;
  int is_dense;
  int col;
  int step;
  int is_rising; /* 1 if neither the first nor the last column decreases from row to row */
} sw_run;

typedef struct sw_runs {
  int n;
  sw_run *run;
} sw_runs;

/* Errors: SW_ERR_MEMORY. */
sw_status sw_runs_create(const sw_pattern *A, sw_runs *runs);
void sw_runs_free(sw_runs *runs);

/* Column t of a row, whose first column is `dense` if the columns are contiguous; else place[t]. */
static inline int sw_run_column(int is_dense, int dense, const int place[], int t)
{
  return is_dense ? dense + t : place[t];
}

/* The rows of a run within first .. end-1.  The result is empty if its end is not greater than its
 * first row. */
static inline sw_run sw_run_within(const sw_run *run, int first, int end)
{
  sw_run part = *run;

  if (first > run->first) {
    part.first = first;
    part.entry += (first - run->first) * run->width;
    part.col += (first - run->first) * run->step;
  }
  part.end = end < run->end ? end : run->end;
  return part;
}

/* The number of the run that contains row i, or runs->n if i is the number of rows. */
static inline int sw_runs_find(const sw_runs *runs, int i)
{
  int low = 0;
  int high = i > 0 ? runs->n : 0;

  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (runs->run[middle].end <= i) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/* Calls kernel(run, width, is_dense, ...).  For common values of width and is_dense the macro
 * passes constants, so that the compiler unrolls the kernel's loop over a row. */
#define SW_ALONG_RUN(run_, kernel, ...)                                                            \
  if ((run_)->width == 6 && (run_)->is_dense) {                                                    \
    kernel(run_, 6, 1, __VA_ARGS__);                                                               \
  } else if ((run_)->width == 6) {                                                                 \
    kernel(run_, 6, 0, __VA_ARGS__);                                                               \
  } else {                                                                                         \
    kernel(run_, (run_)->width, 0, __VA_ARGS__);                                                   \
  }

/* The same for rows from_ .. end_-1. */
#define SW_ALONG_ROWS(runs, from_, end_, kernel, ...)                                              \
  for (int run_ = sw_runs_find(runs, from_); run_ < (runs)->n && (runs)->run[run_].first < (end_); \
       run_++) {                                                                                   \
    const sw_run along_ = sw_run_within(&(runs)->run[run_], from_, end_);                          \
    SW_ALONG_RUN(&along_, kernel, __VA_ARGS__)                                                     \
  }

/* to[j] += factor sum_i A_ij x_i for the columns first .. end-1.  Each sum is in the order of the
 * rows, so threads can share the columns.  Requires sw_runs_rise. */
void sw_add_columns(const sw_runs *runs, const int col[], const double a[], double factor,
                    const double x[], int first, int end, double to[]);

/* As sw_column_weights (sparse.h), run by run. */
void sw_runs_column_weights(const sw_runs *runs, int n, const int col[], const double a[],
                            double weight[]);

/* Returns 1 if there are few runs and all of them are rising. */
int sw_runs_rise(const sw_runs *runs);

/* ---- kernels; rows of even width with contiguous columns are processed in pairs ---- */

static inline int sw_run_is_paired(int width, int is_dense)
{
  return is_dense && width % 2 == 0;
}

/* As sw_add_rows for rows that start in the middle of the row before.  The contributions of two
 * rows to a column are added together, so that no row waits for a store of the row before. */
static SW_INLINE_FOR_EACH void sw_add_halves(const sw_run *run, int half, const double a[],
                                             double factor, const double x[], double to[])
{
  const int end = run->end;
  const double *value = a + run->entry;
  double *out = to + run->col + half;
  int i = run->first + 1;

  for (int t = 0; t < half; t++) {
    out[t - half] += value[t] * (factor * x[i - 1]);
  }
  for (; i < end; i++, value += 2 * (ptrdiff_t)half, out += half) {
    const double *second = value + half;
    const double *behind = second + half;
    const double by = factor * x[i - 1];
    const double next = factor * x[i];
    int t = 0;
    for (; t + 1 < half; t += 2) {
      sw_pair_put(out + t, (sw_pair_at(out + t) + sw_pair_at(second + t) * by) +
                               sw_pair_at(behind + t) * next);
    }
    for (; t < half; t++) {
      out[t] = (out[t] + second[t] * by) + behind[t] * next;
    }
  }
  for (int t = 0; t < half; t++) {
    out[t] += value[half + t] * (factor * x[i - 1]);
  }
}

/* to[j] += factor A_ij x_i. */
static SW_INLINE_FOR_EACH void sw_add_rows(const sw_run *run, int width, int is_dense,
                                           const int col[], const double a[], double factor,
                                           const double x[], double to[])
{
  const double *value = a + run->entry;
  const int *place = col + run->entry;
  int dense = run->col;

  if (is_dense && 2 * run->step == width && run->first < run->end) {
    sw_add_halves(run, width / 2, a, factor, x, to);
    return;
  }
  for (int i = run->first; i < run->end; i++, value += width, place += width, dense += run->step) {
    const double by = factor * x[i];
    for (int t = 0; t < width; t++) {
      to[sw_run_column(is_dense, dense, place, t)] += value[t] * by;
    }
  }
}

/* to_i = sum_j A_ij x_j, sizes_i = sum_j |A_ij x_j|. */
static SW_INLINE_FOR_EACH void sw_multiply_rows(const sw_run *run, int width, int is_dense,
                                                const int col[], const double a[], const double x[],
                                                double to[], double sizes[])
{
  const int end = run->end;
  const int step = run->step;
  const double *value = a + run->entry;
  const int *place = col + run->entry;
  int dense = run->col;

  for (int i = run->first; i < end; i++, value += width, place += width, dense += step) {
    sw_pair sums = {0.0, 0.0};
    sw_pair both = {0.0, 0.0};
    for (int t = 0; t < width && sw_run_is_paired(width, is_dense); t += 2) {
      const sw_pair terms = sw_pair_at(value + t) * sw_pair_at(x + dense + t);
      sums += terms;
      both += sw_pair_size(terms);
    }
    for (int t = 0; t < width && !sw_run_is_paired(width, is_dense); t++) {
      const double term = value[t] * x[sw_run_column(is_dense, dense, place, t)];
      sums[0] += term;
      both[0] += fabs(term);
    }
    const sw_pair of_row = sw_pair_sums(sums, both);
    to[i] = of_row[0];
    sizes[i] = of_row[1];
  }
}

/* 1 if each row has three contiguous entries and the first column increases by one per row. */
static inline int sw_run_is_band(const sw_run *run)
{
  return run->width == 3 && run->is_dense && run->step == 1;
}

/* y_i = sum_j A_ij x_j for a run with sw_run_is_band.  a, x and y start at the first value, column
 * and row. */
static SW_INLINE_FOR_EACH void sw_times_band(int rows, const double a[], const double x[],
                                             double *restrict y)
{
  for (int i = 0; i < rows; i++) {
    y[i] = ((0.0 + a[3 * i] * x[i]) + a[3 * i + 1] * x[i + 1]) + a[3 * i + 2] * x[i + 2];
  }
}

/* y_i = sum_j A_ij x_j for any run. */
static inline void sw_times_rows(const sw_run *run, int width, const double a[], const int col[],
                                 const double x[], double y[])
{
  const double *value = a + run->entry;
  const int *place = col + run->entry;

  for (int i = run->first; i < run->end; i++, value += width, place += width) {
    double sum = 0.0;
    for (int t = 0; t < width; t++) {
      sum += value[t] * x[place[t]];
    }
    y[i] = sum;
  }
}

/* sizes_i = sum_j |A_ij|. */
static inline void sw_size_rows(const sw_run *run, int width, int is_dense, const double a[],
                                double sizes[])
{
  const double *value = a + run->entry;

  (void)is_dense;
  for (int i = run->first; i < run->end; i++, value += width) {
    double size = 0.0;
    for (int t = 0; t < width; t++) {
      size += fabs(value[t]);
    }
    sizes[i] = size;
  }
}

#endif
