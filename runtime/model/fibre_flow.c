/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fibre_flow.c -- the numerical fibre flow, step by step.
 *
 * A flow starts with one step of the rule of lowest order.  If that is not accurate to round-off,
 * it tries the next rules, and then steps of half the length, down to 2^-10.  If even these are not
 * accurate enough, the result is NaN and the step of the simulation fails.  A flow depends on its
 * arguments alone.
 */
#include <math.h>
#include <stdlib.h>

#include "linear/sparse.h"
#include "model/numerical_fibre.h"
#include "model/system_plan.h"

/* One step of Gauss-Legendre collocation by fixed-point iteration, and its error estimate.
 *
 * The iteration contracts by theta times the spectral radius of a, with theta = tau |DF|. If it
 * does not contract well, the step is too long for the rule anyway.
 *
 * The error at the end is the integral of the defect times the propagator to the end.  The defect
 * is orthogonal to polynomials of degree below s.  The error is thus about the product of the
 * Legendre coefficients number s of F and of the propagator.  The coefficients of F decay
 * geometrically, and its coefficient s - 1 is known; those of exp(theta t) are (2n+1) (theta/2)^n /
 * (2n+1)!!. For z' = i z this estimate is 10 times the error. */

enum { MOST_ROUNDS = 60 };

/* An estimated error, relative to the size of z, that counts as round-off. */
static const double at_roundoff = 1e-16;
/* Smaller relative changes may consist of rounding errors alone. */
static const double may_stagnate = 1e-13;

/* The right-hand side at stage i, in the rows of an equation. */
typedef struct sw_fibre_equation sw_fibre_equation;
typedef void sw_fibre_field(const sw_fibre_equation *equation, int i, const double x[],
                            double out[]);

struct sw_fibre_equation {
  const sw_system *system;
  const double *k;
  const double *lambda;
  sw_fibre_field *field;
  int autonomous; /* 1 if the field is the same function for all stages */
  int index;      /* index of W_index, or -1 for a column of S */
  int n;          /* number of rows of the equation */
  const int *row; /* n, in increasing order */
};

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

/* One step of x' = field from x0 to x1.  Both have 2d values, of which only the rows of the
 * equation are used.  *error is the estimated error relative to the size of x.  Returns 1 if the
 * stages converged and the error is at round-off; 0 otherwise, or if a value is not finite. */
