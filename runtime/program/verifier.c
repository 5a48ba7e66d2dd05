/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/verifier.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks/model_check.h"
#include "common/carver.h"
#include "common/random.h"
#include "common/vectors.h"
#include "sim/sim_internal.h"

/* Reserves count + 1 values, so that no array is empty. */
static double *verifier_carve(sw_carver *c, int count)
{
  return sw_carve(c, 1, (size_t)count + 1);
}

static void carve_all(sw_verifier *v, sw_carver *c)
{
  const sw_system *s = v->system;
  int work = v->n > s->nc ? v->n : s->nc;
  work = work > s->n_invariant ? work : s->n_invariant;
  for (int i = 0; i < 2 * v->options.points; i++) {
    v->near[i].z = verifier_carve(c, v->n);
    v->near[i].k = verifier_carve(c, s->nk);
    v->near[i].lambda = verifier_carve(c, s->nc);
  }
  for (int what = 0; what < SW_OUTPUTS; what++) {
    v->value[what] = verifier_carve(c, v->output[what].count);
  }
  for (int i = 0; i < SW_WORK; i++) {
    v->work[i] = verifier_carve(c, work);
  }
  const int of_H = s->discrete_grad_next_pattern.entries;
  const int of_g = s->discrete_jac_next_pattern.entries;
  v->discrete_next = verifier_carve(c, of_H > of_g ? of_H : of_g);
  v->hidden_terms = verifier_carve(c, s->hidden_jac_pattern.entries);
  v->length = verifier_carve(c, v->n);
  v->first_hess = verifier_carve(c, v->output[SW_WITNESS_HAMILTONIAN_HESS].count);
  v->k_default = verifier_carve(c, s->nk);
}

static int verifier_allocate(sw_verifier *v)
{
  sw_carver counted = {.block = NULL};
  v->near = calloc(2 * (size_t)v->options.points, sizeof *v->near);
  if (v->near == NULL) {
    return 0;
  }
  v->on = v->near + v->options.points;
  carve_all(v, &counted);
  v->block = counted.overflow ? NULL : calloc(counted.used, 1);
  if (v->block != NULL) {
    carve_all(v, &(sw_carver){.block = v->block});
  }
  return v->block != NULL;
}

double sw_verifier_random(sw_verifier *verifier)
{
  return sw_random(&verifier->random);
}

int sw_verifier_init(sw_verifier *verifier, sw_system *system, const sw_verify_options *options)
{
  *verifier = (sw_verifier){
      .system = system, .options = *options, .random = options->seed, .n = 2 * system->nq};
  for (int kind = 0; kind <= SW_INVARIANT; kind++) {
    verifier->names[kind] = sw_system_names(system, (sw_name_kind)kind);
    if (verifier->names[kind] == NULL) {
      return 0;
    }
  }
  for (int what = 0; what < SW_OUTPUTS; what++) {
    verifier->output[what] = sw_output_of(system, what);
  }
  if (!verifier_allocate(verifier)) {
    return 0;
  }
  sw_copy(verifier->k_default, system->k_default, (size_t)system->nk);
  return 1;
}

void sw_verifier_clear(sw_verifier *verifier)
{
  for (int kind = 0; kind <= SW_INVARIANT; kind++) {
    free(verifier->names[kind]);
  }
  free(verifier->near);
  free(verifier->block);
  *verifier = (sw_verifier){.system = NULL};
}

double *sw_verifier_value(sw_verifier *v, int what, const sw_point *at)
{
  sw_output_evaluate(v->system, &v->output[what], at->z, at->k, at->lambda, NAN, v->value[what]);
  return v->value[what];
}

static void verifier_multiply(int rows, int entries, const int row[], const int col[],
                              const double a[], const double x[], double y[], double size[])
{
  sw_zero(y, (size_t)rows);
  sw_zero(size, (size_t)rows);
  for (int e = 0; e < entries; e++) {
    const double term = a[e] * x[col[e]];
    y[row[e]] += term;
    size[row[e]] += fabs(term);
  }
}

void sw_verifier_multiply(const sw_verifier *v, int what, const double x[], double y[],
                          double size[])
{
  const sw_pattern *p = v->output[what].pattern;
  verifier_multiply(p->rows, p->entries, p->row, p->col, v->value[what], x, y, size);
}

void sw_verifier_multiply_transposed(const sw_verifier *v, int what, const double x[], double y[],
                                     double size[])
{
  const sw_pattern *p = v->output[what].pattern;
  verifier_multiply(p->cols, p->entries, p->col, p->row, v->value[what], x, y, size);
}

