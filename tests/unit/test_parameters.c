/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_parameters.c -- the transpose of the derivative of a step, and derivatives with respect to
 * parameters and the step size.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bowl_twice.h"
#include "chain3.h"
#include "chain6_tied.h"
#include "chain_lagrangian.h"
#include "curved.h"
#include "curved_lagrangian.h"
#include "damped_net.h"
#include "dampers.h"
#include "dashpots.h"
#include "fixtures.h"
#include "index1_by_hand.h"
#include "loops.h"
#include "motors.h"
#include "near.h"
#include "outcome.h"
#include "penning.h"
#include "shipped.h"
#include "sidewinder/derivatives.h"
#include "sidewinder/methods.h"
#include "sim/sim_internal.h"
#include "simulation.h"
#include "spherical_discrete.h"
#include "tilted.h"

/* Weights for tests. */
static void fill(double x[], size_t n)
{
  for (size_t i = 0; i < n; i++) {
    x[i] = sin(1.0 + 1.7 * (double)i);
  }
}

/* "none", then the base methods; NULL at the end. */
static const char *base_or_none(int i)
{
  return i == 0 ? "none" : sw_base_choices()[i - 1];
}

/* lambda1 . D V must be lambda0 . V for the unit vectors V. */
static void compare_pullback(sw_sim *sim, double h)
{
  const size_t dim = (size_t)sw_sim_n_state(sim);
  double *D = malloc(dim * dim * sizeof *D);
  double *lambda1 = malloc(dim * sizeof *lambda1);
  double *lambda0 = malloc(dim * sizeof *lambda0);
  double *z = malloc(sw_sim_saved_count(sim) * sizeof *z);
  double *after = malloc(sw_sim_saved_count(sim) * sizeof *z);
  const sw_stats stats = sw_sim_stats(sim);

  assert_true(D && lambda1 && lambda0 && z && after);
  fill(lambda1, dim);
  sw_sim_save(sim, z);
  assert_int_equal(sw_sim_tangent(sim, h, D), SW_OK);
  if (sw_sim_pullback(sim, h, lambda1, lambda0, NULL) != SW_OK) {
    fail_msg("%s: %s", sw_sim_model(sim)->name, sw_sim_message(sim));
  }
  sw_sim_save(sim, after);
  assert_memory_equal(z, after, sw_sim_saved_count(sim) * sizeof *z);
  const sw_stats stats_after = sw_sim_stats(sim);
  assert_memory_equal(&stats, &stats_after, sizeof stats);
  double size = 0.0; /* of the largest entry */
  for (size_t j = 0; j < dim; j++) {
    double sum = 0.0;
    for (size_t i = 0; i < dim; i++) {
      sum += fabs(lambda1[i] * D[j * dim + i]);
    }
    size = fmax(size, sum);
  }
  for (size_t j = 0; j < dim; j++) {
    double expected = 0.0;
    for (size_t i = 0; i < dim; i++) {
      expected += lambda1[i] * D[j * dim + i];
    }
    if (!(fabs(lambda0[j] - expected) <= 1e-12 * size)) {
      fail_msg("%s: entry %zu of the pullback is %.17g instead of %.17g", sw_sim_model(sim)->name,
               j, lambda0[j], expected);
    }
  }
  assert_int_equal(sw_sim_pullback(sim, h, lambda1, lambda1, NULL), SW_OK);
  assert_memory_equal(lambda0, lambda1, dim * sizeof *lambda0);
  free(D);
  free(lambda1);
  free(lambda0);
  free(z);
  free(after);
}

/* Compares with the tangent for every method and base method that the model takes.  Returns the
 * number of comparisons. */
static int with_all_methods(const sw_model *model, double h)
{
  int n = 0;

  for (const char *const *method = sw_method_names(); *method; method++) {
    for (int b = 0; base_or_none(b); b++) {
      sw_options options;
      sw_sim *sim = NULL;
      sw_options_init(&options);
      options.method = *method;
      options.base = base_or_none(b);
      if (sw_sim_create(model, &options, &sim) != SW_OK) {
        continue;
      }
      if (sw_sim_has_tangent(sim) && sw_sim_n_state(sim) <= 80 && sw_sim_project(sim) == SW_OK &&
          sw_sim_run(sim, h, 2, NULL, NULL) == SW_OK) {
        compare_pullback(sim, h);
        n++;
      }
      sw_sim_free(&sim);
    }
  }
  return n;
}

