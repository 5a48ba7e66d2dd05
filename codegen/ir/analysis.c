/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * analysis.c -- verdicts at sampled points of M.
 */
#include "ir/analysis.h"

#include <lapacke.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "ir/evaluate.h"

typedef struct sampler {
  const ir_program *program;
  ir_evaluator *evaluator;
  uint64_t random;
  int d2; /* 2d */
  int m;
  double *z;
  double *g;
  double *gz; /* m x 2d, row major */
  double *work;
  lapack_int *pivots; /* 2d */
  double cost;        /* operations spent in reach_M so far */
} sampler;

/* Operations after which no further points are sought: about a second. */
static const double cost_limit = 1e9;

/* SplitMix64 (Steele, Lea and Flood, 2014); uniform in (-1, 1). */
static double uniform(sampler *s)
{
  uint64_t x = s->random += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  x ^= x >> 31;
  return (double)(x >> 11) * 0x1p-52 - 1.0;
}

static void begin(sampler *s, const double z[])
{
  ir_values values = {{s->program->k_default, NULL, z}};
  ir_evaluator_begin(s->evaluator, &values);
}

/* Values of a function into out, which is dense and row major for a matrix. */
static void evaluate(sampler *s, ir_function_id id, double out[])
{
  const ir_function *f = &s->program->functions[id];
  int cols = f->cols ? f->cols : 1;
  memset(out, 0, (size_t)f->rows * (size_t)cols * sizeof *out);
  for (int e = 0; e < f->n; e++) {
    out[f->entries[e].row * cols + f->entries[e].col] =
        ir_evaluator_value(s->evaluator, f->entries[e].value);
  }
}

static int all_finite(int n, const double x[])
{
  for (int i = 0; i < n; i++) {
    if (!isfinite(x[i])) {
      return 0;
    }
  }
  return 1;
}

static double largest(int n, const double x[])
{
  double r = 0;
  for (int i = 0; i < n; i++) {
    r = fmax(r, fabs(x[i]));
  }
  return r;
}

static double row_norm(int n, const double x[])
{
  double r = 0;
  for (int i = 0; i < n; i++) {
    r += x[i] * x[i];
  }
  return sqrt(r);
}

/* Gauss-Newton with minimum-norm steps from s->z; 1 where a point of M was reached. */
static int reach_M(sampler *s)
{
  int n = s->d2;
  int m = s->m;
  int big = n > m ? n : m;
  double *step = s->work;
  for (int iteration = 0; iteration < 50; iteration++) {
    begin(s, s->z);
    evaluate(s, IR_CONSTRAINT, s->g);
    evaluate(s, IR_CONSTRAINT_SCALE, step);
    evaluate(s, IR_CONSTRAINT_JAC, s->gz);
    if (!all_finite(m, s->g) || !all_finite(m * n, s->gz)) {
      return 0;
    }
    /* A constraint such as q1 = 0 is judged by the size of the state, not by its own value. */
    double size = fmax(largest(n, s->z), 1e-300);
    double worst = 0;
    for (int i = 0; i < m; i++) {
      double scale = fmax(step[i], size * row_norm(n, s->gz + i * n));
      worst = fmax(worst, fabs(s->g[i]) / (scale > 0 ? scale : 1));
    }
    if (worst < 1e-13) {
      return 1;
    }
    memset(step, 0, (size_t)big * sizeof *step);
    for (int i = 0; i < m; i++) {
      step[i] = -s->g[i];
    }
    lapack_int rank = 0;
    memset(s->pivots, 0, (size_t)n * sizeof *s->pivots);
    s->cost += 4.0 * m * m * n;
    if (LAPACKE_dgelsy(LAPACK_ROW_MAJOR, m, n, 1, s->gz, n, step, 1, s->pivots, 1e-12, &rank)) {
      return 0;
    }
    for (int i = 0; i < n; i++) {
      s->z[i] += step[i];
    }
  }
  return 0;
}

/* Condition of N at the point of the last begin, rows and columns scaled by the gradients; inf where
 * singular. */
static double condition_of_N(sampler *s)
{
  int m = s->m;
  double *N = s->work;
  double *singular = N + (size_t)m * (size_t)m;
  double none = 0;
  evaluate(s, IR_NONDEGENERACY, N);
  evaluate(s, IR_CONSTRAINT_JAC, s->gz);
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++) {
      double size = row_norm(s->d2, s->gz + i * s->d2) * row_norm(s->d2, s->gz + j * s->d2);
      N[i * m + j] /= size > 0 ? size : 1;
    }
  }
  if (!all_finite(m * m, N) ||
      LAPACKE_dgesdd(LAPACK_ROW_MAJOR, 'N', m, m, N, m, singular, &none, m, &none, m)) {
    return INFINITY;
  }
  return singular[m - 1] > ANALYSIS_SINGULAR * singular[0] ? singular[0] / singular[m - 1]
                                                           : INFINITY;
}