static int sw_fibre_stages(const sw_fibre_equation *equation, const sw_gauss *rule, double tau,
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

enum { MOST_STEPS = 1024, MOST_TRIALS = 4 * MOST_STEPS };

/* The derivative that is integrated together with the point. */
typedef enum { POINT_ALONE, BY_LAMBDA, BY_Z } derivative;

typedef struct {
  const sw_system *system;
  const double *k;
  const double *lambda;
  derivative follows;
  double error; /* sum of the error estimates of the steps; each is the largest of its equations */
} flow;

/* ---- right-hand sides ---- */

static int is_momentum(const sw_system *system, int row)
{
  return row >= system->nq;
}

static double *stage_values(double *block, int i, const sw_pattern *pattern)
{
  return block + (size_t)i * (size_t)pattern->entries;
}

/* out = F(x).  Leaves Dg in scratch memory. */
static void field(const sw_fibre_equation *equation, int i, const double x[], double out[])
{
  const sw_system *system = equation->system;
  const struct sw_fibre *fibre = system->fibre;
  struct sw_fibre_scratch *work = system->fibre_scratch;
  const sw_pattern *pattern = &system->constraint_jac_pattern;
  double *jac = stage_values(work->jac, i, pattern);

  system->constraint_jac(system, x, equation->k, jac);
  work->counts.evaluations++;
  sw_zero(out, (size_t)fibre->dim);
  for (int e = 0; e < pattern->entries; e++) {
    const int row = fibre->field_row[e];
    const double term = equation->lambda[pattern->row[e]] * jac[e];
    out[row] += is_momentum(system, row) ? -term : term;
  }
}

/* out = DF x, plus X_{g_index} for a derivative by lambda, at stage i of the step. */
static void variation(const sw_fibre_equation *equation, int i, const double x[], double out[])
{
  const sw_system *system = equation->system;
  const struct sw_fibre *fibre = system->fibre;
  const struct sw_fibre_scratch *work = system->fibre_scratch;
  const double *hess = stage_values(work->hess, i, &system->constraint_hess_pattern);
  const double *jac = stage_values(work->jac, i, &system->constraint_jac_pattern);

  for (int r = 0; r < equation->n; r++) {
    out[equation->row[r]] = 0.0;
  }
  for (int r = 0; r < equation->n; r++) {
    const int c = equation->row[r];
    for (int t = fibre->slope_start[c]; t < fibre->slope_start[c + 1]; t++) {
      const int row = fibre->slope_row[t];
      const double term = hess[fibre->slope_entry[t]] * x[c];
      out[row] += is_momentum(system, row) ? -term : term;
    }
  }
  const int *jac_start = system->plan->jac_start;
  for (int e = equation->index < 0 ? 0 : jac_start[equation->index];
       equation->index >= 0 && e < jac_start[equation->index + 1]; e++) {
    const int row = fibre->field_row[e];
    out[row] += is_momentum(system, row) ? -jac[e] : jac[e];
  }
}

/* ---- one step ---- */

/* Evaluates Dg and Hess(lambda . g) at the stages of the point's step, for the variational
 * equations. */
static void evaluate_stages(const flow *at, const sw_gauss *rule)
{
  const sw_system *system = at->system;
  const struct sw_fibre *fibre = system->fibre;
  struct sw_fibre_scratch *work = system->fibre_scratch;

  for (int i = 0; i < rule->stages; i++) {
    const double *D = work->D + (size_t)i * (size_t)fibre->dim;
    for (int j = 0; j < fibre->dim; j++) {
      work->stage[j] = work->at[j] + D[j];
    }
    system->constraint_jac(system, work->stage, at->k,
                           stage_values(work->jac, i, &system->constraint_jac_pattern));
    system->constraint_hess(system, work->stage, at->k, at->lambda,
                            stage_values(work->hess, i, &system->constraint_hess_pattern));
    work->counts.evaluations += 2;
  }
}

/* Integrates all columns of the derivative from values to next_values. */
static int try_columns(const flow *at, const sw_gauss *rule, double tau, double *error)
{
  const struct sw_fibre *fibre = at->system->fibre;
  struct sw_fibre_scratch *work = at->system->fibre_scratch;
  const int of_lambda = at->follows == BY_LAMBDA;
  const sw_fibre_columns *columns = of_lambda ? &fibre->lambda_columns : &fibre->z_columns;
  const int n = of_lambda ? at->system->nc : fibre->dim;

  evaluate_stages(at, rule);
  for (int c = 0; c < n; c++) {
    const int from = columns->start[c];
    const int *row = columns->row + from;
    const sw_fibre_equation equation = {.system = at->system,
                                        .k = at->k,
                                        .lambda = at->lambda,
                                        .field = variation,
                                        .index = of_lambda ? c : -1,
                                        .n = columns->start[c + 1] - from,
                                        .row = row};
    double own = 0.0;
    for (int r = 0; r < equation.n; r++) {
      work->column[row[r]] = work->values[columns->entry[from + r]];
    }
    if (!sw_fibre_stages(&equation, rule, tau, work->column, work->column_end, &own)) {
      return 0;
    }
    for (int r = 0; r < equation.n; r++) {
      work->next_values[columns->entry[from + r]] = work->column_end[row[r]];
    }
    *error = fmax(*error, own);
  }
  return 1;
}

static int fibre_flow_try_step(const flow *at, const sw_gauss *rule, double tau, double *error)
{
  const sw_system *system = at->system;
  const struct sw_fibre *fibre = system->fibre;
  struct sw_fibre_scratch *work = system->fibre_scratch;
  const sw_fibre_equation equation = {.system = system,
                                      .k = at->k,
                                      .lambda = at->lambda,
                                      .field = field,
                                      .autonomous = 1,
                                      .index = -1,
                                      .n = fibre->dim,
                                      .row = fibre->all_rows};

  return sw_fibre_stages(&equation, rule, tau, work->at, work->next, error) &&
         (at->follows == POINT_ALONE || try_columns(at, rule, tau, error));
}

static void swap(double **a, double **b)
{
  double *kept = *a;

  *a = *b;
  *b = kept;
}

/* ---- all steps ---- */

/* Evaluates the Hessian at the start of a step, which the estimate of F's rounding needs. */
static void begin_step(const flow *at)
{
  const sw_system *system = at->system;
  struct sw_fibre_scratch *work = system->fibre_scratch;
  const sw_pattern *pattern = &system->constraint_hess_pattern;

  system->constraint_hess(system, work->at, at->k, at->lambda,
                          stage_values(work->hess, SW_GAUSS_STAGES, pattern));
  work->counts.evaluations++;
}

/* Returns 1 if a step of twice the length is aligned, ends by t = 1 and is accurate enough: its
 * error is 2^(2s+1) times as large. */
static int may_double(const sw_gauss *rule, double t, double tau, double error)
{
  return t + 2.0 * tau <= 1.0 && fmod(t, 2.0 * tau) == 0.0 &&
         ldexp(error, 2 * rule->stages + 4) <= 1e-16;
}

/* Integrates from work->at over unit time, with the derivative in work->values.  Returns 0 on
 * failure. */
static int fibre_flow_integrate(flow *at)
{
  const struct sw_fibre *fibre = at->system->fibre;
  struct sw_fibre_scratch *work = at->system->fibre_scratch;
  double t = 0.0;
  double tau = 1.0;
  int rule = 0;

  begin_step(at);
  for (int trial = 0; trial < MOST_TRIALS && tau * MOST_STEPS >= 1.0; trial++) {
    double error = 0.0;
    if (!fibre_flow_try_step(at, &fibre->rule[rule], tau, &error)) {
      if (rule + 1 < SW_FIBRE_RULES) {
        rule++;
      } else {
        tau *= 0.5;
      }
      continue;
    }
    swap(&work->at, &work->next);
    swap(&work->values, &work->next_values);
    at->error += error;
    work->counts.steps++;
    t += tau;
    if (t == 1.0) {
      return 1;
    }
    begin_step(at);
    tau = may_double(&fibre->rule[rule], t, tau, error) ? 2.0 * tau : tau;
  }
  return 0;
}

/* Sets the initial values, z and 1 or 0 for the derivative, and integrates. */
static int fibre_flow_run(const sw_system *system, const double z[], const double k[],
                          const double lambda[], derivative follows)
{
  const struct sw_fibre *fibre = system->fibre;
  struct sw_fibre_scratch *work = system->fibre_scratch;
  flow at = {system, k, lambda, follows, 0.0};

  sw_copy(work->at, z, (size_t)fibre->dim);
  if (follows == BY_LAMBDA) {
    sw_zero(work->values, (size_t)fibre->by_lambda.entries);
  }
  for (int e = 0; follows == BY_Z && e < fibre->by_z.entries; e++) {
    work->values[e] = fibre->by_z.row[e] == fibre->by_z.col[e] ? 1.0 : 0.0;
  }
  work->counts.flows++;
  if (!fibre_flow_integrate(&at)) {
    return 0;
  }
  work->counts.error = fmax(work->counts.error, at.error);
  return 1;
}

/* ---- the functions of a system ---- */

static void hand_out(int good, const double from[], int n, double out[])
{
  for (int i = 0; i < n; i++) {
    out[i] = good ? from[i] : (double)NAN;
  }
}

static void fibre_flow(const sw_system *system, const double z[], const double k[],
                       const double lambda[], double out[])
{
  const int good = fibre_flow_run(system, z, k, lambda, POINT_ALONE);

  hand_out(good, system->fibre_scratch->at, system->fibre->dim, out);
}

static void fibre_flow_fibre_flow_lambda(const sw_system *system, const double z[],
                                         const double k[], const double lambda[], double out[])
{
  const struct sw_fibre *fibre = system->fibre;
  struct sw_fibre_scratch *work = system->fibre_scratch;
  const sw_pattern *pattern = &system->constraint_jac_pattern;
  const int commuting = system->model->structure.commuting;
  const int good = fibre_flow_run(system, z, k, lambda, commuting ? POINT_ALONE : BY_LAMBDA);

  if (good && commuting) {
    system->constraint_jac(system, work->at, k, work->jac);
    work->counts.evaluations++;
    for (int e = 0; e < pattern->entries; e++) {
      const int sign = is_momentum(system, fibre->field_row[e]) ? -1 : 1;
      work->values[fibre->field_place[e]] = sign * work->jac[e];
    }
  }
  hand_out(good, work->values, fibre->by_lambda.entries, out);
}

static void fibre_flow_z(const sw_system *system, const double z[], const double k[],
                         const double lambda[], double out[])
{
  const int good = fibre_flow_run(system, z, k, lambda, BY_Z);

  hand_out(good, system->fibre_scratch->values, system->fibre->by_z.entries, out);
}

sw_status sw_fibre_install(sw_system *system)
{
  if (system->fibre) {
    return SW_OK;
  }
  const sw_status status = sw_fibre_plan(system, &system->fibre);
  if (status != SW_OK) {
    return status;
  }
  struct sw_fibre *fibre = system->fibre;
  system->fibre_scratch = sw_fibre_scratch_create(system);
  if (!system->fibre_scratch) {
    sw_fibre_plan_free(fibre);
    system->fibre = NULL;
    return SW_ERR_MEMORY;
  }
  fibre->replaced_by_lambda = system->fibre_flow_lambda_pattern;
  fibre->replaced_by_z = system->fibre_flow_z_pattern;
  system->fibre_flow_lambda_pattern = fibre->by_lambda;
  system->fibre_flow_z_pattern = fibre->by_z;
  system->fibre_flow = fibre_flow;
  system->fibre_flow_lambda = fibre_flow_fibre_flow_lambda;
  system->fibre_flow_z = fibre_flow_z;
  if (!system->model->structure.holonomic) {
    system->fibre_increment = NULL; /* the errors of an integral are relative to z */
  }
  return SW_OK;
}

void sw_fibre_remove(sw_system *system)
{
  if (!system->fibre) {
    return;
  }
  system->fibre_flow_lambda_pattern = system->fibre->replaced_by_lambda;
  system->fibre_flow_z_pattern = system->fibre->replaced_by_z;
  sw_fibre_plan_free(system->fibre);
  free(system->fibre_scratch);
  system->fibre = NULL;
  system->fibre_scratch = NULL;
}