static void pullback_is_the_transpose(void **state)
{
  static const sw_model *const models[] = {&sw_fixture_pendulum,  &sw_fixture_hopf,
                                           &sw_fixture_spherical, &sw_fixture_two,
                                           &sw_fixture_free,      &sw_model_curved,
                                           &sw_model_chain3,      &sw_fixture_loops_chain,
                                           &sw_model_penning,     &sw_model_spherical_discrete,
                                           &sw_model_motors,      &sw_model_damped_net,
                                           &sw_model_dashpots,    &sw_model_dampers};
  int n = 0;

  (void)state;
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    n += with_all_methods(models[i], 0.02);
  }
  print_message("%d comparisons\n", n);
  assert_true(n > 150);
}

/* Compositions, and redundant constraints: multipliers are not unique, but the end of a step is. */
static void pullback_of_compositions(void **state)
{
  static const sw_model *const models[] = {&sw_fixture_pendulum, &sw_model_bowl_twice,
                                           &sw_model_chain6_tied};
  int n = 0;

  (void)state;
  for (const char *const *compose = sw_composition_names(); *compose; compose++) {
    for (int i = 0; i < 9; i++) {
      sw_options options;
      sw_sim *sim = NULL;
      sw_options_init(&options);
      options.compose = *compose;
      options.base = "verlet";
      options.redundant = sw_redundant_names()[i / 3];
      if (*sw_options_objection(models[i % 3], &options)) {
        continue;
      }
      assert_int_equal(sw_sim_create(models[i % 3], &options, &sim), SW_OK);
      if (sw_sim_run(sim, 0.01, 2, NULL, NULL) == SW_OK) {
        compare_pullback(sim, 0.01);
        assert_int_equal(sw_sim_step(sim, 0.01), SW_OK);
        n++;
      }
      sw_sim_free(&sim);
    }
  }
  print_message("%d comparisons\n", n);
  assert_true(n >= 20);
}

static void no_step_no_pullback(void **state)
{
  double lambda[4] = {1.0, 0.0, 0.0, 3.0};
  sw_sim *sim = create(&sw_fixture_pendulum, "rattle", "verlet");

  (void)state;
  assert_int_equal(sw_sim_pullback(sim, 0.0, lambda, lambda, NULL), SW_ERR_ARGUMENT);
  assert_int_equal(sw_sim_pullback(sim, 0.1, lambda, NULL, NULL), SW_ERR_ARGUMENT);
  assert_int_not_equal(strlen(sw_sim_message(sim)), 0);
  assert_int_equal(sw_sim_pullback(sim, 0.1, lambda, lambda, NULL), SW_OK);
  sw_sim_free(&sim);
}

/* ---- parameters and h ---- */

#define LIFTED(name) extern const sw_model sw_model_##name##_lifted;
#define MODEL(name)  {&sw_model_##name, &sw_model_##name##_lifted},
#define MODELS(X)                                                                                  \
  X(pendulum)                                                                                      \
  X(spherical)                                                                                     \
  X(hopf)                                                                                          \
  X(two_constraints)                                                                               \
  X(double_pendulum)                                                                               \
  X(driven)                                                                                        \
  X(chain)                                                                                         \
  X(net)                                                                                           \
  X(spin_chain)                                                                                    \
  X(penning)                                                                                       \
  X(chain_lagrangian)                                                                              \
  X(curved_lagrangian)                                                                             \
  X(index1_by_hand)                                                                                \
  X(bowl_twice)                                                                                    \
  X(tilted)                                                                                        \
  X(motors)                                                                                        \
  X(damped_net)                                                                                    \
  X(dashpots)                                                                                      \
  X(dampers)
MODELS(LIFTED)

static const struct {
  const sw_model *model;
  const sw_model *lifted;
} pairs[] = {MODELS(MODEL)};