/* A start: the initial states as they are, then disturbed a little or much, and points around the origin. */
static void random_start(sampler *s, int round)
{
  static const double disturbance[] = {0.001, 0.05, 0.6, 0.2};
  const ir_program *p = s->program;
  for (int i = 0; i < s->d2; i++) {
    s->z[i] = uniform(s);
  }
  double size = round < p->n_states ? 0.0 : disturbance[round % 4];
  if (p->n_states == 0 || (size > 0 && round % 5 == 4)) {
    for (int i = 0; i < s->d2; i++) {
      s->z[i] *= 1.5;
    }
    return;
  }
  const ir_state *state = &p->states[round % p->n_states];
  begin(s, NULL);
  for (int i = 0; i < s->d2; i++) {
    s->z[i] = ir_evaluator_value(s->evaluator, state->z[i]) + size * s->z[i];
  }
}

/* Brackets at a point of M, relative to the gradients; keeps the largest as the witness. */
static void examine_brackets(arena *a, sampler *s, analysis *found)
{
  const ir_structure *structure = &s->program->structure;
  evaluate(s, IR_CONSTRAINT_JAC, s->gz);
  for (int i = 0; i < structure->n_pairs; i++) {
    const ir_pair *pair = &structure->pairs[i];
    double size =
        row_norm(s->d2, s->gz + pair->i * s->d2) * row_norm(s->d2, s->gz + pair->j * s->d2);
    double value = fabs(ir_evaluator_value(s->evaluator, pair->bracket)) / (size > 0 ? size : 1);
    if (value > found->value || !found->witness) {
      found->value = value;
      found->pair = i;
      found->witness = ARENA_ARRAY(a, s->d2, double);
      memcpy(found->witness, s->z, (size_t)s->d2 * sizeof *s->z);
    }
  }
}

static void sample_M(arena *a, sampler *s, analysis *found)
{
  int tries = 8 * ANALYSIS_POINTS;
  for (int round = 0; round < tries && found->on_M < ANALYSIS_POINTS; round++) {
    if (s->cost > cost_limit && round >= s->program->n_states + 4) {
      break;
    }
    random_start(s, round);
    if (!reach_M(s)) {
      continue;
    }
    begin(s, s->z);
    found->on_M++;
    found->singular += isinf(condition_of_N(s)) ? 1 : 0;
    examine_brackets(a, s, found);
  }
  if (s->program->structure.n_pairs > 0) {
    found->points = found->on_M;
    found->coisotropy = found->on_M > 0 && found->value <= ANALYSIS_ZERO ? IR_SAMPLED : IR_FAILS;
  }
  if (found->coisotropy != IR_FAILS) {
    found->pair = -1;
  }
}

static void examine_states(arena *a, sampler *s, analysis *found)
{
  const ir_program *p = s->program;
  found->states = ARENA_ARRAY(a, p->n_states + 1, analysis_state);
  for (int j = 0; j < p->n_states; j++) {
    begin(s, NULL);
    for (int i = 0; i < s->d2; i++) {
      s->z[i] = ir_evaluator_value(s->evaluator, p->states[j].z[i]);
    }
    begin(s, s->z);
    evaluate(s, IR_CONSTRAINT, s->g);
    found->states[j].residual_g = largest(s->m, s->g);
    evaluate(s, IR_HIDDEN, s->g);
    found->states[j].residual_hidden = largest(s->m, s->g);
    found->states[j].condition = condition_of_N(s);
  }
}

const analysis *analyse(arena *a, const ir_context *c, const ir_program *program)
{
  analysis *found = ARENA_NEW(a, analysis);
  found->coisotropy = IR_PROVED;
  found->pair = -1;
  if (program->nc == 0) {
    return found;
  }
  size_t n = 2 * (size_t)program->nq;
  size_t m = (size_t)program->nc;
  sampler s = {.program = program, .random = 20121, .d2 = 2 * program->nq, .m = program->nc};
  s.evaluator = ir_evaluator_create(c);
  s.z = ARENA_ARRAY(a, n, double);
  s.g = ARENA_ARRAY(a, m, double);
  s.gz = ARENA_ARRAY(a, m * n, double);
  s.pivots = ARENA_ARRAY(a, n, lapack_int);
  s.work = ARENA_ARRAY(a, m * m + 2 * (n + m), double);
  sample_M(a, &s, found);
  examine_states(a, &s, found);
  ir_evaluator_free(s.evaluator);
  int singular_everywhere = found->on_M > 0 && found->singular == found->on_M;
  found->refused = found->coisotropy == IR_FAILS || program->structure.refusal.constraint >= 0 ||
                   singular_everywhere;
  return found;
}