void sw_add_sizes(const sw_pattern *lower, const double A[], const double x[], double sizes[])
{
  for (int e = 0; e < lower->entries; e++) {
    const int row = lower->row[e];
    const int col = lower->col[e];
    sizes[row] += fabs(A[e] * x[col]);
    sizes[col] += row != col ? fabs(A[e] * x[row]) : 0.0;
  }
}

void sw_verifier_add_sizes(const sw_verifier *v, int what, const double x[], double sizes[])
{
  sw_add_sizes(v->output[what].pattern, v->value[what], x, sizes);
}

void sw_verifier_spread_row(const sw_verifier *v, int what, int row, int *next, double x[])
{
  const sw_pattern *pattern = v->output[what].pattern;
  sw_zero(x, (size_t)pattern->cols);
  for (; *next < pattern->entries && pattern->row[*next] == row; ++*next) {
    x[pattern->col[*next]] = v->value[what][*next];
  }
}

void sw_verifier_field(const sw_verifier *v, const double gradient[], double field[])
{
  const int d = v->system->nq;
  for (int i = 0; i < d; i++) {
    field[i] = gradient[i + d];
    field[i + d] = -gradient[i];
  }
}

void sw_verifier_contract_hidden(sw_verifier *v, const sw_point *at, double field[], double rho[],
                                 double size[])
{
  sw_verifier_value(v, SW_WITNESS_CONSTRAINT_JAC, at);
  sw_verifier_field(v, sw_verifier_value(v, SW_WITNESS_HAMILTONIAN_GRAD, at), field);
  sw_verifier_multiply(v, SW_WITNESS_CONSTRAINT_JAC, field, rho, size);
}

const char *sw_verifier_z_name(const sw_verifier *verifier, int i)
{
  int d = verifier->system->nq;
  return i < d ? verifier->names[SW_Q][i] : verifier->names[SW_P][i - d];
}

/* ---- findings ---- */

double sw_figure(double error, double size)
{
  return error == 0.0 ? 0.0 : fabs(error) / size;
}

static void set_note(sw_finding *finding, const char *format, va_list arguments)
{
  vsnprintf(finding->note, sizeof finding->note, format, arguments);
}

void sw_finding_take(sw_finding *finding, double figure, const char *format, ...)
{
  if (isnan(finding->worst) || figure <= finding->worst) {
    return;
  }
  finding->worst = figure;
  if (figure <= finding->tolerance) {
    return;
  }
  va_list arguments;
  va_start(arguments, format);
  set_note(finding, format, arguments);
  va_end(arguments);
}

void sw_finding_take_state(sw_finding *finding, const sw_verifier *v, const double a[],
                           const double b[], const char *what, int point)
{
  for (int i = 0; i < v->n; i++) {
    sw_finding_take(finding, sw_figure(a[i] - b[i], fabs(b[i]) + v->length[i]),
                    "%s: %s is %.17g, expected %.17g (point %d)", what, sw_verifier_z_name(v, i),
                    a[i], b[i], point);
  }
}

void sw_verifier_compare(const sw_verifier *v, const sw_difference *of, int by_lambda, int point,
                         sw_finding *finding)
{
  sw_difference_worst worst;
  if (sw_difference_compare(of, &worst) != SW_OK) {
    sw_finding_say(finding, SW_CHECK_FAIL, "out of memory");
    return;
  }
  sw_finding_take(finding, worst.figure,
                  "row %d, column %s: %.17g generated, %.17g by differences (point %d)", worst.row,
                  by_lambda ? v->names[SW_C][worst.col] : sw_verifier_z_name(v, worst.col),
                  worst.generated, worst.difference, point);
}

void sw_finding_say(sw_finding *finding, sw_outcome outcome, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  set_note(finding, format, arguments);
  va_end(arguments);
  finding->outcome = outcome;
}

/* ---- the choice of the points ---- */

/*
 * Chooses the points at which `verify` evaluates a model: near M, and on M^H.
 */

/* LARGEST_PROJECTION: with more unknowns the projection takes too long, so the initial states
 * themselves serve as points of M^H. */
enum { LARGEST_PROJECTION = 6000, HALVINGS = 8 };

static void initial_state(sw_system *system, int point, const double k[], double z[])
{
  sw_zero(z, 2 * (size_t)system->nq);
  if (system->n_init > 0) {
    sw_system_init(system, point % system->n_init, k, z);
  }
}

/* Sets the lengths to the largest position and the largest momentum of all initial states, or to
 * 1 if that is zero. */
