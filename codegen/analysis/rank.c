/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/dependence_means.h"

#include <math.h>
#include <string.h>

/* A dense matrix, row major. */
typedef struct matrix {
  int rows;
  int columns;
  arb_ptr value;
  mag_ptr size;
  int *row;            /* permutation of the rows */
  int *column;         /* permutation of the columns */
  double *row_unit;    /* base-2 logarithms of the units of the rows */
  double *column_unit; /* base-2 logarithms of the units of the columns */
  slong precision;
} matrix;

static size_t rank_place(const matrix *A, int i, int j)
{
  return (size_t)A->row[i] * (size_t)A->columns + (size_t)A->column[j];
}

static matrix matrix_create(study *s, int rows, int columns, slong precision)
{
  slong entries = (slong)rows * columns + 1;
  matrix A = {.rows = rows, .columns = columns, .precision = precision};
  A.value = _arb_vec_init(entries);
  A.size = _mag_vec_init(entries);
  A.row = ARENA_ARRAY(s->memory, rows + 1, int);
  A.column = ARENA_ARRAY(s->memory, columns + 1, int);
  A.row_unit = ARENA_ARRAY(s->memory, rows + 1, double);
  A.column_unit = ARENA_ARRAY(s->memory, columns + 1, double);
  for (int i = 0; i < rows; i++) {
    A.row[i] = i;
  }
  for (int j = 0; j < columns; j++) {
    A.column[j] = j;
  }
  return A;
}

static void matrix_clear(matrix *A)
{
  slong entries = (slong)A->rows * A->columns + 1;
  _arb_vec_clear(A->value, entries);
  _mag_vec_clear(A->size, entries);
}

/* Half a step of Curtis and Reid's scaling: the new units of rows (or columns) are the means of the
 * logarithms of their scaled entries. */
static void average(const matrix *A, int by_row, double unit[])
{
  int n = by_row ? A->rows : A->columns;
  for (int i = 0; i < n; i++) {
    double sum = 0;
    int entries = 0;
    for (int j = 0; j < (by_row ? A->columns : A->rows); j++) {
      size_t at = by_row ? (size_t)i * (size_t)A->columns + (size_t)j
                         : (size_t)j * (size_t)A->columns + (size_t)i;
      if (!mag_is_zero(A->size + at) && !mag_is_inf(A->size + at)) {
        sum += mag_get_d_log2_approx(A->size + at) - (by_row ? A->column_unit[j] : A->row_unit[j]);
        entries++;
      }
    }
    unit[i] = entries ? sum / entries : 0;
  }
}

/* Fills the matrix with the entries of f in the present pass; other columns stay zero.  The units
 * of rows and columns minimise the deviations of the logarithms of the sizes (A. R. Curtis and J.
 * K. Reid, J. Inst. Maths Applics 10 (1972)). */
static void rank_fill(study *s, const ir_function *f, matrix *A)
{
  enum { ROUNDS = 12 };
  for (int e = 0; e < f->n; e++) {
    size_t at = rank_place(A, f->entries[e].row, f->entries[e].col);
    arb_set(A->value + at, ball_value(s->balls, f->entries[e].value));
    mag_set(A->size + at, ball_size(s->balls, f->entries[e].value));
  }
  for (int i = 0; i < ROUNDS; i++) {
    average(A, 1, A->row_unit);
    average(A, 0, A->column_unit);
  }
  s->work += 10.0 * ROUNDS * A->rows * A->columns;
}

/* |a| / size(a), at least 1e-300, for an entry whose ball excludes zero; else 0. */
static double quality(const matrix *A, size_t at)
{
  arb_srcptr a = A->value + at;
  if (arb_contains_zero(a) || !arb_is_finite(a)) {
    return 0;
  }
  mag_t least;
  mag_init(least);
  arb_get_mag_lower(least, a);
  mag_div(least, least, A->size + at);
  double ratio = mag_get_d(least);
  mag_clear(least);
  return ratio > 1e-300 ? ratio : 1e-300;
}

/* Moves the largest entry, relative to its units, of the first `most` columns to position (k, k).
 * Returns its quality, or 0 if all entries may be zero. */
static double pivot(matrix *A, int k, int most)
{
  double best = -(double)INFINITY;
  int row = -1;
  int column = k;
  for (int i = k; i < A->rows; i++) {
    for (int j = k; j < most; j++) {
      const size_t at = rank_place(A, i, j);
      arb_srcptr a = A->value + at;
      if (mag_is_zero(A->size + at) || arb_contains_zero(a) || !arb_is_finite(a)) {
        continue;
      }
      mag_t least;
      mag_init(least);
      arb_get_mag_lower(least, a);
      double found =
          mag_get_d_log2_approx(least) - A->row_unit[A->row[i]] - A->column_unit[A->column[j]];
      mag_clear(least);
      if (found > best) {
        best = found;
        row = i;
        column = j;
      }
    }
  }
  if (row < 0) {
    return 0;
  }
  swap_ints(&A->row[k], &A->row[row]);
  swap_ints(&A->column[k], &A->column[column]);
  return quality(A, rank_place(A, k, k));
}

