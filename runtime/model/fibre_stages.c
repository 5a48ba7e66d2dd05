/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fibre_stages.c -- one step of Gauss-Legendre collocation by fixed-point iteration, and its error
 * estimate.
 *
 * The iteration contracts by theta times the spectral radius of a, with theta = tau |DF|. If it
 * does not contract well, the step is too long for the rule anyway.
 *
 * The error at the end is the integral of the defect times the propagator to the end.  The defect
 * is orthogonal to polynomials of degree below s.  The error is thus about the product of the
 * Legendre coefficients number s of F and of the propagator.  The coefficients of F decay
 * geometrically, and its coefficient s - 1 is known; those of exp(theta t) are (2n+1) (theta/2)^n /
 * (2n+1)!!. For z' = i z this estimate is 10 times the error.
 */
#include <math.h>

#include "linear/sparse.h"
#include "model/numerical_fibre.h"

enum { MOST_ROUNDS = 60 };

/* An estimated error, relative to the size of z, that counts as round-off. */
static const double at_roundoff = 1e-16;
/* Smaller relative changes may consist of rounding errors alone. */
static const double may_stagnate = 1e-13;

/* The largest entries of a vector among q and among p, which have different units. */
typedef struct {
  double q;
  double p;
} sizes;

static void take(const sw_fibre_equation *equation, sizes *size, int row, double value)
{
  double *of = row < equation->system->nq ? &size->q : &size->p;

  /* fmax would ignore NaN. */
  if (!(fabs(value) <= *of)) {
    *of = fabs(value);
  }
}

static double relative(sizes change, sizes size)
{
  const double q = change.q == 0.0 ? 0.0 : change.q / size.q;
  const double p = change.p == 0.0 ? 0.0 : change.p / size.p;

  return q >= p || isnan(q) ? q : p;
}

static double *row_of(double *block, const sw_fibre_equation *equation, int i)
{
  return block + (size_t)i * (size_t)equation->system->fibre->dim;
}

/* The largest theta for which a rule is used: its error for z' = i z is then round-off. */
static double longest(const sw_gauss *rule)
{
  return rule->stages <= 4 ? 0.3 : rule->stages <= 8 ? 1.8 : 4.0;
}

/* Raises *size to the entries of x, and to the terms of F before they cancel, which determine
 * rounding: tau sum_j |DF_ij x_j|. */
static void take_terms(const sw_fibre_equation *equation, double tau, const double x[], sizes *size)
{
  const struct sw_fibre *fibre = equation->system->fibre;
  const struct sw_fibre_scratch *work = equation->system->fibre_scratch;
  const int entries = equation->system->constraint_hess_pattern.entries;
  const double *hess = work->hess + (size_t)SW_GAUSS_STAGES * (size_t)entries;

  sw_zero(work->floor, (size_t)fibre->dim);
  for (int i = 0; i < equation->n; i++) {
    const int c = equation->row[i];
    take(equation, size, c, x[c]);
    for (int t = fibre->slope_start[c]; t < fibre->slope_start[c + 1]; t++) {
      work->floor[fibre->slope_row[t]] += tau * fabs(hess[fibre->slope_entry[t]] * x[c]);
    }
  }
  for (int i = 0; i < equation->n; i++) {
    take(equation, size, equation->row[i], work->floor[equation->row[i]]);
  }
}

static void first_fields(const sw_fibre_equation *equation, const sw_gauss *rule, const double x0[])
{
  struct sw_fibre_scratch *work = equation->system->fibre_scratch;

  for (int i = 0; i < rule->stages; i++) {
    double *F = row_of(work->F, equation, i);
    for (int j = 0; j < equation->n; j++) {
      row_of(work->D, equation, i)[equation->row[j]] = 0.0;
      F[equation->row[j]] = work->F[equation->row[j]];
    }
    if (i == 0 || !equation->autonomous) {
      equation->field(equation, i, x0, F);
    }
  }
}

/* D = tau a F. Returns the largest change relative to *size, which is raised to D. */
static double move_stages(const sw_fibre_equation *equation, const sw_gauss *rule, double tau,
                          sizes *size)
{
  struct sw_fibre_scratch *work = equation->system->fibre_scratch;
  sizes change = {0.0, 0.0};

  for (int r = 0; r < equation->n; r++) {
    const int row = equation->row[r];
    for (int i = 0; i < rule->stages; i++) {
      double sum = 0.0;
      for (int j = 0; j < rule->stages; j++) {
        sum += rule->a[i][j] * row_of(work->F, equation, j)[row];
      }
      double *D = &row_of(work->D, equation, i)[row];
      take(equation, &change, row, tau * sum - *D);
      *D = tau * sum;
      take(equation, size, row, *D);
    }
  }
  return relative(change, *size);
}

