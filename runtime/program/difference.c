/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/difference.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 14 };

/* Scratch memory of one column. */
typedef struct column_work {
  double *v;        /* cols: the shifted point */
  double *plus;     /* rows */
  double *minus;    /* rows */
  double *estimate; /* rows: estimated error of the derivative that is kept */
  double *table;    /* rows x LEVELS: the last line of each row's Neville table */
} column_work;

static int all_finite(const double x[], int n)
{
  for (int i = 0; i < n; i++) {
    if (!isfinite(x[i])) {
      return 0;
    }
  }
  return 1;
}

/* Adds the difference `first` of a step half as large as the last one to a row's table, which has
 * `level` entries.  Returns the best entry's estimated error and sets *best. */
static double extend_table(double table[LEVELS], int level, double first, double *best)
{
  double least = INFINITY;
  double before = table[0];
  double factor = 1.0;
  *best = first;
  table[0] = first;
  for (int j = 1; j <= level; j++) {
    factor *= 4.0;
    double next = table[j - 1] + (table[j - 1] - before) / (factor - 1.0);
    double error = fmax(fabs(next - table[j - 1]), fabs(next - before));
    before = table[j];
    table[j] = next;
    if (error < least) {
      least = error;
      *best = next;
    }
  }
  return least;
}

/* One more step size.  Returns how many rows are still not good enough. */
static int refine(const sw_difference *f, const column_work *work, int level, double step,
                  const double size[], double derivative[], double rounding[])
{
  int open = 0;
  for (int i = 0; i < f->rows; i++) {
    double best;
    double first = (work->plus[i] - work->minus[i]) / (2.0 * step);
    double error = extend_table(work->table + (size_t)i * LEVELS, level, first, &best);
    if (error < work->estimate[i]) {
      work->estimate[i] = error;
      derivative[i] = best;
      rounding[i] = 64.0 * DBL_EPSILON * size[i] / step;
    }
    double allowed = SW_DIFFERENCE_TOLERANCE * fabs(derivative[i]) + rounding[i];
    open += !(work->estimate[i] <= 0.1 * allowed);
  }
  return open;
}

static void difference_column(const sw_difference *f, int column, const double size[],
                              const column_work *work, double derivative[], double rounding[])
{
  int level = 0;
  double step = f->length[column] / 16.0;
  memcpy(work->v, f->v, (size_t)f->cols * sizeof *work->v);
  for (int i = 0; i < f->rows; i++) {
    derivative[i] = NAN;
    rounding[i] = NAN;
    work->estimate[i] = INFINITY;
  }
  for (int halving = 0; halving < LEVELS; halving++, step /= 2.0) {
    double above = f->v[column] + step;
    double below = f->v[column] - step;
    work->v[column] = above;
    f->evaluate(f->context, work->v, work->plus);
    work->v[column] = below;
    f->evaluate(f->context, work->v, work->minus);
    if (!all_finite(work->plus, f->rows) || !all_finite(work->minus, f->rows)) {
      level = 0;
      continue;
    }
    if (refine(f, work, level, (above - below) / 2.0, size, derivative, rounding) == 0) {
      break;
    }
    level++;
  }
}

sw_status sw_difference_column(const sw_difference *f, int column, const double size[],
                               double derivative[], double rounding[])
{
  size_t rows = (size_t)f->rows;
  double *block = malloc(((size_t)f->cols + rows * (3 + LEVELS)) * sizeof *block);
  if (block == NULL) {
    return SW_ERR_MEMORY;
  }
  column_work work = {.v = block};
  work.plus = work.v + f->cols;
  work.minus = work.plus + rows;
  work.estimate = work.minus + rows;
  work.table = work.estimate + rows;
  difference_column(f, column, size, &work, derivative, rounding);
  free(block);
  return SW_OK;
}

/* A's entries by columns, those of the other triangle of a symmetric matrix included. */
typedef struct columns {
  size_t *start; /* cols + 1 */
  int *row;
  double *value;
} columns;

static int entry_count(const sw_difference *f)
{
  return f->pattern != NULL ? f->pattern->entries : f->rows * f->cols;
}

static int entry_row(const sw_difference *f, int e)
{
  return f->pattern != NULL ? f->pattern->row[e] : e / f->cols;
}

