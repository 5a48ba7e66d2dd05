/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ir/sampler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ir/analysis.h"

/* Operations after which no further points are sought. */
static const double cost_limit = 1e9;

static size_t position(size_t columns, int row, int column)
{
  return columns * (size_t)row + (size_t)column;
}

sampler *sampler_create(arena *a, const ir_context *c, const ir_program *program, int rows)
{
  sampler *s = ARENA_NEW(a, sampler);
  size_t n = 2 * (size_t)program->nq;
  size_t m = (size_t)program->nc;
  s->rows = rows > 2 * program->nc ? rows : 2 * program->nc;
  size_t most = (size_t)s->rows;
  size_t big = n > most ? n : most;
  s->program = program;
  s->random = 20121;
  s->n = 2 * program->nq;
  s->m = program->nc;
  s->evaluator = ir_evaluator_create(c);
  s->z = ARENA_ARRAY(a, n, double);
  s->g = ARENA_ARRAY(a, most, double);
  s->gz = ARENA_ARRAY(a, most * n, double);
  s->step = ARENA_ARRAY(a, big, double);
  s->work = ARENA_ARRAY(a, m * big, double);
  s->singular = ARENA_ARRAY(a, big, double);
  s->pivots = ARENA_ARRAY(a, n, lapack_int);
  return s;
}

void sampler_free(sampler *s)
{
  ir_evaluator_free(s->evaluator);
  s->evaluator = NULL;
}

int sampler_exhausted(const sampler *s)
{
  return s->cost > cost_limit;
}

/* SplitMix64 (Steele, Lea and Flood, 2014); uniform in (-1, 1). */
static double uniform(sampler *s)
{
  uint64_t x = s->random += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  x ^= x >> 31;
  return (double)(x >> 11) * 0x1p-52 - 1.0;
}

void sampler_begin(sampler *s, const double z[])
{
  ir_values values = {{s->program->k_default, NULL, z}};
  ir_evaluator_begin(s->evaluator, &values);
}

static void evaluate(sampler *s, const ir_function *f, double out[])
{
  size_t cols = f->cols ? (size_t)f->cols : 1;
  memset(out, 0, (size_t)f->rows * cols * sizeof *out);
  for (int e = 0; e < f->n; e++) {
    out[position(cols, f->entries[e].row, f->entries[e].col)] =
        ir_evaluator_value(s->evaluator, f->entries[e].value);
  }
}

void sampler_evaluate(sampler *s, ir_function_id id, double out[])
{
  evaluate(s, &s->program->functions[id], out);
}

void sampler_state(sampler *s, int j)
{
  sampler_begin(s, NULL);
  for (int i = 0; i < s->n; i++) {
    s->z[i] = ir_evaluator_value(s->evaluator, s->program->states[j].z[i]);
  }
}

void sampler_start(sampler *s, int round)
{
  static const double disturbance[] = {0.001, 0.05, 0.6, 0.2};
  int n_states = s->program->n_states;
  int around_origin = n_states == 0 || (round >= n_states && round % 5 == 4);
  double size = around_origin ? 1.5 : round < n_states ? 0.0 : disturbance[round % 4];
  if (around_origin) {
    memset(s->z, 0, (size_t)s->n * sizeof *s->z);
  } else {
    sampler_state(s, round % n_states);
  }
  for (int i = 0; i < s->n; i++) {
    s->z[i] += size * uniform(s);
  }
}

double sampler_state_size(const sampler *s)
{
  double r = 0;
  for (int i = 0; i < s->n; i++) {
    r = isfinite(s->z[i]) ? fmax(r, fabs(s->z[i])) : (double)INFINITY;
  }
  return r;
}

double sampler_row_norm(const sampler *s, const double matrix[], int i)
{
  const double *row = matrix + position((size_t)s->n, i, 0);
  double r = 0;
  for (int j = 0; j < s->n; j++) {
    r += row[j] * row[j];
  }
  return sqrt(r);
}

static int all_finite(size_t n, const double x[])
{
  for (size_t i = 0; i < n; i++) {
    if (!isfinite(x[i])) {
      return 0;
    }
  }
  return 1;
}

/* Largest residual relative to its scale: the terms of the formula or, for one such as q1 = 0, what it
 * changes by when the state changes by its size. */
static double scaled_residual(sampler *s, int rows, const double scale[])
{
  double size = fmax(sampler_state_size(s), 1e-300);
  double worst = 0;
  for (int i = 0; i < rows; i++) {
    double unit = fmax(scale[i], size * sampler_row_norm(s, s->gz, i));
    worst = fmax(worst, fabs(s->g[i]) / (unit > 0 ? unit : 1));
  }
  return worst;
}

/* Values, Jacobian and magnitudes in s->g, s->gz and s->step. */
static int evaluate_equations(sampler *s, int n, const sampler_equations equations[])
{
  int rows = 0;
  sampler_begin(s, s->z);
  for (int i = 0; i < n; i++) {
    evaluate(s, equations[i].value, s->g + rows);
    evaluate(s, equations[i].jac, s->gz + position((size_t)s->n, rows, 0));
    evaluate(s, equations[i].scale, s->step + rows);
    rows += equations[i].value->rows;
  }
  return all_finite((size_t)rows, s->g) && all_finite((size_t)rows * (size_t)s->n, s->gz);
}

/* s->step = - Jacobian^+ values, by rows of length one, so that a gradient that tends to zero is not taken
 * for a missing one. */
