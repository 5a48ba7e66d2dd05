/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/verifier.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/check.h"
#include "sim_internal.h"

/* Above this number of unknowns the projection takes too long, and the initial states
 * themselves are the points of M^H. */
enum { LARGEST_PROJECTION = 6000, HALVINGS = 8 };

/* An array to be carved out of the block. */
typedef struct carving {
  double **where;
  size_t count;
} carving;

static size_t larger(size_t a, size_t b)
{
  return a > b ? a : b;
}

static int carve(sw_verifier *v, const carving list[], size_t count)
{
  size_t total = 1;
  for (size_t i = 0; i < count; i++) {
    total += list[i].count;
  }
  v->block = calloc(total, sizeof *v->block);
  if (v->block == NULL) {
    return 0;
  }
  double *next = v->block;
  for (size_t i = 0; i < count; i++) {
    *list[i].where = next;
    next += list[i].count;
  }
  return 1;
}

static int allocate(sw_verifier *v)
{
  sw_system *system = v->system;
  sw_values *at = &v->values;
  size_t n = (size_t)v->n;
  size_t m = (size_t)system->nc;
  size_t points = (size_t)v->options.points;
  size_t invariants = (size_t)system->n_invariant;
  size_t work = larger(n, larger(m, invariants));
  const carving list[] = {{&v->length, n},
                          {&v->near, points * n},
                          {&v->k, points * (size_t)system->nk},
                          {&v->lambda, points * m},
                          {&v->on, points * n},
                          {&v->lambda_on, points * m},
                          {&at->energy, 1},
                          {&at->energy_grad, n},
                          {&at->energy_hess, (size_t)system->hamiltonian_hess_pattern.entries},
                          {&at->constraint, m},
                          {&at->constraint_scale, m},
                          {&at->constraint_jac, (size_t)system->constraint_jac_pattern.entries},
                          {&at->constraint_hess, (size_t)system->constraint_hess_pattern.entries},
                          {&at->hidden, m},
                          {&at->hidden_scale, m},
                          {&at->hidden_jac, (size_t)system->hidden_jac_pattern.entries},
                          {&at->coisotropy, (size_t)system->coisotropy_pattern.entries},
                          {&at->nondegeneracy, (size_t)system->nondegeneracy_pattern.entries},
                          {&at->flow, n},
                          {&at->flow_lambda, (size_t)system->fibre_flow_lambda_pattern.entries},
                          {&at->flow_z, (size_t)system->fibre_flow_z_pattern.entries},
                          {&at->observe, (size_t)system->n_observe},
                          {&at->invariant, invariants},
                          {&v->work[0], work},
                          {&v->work[1], work},
                          {&v->work[2], work},
                          {&v->work[3], work},
                          {&v->work[4], work},
                          {&v->work[5], work},
                          {&v->scratch, (size_t)system->hamiltonian_hess_pattern.entries}};
  return carve(v, list, sizeof list / sizeof list[0]);
}

/* SplitMix64: short, and the same on every machine. */
double sw_verifier_random(sw_verifier *verifier)
{
  uint64_t x = verifier->random += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  x ^= x >> 31;
  return ldexp((double)(x >> 11), -52) - 1.0;
}

static void initial_state(sw_system *system, int point, const double k[], double z[])
{
  for (int i = 0; i < 2 * system->nq; i++) {
    z[i] = 0.0;
  }
  if (system->n_init > 0) {
    sw_system_init(system, point % system->n_init, k, z);
  }
}

/* The largest position, and the largest momentum, of all initial states; 1 where they are zero. */
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

/* Changes every parameter by up to 5 % (by up to 0.05 where it is zero) within its bounds. */
static void choose_parameters(sw_verifier *v, int point, double k[])
{
  sw_system *system = v->system;
  for (int i = 0; i < system->nk; i++) {
    double size = system->k_default[i] != 0.0 ? fabs(system->k_default[i]) : 1.0;
    double changed = system->k_default[i] + 0.05 * size * sw_verifier_random(v);
    const sw_bounds bounds = sw_system_bounds(system, i);
    int inside = changed > bounds.lower && changed < bounds.upper;
    k[i] = point % 2 == 1 && inside ? changed : system->k_default[i];
  }
}