enum { n_pairs = sizeof pairs / sizeof *pairs, LEVELS = 4 };

/* A simulation of pair i with its lifted model; NULL if the model does not take the options. */
static sw_sim *lifted_sim(int i, sw_model *with, const char *method, const char *base,
                          const char *compose)
{
  static const sw_size size = {.name = "N", .value = 3};
  sw_options options;
  sw_sim *sim = NULL;

  *with = *pairs[i].model;
  with->lifted = pairs[i].lifted;
  sw_options_init(&options);
  options.method = method;
  options.base = base;
  options.compose = compose;
  options.n_sizes = with->n_sizes > 0;
  options.sizes = &size;
  if (pairs[i].model == &sw_model_bowl_twice) {
    options.redundant = "drop";
  }
  if (sw_sim_create(with, &options, &sim) != SW_OK) {
    return NULL;
  }
  for (int j = 0; j < sw_sim_nk(sim); j++) {
    sim->k[j] *= 1.0 + 1e-9; /* proofs for the defaults alone do not apply: det N is known */
  }
  sim->state.known.checked = 0;
  if (sw_sim_project(sim) != SW_OK || sw_sim_run(sim, 0.01, 2, NULL, NULL) != SW_OK) {
    sw_sim_free(&sim);
  }
  return sim;
}

/* end = the step from the saved state with parameter j (h if j = nk) shifted by e. */
static void shifted_step(sw_sim *sim, const double saved[], int j, double e, double h, double end[])
{
  const sw_side side = sim->state.known.side;
  double *k = j < sw_sim_nk(sim) ? &sim->k[j] : &h;
  const double before = *k;

  assert_int_equal(sw_sim_restore(sim, saved), SW_OK);
  sim->state.known.checked = 1; /* the map is defined off M as well */
  sim->state.known.side = side;
  *k += e;
  if (sw_sim_step(sim, h) != SW_OK) {
    fail_msg("%s: %s", sw_sim_model(sim)->name, sw_sim_message(sim));
  }
  memcpy(end, sw_sim_state(sim), (size_t)sw_sim_n_state(sim) * sizeof *end);
  *k = before;
  assert_int_equal(sw_sim_restore(sim, saved), SW_OK);
  sim->state.known.side = side;
}

/* Column j of D by extrapolated central differences. */
static void difference(sw_sim *sim, const double saved[], int j, double h, double out[])
{
  const int n = sw_sim_n_state(sim);
  const double at = j < sw_sim_nk(sim) ? sim->k[j] : h;
  const double e = 0.003 * (at == 0.0 ? 1.0 : fabs(at));
  double *table = malloc((LEVELS + 1) * (size_t)n * sizeof *table);

  assert_non_null(table);
  double *other = table + (size_t)LEVELS * (size_t)n;
  for (int level = 0; level < LEVELS; level++) {
    const double small = ldexp(e, -level);
    double *row = table + (size_t)level * (size_t)n;
    shifted_step(sim, saved, j, small, h, row);
    shifted_step(sim, saved, j, -small, h, other);
    for (int i = 0; i < n; i++) {
      row[i] = (row[i] - other[i]) / (2.0 * small);
    }
  }
  for (int order = 1; order < LEVELS; order++) {
    for (int level = 0; level + order < LEVELS; level++) {
      for (int i = 0; i < n; i++) {
        double *value = table + (size_t)level * (size_t)n + i;
        value[0] = value[n] + (value[n] - value[0]) / (ldexp(1.0, 2 * order) - 1.0);
      }
    }
  }
  memcpy(out, table, (size_t)n * sizeof *out);
  free(table);
}

