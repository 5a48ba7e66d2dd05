/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ir/independence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ir/analysis.h"

/* Constraints up to which each one is examined: the work grows with their square. */
#define MOST_CONSTRAINTS 16
/* Starts from which a part of the constraints is tried. */
#define PART_ROUNDS 12
/* Coefficients of a combination below this, times the largest, are rounding. */
#define SMALL_COEFFICIENT 1e-7

static const ir_expr *constraint(const ir_program *p, int i)
{
  return p->functions[IR_CONSTRAINT].entries[i].value;
}

/* The others that are kept. */
static int generators_of(const ir_program *p, const char kept[], int but, certify_generator out[])
{
  int n = 0;
  for (int i = 0; i < p->nc; i++) {
    if (kept[i] && i != but) {
      out[n++] = (certify_generator){0, i, constraint(p, i)};
    }
  }
  return n;
}

/* sum_i x_i dg_i = 0 at s->z, with x of the kept constraints, rows of length one; x = 0 for the others. */
static int null_combination(sampler *s, const char kept[], double columns[], double x[])
{
  int m = s->m;
  int n = 0;
  double ratio = 0;
  sampler_begin(s, s->z);
  sampler_evaluate(s, IR_CONSTRAINT_JAC, s->gz);
  /* The gradients are the columns here. */
  for (int i = 0; i < m; i++) {
    n += kept[i] != 0;
  }
  for (int i = 0, at = 0; i < m; i++) {
    if (kept[i]) {
      double norm = sampler_row_norm(s, s->gz, i);
      for (int j = 0; j < s->n; j++) {
        columns[(size_t)j * (size_t)n + (size_t)at] =
            s->gz[(size_t)i * (size_t)s->n + (size_t)j] / (norm > 0 ? norm : 1);
      }
      at++;
    }
  }
  if (!sampler_null_vector(s->n, n, columns, x, &ratio) || ratio > ANALYSIS_SINGULAR) {
    return 0;
  }
  for (int i = m - 1, at = n; i >= 0; i--) {
    double norm = sampler_row_norm(s, s->gz, i);
    x[i] = kept[i] ? x[--at] / (norm > 0 ? norm : 1) : 0.0;
  }
  return 1;
}

/* Divided by the entry of largest size; what is rounding becomes 0. */
static void normalise(int m, double x[])
{
  double unit = 0;
  for (int i = 0; i < m; i++) {
    unit = fabs(x[i]) > fabs(unit) * (1 + SMALL_COEFFICIENT) ? x[i] : unit;
  }
  for (int i = 0; i < m; i++) {
    x[i] = fabs(x[i]) > SMALL_COEFFICIENT * fabs(unit) ? x[i] / unit : 0.0;
  }
}

/* The last constraint of a combination of gradients that vanishes at all points of M, or -1. */
static int sampled_redundancy(arena *a, ir_context *c, const ir_program *p, const char kept[],
                              const equations_points *on_M, verdict_combination *found)
{
  int m = p->nc;
  sampler *s = sampler_create(a, c, p, 0);
  double *columns = ARENA_ARRAY(a, (size_t)s->n * (size_t)m + 1, double);
  double *x = ARENA_ARRAY(a, m, double);
  double *first = ARENA_ARRAY(a, m, double);
  int last = -1;
  int all = on_M->sample.points > 0;
  found->constant = 1;
  for (int i = 0; i < on_M->sample.points && all; i++) {
    memcpy(s->z, on_M->z[i], (size_t)s->n * sizeof *s->z);
    all = null_combination(s, kept, columns, x);
    normalise(m, x);
    if (i == 0) {
      memcpy(first, x, (size_t)m * sizeof *x);
    }
    for (int j = 0; j < m && all; j++) {
      found->constant = found->constant && fabs(x[j] - first[j]) <= SMALL_COEFFICIENT;
      last = i == 0 && x[j] != 0 ? j : last;
    }
  }
  sampler_free(s);
  found->coefficients = first;
  found->at = all ? on_M->z[0] : NULL;
  return all ? last : -1;
}

verdict_independence find_redundant(arena *a, certifier *k, const ir_program *p,
                                    const equations_points *on_M)
{
  verdict_independence found = {0};
  int m = p->nc;
  if (m > MOST_CONSTRAINTS) {
    return found;
  }
  char *kept = ARENA_ARRAY(a, m, char);
  certify_generator *others = ARENA_ARRAY(a, m, certify_generator);
  verdict_redundancy *list = ARENA_ARRAY(a, m, verdict_redundancy);
  memset(kept, 1, (size_t)m);
  for (int i = m - 1; i >= 0; i--) {
    int n = generators_of(p, kept, i, others);
    const verdict_certificate *proof = n ? certify(k, constraint(p, i), n, others, 0) : NULL;
    if (proof) {
      kept[i] = 0;
      list[found.n_redundant++] =
          (verdict_redundancy){i, VERDICT_CERTIFICATE, proof, {NULL, 0, NULL}};
    }
  }
  for (int round = 0; round < m; round++) {
    verdict_combination combination = {NULL, 0, NULL};
    int last = sampled_redundancy(a, k->c, p, kept, on_M, &combination);
    if (last < 0) {
      break;
    }
    kept[last] = 0;
    list[found.n_redundant++] = (verdict_redundancy){last, VERDICT_SAMPLED, NULL, combination};
  }
  found.redundant = list;
  return found;
}

/* Whether a point satisfies the constraints that are kept. */
static int has_point(arena *a, ir_context *c, const ir_program *p, const char kept[])
{
  const ir_expr **values = ARENA_ARRAY(a, p->nc, const ir_expr *);
  int n = 0;
  for (int i = 0; i < p->nc; i++) {
    if (kept[i]) {
      values[n++] = constraint(p, i);
    }
  }
  if (n == 0) {
    return 1;
  }
  const equations *e = equations_create(a, c, p, n, values);
  sampler_equations part = equations_part(e);
  return equations_sample(a, c, p, 1, &part, 1, PART_ROUNDS, (double)INFINITY).sample.points > 0;
}

verdict_independence find_conflicting(arena *a, certifier *k, const ir_program *p)
{
  verdict_independence found = {0};
  int m = p->nc;
  if (m > MOST_CONSTRAINTS) {
    return found;
  }
  char *kept = ARENA_ARRAY(a, m, char);
  certify_generator *rest = ARENA_ARRAY(a, m, certify_generator);
  int *list = ARENA_ARRAY(a, m, int);
  memset(kept, 1, (size_t)m);
  if (has_point(a, k->c, p, kept)) {
    return found;
  }
  for (int i = 0; i < m; i++) {
    kept[i] = 0;
    kept[i] = (char)has_point(a, k->c, p, kept);
  }
  for (int i = 0; i < m; i++) {
    if (kept[i]) {
      list[found.n_conflicting++] = i;
    }
  }
  found.conflicting = list;
  int n = generators_of(p, kept, -1, rest);
  found.contradiction = certify(k, ir_integer(k->c, 1), n, rest, 0);
  return found;
}