static int all_finite(const double x[], int count)
{
  for (int i = 0; i < count; i++) {
    if (!isfinite(x[i])) {
      return 0;
    }
  }
  return 1;
}

/* 1 where H, its gradient, g and rho are finite. */
static int defined(sw_verifier *v, const double z[], const double k[])
{
  sw_system *system = v->system;
  sw_values *at = &v->values;
  system->hamiltonian(system, z, k, at->energy);
  system->hamiltonian_grad(system, z, k, at->energy_grad);
  if (system->nc > 0) {
    system->constraint(system, z, k, at->constraint);
    system->hidden(system, z, k, at->hidden);
  }
  return all_finite(at->energy, 1) && all_finite(at->energy_grad, v->n) &&
         all_finite(at->constraint, system->nc) && all_finite(at->hidden, system->nc);
}

static void perturb(sw_verifier *v, const double start[], double amount, double z[])
{
  for (int i = 0; i < v->n; i++) {
    z[i] = start[i] + amount * v->length[i] * sw_verifier_random(v);
  }
}

/* lambda_i moves no entry of z by more than 0.3 of its length along X_{g_i} = (g_i,p, -g_i,q). */
static void choose_lambda(sw_verifier *v, const double z[], const double k[], double lambda[])
{
  sw_system *system = v->system;
  const sw_pattern *pattern = &system->constraint_jac_pattern;
  double *speed = v->work[1];
  int d = system->nq;
  if (system->nc == 0) {
    return;
  }
  system->constraint_jac(system, z, k, v->values.constraint_jac);
  for (int i = 0; i < system->nc; i++) {
    speed[i] = 0.0;
  }
  for (int e = 0; e < pattern->entries; e++) {
    int moved = pattern->col[e] < d ? pattern->col[e] + d : pattern->col[e] - d;
    double relative = fabs(v->values.constraint_jac[e]) / v->length[moved];
    if (relative > speed[pattern->row[e]]) {
      speed[pattern->row[e]] = relative;
    }
  }
  for (int i = 0; i < system->nc; i++) {
    double u = sw_verifier_random(v);
    double part = 0.5 * (u + copysign(1.0, u));
    lambda[i] = 0.3 * part / (speed[i] > 0.0 && isfinite(speed[i]) ? speed[i] : 1.0);
  }
}

/* A point near the initial state at which the model is defined; 0 where none is found. */
static int choose_state(sw_verifier *v, int point, const double k[], double z[])
{
  double amount = 0.1;
  initial_state(v->system, point, k, v->work[0]);
  for (int i = 0; i < HALVINGS; i++, amount /= 2.0) {
    perturb(v, v->work[0], amount, z);
    if (defined(v, z, k)) {
      return 1;
    }
  }
  return 0;
}

static void choose_near(sw_verifier *v, int point)
{
  double *z = v->near + (size_t)point * (size_t)v->n;
  double *k = v->k + (size_t)point * (size_t)v->system->nk;
  choose_parameters(v, point, k);
  if (!choose_state(v, point, k, z)) {
    /* A parameter may be one that cannot be moved: q^n with q < 0 wants n = 4 and not 4.1. */
    for (int i = 0; i < v->system->nk; i++) {
      k[i] = v->system->k_default[i];
    }
    (void)choose_state(v, point, k, z);
  }
  choose_lambda(v, z, k, v->lambda + (size_t)point * (size_t)v->system->nc);
}

/* 1 where z is on M^H as far as a simulation asks for it. */
static int is_on(sw_verifier *v, const double z[])
{
  sw_system *system = v->system;
  const double *k = system->k_default;
  sw_values *at = &v->values;
  if (!defined(v, z, k)) {
    return 0;
  }
  if (system->nc > 0) {
    system->constraint_scale(system, z, k, at->constraint_scale);
    system->hidden_scale(system, z, k, at->hidden_scale);
  }
  for (int i = 0; i < system->nc; i++) {
    if (!(fabs(at->constraint[i]) <= SW_STATE_TOLERANCE * at->constraint_scale[i]) ||
        !(fabs(at->hidden[i]) <= SW_STATE_TOLERANCE * at->hidden_scale[i])) {
      return 0;
    }
  }
  return 1;
}

