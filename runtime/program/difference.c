/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/difference.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/vectors.h"

/* LEVELS: number of steps that are extrapolated; STEPS: number of step sizes that are tried. */
enum { LEVELS = 14, STEPS = 40 };

/* Bound on the rounding error of a sum, relative to the magnitudes of its terms. */
#define ROUNDING (64.0 * DBL_EPSILON)

/* Scratch memory of one column. */
typedef struct column_work {
  double *v;        /* cols: the shifted point */
  double *middle;   /* rows: f(v) */
  double *plus;     /* rows */
  double *minus;    /* rows */
  double *second;   /* rows: |f(v + h) - 2 f(v) + f(v - h)| of the last step */
  double *estimate; /* rows: estimated error of the current derivative */
  double *table;    /* rows x LEVELS: last line of each row's Neville table */
} column_work;

/* Extends a row's table, which has `level` entries, by the difference `first` of half the last
 * step.  Sets *best to the best entry and returns its estimated error. */
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

/* Extrapolates with one more step size.  Returns the number of rows that are not accurate enough
 * yet. */
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
      rounding[i] = ROUNDING * size[i] / step;
    }
    double allowed = SW_DIFFERENCE_TOLERANCE * fabs(derivative[i]) + rounding[i];
    open += !(work->estimate[i] <= 0.1 * allowed);
  }
  return open;
}

static int is_finite(const sw_difference *f, const column_work *work)
{
  return isfinite(sw_max_abs((size_t)f->rows, work->plus)) &&
         isfinite(sw_max_abs((size_t)f->rows, work->minus));
}

/* 1 if |f(v + h) - 2 f(v) + f(v - h)| is at most half of its value for 2h, in each row.  Normally
 * it falls to a quarter.  It does not fall if a pole is within the step, although f is then small
 * and looks smooth on both sides. */
static int is_curved_less(const sw_difference *f, const column_work *work, const double size[])
{
  int less = 1;
  for (int i = 0; i < f->rows; i++) {
    const double second =
        fabs(work->plus[i] - work->middle[i] + (work->minus[i] - work->middle[i]));
    less =
        less && second <= 0.5 * work->second[i] + ROUNDING * fmax(size[i], fabs(work->middle[i]));
    work->second[i] = second;
  }
  return less;
}

/* Discards the error estimates of earlier steps, so that later extrapolations replace their
 * results. */
static void begin_again(const sw_difference *f, const column_work *work)
{
  for (int i = 0; i < f->rows; i++) {
    work->estimate[i] = INFINITY;
  }
}

/* watched: 1 to exclude steps that may contain a pole. */
static void difference_column(const sw_difference *f, int column, int watched, const double size[],
                              const column_work *work, double derivative[], double rounding[])
{
  int level = 0;
  double step = f->length[column] / 16.0;
  memcpy(work->v, f->v, (size_t)f->cols * sizeof *work->v);
  f->evaluate(f->context, work->v, work->middle);
  for (int i = 0; i < f->rows; i++) {
    derivative[i] = NAN;
    rounding[i] = NAN;
  }
  begin_again(f, work);
  for (int halving = 0; halving < STEPS && level < LEVELS; halving++, step /= 2.0) {
    double above = f->v[column] + step;
    double below = f->v[column] - step;
    work->v[column] = above;
    f->evaluate(f->context, work->v, work->plus);
    work->v[column] = below;
    f->evaluate(f->context, work->v, work->minus);
    if (!is_finite(f, work)) {
      level = 0;
      continue;
    }
    if (!is_curved_less(f, work, size) && level > 0 && watched) {
      begin_again(f, work);
      level = 0;
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
  double *block = malloc(((size_t)f->cols + rows * (5 + LEVELS)) * sizeof *block);
  if (block == NULL) {
    return SW_ERR_MEMORY;
  }
  column_work work = {.v = block};
  work.middle = work.v + f->cols;
  work.plus = work.middle + rows;
  work.minus = work.plus + rows;
  work.second = work.minus + rows;
  work.estimate = work.second + rows;
  work.table = work.estimate + rows;
  difference_column(f, column, 1, size, &work, derivative, rounding);
  /* the rounding error of f exceeds the estimate from `size` */
  if (isnan(sw_max_abs(rows, derivative))) {
    difference_column(f, column, 0, size, &work, derivative, rounding);
  }
  free(block);
  return SW_OK;
}

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

/* size[i] = |f_i| + sum_j |A_ij v_j| + terms_i */
static void term_sizes(const sw_difference *f, double size[])
{
  f->evaluate(f->context, f->v, size);
  for (int i = 0; i < f->rows; i++) {
    size[i] = fabs(size[i]) + (f->terms != NULL ? f->terms[i] : 0.0);
  }
  for (int e = 0; e < entry_count(f); e++) {
    const int row = entry_row(f, e);
    const int col = entry_col(f, e);
    size[row] += fabs(f->value[e] * f->v[col]);
    if (f->symmetric && row != col) {
      size[col] += fabs(f->value[e] * f->v[row]);
    }
  }
}

/* dense = column j of A or of value_terms; 0 if value is NULL.  The loop over all entries costs
 * no more than an evaluation of f. */
static void spread_column(const sw_difference *f, int j, const double value[], double dense[])
{
  sw_zero(dense, (size_t)f->rows);
  for (int e = 0; e < entry_count(f) && value != NULL; e++) {
    if (entry_col(f, e) == j) {
      dense[entry_row(f, e)] = value[e];
    } else if (f->symmetric && entry_row(f, e) == j) {
      dense[entry_col(f, e)] = value[e];
    }
  }
}

static void difference_take(sw_difference_worst *worst, double figure, int row, int col,
                            double generated, double difference)
{
  if (!isnan(worst->figure) && !(figure <= worst->figure)) {
    *worst = (sw_difference_worst){figure, row, col, generated, difference};
  }
}

sw_status sw_difference_compare(const sw_difference *f, sw_difference_worst *worst)
{
  const size_t rows = (size_t)f->rows;
  double *size = malloc(5 * rows * sizeof *size + 1);
  sw_status status = size == NULL ? SW_ERR_MEMORY : SW_OK;
  *worst = (sw_difference_worst){.figure = -1.0};
  if (status == SW_OK) {
    term_sizes(f, size);
  }
  for (int j = 0; j < f->cols && status == SW_OK; j++) {
    double *dense = size + rows;
    double *derivative = dense + rows;
    double *rounding = derivative + rows;
    double *terms = rounding + rows;
    status = sw_difference_column(f, j, size, derivative, rounding);
    spread_column(f, j, f->value, dense);
    spread_column(f, j, f->value_terms, terms);
    for (int i = 0; i < f->rows && status == SW_OK; i++) {
      double error = fabs(dense[i] - derivative[i]);
      double rounded = rounding[i] + ROUNDING * terms[i];
      double against = fabs(dense[i]) + rounded / SW_DIFFERENCE_TOLERANCE;
      difference_take(worst, error == 0.0 ? 0.0 : error / against, i, j, dense[i], derivative[i]);
    }
  }
  free(size);
  return status;
}
