/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_parameters.c -- the transpose of the derivative of a step, and derivatives with respect to
 * parameters and the step size.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bowl_twice.h"
#include "chain3.h"
#include "chain6_tied.h"
#include "curved.h"
#include "fixtures.h"
#include "loops.h"
#include "near.h"
#include "penning.h"
#include "shipped.h"
#include "sidewinder/derivatives.h"
#include "sidewinder/methods.h"
#include "simulation.h"
#include "spherical_discrete.h"

/* Weights for tests. */
static void fill(double x[], size_t n)
{
  for (size_t i = 0; i < n; i++) {
    x[i] = sin(1.0 + 1.7 * (double)i);
  }
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
    for (const char *const *base = sw_base_choices(); *base; base++) {
      sw_options options;
      sw_sim *sim = NULL;
      sw_options_init(&options);
      options.method = *method;
      options.base = *base;
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
                                           &sw_model_penning,     &sw_model_spherical_discrete};
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pullback_is_the_transpose),
      cmocka_unit_test(pullback_of_compositions),
      cmocka_unit_test(no_step_no_pullback),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