static void choose_lengths(sw_verifier *v)
{
  int d = v->system->nq;
  double largest[2] = {0.0, 0.0};
  for (int s = 0; s == 0 || s < v->system->n_init; s++) {
    initial_state(v->system, s, v->system->k_default, v->work[0]);
    for (int i = 0; i < v->n; i++) {
      if (isfinite(v->work[0][i])) {
        largest[i / d] = fmax(largest[i / d], fabs(v->work[0][i]));
      }
    }
  }
  for (int i = 0; i < v->n; i++) {
    v->length[i] = largest[i / d] > 0.0 ? largest[i / d] : 1.0;
  }
}

/* Returns a value at the distance `by` from `from`, on either side.  Halves the distance until
 * the value is within the bounds. */
static double moved(double from, double by, sw_bounds bounds)
{
  for (int i = 0; i < HALVINGS; i++, by /= 2.0) {
    if (from + by > bounds.lower && from + by < bounds.upper) {
      return from + by;
    }
    if (from - by > bounds.lower && from - by < bounds.upper) {
      return from - by;
    }
  }
  return from;
}

/* At every other point, changes each parameter independently by up to 5 % (by up to 0.05 if it is
 * zero), within its bounds. */
static void choose_parameters(sw_verifier *v, int point, double k[])
{
  sw_system *system = v->system;
  for (int i = 0; i < system->nk; i++) {
    double from = system->k_default[i];
    double by = 0.05 * (from != 0.0 ? fabs(from) : 1.0) * sw_verifier_random(v);
    k[i] = point % 2 == 1 ? moved(from, by, sw_system_bounds(system, i)) : from;
  }
}

static void set_defaults(const sw_verifier *v, double k[])
{
  sw_copy(k, v->system->k_default, (size_t)v->system->nk);
}

/* 1 if H, its gradient, g and rho are finite. */
static int defined(sw_verifier *v, const sw_point *at)
{
  static const int whats[] = {SW_WITNESS_HAMILTONIAN, SW_WITNESS_HAMILTONIAN_GRAD,
                              SW_WITNESS_CONSTRAINT, SW_WITNESS_HIDDEN};
  int finite = 1;
  for (int i = 0; i < (v->system->nc > 0 ? 4 : 2); i++) {
    const double *value = sw_verifier_value(v, whats[i], at);
    finite = finite && isfinite(sw_max_abs((size_t)v->output[whats[i]].count, value));
  }
  return finite;
}

static void perturb(sw_verifier *v, const double start[], double amount, double z[])
{
  for (int i = 0; i < v->n; i++) {
    z[i] = start[i] + amount * v->length[i] * sw_verifier_random(v);
  }
}

/* Chooses lambda_i such that it moves no entry of z by more than 0.3 of its length along X_{g_i}
 * = (g_i,p, -g_i,q). */
static void choose_lambda(sw_verifier *v, const sw_point *at)
{
  sw_system *system = v->system;
  const sw_pattern *pattern = &system->constraint_jac_pattern;
  double *speed = v->work[1];
  int d = system->nq;
  if (system->nc == 0) {
    return;
  }
  const double *jacobian = sw_verifier_value(v, SW_WITNESS_CONSTRAINT_JAC, at);
  sw_zero(speed, (size_t)system->nc);
  for (int e = 0; e < pattern->entries; e++) {
    int moved = pattern->col[e] < d ? pattern->col[e] + d : pattern->col[e] - d;
    double relative = fabs(jacobian[e]) / v->length[moved];
    if (relative > speed[pattern->row[e]]) {
      speed[pattern->row[e]] = relative;
    }
  }
  for (int i = 0; i < system->nc; i++) {
    double u = sw_verifier_random(v);
    double part = 0.5 * (u + copysign(1.0, u));
    at->lambda[i] = 0.3 * part / (speed[i] > 0.0 && isfinite(speed[i]) ? speed[i] : 1.0);
  }
}

/* Chooses a point near the initial state at which the model is defined.  Returns 0 if none is
 * found. */
static int choose_state(sw_verifier *v, const sw_point *at)
{
  double amount = 0.1;
  initial_state(v->system, at->number, at->k, v->work[0]);
  for (int i = 0; i < HALVINGS; i++, amount /= 2.0) {
    perturb(v, v->work[0], amount, at->z);
    if (defined(v, at)) {
      return 1;
    }
  }
  return 0;
}

static void choose_near(sw_verifier *v, const sw_point *at)
{
  choose_parameters(v, at->number, at->k);
  if (!choose_state(v, at)) {
    /* Some parameters cannot be changed: q^n with q < 0 allows n = 4 but not 4.1. */
    set_defaults(v, at->k);
    (void)choose_state(v, at);
  }
  choose_lambda(v, at);
}

