/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses the points at which `verify` evaluates a model: near M, and on M^H.
 */
#include <math.h>
#include <string.h>

#include "checks/model_check.h"
#include "common/vectors.h"
#include "program/verifier.h"
#include "sim/sim_internal.h"

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
  sw_options options;
  sw_options_init(&options);
  choose_lengths(v);
  options.redundant = v->redundant = choose_redundant(v);
  for (int i = 0; i < v->options.points; i++) {
    v->near[i].number = i;
    choose_near(v, &v->near[i]);
  }
  sw_status status = sw_sim_create_on(v->system, &options, &sim);
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
