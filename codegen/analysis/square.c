/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/square.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

/* A pivot below this, relative to the largest, counts as zero in double precision. */
static const double smallest_pivot = 1e-13;

static int square_exponent_of(double x)
{
  int e = 0;
  frexp(x, &e);
  return e;
}

/* The Jacobian in doubles, with columns in their scales and row i divided by 2^unit[i], a bound of
 * its entries.  Returns 0 if an entry is not finite. */
static int scaled_jacobian(study *s, const surface *f, double J[], int unit[])
{
  size_t n = (size_t)s->n;
  memset(J, 0, (size_t)f->rows * n * sizeof *J);
  for (int i = 0, e = 0; i < f->rows; i++) {
    slong largest = -ARF_PREC_EXACT;
    for (int k = e; k < f->n && f->slope[k].row == i; k++) {
      arb_srcptr value = ball_value(s->balls, f->slope[k].value);
      if (!arf_is_finite(arb_midref(value))) {
        return 0;
      }
      slong size = arf_is_zero(arb_midref(value))
                       ? -ARF_PREC_EXACT
                       : arf_abs_bound_lt_2exp_si(arb_midref(value)) +
                             square_exponent_of(s->scale[f->slope[k].col]);
      largest = size > largest ? size : largest;
    }
    unit[i] = largest > -ARF_PREC_EXACT ? (int)largest : 0;
    for (; e < f->n && f->slope[e].row == i; e++) {
      arf_t entry;
      arf_init(entry);
      arf_mul_2exp_si(entry, arb_midref(ball_value(s->balls, f->slope[e].value)),
                      square_exponent_of(s->scale[f->slope[e].col]) - unit[i]);
      J[(size_t)i * n + (size_t)f->slope[e].col] = arf_get_d(entry, ARF_RND_NEAR);
      arf_clear(entry);
    }
  }
  return 1;
}

/* Gaussian elimination with complete pivoting, which overwrites J.  Returns the number of nonzero
 * pivots.  row, column and pivot hold the permutations and the pivots in order of elimination. */
static int square_eliminate(study *s, int rows, double J[], int row[], int column[], double pivot[])
{
  size_t n = (size_t)s->n;
  int most = rows < s->n ? rows : s->n;
  for (int i = 0; i < rows; i++) {
    row[i] = i;
  }
  for (int j = 0; j < s->n; j++) {
    column[j] = j;
  }
  for (int k = 0; k < most; k++) {
    int at_row = k;
    int at_column = k;
    double largest = 0;
    for (int i = k; i < rows; i++) {
      for (int j = k; j < s->n; j++) {
        double size = fabs(J[(size_t)row[i] * n + (size_t)column[j]]);
        if (size > largest) {
          largest = size;
          at_row = i;
          at_column = j;
        }
      }
    }
    if (largest == 0) {
      return k;
    }
    swap_ints(&row[k], &row[at_row]);
    swap_ints(&column[k], &column[at_column]);
    const double *top = J + (size_t)row[k] * n;
    pivot[k] = largest;
    for (int i = k + 1; i < rows; i++) {
      double *below = J + (size_t)row[i] * n;
      double factor = below[column[k]] / top[column[k]];
      for (int j = k; j < s->n && factor != 0; j++) {
        below[column[j]] -= factor * top[column[j]];
      }
    }
  }
  s->work += 2.0 * rows * rows * s->n;
  return most;
}

/* The numerical rank: all pivots, or, if the last one is small, those before the largest gap. */
static int rank_of_pivots(int n, const double pivot[])
{
  if (n == 0 || pivot[n - 1] > smallest_pivot * pivot[0]) {
    return n;
  }
  int rank = n;
  double gap = 1;
  for (int k = 1; k < n; k++) {
    if (pivot[k - 1] / pivot[k] > gap) {
      gap = pivot[k - 1] / pivot[k];
      rank = k;
    }
  }
  return rank;
}

/* Inverts the selected part of a scaled Jacobian; returns 0 if it is singular. */
static int invert(study *s, square *q, const double J[])
{
  lapack_int *pivots = ARENA_ARRAY(s->memory, q->rank + 1, lapack_int);
  size_t r = (size_t)q->rank;
  for (size_t i = 0; i < r; i++) {
    for (size_t j = 0; j < r; j++) {
      q->inverse[i * r + j] = J[(size_t)q->rows[i] * (size_t)s->n + (size_t)q->columns[j]];
    }
  }
  s->work += 2.0 * q->rank * q->rank * q->rank;
  if (r == 0) {
    return 1;
  }
  return LAPACKE_dgetrf(LAPACK_ROW_MAJOR, q->rank, q->rank, q->inverse, q->rank, pivots) == 0 &&
         LAPACKE_dgetri(LAPACK_ROW_MAJOR, q->rank, q->inverse, q->rank, pivots) == 0;
}

int square_choose(study *s, const surface *f, square *q, int rank)
{
  int rows = f->rows;
  double *J = ARENA_ARRAY(s->memory, (size_t)rows * (size_t)s->n + 1, double);
  double *work = ARENA_ARRAY(s->memory, (size_t)rows * (size_t)s->n + 1, double);
  double *pivot = ARENA_ARRAY(s->memory, rows + 1, double);
  int *row = ARENA_ARRAY(s->memory, rows + 1, int);
  int *column = ARENA_ARRAY(s->memory, s->n, int);
  int *unit = ARENA_ARRAY(s->memory, rows + 1, int);
  if (!scaled_jacobian(s, f, J, unit)) {
    return 0;
  }
  s->work += 10.0 * f->n;
  memcpy(work, J, (size_t)rows * (size_t)s->n * sizeof *J);
  int n = square_eliminate(s, rows, work, row, column, pivot);
  q->rank = rank >= 0 && rank <= n ? rank : rank_of_pivots(n, pivot);
  q->rows = row;
  q->columns = column;
  q->row_unit = ARENA_ARRAY(s->memory, q->rank + 1, int);
  q->column_unit = ARENA_ARRAY(s->memory, q->rank + 1, int);
  q->inverse = ARENA_ARRAY(s->memory, (size_t)q->rank * (size_t)q->rank + 1, double);
  for (int i = 0; i < q->rank; i++) {
    q->row_unit[i] = unit[row[i]];
    q->column_unit[i] = square_exponent_of(s->scale[column[i]]);
  }
  return invert(s, q, J);
}
