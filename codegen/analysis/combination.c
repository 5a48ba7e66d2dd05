/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/dependence_means.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

/* A singular value below this, relative to the largest, counts as zero in double precision. */
static const double singular = 1e-11;
/* Coefficients below this, in units of the gradients, count as rounding errors, as do relative
 * differences. */
static const double small = 1e-7;

enum { MOST_RELATIONS = 8, MOST_NAMES = 8 };

/* A matrix with m rows, each divided by its largest entry. */
typedef struct scaled {
  int m;
  int n;
  double *value; /* row major */
  double *unit;  /* m factors: true row i = unit_i value_i; 1 for a zero row */
} scaled;

static scaled scale_rows(study *s, int m, int n, double *value)
{
  scaled A = {m, n, value, ARENA_ARRAY(s->memory, m + 1, double)};
  for (int i = 0; i < m; i++) {
    double *row = value + (size_t)i * (size_t)n;
    double largest = 0;
    for (int j = 0; j < n; j++) {
      largest = fmax(largest, fabs(row[j]));
    }
    A.unit[i] = largest > 0 && isfinite(largest) ? largest : 1;
    for (int j = 0; j < n; j++) {
      row[j] /= A.unit[i];
    }
  }
  return A;
}

/* A function of the model at the point, as a dense matrix, row major.  Entries whose balls contain
 * zero are zero. */
static double *dense(study *s, point *x, const ir_function *f, int transposed)
{
  int cols = transposed ? f->rows : f->cols;
  double *A = ARENA_ARRAY(s->memory, (size_t)f->rows * (size_t)f->cols + 1, double);
  point_begin(s, x, 256);
  for (int e = 0; e < f->n; e++) {
    int i = transposed ? f->entries[e].col : f->entries[e].row;
    int j = transposed ? f->entries[e].row : f->entries[e].col;
    arb_srcptr value = ball_value(s->balls, f->entries[e].value);
    A[(size_t)i * (size_t)cols + (size_t)j] = arb_contains_zero(value) ? 0.0 : ball_double(value);
  }
  return A;
}

/* The gradients of g, with columns in the scales of the coordinates. */
static scaled gradients(study *s, point *x)
{
  int m = s->p->nc;
  double *A = dense(s, x, &s->p->functions[IR_CONSTRAINT_JAC], 0);
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < s->n; j++) {
      A[(size_t)i * (size_t)s->n + (size_t)j] *= s->scale[j];
    }
  }
  return scale_rows(s, m, s->n, A);
}

/* A vector y of length one with y^T A = 0 over the kept rows (NULL keeps all); returns 0 if there
 * is none. */
static int left_null(study *s, const scaled *A, const char kept[], double y[])
{
  int n = 0;
  for (int i = 0; i < A->m; i++) {
    n += !kept || kept[i];
  }
  int tall = A->n > n ? A->n : n;
  size_t columns = (size_t)n;
  double *copy = ARENA_ARRAY(s->memory, (size_t)tall * columns + 1, double);
  double *right = ARENA_ARRAY(s->memory, columns * columns + 1, double);
  double *values = ARENA_ARRAY(s->memory, 2 * columns + 1, double);
  double none = 0;
  int finite = 1;
  for (int i = 0, at = 0; i < A->m; i++) {
    for (int j = 0; j < A->n && (!kept || kept[i]); j++) {
      double entry = A->value[(size_t)i * (size_t)A->n + (size_t)j];
      copy[(size_t)j * columns + (size_t)at] = entry;
      finite = finite && isfinite(entry);
    }
    at += !kept || kept[i];
  }
  s->work += 20.0 * tall * n * n;
  if (n == 0 || !finite ||
      LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'A', tall, n, copy, n, values, &none, 1, right, n,
                     values + n) != 0 ||
      values[n - 1] > singular * values[0]) {
    return 0;
  }
  for (int i = 0, at = 0; i < A->m; i++) {
    y[i] = !kept || kept[i] ? right[(columns - 1) * columns + (size_t)at++] : 0.0;
  }
  return 1;
}

/* The left null vector at several points, compared between them.  Coefficients are divided by the
 * units of the rows. */
