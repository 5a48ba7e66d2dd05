/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/row_runs.h -- walks along the rows of a sparse matrix, run by run of rows that are equally long.
 */
#ifndef SIDEWINDER_LINEAR_ROW_RUNS_H
#define SIDEWINDER_LINEAR_ROW_RUNS_H

#include <math.h>

#include "linear/pattern.h"
#include "sidewinder/status.h"

/* Rows first .. end-1 have `width` entries each, from entry number `entry` on.  Where `is_dense` the columns of a row
 * stand side by side, in row i from col + (i - first) step on; where it is 0 they may do so, too. */
typedef struct sw_run {
  int first;
  int end;
  int width;
  int entry;
  int is_dense;
  int col;
  int step;
} sw_run;

typedef struct sw_runs {
  int n;
  sw_run *run;
} sw_runs;

/* Errors: SW_ERR_MEMORY. */
sw_status sw_runs_create(const sw_pattern *A, sw_runs *runs);
void sw_runs_free(sw_runs *runs);

/* Column t of a row, with its columns at `place` and the first one at `dense`. */
static inline int sw_run_column(int is_dense, int dense, const int place[], int t)
{
  return is_dense ? dense + t : place[t];
}

/* Calls kernel(run, width, is_dense, ...) for each run, with these two as constants where they are common, so that the
 * compiler unrolls what the kernel does with a row. */
#define SW_ALONG_ROWS(runs, kernel, ...)                                                           \
  for (int run_ = 0; run_ < (runs)->n; run_++) {                                                   \
    const sw_run *along_ = &(runs)->run[run_];                                                     \
    if (along_->width == 6 && along_->is_dense) {                                                  \
      kernel(along_, 6, 1, __VA_ARGS__);                                                           \
    } else if (along_->width == 6) {                                                               \
      kernel(along_, 6, 0, __VA_ARGS__);                                                           \
    } else {                                                                                       \
      kernel(along_, along_->width, 0, __VA_ARGS__);                                               \
    }                                                                                              \
  }

/* ---- kernels ---- */

/* to[j] += factor A_ij x_i. */
static inline void sw_add_rows(const sw_run *run, int width, int is_dense, const int col[],
                               const double a[], double factor, const double x[], double to[])
{
  const double *value = a + run->entry;
  const int *place = col + run->entry;
  int dense = run->col;

  for (int i = run->first; i < run->end; i++, value += width, place += width, dense += run->step) {
    for (int t = 0; t < width; t++) {
      to[sw_run_column(is_dense, dense, place, t)] += factor * value[t] * x[i];
    }
  }
}

/* to_i = sum_j A_ij x_j, and the sum of the sizes of these terms. */
static inline void sw_multiply_rows(const sw_run *run, int width, int is_dense, const int col[],
                                    const double a[], const double x[], double to[], double sizes[])
{
  const double *value = a + run->entry;
  const int *place = col + run->entry;
  int dense = run->col;

  for (int i = run->first; i < run->end; i++, value += width, place += width, dense += run->step) {
    double sum = 0.0;
    double size = 0.0;
    for (int t = 0; t < width; t++) {
      const double term = value[t] * x[sw_run_column(is_dense, dense, place, t)];
      sum += term;
      size += fabs(term);
    }
    to[i] = sum;
    sizes[i] = size;
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
