/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ir/nondegeneracy.h"
#include "ir/builders.h"

#include <math.h>
#include <string.h>

#include "ir/analysis.h"
#include "ir/derivative.h"

/* Largest determinant that is written down, in terms when multiplied out. */
#define SHORT_TERMS 24
/* Starts of the search for a zero. */
#define ZERO_ROUNDS     40
#define ZERO_CANDIDATES 4
/* Condition of the scaled N from which on a point counts as one. */
#define SINGULAR_CONDITION 1e10
/* How many times as far away as the start a zero may be. */
#define FARTHEST 100.0
/* Null vectors with entries that differ by less are the same. */
#define SAME_COMBINATION 1e-6

static const ir_expr *entry_of(ir_context *c, const ir_function *f, int i, int j)
{
  for (int e = 0; e < f->n; e++) {
    if (f->entries[e].row == i && f->entries[e].col == j) {
      return f->entries[e].value;
    }
  }
  return ir_integer(c, 0);
}

/* det of the rows from `first` on and the columns in `columns`, by expansion; m <= 3. */
static const ir_expr *minor(ir_context *c, const ir_function *f, int first, int n,
                            const int columns[])
{
  if (n == 1) {
    return entry_of(c, f, first, columns[0]);
  }
  const ir_expr *sum = ir_integer(c, 0);
  for (int j = 0; j < n; j++) {
    int rest[2] = {0, 0};
    for (int i = 0, at = 0; i < n; i++) {
      if (i != j) {
        rest[at++] = columns[i];
      }
    }
    const ir_expr *term =
        ir_times(c, entry_of(c, f, first, columns[j]), minor(c, f, first + 1, n - 1, rest));
    sum = ir_minus(c, sum, ir_times(c, ir_integer(c, j % 2 ? 1 : -1), term));
  }
  return sum;
}

static double default_value(ir_context *c, const ir_program *p, const ir_expr *e)
{
  ir_evaluator *evaluator = ir_evaluator_create(c);
  const ir_values values = {{p->k_default, NULL, NULL}};
  ir_evaluator_begin(evaluator, &values);
  double value = ir_evaluator_value(evaluator, e);
  ir_evaluator_free(evaluator);
  return value;
}

/* g, and behind it rho. */
static certify_generator *constraints_of(arena *a, const ir_program *p)
{
  int m = p->nc;
  certify_generator *all = ARENA_ARRAY(a, 2 * m, certify_generator);
  for (int i = 0; i < m; i++) {
    all[i] = (certify_generator){0, i, p->functions[IR_CONSTRAINT].entries[i].value};
    all[m + i] = (certify_generator){1, i, p->functions[IR_HIDDEN].entries[i].value};
  }
  return all;
}

/* As it is, modulo g, or modulo g and rho: a sum of even powers of one sign; 1 where that settles it. */
static int by_sign(ir_context *c, const ir_program *p, const ir_expr *det,
                   verdict_nondegeneracy *found)
{
  const certify_generator *all = constraints_of(ir_context_arena(c), p);
  for (int used = 0; used <= 2; used++) {
    const ir_expr *rest = reduced_modulo(c, det, used * p->nc, all);
    double bound = definite_bound(c, rest);
    if (bound != 0) {
      found->zeros = ZEROS_NEVER;
      found->kind = VERDICT_CERTIFICATE;
      found->reduced = rest;
      found->reduced_value = bound;
      found->modulo_hidden = used == 2;
      return 1;
    }
  }
  return 0;
}

/* Modulo g, then modulo g and rho; 1 where that settles it. */
static int by_certificate(certifier *k, const ir_program *p, const ir_expr *det,
                          verdict_nondegeneracy *found)
{
  int m = p->nc;
  const certify_generator *all = constraints_of(ir_context_arena(k->c), p);
  for (int hidden = 0; hidden < 2 && !found->certificate; hidden++) {
    found->certificate = certify(k, det, hidden ? 2 * m : m, all, 1);
    found->modulo_hidden = hidden && found->certificate;
  }
  if (!found->certificate) {
    return by_sign(k->c, p, det, found);
  }
  found->kind = VERDICT_CERTIFICATE;
  found->reduced = found->certificate->rest;
  found->reduced_value = default_value(k->c, p, found->reduced);
  if (ir_is_zero(found->reduced)) {
    found->zeros = ZEROS_EVERYWHERE;
    return 1;
  }
  int number = found->reduced->kind == IR_NUMBER;
  int zero_here = !isfinite(found->reduced_value) || found->reduced_value == 0;
  found->zeros = number ? ZEROS_NEVER : zero_here ? ZEROS_UNKNOWN : ZEROS_NEVER_HERE;
  return !zero_here;
}

/* Whether H_pp is diagonal with numbers or parameters that are positive by default. */
static int has_positive_masses(ir_context *c, const ir_program *p)
{
  const ir_function *h = &p->functions[IR_HAMILTONIAN_HESS];
  int positive = 0;
  if (!p->structure.holonomic || p->structure.mass != IR_MASS_CONSTANT_DIAGONAL) {
    return 0;
  }
  for (int e = 0; e < h->n; e++) {
    if (h->entries[e].row >= p->nq && h->entries[e].row == h->entries[e].col) {
      positive +=
          !ir_reads_state(c, h->entries[e].value) && default_value(c, p, h->entries[e].value) > 0;
    }
  }
  return positive == p->nq;
}