/* Compares D with differences, and the pullback with D.  The state and the statistics stay. */
static void compare_parameters(sw_sim *sim, const char *what, double h)
{
  const size_t n = (size_t)sw_sim_n_state(sim);
  const size_t nk = (size_t)sw_sim_nk(sim);
  const size_t bytes = sw_sim_saved_count(sim) * sizeof(double);
  const sw_stats stats = sw_sim_stats(sim);
  double *D = malloc((nk + 2) * n * sizeof *D);
  double *x = malloc(2 * bytes + (3 * n + 2 * nk + 2) * sizeof *x);

  assert_true(D && x);
  double *saved = x, *after = x + bytes / sizeof *x, *lambda1 = after + bytes / sizeof *x;
  double *lambda0 = lambda1 + n, *plain = lambda0 + n, *gradient = plain + n;
  sw_sim_save(sim, saved);
  if (sw_sim_tangent_parameters(sim, h, D) != SW_OK) {
    fail_msg("%s, %s: %s", sw_sim_model(sim)->name, what, sw_sim_message(sim));
  }
  fill(lambda1, n);
  for (size_t j = 0; j <= nk; j++) {
    gradient[j] = 1.0;
  }
  assert_int_equal(sw_sim_pullback(sim, h, lambda1, lambda0, gradient), SW_OK);
  assert_int_equal(sw_sim_pullback(sim, h, lambda1, plain, NULL), SW_OK);
  sw_sim_save(sim, after);
  assert_memory_equal(saved, after, bytes);
  const sw_stats stats_after = sw_sim_stats(sim);
  assert_memory_equal(&stats, &stats_after, sizeof stats);
  double size = 1.0;
  for (size_t i = 0; i < n; i++) {
    size = fmax(size, fabs(plain[i]));
  }
  for (size_t i = 0; i < n; i++) {
    assert_near(lambda0[i] / size, plain[i] / size, 1e-12);
  }
  for (size_t j = 0; j <= nk; j++) {
    double *expected = D + (nk + 1) * n;
    double largest = 1.0;
    double sum = 1.0;
    difference(sim, saved, (int)j, h, expected);
    for (size_t i = 0; i < n; i++) {
      largest = fmax(largest, fabs(expected[i]));
      sum += lambda1[i] * D[j * n + i];
    }
    for (size_t i = 0; i < n; i++) {
      if (!(fabs(D[j * n + i] - expected[i]) <= 1e-8 * largest)) {
        fail_msg("%s, %s: derivative of entry %zu along parameter %zu is %.12g instead of %.12g",
                 sw_sim_model(sim)->name, what, i, j, D[j * n + i], expected[i]);
      }
    }
    if (!(fabs(gradient[j] - sum) <= 1e-12 * largest * (double)n)) {
      fail_msg("%s, %s: entry %zu of the gradient is %.17g instead of %.17g",
               sw_sim_model(sim)->name, what, j, gradient[j], sum);
    }
  }
  free(D);
  free(x);
}

/* Compares pair i with these options.  Returns 1, or 0 if it does not take them. */
static int compare_with(int i, const char *method, const char *base, const char *compose)
{
  sw_model with;
  sw_sim *sim = lifted_sim(i, &with, method, base, compose);
  const int has = sim && sw_sim_has_parameter_tangent(sim);
  char what[100];

  if (has) {
    (void)snprintf(what, sizeof what, "%s over %s, %s", method, base, compose);
    compare_parameters(sim, what, 0.01);
  }
  sw_sim_free(&sim);
  return has;
}

static void derivatives_along_parameters(void **state)
{
  int n = 0;

  (void)state;
  for (int i = 0; i < n_pairs; i++) {
    for (const char *const *method = sw_method_names(); *method; method++) {
      for (int b = 0; base_or_none(b); b++) {
        n += compare_with(i, *method, base_or_none(b), "none");
      }
    }
    /* the shifted steps of two_constraints do not converge */
    const int composed = pairs[i].model != &sw_model_two_constraints;
    for (const char *const *compose = sw_composition_names(); *compose && composed; compose++) {
      n += compare_with(i, "rattle", "verlet", *compose);
    }
  }
  print_message("%d comparisons\n", n);
  assert_true(n >= 400);
}