static int minimum_norm_step(sampler *s, int rows)
{
  for (int i = 0; i < rows; i++) {
    double norm = sampler_row_norm(s, s->gz, i);
    double factor = norm > 0 ? 1 / norm : 1;
    s->step[i] = -factor * s->g[i];
    for (int j = 0; j < s->n; j++) {
      s->gz[position((size_t)s->n, i, j)] *= factor;
    }
  }
  for (int i = rows; i < s->n; i++) {
    s->step[i] = 0;
  }
  lapack_int rank = 0;
  memset(s->pivots, 0, (size_t)s->n * sizeof *s->pivots);
  s->cost += 4.0 * rows * rows * s->n;
  return s->cost <= 2 * cost_limit && LAPACKE_dgelsy(LAPACK_ROW_MAJOR, rows, s->n, 1, s->gz, s->n,
                                                     s->step, 1, s->pivots, 1e-12, &rank) == 0;
}

int sampler_solve(sampler *s, int n, const sampler_equations equations[])
{
  int rows = 0;
  for (int i = 0; i < n; i++) {
    rows += equations[i].value->rows;
  }
  for (int iteration = 0; iteration < 80; iteration++) {
    if (rows > s->rows || !evaluate_equations(s, n, equations)) {
      return 0;
    }
    if (scaled_residual(s, rows, s->step) < 1e-13) {
      return 1;
    }
    if (!minimum_norm_step(s, rows)) {
      return 0;
    }
    for (int i = 0; i < s->n; i++) {
      s->z[i] += s->step[i];
    }
  }
  return 0;
}

int sampler_reach(sampler *s, int hidden)
{
  const ir_function *f = s->program->functions;
  const sampler_equations both[2] = {
      {&f[IR_CONSTRAINT], &f[IR_CONSTRAINT_JAC], &f[IR_CONSTRAINT_SCALE]},
      {&f[IR_HIDDEN], &f[IR_HIDDEN_JAC], &f[IR_HIDDEN_SCALE]}};
  return sampler_solve(s, hidden ? 2 : 1, both);
}

int sampler_null_vector(int rows, int columns, const double matrix[], double x[], double *ratio)
{
  /* With at least as many rows as columns all right singular vectors come with a singular value; rows that
   * are missing are zero. */
  int tall = rows > columns ? rows : columns;
  size_t n = (size_t)columns;
  size_t entries = (size_t)tall * n;
  double *copy = calloc(entries + 1, sizeof *copy);
  double *right = calloc(n * n + 1, sizeof *right);
  double *values = calloc(2 * n + 1, sizeof *values);
  double none = 0;
  int good = copy && right && values;
  if (good) {
    memcpy(copy, matrix, (size_t)rows * n * sizeof *copy);
    good = all_finite(entries, copy) &&
           LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'A', tall, columns, copy, columns, values, &none,
                          1, right, columns, values + n) == 0;
  }
  if (good) {
    memcpy(x, right + position(n, columns - 1, 0), n * sizeof *x);
    *ratio = values[0] > 0 ? values[columns - 1] / values[0] : 0;
  }
  free(copy);
  free(right);
  free(values);
  return good;
}

/* Singular values of an m x columns matrix in s->work, largest first, in s->singular; 0 where they cannot
 * be had. */
static int singular_values(sampler *s, int columns)
{
  double none = 0;
  s->cost += 4.0 * s->m * s->m * columns;
  return all_finite((size_t)s->m * (size_t)columns, s->work) &&
         LAPACKE_dgesdd(LAPACK_ROW_MAJOR, 'N', s->m, columns, s->work, columns, s->singular, &none,
                        s->m, &none, columns) == 0;
}

int sampler_rank(sampler *s, const double matrix[])
{
  for (int i = 0; i < s->m; i++) {
    double norm = sampler_row_norm(s, matrix, i);
    for (int j = 0; j < s->n; j++) {
      size_t at = position((size_t)s->n, i, j);
      s->work[at] = norm > 0 ? matrix[at] / norm : 0.0;
    }
  }
  if (!singular_values(s, s->n)) {
    return 0;
  }
  int rank = 0;
  int most = s->m < s->n ? s->m : s->n;
  while (rank < most && s->singular[rank] > ANALYSIS_SINGULAR * s->singular[0]) {
    rank++;
  }
  return rank;
}

double sampler_condition_of_N(sampler *s, double *largest)
{
  size_t m = (size_t)s->m;
  double *rho_z = s->gz + m * (size_t)s->n;
  sampler_evaluate(s, IR_NONDEGENERACY, s->work);
  sampler_evaluate(s, IR_CONSTRAINT_JAC, s->gz);
  sampler_evaluate(s, IR_HIDDEN_JAC, rho_z);
  for (int i = 0; i < s->m; i++) {
    double g_i = sampler_row_norm(s, s->gz, i);
    double rho_i = sampler_row_norm(s, rho_z, i);
    for (int j = 0; j < s->m; j++) {
      double g_j = sampler_row_norm(s, s->gz, j);
      double *entry = &s->work[position(m, i, j)];
      if (fabs(*entry) <= 1e-11 * rho_i * g_j) {
        *entry = 0;
      }
      *entry /= g_i * g_j > 0 ? g_i * g_j : 1;
    }
  }
  if (!singular_values(s, s->m)) {
    return (double)NAN;
  }
  *largest = s->singular[0];
  double least = s->singular[s->m - 1];
  return least > ANALYSIS_SINGULAR * *largest ? *largest / least : (double)INFINITY;
}
