/* SPDX-License-Identifier: BSD-3-Clause */
#include "linear/row_runs.h"

#include <stdlib.h>

#include "common/vectors.h"

/* A run that consists of row i alone, with entries from .. end-1. */
static sw_run run_of(const sw_pattern *A, int i, int from, int end)
{
  sw_run run = {i, i + 1, end - from, from, 1, end > from ? A->col[from] : 0, 0, 1};

  for (int e = from + 1; e < end; e++) {
    run.is_dense &= A->col[e] == A->col[e - 1] + 1;
  }
  return run;
}

/* A rising run with more rows ends where the columns decrease, as at the start of a family of
 * constraints. */
enum { LONG_RUN = 64 };

/* Appends a row to the run before it.  Returns 0 if the row does not fit. */
static int extend(const sw_pattern *A, sw_run *run, const sw_run *row)
{
  const int rows = run->end - run->first;
  const int step = row->col - run->col;
  const int last = row->entry + row->width - 1;
  const int rises = row->width == 0 || row->width != run->width ||
                    (A->col[row->entry] >= A->col[row->entry - row->width] &&
                     A->col[last] >= A->col[last - row->width]);

  if (rows > LONG_RUN && run->is_rising && !rises) {
    return 0;
  }
  if (row->width != run->width || row->is_dense != run->is_dense ||
      (run->is_dense && rows > 1 && step != rows * run->step)) {
    return 0;
  }
  if (rows == 1) {
    run->step = step;
  }
  run->end = row->end;
  run->is_rising &= rises;
  return 1;
}

/* Writes the runs to `run` unless that is NULL.  Returns their number.  dense: 0 to treat
 * contiguous columns like any others. */
static int find_runs(const sw_pattern *A, int dense, sw_run run[])
{
  sw_run last = {0};
  int n = 0;
  int e = 0;

  for (int i = 0; i < A->rows; i++) {
    const int from = e;
    while (e < A->entries && A->row[e] == i) {
      e++;
    }
    sw_run row = run_of(A, i, from, e);
    row.is_dense &= dense;
    if (n == 0 || !extend(A, &last, &row)) {
      last = row;
      n++;
    }
    if (run) {
      run[n - 1] = last;
    }
  }
  return n;
}

sw_status sw_runs_create(const sw_pattern *A, sw_runs *runs)
{
  int dense = 1;

  runs->n = find_runs(A, dense, NULL);
  if (runs->n > A->rows / 16) {
    /* Merge more rows, since so many runs would cost more than they save. */
    dense = 0;
    runs->n = find_runs(A, dense, NULL);
  }
  runs->run = calloc((size_t)runs->n + 1, sizeof *runs->run);
  if (!runs->run) {
    return SW_ERR_MEMORY;
  }
  (void)find_runs(A, dense, runs->run);
  return SW_OK;
}

void sw_runs_free(sw_runs *runs)
{
  free(runs->run);
  *runs = (sw_runs){0, NULL};
}

/* ---- columns ---- */

enum { FEW = 64 };

int sw_runs_rise(const sw_runs *runs)
{
  int rise = runs->n <= FEW;

  for (int r = 0; r < runs->n && rise; r++) {
    rise = runs->run[r].is_rising;
  }
  return rise;
}

/* The first row of a run whose column number t is at least `column`, or the end of the run. */
static int row_from(const sw_run *run, const int col[], int t, int column)
{
  int low = run->first;
  int high = run->end;

  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (col[run->entry + (middle - run->first) * run->width + t] < column) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/* Adds rows that also have columns outside the range first .. end-1. */
static void add_within(const sw_run *run, const int col[], const double a[], double factor,
                       const double x[], int first, int end, double to[])
{
  int e = run->entry;

  for (int i = run->first; i < run->end; i++) {
    for (int t = 0; t < run->width; t++, e++) {
      if (col[e] >= first && col[e] < end) {
        to[col[e]] += a[e] * (factor * x[i]);
      }
    }
  }
}

void sw_add_columns(const sw_runs *runs, const int col[], const double a[], double factor,
                    const double x[], int first, int end, double to[])
{
  for (int r = 0; r < runs->n; r++) {
    const sw_run *run = &runs->run[r];
    if (run->width == 0) {
      continue;
    }
    const int last = run->width - 1;
    const int begin = row_from(run, col, last, first);
    const int behind = row_from(run, col, 0, end);
    int inner = row_from(run, col, 0, first);
    int outer = row_from(run, col, last, end);
    if (inner > outer) {
      inner = outer = behind; /* no row lies entirely inside the range */
    }
    const sw_run before = sw_run_within(run, begin, inner);
    const sw_run inside = sw_run_within(run, inner, outer);
    const sw_run after = sw_run_within(run, outer, behind);
    add_within(&before, col, a, factor, x, first, end, to);
    SW_ALONG_RUN(&inside, sw_add_rows, col, a, factor, x, to)
    add_within(&after, col, a, factor, x, first, end, to);
  }
}

/* ---- the largest entries of columns ---- */

static inline double larger(double largest, double x)
{
  return fabs(x) > largest ? fabs(x) : largest;
}

/* Maxima for rows of three entries whose first column increases by one per row.  a: the values;
 * largest: the maximum of the first column. */
static inline void larger_of_band(int rows, const double a[], double *restrict largest)
{
  largest[0] = larger(largest[0], a[0]);
  largest[1] = larger(larger(largest[1], a[1]), a[3]);
  for (int i = 2; i < rows; i++) {
    largest[i] = larger(larger(larger(largest[i], a[3 * i - 4]), a[3 * i - 2]), a[3 * i]);
  }
  largest[rows] = larger(larger(largest[rows], a[3 * rows - 4]), a[3 * rows - 2]);
  largest[rows + 1] = larger(largest[rows + 1], a[3 * rows - 1]);
}

SW_FOR_EACH_PROCESSOR void sw_runs_column_weights(const sw_runs *runs, int n, const int col[],
                                                  const double a[], double weight[])
{
  sw_zero(weight, (size_t)n);
  for (int r = 0; r < runs->n; r++) {
    const sw_run *run = &runs->run[r];
    const int rows = run->end - run->first;
    if (sw_run_is_band(run) && rows > 1) {
      larger_of_band(rows, a + run->entry, weight + run->col);
      continue;
    }
    for (int e = run->entry; e < run->entry + rows * run->width; e++) {
      weight[col[e]] = larger(weight[col[e]], a[e]);
    }
  }
  for (int j = 0; j < n; j++) {
    weight[j] = sw_power_below(weight[j]);
  }
}