static record_combination over_points(study *s, const points *p, int n, const char kept[],
                                      scaled (*matrix)(study *, point *))
{
  int m = s->p->nc;
  double *y = ARENA_ARRAY(s->memory, m + 1, double);
  double *first = ARENA_ARRAY(s->memory, m + 1, double);
  record_combination found = {NULL, 1, NULL};
  int leading = 0;
  for (int i = 0; i < n; i++) {
    scaled A = matrix(s, p->x[i]);
    if (!left_null(s, &A, kept, y)) {
      return (record_combination){NULL, 0, NULL};
    }
    for (int j = 0; j < m && i == 0; j++) {
      leading = fabs(y[j]) > fabs(y[leading]) * (1 + small) ? j : leading;
    }
    for (int j = 0; j < m; j++) {
      y[j] = fabs(y[j]) > small ? y[j] / A.unit[j] : 0.0;
    }
    double unit = y[leading];
    for (int j = 0; j < m; j++) {
      y[j] = unit != 0 ? y[j] / unit : (double)NAN;
      found.constant =
          found.constant && (i == 0 || fabs(y[j] - first[j]) <= small * fabs(first[j]));
    }
    if (i == 0) {
      memcpy(first, y, (size_t)m * sizeof *y);
    }
  }
  found.coefficients = n > 0 ? first : NULL;
  found.at = n > 0 ? p->x[0]->z : NULL;
  return found;
}

record_combination combination_of_gradients(study *s, const points *p, int n, const char kept[])
{
  return over_points(s, p, n, kept, gradients);
}

/* N^T, whose rows belong to the combined constraints. */
static scaled columns_of_N(study *s, point *x)
{
  int m = s->p->nc;
  double *A = dense(s, x, &s->p->functions[IR_NONDEGENERACY], 1);
  /* Rows of N, which are columns of N^T, have units of their own. */
  for (int j = 0; j < m; j++) {
    double largest = 0;
    for (int i = 0; i < m; i++) {
      largest = fmax(largest, fabs(A[(size_t)i * (size_t)m + (size_t)j]));
    }
    for (int i = 0; i < m && largest > 0; i++) {
      A[(size_t)i * (size_t)m + (size_t)j] /= largest;
    }
  }
  return scale_rows(s, m, m, A);
}

record_combination combination_of_N(study *s, const points *p, int n)
{
  return over_points(s, p, n, NULL, columns_of_N);
}

/* ---- in words ---- */

/* Overwrites `column` with the coefficients that express it in the first `rank` columns of R. */
static void solve_relation(int n, int rank, const double R[], double column[])
{
  for (int j = rank - 1; j >= 0; j--) {
    const double *left = R + (size_t)j * (size_t)n;
    column[j] /= left[j];
    for (int i = 0; i < j; i++) {
      column[i] -= left[i] * column[j];
    }
  }
}

static const char *relation_words(const study *s, int rank, const lapack_int order[], int dropped,
                                  const double part[], int follow)
{
  const char *verb = follow ? " follows from " : " depends on ";
  const char *const *names = s->p->c_names;
  const char *text = arena_printf(s->memory, "'%s'", names[dropped]);
  int n = 0;
  for (int i = 0; i < s->p->nc; i++) {
    /* names in the model's order */
    double size = 0;
    for (int j = 0; j < rank; j++) {
      size = order[j] - 1 == i ? fabs(part[j]) : size;
    }
    if (size > small && n++ < MOST_NAMES) {
      text = arena_printf(s->memory, "%s%s'%s'", text, n == 1 ? verb : ", ", names[i]);
    }
  }
  return n > MOST_NAMES ? arena_printf(s->memory, "%s and others", text) : text;
}

const char *combination_words(study *s, point *x, int follow)
{
  int m = s->p->nc;
  scaled A = gradients(s, x);
  double *tau = ARENA_ARRAY(s->memory, (m < s->n ? m : s->n) + 1, double);
  lapack_int *order = ARENA_ARRAY(s->memory, m + 1, lapack_int);
  const char *text = "";
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < s->n; j++) {
      A.value[(size_t)i * (size_t)s->n + (size_t)j] *= pow(10, -3.0 * i / m);
    }
  }
  s->work += 2.0 * m * m * s->n;
  /* The rows of A are the columns of its transpose. */
  if (LAPACKE_dgeqp3(LAPACK_COL_MAJOR, s->n, m, A.value, s->n, order, tau) != 0) {
    return text;
  }
  int most = m < s->n ? m : s->n;
  int rank = 0;
  while (rank < most &&
         fabs(A.value[(size_t)rank * (size_t)s->n + (size_t)rank]) > singular * fabs(A.value[0])) {
    rank++;
  }
  for (int k = rank; k < m; k++) {
    if (k - rank == MOST_RELATIONS) {
      return arena_printf(s->memory, "%s; and %d more", text, m - k);
    }
    double *column = A.value + (size_t)k * (size_t)s->n;
    solve_relation(s->n, rank, A.value, column);
    text = arena_printf(s->memory, "%s%s%s", text, *text ? "; " : "",
                        relation_words(s, rank, order, order[k] - 1, column, follow));
  }
  return text;
}