/* Reasons for which there are no derivatives. */
static void refusals(void **state)
{
  static const char *const options[][3] = {{"leapfrog", "none", "size of the step before"},
                                           {"bdf2", "none", "size of the step before"},
                                           {"rattle", "splitting", "flows"}};
  double D[100] = {0};
  double lambda[20] = {0};
  sw_model with;
  int n = 0;

  (void)state;
  for (int i = 0; i < n_pairs; i++) {
    for (size_t j = 0; j < sizeof options / sizeof *options; j++) {
      sw_sim *sim = lifted_sim(i, &with, options[j][0], options[j][1], "none");
      if (sim && !sw_sim_has_parameter_tangent(sim)) {
        assert_int_equal(sw_sim_tangent_parameters(sim, 0.01, D), SW_ERR_OPTION);
        assert_non_null(strstr(sw_sim_message(sim), options[j][2]));
        assert_int_equal(sw_sim_pullback(sim, 0.01, lambda, lambda, D), SW_ERR_OPTION);
        assert_non_null(strstr(sw_sim_message(sim), options[j][2]));
        n++;
      }
      sw_sim_free(&sim);
    }
  }
  assert_true(n > 4);
  sw_sim *sim = create(&sw_model_pendulum, "rattle", "verlet");
  assert_int_equal(sw_sim_has_parameter_tangent(sim), 0);
  assert_int_equal(sw_sim_tangent_parameters(sim, 0.01, D), SW_ERR_OPTION);
  assert_non_null(strstr(sw_sim_message(sim), "--with parameters"));
  sw_sim_free(&sim);
  sim = lifted_sim(0, &with, "rattle", "verlet", "none");
  assert_int_equal(sw_sim_tangent_parameters(sim, 0.0, D), SW_ERR_ARGUMENT);
  assert_int_equal(sw_sim_tangent_parameters(sim, 0.01, NULL), SW_ERR_ARGUMENT);
  assert_int_equal(sw_sim_pullback(sim, 0.01, NULL, lambda, NULL), SW_ERR_ARGUMENT);
  assert_int_equal(sw_sim_tangent_parameters(sim, 0.01, D), SW_OK);
  sw_sim_free(&sim);
}

/* The entry of the Hessian of a lifted model that is wrong by one part in a thousand. */
static _Thread_local const sw_model *original;
static _Thread_local int spoiled;

static void bad_hess(const long n[], const double z[], const double k[], double out[])
{
  original->hamiltonian_hess.values(n, z, k, out);
  out[spoiled] *= 1.001;
}

/* `verify` passes, and finds wrong second derivatives of H along parameters. */
static void verify_of_lifted_models(void **state)
{
  const char *name = "derivatives along parameters";
  sw_system *system = NULL;

  (void)state;
  assert_int_equal(outcome(&sw_model_pendulum, name), SW_CHECK_NOT_APPLICABLE);
  for (int i = 0; i < n_pairs; i++) {
    sw_model model = *pairs[i].model;
    model.lifted = pairs[i].lifted;
    if (model.n_sizes == 0) {
      assert_int_equal(outcome(&model, name), SW_CHECK_PASS);
    }
  }
  original = &sw_model_double_pendulum_lifted;
  sw_model lifted = *original;
  sw_model model = sw_model_double_pendulum;
  lifted.hamiltonian_hess.values = bad_hess;
  model.lifted = &lifted;
  assert_int_equal(sw_system_create(original, 0, NULL, &system, NULL), SW_OK);
  const sw_pattern *hess = &system->hamiltonian_hess_pattern;
  const int d = (int)model.n_coordinates;
  int n = 0;
  for (spoiled = 0; spoiled < hess->entries; spoiled++) {
    const int row = hess->row[spoiled] % system->nq;
    const int col = hess->col[spoiled] % system->nq;
    if ((row < d) != (col < d)) {
      if (outcome(&model, name) != SW_CHECK_FAIL) {
        fail_msg("entry (%d, %d) of the Hessian can be wrong", hess->row[spoiled],
                 hess->col[spoiled]);
      }
      n++;
    }
  }
  assert_true(n > 4);
  sw_system_free(&system);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pullback_is_the_transpose),
      cmocka_unit_test(pullback_of_compositions),
      cmocka_unit_test(no_step_no_pullback),
      cmocka_unit_test(derivatives_along_parameters),
      cmocka_unit_test(refusals),
      cmocka_unit_test(verify_of_lifted_models),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