/* z <- x / y with the size size(x)/|y| + |x| size(y)/|y|^2. */
static void divide(arb_t z, mag_t size, arb_srcptr x, mag_srcptr x_size, arb_srcptr y,
                   mag_srcptr y_size, slong precision)
{
  mag_t least;
  mag_t part;
  mag_init(least);
  mag_init(part);
  arb_get_mag_lower(least, y);
  arb_div(z, x, y, precision);
  arb_get_mag(part, z);
  mag_mul(part, part, y_size);
  mag_add(part, part, x_size);
  mag_div(size, part, least);
  mag_clear(part);
  mag_clear(least);
}

/* Eliminates column k from the rows below (all = 0), or from all other rows. */
static void clear_column(study *s, matrix *A, int k, int all)
{
  size_t top = rank_place(A, k, k);
  arb_t factor;
  mag_t size;
  arb_init(factor);
  mag_init(size);
  for (int i = all ? 0 : k + 1; i < A->rows; i++) {
    size_t left = rank_place(A, i, k);
    if (i == k || arb_is_zero(A->value + left)) {
      continue;
    }
    divide(factor, size, A->value + left, A->size + left, A->value + top, A->size + top,
           A->precision);
    for (int j = k + 1; j < A->columns; j++) {
      size_t above = rank_place(A, k, j);
      size_t at = rank_place(A, i, j);
      if (arb_is_zero(A->value + above)) {
        continue;
      }
      ball_add_slope(A->size + at, A->value + above, size);
      ball_add_slope(A->size + at, factor, A->size + above);
      arb_submul(A->value + at, factor, A->value + above, A->precision);
    }
    arb_zero(A->value + left);
    s->work += 100.0 * (A->columns - k);
  }
  mag_clear(size);
  arb_clear(factor);
}

/* One elimination step with a pivot in the first `most` columns; returns the quality of the
 * pivot. */
static double rank_eliminate(study *s, matrix *A, int k, int most, int all)
{
  double found = pivot(A, k, most);
  s->work += 20.0 * A->rows * A->columns;
  if (found > 0) {
    clear_column(s, A, k, all);
  }
  return found;
}

static int rest_is_zero(const matrix *A, int k)
{
  for (int i = k; i < A->rows; i++) {
    for (int j = k; j < A->columns; j++) {
      size_t at = rank_place(A, i, j);
      if (ball_judge(A->value + at, A->size + at, A->precision) != BALL_ZERO) {
        return 0;
      }
    }
  }
  return 1;
}

matrix_rank rank_at(study *s, point *x, ir_function_id id)
{
  const ir_function *f = &s->p->functions[id];
  const int most = f->rows < f->cols ? f->rows : f->cols;
  matrix_rank r = {0};
  for (int i = 0; i < STUDY_LEVELS && !r.decided; i++) {
    point_begin(s, x, study_levels[i]);
    matrix A = matrix_create(s, f->rows, f->cols, study_levels[i]);
    rank_fill(s, f, &A);
    r.rank = 0;
    while (r.rank < most && rank_eliminate(s, &A, r.rank, A.columns, 0) > 0) {
      r.rank++;
    }
    r.decided = r.rank == most || rest_is_zero(&A, r.rank);
    matrix_clear(&A);
  }
  return r;
}

double rank_loss(study *s, const double z[], ir_function_id id, int wanted)
{
  const ir_function *f = &s->p->functions[id];
  arb_ptr exact = _arb_vec_init(s->n);
  for (int j = 0; j < s->n; j++) {
    arb_set_d(exact + j, z[j]);
  }
  const ball_inputs inputs = {s->settings[0].exact, exact, NULL};
  ball_begin(s->balls, &inputs, 256);
  matrix A = matrix_create(s, f->rows, f->cols, 256);
  rank_fill(s, f, &A);
  int finite = _arb_vec_is_finite(A.value, (slong)f->rows * f->cols);
  double loss = 1;
  for (int k = 0; k < wanted && finite && isfinite(loss); k++) {
    double found = rank_eliminate(s, &A, k, A.columns, 0);
    loss = found * RANK_LOST > 1 ? fmax(loss, 1 / found) : (double)INFINITY;
  }
  matrix_clear(&A);
  _arb_vec_clear(exact, s->n);
  return finite ? loss : (double)NAN;
}

int rank_solve(study *s, const ir_function *f, arb_ptr b, mag_ptr b_size, slong precision)
{
  int m = f->rows;
  int regular = 1;
  matrix A = matrix_create(s, m, m + 1, precision);
  rank_fill(s, f, &A);
  for (int i = 0; i < m; i++) {
    arb_set(A.value + rank_place(&A, i, m), b + i);
    mag_set(A.size + rank_place(&A, i, m), b_size + i);
  }
  for (int k = 0; k < m && regular; k++) {
    regular = rank_eliminate(s, &A, k, m, 1) > 0;
  }
  for (int k = 0; k < m && regular; k++) {
    size_t on = rank_place(&A, k, k);
    size_t right = rank_place(&A, k, m);
    divide(b + A.column[k], b_size + A.column[k], A.value + right, A.size + right, A.value + on,
           A.size + on, precision);
  }
  matrix_clear(&A);
  return regular;
}