static void fields(const sw_fibre_equation *equation, const sw_gauss *rule, const double x0[])
{
  struct sw_fibre_scratch *work = equation->system->fibre_scratch;

  for (int i = 0; i < rule->stages; i++) {
    const double *D = row_of(work->D, equation, i);
    for (int r = 0; r < equation->n; r++) {
      work->stage[equation->row[r]] = x0[equation->row[r]] + D[equation->row[r]];
    }
    equation->field(equation, i, work->stage, row_of(work->F, equation, i));
  }
}

/* Estimates tau |DF| from a change and the change two rounds before.  Their ratio is theta^2 /
 * (round (round + 1)) while the iteration builds up the series of exp(theta), and (theta radius)^2
 * in the end.  Consecutive changes are unsuitable: one may be small if q drives p and p drives
 * q. */
static double length_of(const sw_gauss *rule, int round, double change, double before)
{
  const double shrink = 1.0 / ((double)round * (round + 1.0));

  return sqrt(change / before / fmax(shrink, rule->radius * rule->radius));
}

/* Returns 1 if the stages converged; *theta is then tau |DF|. */
static int fibre_stages_iterate(const sw_fibre_equation *equation, const sw_gauss *rule, double tau,
                                const double x0[], sizes *size, double *theta)
{
  struct sw_fibre_scratch *work = equation->system->fibre_scratch;
  double before[2] = {0.0, 0.0};

  first_fields(equation, rule, x0);
  *theta = 0.0;
  for (int round = 0; round < MOST_ROUNDS; round++) {
    const double change = move_stages(equation, rule, tau, size);
    if (round == 0) {
      take_terms(equation, tau, row_of(work->D, equation, rule->stages - 1), size);
    }
    if (!isfinite(change)) {
      return 0;
    }
    if (round > 1 && before[1] > may_stagnate) {
      *theta = fmax(*theta, length_of(rule, round, change, before[1]));
      if (*theta > longest(rule)) {
        return 0;
      }
    }
    const double rate = *theta * fmax(rule->radius, 1.0 / (round + 2.0));
    const int small = round > 1 && rate * fmax(change, rate * before[0]) <= 2e-17;
    const int stagnant = round > 1 && change <= may_stagnate && change >= 0.5 * before[1];
    if (change == 0.0 || small || stagnant) {
      return 1;
    }
    before[1] = before[0];
    before[0] = change;
    fields(equation, rule, x0);
  }
  return 0;
}

/* The error estimate explained at the head of this file. */
static double fibre_stages_estimate(const sw_fibre_equation *equation, const sw_gauss *rule,
                                    double tau, sizes size, double theta)
{
  struct sw_fibre_scratch *work = equation->system->fibre_scratch;
  const int s = rule->stages;
  sizes whole = {0.0, 0.0};
  sizes last[2] = {{0.0, 0.0}, {0.0, 0.0}};

  for (int r = 0; r < equation->n; r++) {
    const int row = equation->row[r];
    double sum[2] = {0.0, 0.0};
    for (int j = 0; j < s; j++) {
      const double F = tau * row_of(work->F, equation, j)[row];
      take(equation, &whole, row, F);
      sum[0] += rule->last[0][j] * F;
      sum[1] += rule->last[1][j] * F;
    }
    take(equation, &last[0], row, sum[0]);
    take(equation, &last[1], row, sum[1]);
  }
  const double F = relative(whole, size);
  /* In an even or odd series every other coefficient is 0, so the coefficient before the last
   * counts as well. */
  const double from_last_but_one = relative(last[1], size) * fmax(0.02, theta / (2.0 * s));
  const double coefficient = fmax(relative(last[0], size), from_last_but_one);
  if (!isfinite(F) || !isfinite(coefficient) || F == 0.0) {
    return F == 0.0 ? 0.0 : (double)NAN;
  }
  const double field = coefficient / F;
  const double field_next = field * fmax(theta / (4.0 * s), pow(field, 1.0 / (s - 1.0)));
  double propagator = 1.0;
  for (int n = 1; n <= s; n++) {
    propagator *= 0.5 * theta / (2.0 * n + 1.0);
  }
  propagator *= 2.0 * s + 1.0;
  return F * field_next * fmax(propagator, field_next) / (2.0 * s + 1.0);
}

int sw_fibre_stages(const sw_fibre_equation *equation, const sw_gauss *rule, double tau,
                    const double x0[], double x1[], double *error)
{
  struct sw_fibre_scratch *work = equation->system->fibre_scratch;
  sizes size = {0.0, 0.0};
  double theta = 0.0;

  take_terms(equation, tau, x0, &size);
  if (!fibre_stages_iterate(equation, rule, tau, x0, &size, &theta)) {
    return 0;
  }
  for (int r = 0; r < equation->n; r++) {
    const int row = equation->row[r];
    double sum = 0.0;
    for (int j = 0; j < rule->stages; j++) {
      sum += rule->b[j] * row_of(work->F, equation, j)[row];
    }
    x1[row] = x0[row] + tau * sum;
  }
  *error = fibre_stages_estimate(equation, rule, tau, size, theta);
  return *error <= at_roundoff;
}