/* A point of M^H in z: a random point near the initial state, projected; failing that, nearer; in the
 * end the initial state itself.  Returns 0 where none is reached. */
static int choose_on(sw_verifier *v, sw_sim *sim, int point, double z[])
{
  double amount = v->n + v->system->nc > LARGEST_PROJECTION ? 0.0 : 0.05;
  initial_state(v->system, point, v->system->k_default, v->work[0]);
  for (int i = 0; i <= HALVINGS; i++) {
    double used = i < HALVINGS ? amount : 0.0;
    perturb(v, v->work[0], used, z);
    if (used == 0.0 && is_on(v, z)) {
      return 1;
    }
    if (sw_sim_set_state(sim, 0.0, z) == SW_OK && sw_sim_project(sim) == SW_OK) {
      memcpy(z, sw_sim_state(sim), (size_t)v->n * sizeof *z);
      return 1;
    }
    amount = used / 2.0;
  }
  return 0;
}

/* Whether N is regular at the first initial state; where that cannot be told, it is left to the steps. */
static const char *choose_redundant(sw_verifier *v)
{
  sw_system *system = v->system;
  sw_check check;

  initial_state(system, 0, system->k_default, v->work[0]);
  const sw_status status = sw_system_check(system, NULL, v->work[0], &check);
  return status == SW_OK && isinf(check.condition) ? "drop" : "error";
}

static int choose_points(sw_verifier *v)
{
  sw_sim *sim = NULL;
  for (int point = 0; point < v->options.points; point++) {
    choose_near(v, point);
  }
  sw_status status = sw_sim_create_on(v->system, NULL, &sim);
  for (int point = 0; status == SW_OK && point < v->options.points; point++) {
    double *z = v->on + (size_t)v->reached * (size_t)v->n;
    if (!choose_on(v, sim, point, z)) {
      continue;
    }
    choose_lambda(v, z, v->system->k_default,
                  v->lambda_on + (size_t)v->reached * (size_t)v->system->nc);
    v->reached++;
  }
  sw_sim_free(&sim);
  return status != SW_ERR_MEMORY;
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
  if (!allocate(verifier)) {
    return 0;
  }
  choose_lengths(verifier);
  verifier->redundant = choose_redundant(verifier);
  return choose_points(verifier);
}

void sw_verifier_clear(sw_verifier *verifier)
{
  for (int kind = 0; kind <= SW_INVARIANT; kind++) {
    free(verifier->names[kind]);
    verifier->names[kind] = NULL;
  }
  free(verifier->block);
  verifier->block = NULL;
}

static void forget(double out[], int count)
{
  for (int i = 0; i < count; i++) {
    out[i] = NAN;
  }
}

void sw_verifier_evaluate(const sw_system *system, sw_system_function *function, const double z[],
                          const double k[], double out[], int count)
{
  forget(out, count);
  function(system, z, k, out);
}

void sw_verifier_evaluate_lambda(const sw_system *system, sw_system_lambda_function *function,
                                 const double z[], const double k[], const double lambda[],
                                 double out[], int count)
{
  forget(out, count);
  function(system, z, k, lambda, out);
}

const char *sw_verifier_z_name(const sw_verifier *verifier, int i)
{
  int d = verifier->system->nq;
  return i < d ? verifier->names[SW_Q][i] : verifier->names[SW_P][i - d];
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
  vsnprintf(finding->note, sizeof finding->note, format, arguments);
  va_end(arguments);
}

void sw_finding_note(sw_finding *finding, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(finding->note, sizeof finding->note, format, arguments);
  va_end(arguments);
}

void sw_finding_fail(sw_finding *finding, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(finding->note, sizeof finding->note, format, arguments);
  va_end(arguments);
  finding->outcome = SW_CHECK_FAIL;
}

void sw_finding_exclude(sw_finding *finding, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(finding->note, sizeof finding->note, format, arguments);
  va_end(arguments);
  finding->outcome = SW_CHECK_NOT_APPLICABLE;
}
