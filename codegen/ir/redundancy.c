/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ir/redundancy.h"

#include <math.h>
#include <string.h>

#include "ir/analysis.h"

/* Smallest coefficient of a gradient that counts. */
static const double least_part = 1e-7;

enum { most_relations = 8, most_names = 8 };

/* The gradients, which are the rows of Dg and the columns of its transposed, of lengths from 1 down to
 * 1e-3: so that those of late constraints are taken for the dependent ones. */
static double *weighted_gradients(arena *a, sampler *s)
{
  size_t n = (size_t)s->n;
  double *unit = ARENA_ARRAY(a, (size_t)s->m * n, double);
  for (int i = 0; i < s->m; i++) {
    double norm = sampler_row_norm(s, s->gz, i);
    double weight = pow(10, -3.0 * i / s->m);
    for (size_t j = 0; j < n; j++) {
      unit[(size_t)i * n + j] = norm > 0 ? weight * s->gz[(size_t)i * n + j] / norm : 0.0;
    }
  }
  return unit;
}

/* Overwrites column k of R with the coefficients of the first `rank` columns that make it. */
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

static const char *relation_words(arena *a, const sampler *s, int rank, const lapack_int order[],
                                  int dropped, const double part[])
{
  const char *const *names = s->program->c_names;
  const char *text = arena_printf(a, "'%s'", names[dropped]);
  int n = 0;
  for (int i = 0; i < s->m; i++) {
    /* In the order of the model. */
    double size = 0;
    for (int j = 0; j < rank; j++) {
      size = order[j] - 1 == i ? fabs(part[j]) : size;
    }
    if (size > least_part && n++ < most_names) {
      text = arena_printf(a, "%s%s'%s'", text, n == 1 ? " follows from " : ", ", names[i]);
    }
  }
  return n > most_names ? arena_printf(a, "%s and others", text) : text;
}

const char *redundancy_words(arena *a, sampler *s)
{
  int most = s->m < s->n ? s->m : s->n;
  double *R = weighted_gradients(a, s);
  double *tau = ARENA_ARRAY(a, most, double);
  lapack_int *order = ARENA_ARRAY(a, s->m, lapack_int);
  const char *text = "";
  memset(order, 0, (size_t)s->m * sizeof *order);
  s->cost += 2.0 * s->m * s->m * s->n;
  if (LAPACKE_dgeqp3(LAPACK_COL_MAJOR, s->n, s->m, R, s->n, order, tau) != 0) {
    return text;
  }
  int rank = 0;
  while (rank < most &&
         fabs(R[(size_t)rank * (size_t)s->n + (size_t)rank]) > ANALYSIS_SINGULAR * fabs(R[0])) {
    rank++;
  }
  for (int k = rank; k < s->m; k++) {
    if (k - rank == most_relations) {
      return arena_printf(a, "%s; and %d more", text, s->m - k);
    }
    double *column = R + (size_t)k * (size_t)s->n;
    solve_relation(s->n, rank, R, column);
    text = arena_printf(a, "%s%s%s", text, *text ? "; " : "",
                        relation_words(a, s, rank, order, order[k] - 1, column));
  }
  return text;
}
