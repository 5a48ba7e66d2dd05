/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_symplectic.c -- SHAKE keeps the presymplectic form on M, RATTLE the symplectic form on M^H, to
 * round-off; over base methods that are not symplectic neither does, and that is seen.
 */
#include <string.h>

#include "explicit_midpoint.h"
#include "fixtures.h"
#include "geometry/symplectic.h"
#include "near.h"
#include "sim_internal.h"

#include "base/midpoint.h"

enum { N = 5, max_dim = 6 };

/* The implicit midpoint rule, and then the momenta by 0.999. */

static void scaled_residual(sw_base_context *c, double h, const double y[], double x[], double r[],
                            double z1[])
{
  sw_midpoint_residual(c, h, y, x, r, z1);
  for (int i = c->system->nq; i < 2 * c->system->nq; i++) {
    z1[i] *= 0.999;
  }
}

static void scaled_tangent(sw_base_context *c, double h, const double y[], const double x[], int n,
                           const double DY[], double DX[], double DR[], double DZ[])
{
  const size_t half = (size_t)c->system->nq * (size_t)n;

  sw_midpoint_tangent(c, h, y, x, n, DY, DX, DR, DZ);
  for (size_t i = half; i < 2 * half; i++) {
    DZ[i] *= 0.999;
  }
}

static const sw_base scaled_midpoint = {
    .name = "scaled-midpoint",
    .blocks = "qp",
    .order = 0,
    .start = sw_midpoint_start,
    .residual = scaled_residual,
    .tangent = scaled_tangent,
    .reach = sw_midpoint_reach,
};

/* The defect of a method over `given`, or over `base` where that is NULL. */
static double defect(const sw_model *model, const char *method, const sw_base *given,
                     const char *base)
{
  sw_options options;
  sw_system *system = NULL;
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
  assert_int_equal(sw_system_create(model, 0, NULL, &system, NULL), SW_OK);
  assert_int_equal(sw_sim_create_over(system, given, &options, &sim), SW_OK);
  assert_int_equal(sw_symplectic_defect(sim, 0.1, N, V, DV, &found), SW_OK);
  sw_sim_free(&sim);
  sw_system_free(&system);
  return found;
}

static void the_form_is_kept(void **state)
{
  static const sw_model *const models[] = {&sw_fixture_pendulum, &sw_fixture_hopf,
                                           &sw_fixture_spherical, &sw_fixture_two,
                                           &sw_fixture_free};

  (void)state;
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    for (const char *const *method = sw_method_names(); *method; method++) {
      for (const char *const *base = sw_base_names(); *base; base++) {
        assert_below(defect(models[i], *method, NULL, *base), 1e-15);
      }
    }
  }
}

static void the_controls_do_not_keep_it(void **state)
{
  (void)state;
  for (const char *const *method = sw_method_names(); *method; method++) {
    const double scaled = defect(&sw_fixture_hopf, *method, &scaled_midpoint, "midpoint");
    assert_true(scaled > 1e-4 && scaled < 1e-2);
    const double controlled = defect(&sw_fixture_two, *method, &explicit_midpoint, "midpoint");
    assert_true(controlled > 1e-7 && controlled < 1e-4);
    /* With a linear force it is the implicit midpoint rule. */
    assert_below(defect(&sw_fixture_hopf, *method, &explicit_midpoint, "midpoint"), 1e-15);
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
