/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_symplectic.c -- SHAKE keeps the presymplectic form on M, RATTLE the symplectic form on M^H,
 * to round-off; over base methods that are not symplectic neither does, and that is seen.
 */
#include <string.h>

#include "checks/symplectic.h"
#include "fixtures.h"
#include "near.h"
#include "pairs.h"
#include "sidewinder/sim.h"

enum { N = 5, max_dim = 6 };

/* The defect of a method over `given`, or over `base` where that is NULL. */
static double defect(const sw_model *model, const char *method, const sw_tableau *given,
                     const char *base)
{
  sw_options options;
  sw_sim *sim = NULL;
  double V[N * max_dim];
  double DV[N * max_dim];
  double found = NAN;

  for (int i = 0; i < N * max_dim; i++) {
    V[i] = sin(1.0 + 37.0 * (double)i);
  }
  sw_options_init(&options);
  options.method = method;
  options.base = base;
  options.tableau = given;
  assert_int_equal(sw_sim_create(model, &options, &sim), SW_OK);
  assert_int_equal(sw_symplectic_defect(sim, 0.1, N, V, DV, &found), SW_OK);
  sw_sim_free(&sim);
  return found;
}

static int is_symplectic(const char *method, const char *base)
{
  sw_tableau_report report;

  if (strcmp(base, "none") == 0) {
    return strcmp(method, "bdf2") != 0;
  }
  if (strcmp(base, SW_SPLITTING) == 0) {
    return 1;
  }
  assert_int_equal(sw_tableau_examine(sw_base_tableau(base), &report, NULL), SW_OK);
  return report.symplectic;
}

static void the_form_is_kept(void **state)
{
  static const sw_model *const models[] = {&sw_fixture_pendulum, &sw_fixture_hopf,
                                           &sw_fixture_spherical, &sw_fixture_two,
                                           &sw_fixture_free};

  (void)state;
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    for (const char *const *method = sw_method_names(); *method; method++) {
      for (const char *const *base = bases_and_none; *base; base++) {
        if (takes(models[i], *method, *base) && is_symplectic(*method, *base)) {
          assert_below(defect(models[i], *method, NULL, *base), 1e-15);
        }
      }
    }
  }
}

static void the_controls_do_not_keep_it(void **state)
{
  static const double A[] = {0.6};
  static const double b[] = {1.0};
  /* theta = 0.6 of the theta method, which damps. */
  static const sw_tableau damped = {"damped", 1, A, b, NULL, NULL};

  (void)state;
  assert_false(is_symplectic("rattle", "explicit-midpoint"));
  for (const char *const *method = sw_method_names(); *method; method++) {
    if (!takes(&sw_fixture_hopf, *method, "explicit-midpoint")) {
      continue;
    }
    const double contracted = defect(&sw_fixture_two, *method, &damped, NULL);
    assert_true(contracted > 1e-6 && contracted < 1e-3);
    const double controlled = defect(&sw_fixture_two, *method, NULL, "explicit-midpoint");
    assert_true(controlled > 1e-7 && controlled < 1e-4);
    /* With a constant force it is the implicit midpoint rule. */
    assert_below(defect(&sw_fixture_hopf, *method, NULL, "explicit-midpoint"), 1e-15);
  }
}

/* SHAKE maps a fibre to a point: D X_g = 0, and D keeps nothing of what the form does not see. */
static void fibres_collapse(void **state)
{
  static const double J[4][4] = {{0, 0, 1, 0}, {0, 0, 0, 1}, {-1, 0, 0, 0}, {0, -1, 0, 0}};

  (void)state;
  for (const char *const *base = sw_base_names(); *base; base++) {
    sw_options options;
    sw_sim *sim = NULL;
    double jac[4];
    double field[4] = {0.0};
    double image[4];

    sw_options_init(&options);
    options.method = "shake";
    options.base = *base;
    assert_int_equal(sw_sim_create(&sw_fixture_hopf, &options, &sim), SW_OK);
    sw_fixture_hopf.constraint_jac.values(NULL, sw_sim_state(sim), sw_sim_parameters(sim), jac);
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < 4; j++) {
        field[i] += J[i][j] * jac[j];
      }
    }
    assert_int_equal(sw_sim_tangent_times(sim, 0.1, 1, field, image), SW_OK);
    for (int i = 0; i < 4; i++) {
      assert_near(image[i], 0.0, 1e-14);
    }
    sw_sim_free(&sim);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_form_is_kept),
      cmocka_unit_test(the_controls_do_not_keep_it),
      cmocka_unit_test(fibres_collapse),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