/* A point of M^H at which det N = 0, and N itself is singular by its singular values. */
static void seek_zero(arena *a, ir_context *c, const ir_program *p, const ir_expr *det,
                      verdict_nondegeneracy *found)
{
  const ir_function *f = p->functions;
  const equations *zero = equations_create(a, c, p, 1, &det);
  const sampler_equations parts[3] = {
      {&f[IR_CONSTRAINT], &f[IR_CONSTRAINT_JAC], &f[IR_CONSTRAINT_SCALE]},
      {&f[IR_HIDDEN], &f[IR_HIDDEN_JAC], &f[IR_HIDDEN_SCALE]},
      equations_part(zero)};
  equations_points at = equations_sample(a, c, p, 3, parts, ZERO_CANDIDATES, ZERO_ROUNDS, FARTHEST);
  sampler *s = sampler_create(a, c, p, 0);
  for (int i = 0; i < at.sample.points && !found->witness; i++) {
    double largest = 0;
    sampler_begin(s, at.z[i]);
    if (sampler_condition_of_N(s, &largest) >= SINGULAR_CONDITION) {
      found->zeros = ZEROS_SOMEWHERE;
      found->kind = VERDICT_WITNESS;
      found->witness = at.z[i];
    }
  }
  sampler_free(s);
}

/* N at a point, dense. */
static void matrix_at(sampler *s, const double z[], double N[])
{
  sampler_begin(s, z);
  sampler_evaluate(s, IR_NONDEGENERACY, N);
}

/* By the singular values of the scaled N. */
static int rank_of_N(sampler *s)
{
  double largest = 0;
  int rank = 0;
  if (isnan(sampler_condition_of_N(s, &largest))) {
    return 0;
  }
  while (rank < s->m && s->singular[rank] > ANALYSIS_SINGULAR * largest) {
    rank++;
  }
  return rank;
}

/* Scaled so that the entry of largest size is 1, and what is rounding is 0. */
static void normalise(int m, double x[])
{
  int largest = 0;
  for (int i = 1; i < m; i++) {
    largest = fabs(x[i]) > fabs(x[largest]) * (1 + SAME_COMBINATION) ? i : largest;
  }
  double unit = x[largest];
  for (int i = 0; i < m; i++) {
    x[i] = fabs(x[i]) > SAME_COMBINATION * fabs(unit) ? x[i] / unit : 0.0;
  }
}

static void find_null_combination(arena *a, ir_context *c, const ir_program *p,
                                  const equations_points *on_MH, verdict_nondegeneracy *found)
{
  int m = p->nc;
  sampler *s = sampler_create(a, c, p, 0);
  double *N = ARENA_ARRAY(a, (size_t)m * (size_t)m, double);
  double *x = ARENA_ARRAY(a, m, double);
  double *first = ARENA_ARRAY(a, m, double);
  double ratio = 0;
  found->null.constant = 1;
  for (int i = 0; i < on_MH->sample.points; i++) {
    matrix_at(s, on_MH->z[i], N);
    int rank = rank_of_N(s);
    found->rank = rank > found->rank ? rank : found->rank;
    if (!sampler_null_vector(m, m, N, x, &ratio)) {
      continue;
    }
    normalise(m, x);
    if (!found->null.coefficients) {
      memcpy(first, x, (size_t)m * sizeof *x);
      found->null.coefficients = first;
      found->null.at = on_MH->z[i];
    }
    for (int j = 0; j < m; j++) {
      found->null.constant = found->null.constant && fabs(x[j] - first[j]) <= SAME_COMBINATION;
    }
  }
  sampler_free(s);
}

static int is_identically_singular(const ir_expr *det)
{
  return det && ir_is_zero(det);
}

verdict_nondegeneracy examine_determinant(arena *a, certifier *k, const ir_program *p,
                                          const equations_points *on_MH, int everywhere,
                                          int independent)
{
  static const int columns[3] = {0, 1, 2};
  verdict_nondegeneracy found = {.zeros = ZEROS_UNKNOWN, .kind = VERDICT_UNKNOWN};
  const ir_expr *det = NULL;
  if (p->nc <= 3) {
    det = minor(k->c, &p->functions[IR_NONDEGENERACY], 0, p->nc, columns);
    found.determinant = multiplied_out(k->c, det, SHORT_TERMS);
    det = found.determinant ? found.determinant : det;
  }
  if (is_identically_singular(det)) {
    found.zeros = ZEROS_EVERYWHERE;
    found.kind = VERDICT_IDENTITY;
  } else if (!det || !by_certificate(k, p, det, &found)) {
    if (everywhere) {
      found.zeros = ZEROS_EVERYWHERE;
      found.kind = VERDICT_SAMPLED;
    } else if (independent && has_positive_masses(k->c, p)) {
      found.zeros = ZEROS_NEVER;
      found.kind = VERDICT_STRUCTURE;
    } else if (det) {
      seek_zero(a, k->c, p, det, &found);
    }
  }
  if (found.zeros == ZEROS_EVERYWHERE) {
    find_null_combination(a, k->c, p, on_MH, &found);
  }
  return found;
}