static int entry_col(const sw_difference *f, int e)
{
  return f->pattern != NULL ? f->pattern->col[e] : e % f->cols;
}

static void place(columns *by, size_t next[], int row, int col, double value)
{
  size_t at = next[col]++;
  by->row[at] = row;
  by->value[at] = value;
}

static void release(columns *by)
{
  free(by->start);
  free(by->row);
  free(by->value);
}

static sw_status sort_by_columns(const sw_difference *f, columns *by)
{
  int entries = entry_count(f);
  size_t most = 2 * (size_t)entries + 1;
  size_t cols = (size_t)f->cols;
  by->start = calloc(2 * cols + 2, sizeof *by->start);
  by->row = malloc(most * sizeof *by->row);
  by->value = malloc(most * sizeof *by->value);
  if (by->start == NULL || by->row == NULL || by->value == NULL) {
    return SW_ERR_MEMORY;
  }
  size_t *next = by->start + cols + 1;
  for (int e = 0; e < entries; e++) {
    by->start[entry_col(f, e) + 1]++;
    if (f->symmetric && entry_row(f, e) != entry_col(f, e)) {
      by->start[entry_row(f, e) + 1]++;
    }
  }
  for (size_t j = 0; j < cols; j++) {
    by->start[j + 1] += by->start[j];
  }
  memcpy(next, by->start, (cols + 1) * sizeof *next);
  for (int e = 0; e < entries; e++) {
    int row = entry_row(f, e);
    int col = entry_col(f, e);
    place(by, next, row, col, f->value[e]);
    if (f->symmetric && row != col) {
      place(by, next, col, row, f->value[e]);
    }
  }
  return SW_OK;
}

/* size[i] = |f_i| + sum_j |A_ij v_j| */
static void term_sizes(const sw_difference *f, const columns *by, double size[])
{
  f->evaluate(f->context, f->v, size);
  for (int i = 0; i < f->rows; i++) {
    size[i] = fabs(size[i]);
  }
  for (int j = 0; j < f->cols; j++) {
    for (size_t e = by->start[j]; e < by->start[j + 1]; e++) {
      size[by->row[e]] += fabs(by->value[e] * f->v[j]);
    }
  }
}

static void take(sw_difference_worst *worst, double figure, int row, int col, double generated,
                 double difference)
{
  if (isnan(worst->figure) || figure <= worst->figure) {
    return;
  }
  *worst = (sw_difference_worst){figure, row, col, generated, difference};
}

static void compare_column(const sw_difference *f, const columns *by, int column, double dense[],
                           const double derivative[], const double rounding[],
                           sw_difference_worst *worst)
{
  memset(dense, 0, (size_t)f->rows * sizeof *dense);
  for (size_t e = by->start[column]; e < by->start[column + 1]; e++) {
    dense[by->row[e]] = by->value[e];
  }
  for (int i = 0; i < f->rows; i++) {
    double error = fabs(dense[i] - derivative[i]);
    double against = fabs(dense[i]) + rounding[i] / SW_DIFFERENCE_TOLERANCE;
    take(worst, error == 0.0 ? 0.0 : error / against, i, column, dense[i], derivative[i]);
  }
}

static sw_status compare(const sw_difference *f, const columns *by, double block[],
                         sw_difference_worst *worst)
{
  double *size = block;
  double *dense = size + f->rows;
  double *derivative = dense + f->rows;
  double *rounding = derivative + f->rows;
  term_sizes(f, by, size);
  for (int j = 0; j < f->cols; j++) {
    sw_status status = sw_difference_column(f, j, size, derivative, rounding);
    if (status != SW_OK) {
      return status;
    }
    compare_column(f, by, j, dense, derivative, rounding, worst);
  }
  return SW_OK;
}

sw_status sw_difference_compare(const sw_difference *difference, sw_difference_worst *worst)
{
  columns by = {0};
  double *block = malloc(4 * (size_t)difference->rows * sizeof *block + 1);
  *worst = (sw_difference_worst){.figure = -1.0};
  sw_status status = block == NULL ? SW_ERR_MEMORY : sort_by_columns(difference, &by);
  if (status == SW_OK) {
    status = compare(difference, &by, block, worst);
  }
  release(&by);
  free(block);
  return status;
}