/* 1 if each |f_i| relative to its scale is within the tolerance that a simulation requires. */
static int verify_points_is_zero(sw_verifier *v, int f, int scale, const sw_point *at)
{
  const double *value = sw_verifier_value(v, f, at);
  const double *scales = sw_verifier_value(v, scale, at);
  for (int i = 0; i < v->system->nc; i++) {
    if (!(fabs(value[i]) <= SW_STATE_TOLERANCE * scales[i])) {
      return 0;
    }
  }
  return 1;
}

/* 1 if z is on M^H. */
static int is_on(sw_verifier *v, const sw_point *at)
{
  return defined(v, at) &&
         (v->system->nc == 0 ||
          (verify_points_is_zero(v, SW_WITNESS_CONSTRAINT, SW_OUTPUT_CONSTRAINT_SCALE, at) &&
           verify_points_is_zero(v, SW_WITNESS_HIDDEN, SW_OUTPUT_HIDDEN_SCALE, at)));
}

/* Sets z to a point of M^H: the projection of a random point near initial state `number`.  If the
 * projection fails, tries nearer points, and finally the initial state itself.  Returns 0 if none
 * is reached. */
static int choose_on(sw_verifier *v, sw_sim *sim, int number, const sw_point *at)
{
  double amount = v->n + v->system->nc > LARGEST_PROJECTION ? 0.0 : 0.05;
  if (sw_sim_set_parameters(sim, at->k) != SW_OK) {
    return 0;
  }
  initial_state(v->system, number, at->k, v->work[0]);
  for (int i = 0; i <= HALVINGS; i++) {
    double used = i < HALVINGS ? amount : 0.0;
    perturb(v, v->work[0], used, at->z);
    if (used == 0.0 && is_on(v, at)) {
      return 1;
    }
    if (sw_sim_set_state(sim, 0.0, at->z) == SW_OK && sw_sim_project(sim) == SW_OK) {
      sw_copy(at->z, sw_sim_state(sim), (size_t)v->n);
      return 1;
    }
    amount = used / 2.0;
  }
  return 0;
}

/* 1 if the brackets are small relative to the gradients, as in the test of the runtime. */
static int is_coisotropic(sw_verifier *v, const sw_point *at)
{
  sw_finding finding = {.worst = -1.0, .tolerance = SW_COISOTROPIC};
  if (v->output[SW_WITNESS_COISOTROPY].count > 0) {
    sw_check_coisotropic(v, at, &finding);
  }
  return finding.worst <= finding.tolerance;
}

/* Chooses a point of M^H and its parameters.  Uses random parameters if M^H is reached with them
 * and the constraints are coisotropic; else the defaults. */
static int choose_on_with_parameters(sw_verifier *v, sw_sim *sim, int number, const sw_point *at)
{
  choose_parameters(v, number, at->k);
  if (number % 2 == 1 && choose_on(v, sim, number, at)) {
    if (is_coisotropic(v, at)) {
      return 1;
    }
    v->second_class = 1;
  }
  set_defaults(v, at->k);
  return choose_on(v, sim, number, at);
}

/* "drop" if N is singular at the first initial state.  If the test fails, the choice is "error"
 * and the steps report the problem. */
static const char *choose_redundant(sw_verifier *v)
{
  sw_system *system = v->system;
  sw_check check;

  initial_state(system, 0, system->k_default, v->work[0]);
  const sw_status status = sw_system_check(system, NULL, v->work[0], &check);
  return status == SW_OK && isinf(check.condition) ? "drop" : "error";
}

int sw_verifier_has_defaults(const sw_verifier *v, const sw_point *at)
{
  const size_t nk = (size_t)v->system->nk;
  return nk == 0 || memcmp(at->k, v->system->k_default, nk * sizeof *at->k) == 0;
}

int sw_verifier_choose_points(sw_verifier *v)
{
  sw_sim *sim = NULL;
  choose_lengths(v);
  v->redundant = choose_redundant(v);
  for (int i = 0; i < v->options.points; i++) {
    v->near[i].number = i;
    choose_near(v, &v->near[i]);
  }
  sw_status status = sw_sim_create_on(v->system, NULL, &sim);
  for (int i = 0; status == SW_OK && i < v->options.points; i++) {
    sw_point *at = &v->on[v->reached];
    if (choose_on_with_parameters(v, sim, i, at)) {
      choose_lambda(v, at);
      at->number = v->reached++;
    }
  }
  sw_sim_free(&sim);
  return status != SW_ERR_MEMORY;
}
