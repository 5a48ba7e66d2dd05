/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks the discrete gradient Df between two points, for f = H (`what` = 0) and f = lambda.g
 * (`what` = 1).
 */
#include <math.h>

#include "common/vectors.h"
#include "linear/sparse.h"
#include "program/verifier.h"

enum { OF_H, OF_G };

/* out = Df, 2d values.  The arrays are filled with NaN first, so that entries that are not
 * written are detected. */
static void discrete(sw_verifier *v, const sw_point *at, const double z[], const double z1[],
                     double out[])
{
  const sw_system *system = v->system;
  const sw_pattern *pattern = &system->discrete_jac_pattern;
  double *jac = v->value[SW_WITNESS_CONSTRAINT_JAC];

  if (v->what == OF_H) {
    sw_fill(out, NAN, (size_t)v->n);
    system->discrete_grad(system, z, z1, at->k, out);
    return;
  }
  sw_fill(jac, NAN, (size_t)pattern->entries);
  system->discrete_jac(system, z, z1, at->k, jac);
  sw_zero(out, (size_t)v->n);
  sw_add_transposed(pattern, jac, at->lambda, out);
}

/* f(z). */
static double value(sw_verifier *v, const sw_point *at, const double z[])
{
  const sw_system *system = v->system;
  double sum = 0.0;

  if (v->what == OF_H) {
    system->hamiltonian(system, z, at->k, &sum);
    return sum;
  }
  double *g = v->value[SW_WITNESS_CONSTRAINT];
  system->constraint(system, z, at->k, g);
  for (int i = 0; i < system->nc; i++) {
    sum += at->lambda[i] * g[i];
  }
  return sum;
}

/* out = grad f(z). */
static void gradient(sw_verifier *v, const sw_point *at, const double z[], double out[])
{
  const sw_system *system = v->system;
  double *jac = v->value[SW_WITNESS_CONSTRAINT_JAC];

  if (v->what == OF_H) {
    system->hamiltonian_grad(system, z, at->k, out);
    return;
  }
  system->constraint_jac(system, z, at->k, jac);
  sw_zero(out, (size_t)v->n);
  sw_add_transposed(&system->constraint_jac_pattern, jac, at->lambda, out);
}

static const sw_pattern *pattern_of_next(const sw_verifier *v)
{
  return v->what == OF_H ? &v->system->discrete_grad_next_pattern
                         : &v->system->discrete_jac_next_pattern;
}

/* dDf/dz1, with NaN for entries that are not written. */
static const double *next(sw_verifier *v, const sw_point *at, const double z1[])
{
  const sw_system *system = v->system;

  sw_fill(v->discrete_next, NAN, (size_t)pattern_of_next(v)->entries);
  if (v->what == OF_H) {
    system->discrete_grad_next(system, at->z, z1, at->k, v->discrete_next);
  } else {
    system->discrete_jac_next(system, at->z, z1, at->k, at->lambda, v->discrete_next);
  }
  return v->discrete_next;
}

/* A random state at a distance of up to `lengths` typical lengths in each entry. */
static double *another(sw_verifier *v, const sw_point *at, double lengths, double out[])
{
  for (int i = 0; i < v->n; i++) {
    out[i] = at->z[i] + lengths * sw_verifier_random(v) * v->length[i];
  }
  return out;
}

/* size[i]: magnitude of the terms of Df_i, including the correction term of the midpoint formula,
 * which sums all entries. */
static void sizes(sw_verifier *v, const sw_point *at, const double z1[], const double Df[],
                  double size[])
{
  const sw_pattern *pattern = pattern_of_next(v);
  const double *a = next(v, at, z1);
  double sum = 0.0;

  for (int i = 0; i < v->n; i++) {
    sum += fabs(Df[i]) * v->length[i];
  }
  for (int i = 0; i < v->n; i++) {
    size[i] = fabs(Df[i]) + sum / v->length[i];
  }
  for (int e = 0; e < pattern->entries; e++) {
    const int j = pattern->col[e];
    size[pattern->row[e]] += fabs(a[e]) * (fabs(at->z[j]) + fabs(z1[j]) + v->length[j]);
  }
}

void sw_check_discrete_difference(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  const double *z1 = another(v, at, 0.25, v->work[0]);
  double *Df = v->work[1];
  double sum = 0.0;
  double size = 0.0;

  discrete(v, at, at->z, z1, Df);
  for (int i = 0; i < v->n; i++) {
    sum += Df[i] * (z1[i] - at->z[i]);
    size += fabs(Df[i]) * (fabs(z1[i]) + fabs(at->z[i]));
  }
  const double last = value(v, at, z1);
  const double first = value(v, at, at->z);
  sw_finding_take(finding, sw_figure(sum - (last - first), size + fabs(last) + fabs(first)),
                  "Df.(z1 - z) is %.17g, f(z1) - f(z) is %.17g (point %d)", sum, last - first,
                  at->number);
}

/* Updates the finding with the distance of a from b, relative to the sizes of Df. */
static void verify_discrete_compare(sw_verifier *v, const sw_point *at, const double a[],
                                    const double b[], const double size[], sw_finding *finding)
{
  for (int i = 0; i < v->n; i++) {
    sw_finding_take(finding, sw_figure(a[i] - b[i], size[i] + fabs(b[i])),
                    "%s: Df is %.17g, expected %.17g (point %d)", sw_verifier_z_name(v, i), a[i],
                    b[i], at->number);
  }
}

void sw_check_discrete_symmetry(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  const double *z1 = another(v, at, 0.25, v->work[0]);

  discrete(v, at, at->z, z1, v->work[1]);
  discrete(v, at, z1, at->z, v->work[2]);
  sizes(v, at, z1, v->work[1], v->work[3]);
  verify_discrete_compare(v, at, v->work[1], v->work[2], v->work[3], finding);
}

/* Uses z1 = z, for which a difference quotient is 0/0, and a z1 so near that a quotient would
 * lose half of its digits.  In both cases Df and grad f at the midpoint differ by the square of
 * the distance. */
void sw_check_discrete_nearby(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  static const double distances[] = {0.0, 1e-8};

  for (int t = 0; t < 2; t++) {
    const double *z1 = another(v, at, distances[t], v->work[0]);
    for (int i = 0; i < v->n; i++) {
      v->work[4][i] = 0.5 * (at->z[i] + z1[i]);
    }
    discrete(v, at, at->z, z1, v->work[1]);
    gradient(v, at, v->work[4], v->work[2]);
    sizes(v, at, z1, v->work[1], v->work[3]);
    verify_discrete_compare(v, at, v->work[1], v->work[2], v->work[3], finding);
  }
}

/* ---- the derivative with respect to z1 ---- */

typedef struct section {
  sw_verifier *v;
  const sw_point *at;
} section;

static void verify_discrete_evaluate(void *context, const double z1[], double out[])
{
  const section *s = context;

  discrete(s->v, s->at, s->at->z, z1, out);
}

void sw_check_discrete_next(sw_verifier *v, const sw_point *at, sw_finding *finding)
{
  section context = {v, at};
  const double *z1 = another(v, at, 0.25, v->work[0]);
  const sw_difference difference = {.evaluate = verify_discrete_evaluate,
                                    .context = &context,
                                    .rows = v->n,
                                    .cols = v->n,
                                    .v = z1,
                                    .length = v->length,
                                    .pattern = pattern_of_next(v),
                                    .value = next(v, at, z1)};

  sw_verifier_compare(v, &difference, 0, at->number, finding);
}
