/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_geometry.c -- projection onto M and M^H, and the check of the theory's assumptions.
 */
#include <float.h>
#include <string.h>

#include "fixtures.h"
#include "near.h"
#include "sidewinder/sim.h"

static sw_sim *create(const sw_model *model, const char *method)
{
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.method = method;
  assert_int_equal(sw_sim_create(model, &options, &sim), SW_OK);
  return sim;
}

static double norm(int n, const double x[])
{
  double sum = 0.0;

  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sqrt(sum);
}

/* The sphere |z| = 1 has its nearest point at z/|z|, where positions and momenta have the same
 * size. */
static void nearest_points_of_spheres(void **state)
{
  static const double starts[][4] = {{0.5, 0.1, -0.3, 0.5},
                                     {2.0, -3.0, 3.0, 0.5},
                                     {1e-2, 2e-2, 0.0, -2e-2},
                                     {0.0, 10.0, 0.0, 0.0},
                                     {300.0, -200.0, 100.0, -300.0}};
  sw_sim *sim = create(&sw_fixture_hopf, "shake");

  (void)state;
  for (size_t s = 0; s < sizeof starts / sizeof starts[0]; s++) {
    const double r = norm(4, starts[s]);

    assert_int_equal(sw_sim_set_state(sim, 0.0, starts[s]), SW_OK);
    assert_int_equal(sw_sim_project(sim), SW_OK);
    for (int i = 0; i < 4; i++)
      assert_near(sw_sim_state(sim)[i], starts[s][i] / r, 4.0 * DBL_EPSILON);
  }
  sw_sim_free(&sim);
}

/* Position to q/|q|; then along the fibre the part of p along q goes. */
static void the_pendulum_is_projected(void **state)
{
  const double start[4] = {3.0, 4.0, 1.0, -0.5};
  const double on_m[4] = {0.6, 0.8, 1.0, -0.5};
  const double on_mh[4] = {0.6, 0.8, 1.0 - 0.6 * 0.2, -0.5 - 0.8 * 0.2};
  sw_sim *shake = create(&sw_fixture_pendulum, "shake");
  sw_sim *rattle = create(&sw_fixture_pendulum, "rattle");

  (void)state;
  assert_int_equal(sw_sim_set_state(shake, 0.0, start), SW_OK);
  assert_int_equal(sw_sim_project(shake), SW_OK);
  assert_all_near(sw_sim_state(shake), on_m, 4, 4.0 * DBL_EPSILON);
  assert_int_equal(sw_sim_set_state(rattle, 2.0, start), SW_OK);
  assert_int_equal(sw_sim_step(rattle, 0.1), SW_ERR_OFF_M);
  assert_int_equal(sw_sim_project(rattle), SW_OK);
  assert_all_near(sw_sim_state(rattle), on_mh, 4, 4.0 * DBL_EPSILON);
  assert_near(sw_sim_time(rattle), 2.0, 0.0);
  assert_int_equal(sw_sim_step(rattle, 0.1), SW_OK);
  /* What is on M^H stays where it is. */
  const double before[4] = {sw_sim_state(rattle)[0], sw_sim_state(rattle)[1],
                            sw_sim_state(rattle)[2], sw_sim_state(rattle)[3]};
  assert_int_equal(sw_sim_project(rattle), SW_OK);
  assert_all_near(sw_sim_state(rattle), before, 4, 2.0 * DBL_EPSILON);
  sw_sim_free(&shake);
  sw_sim_free(&rattle);
}

/* Two constraints: at the nearest point z0 - z is a combination of the two gradients, each entry in
 * units of the size of its half of z0, so what is left of it after a least-squares fit is zero. */
static void nearest_points_are_stationary(void **state)
{
  const double start[6] = {-0.2, -0.6, -0.8, 0.1, -0.1, 0.02};
  sw_sim *sim = create(&sw_fixture_two, "shake");
  double g[2];
  double jac[10];
  double a[2][6] = {{0}};
  double rest[6];
  double b[2] = {0};
  double A[3] = {0};

  (void)state;
  assert_int_equal(sw_sim_set_state(sim, 0.0, start), SW_OK);
  assert_int_equal(sw_sim_project(sim), SW_OK);
  const double *z = sw_sim_state(sim);

  sw_fixture_two.constraint(NULL, z, sw_fixture_defaults(&sw_fixture_two), g);
  assert_below(fabs(g[0]) + fabs(g[1]), 8.0 * DBL_EPSILON);
  sw_fixture_two.constraint_jac.values(NULL, z, sw_fixture_defaults(&sw_fixture_two), jac);
  for (int e = 0; e < 10; e++)
    a[sw_fixture_two.constraint_jac.places.row[e]][sw_fixture_two.constraint_jac.places.col[e]] =
        jac[e];
  for (int i = 0; i < 6; i++) {
    const double size = i < 3 ? 0.8 : 0.1;
    a[0][i] *= size;
    a[1][i] *= size;
    rest[i] = (start[i] - z[i]) / size;
    A[0] += a[0][i] * a[0][i];
    A[1] += a[0][i] * a[1][i];
    A[2] += a[1][i] * a[1][i];
    b[0] += a[0][i] * rest[i];
    b[1] += a[1][i] * rest[i];
  }
  const double det = A[0] * A[2] - A[1] * A[1];
  for (int i = 0; i < 6; i++)
    rest[i] -=
        (a[0][i] * (A[2] * b[0] - A[1] * b[1]) + a[1][i] * (A[0] * b[1] - A[1] * b[0])) / det;
  assert_true(norm(2, b) > 1e-3);
  assert_below(norm(6, rest), 1e-14);
  sw_sim_free(&sim);
}

/* A step from a projected state is that from the same state that was set: nothing is left of the
 * sizes of the one that was far from M. */
static void steps_after_projection_have_no_memory(void **state)
{
  static const double far[][4] = {
      {3e7, 2e6, 0.5, 0.1}, {1e-7, 2e-7, 4e6, 0.1}, {0.3, 2e3, -4e9, 0.1}, {0.3, 0.8, 0.0, 0.0}};

  (void)state;
  for (size_t s = 0; s < sizeof far / sizeof far[0]; s++) {
    sw_sim *projected = create(&sw_fixture_pendulum, "rattle");
    sw_sim *set = create(&sw_fixture_pendulum, "rattle");

    assert_int_equal(sw_sim_set_state(projected, 0.0, far[s]), SW_OK);
    assert_int_equal(sw_sim_project(projected), SW_OK);
    assert_int_equal(sw_sim_set_state(set, 0.0, sw_sim_state(projected)), SW_OK);
    for (int n = 0; n < 3; n++) {
      assert_int_equal(sw_sim_step(projected, 1e-7), sw_sim_step(set, 1e-7));
      assert_string_equal(sw_sim_message(projected), sw_sim_message(set));
      assert_memory_equal(sw_sim_state(projected), sw_sim_state(set), 4 * sizeof(double));
      assert_memory_equal(sw_sim_impulses(projected), sw_sim_impulses(set), sizeof(double));
    }
    sw_sim_free(&projected);
    sw_sim_free(&set);
  }
}

static void projections_can_fail(void **state)
{
  const double origin[4] = {0.0, 0.0, 1.0, 0.0};
  sw_sim *sim = create(&sw_fixture_pendulum, "rattle");

  (void)state;
  /* All points of the circle are nearest to its centre. */
  assert_int_equal(sw_sim_set_state(sim, 0.0, origin), SW_OK);
  assert_int_equal(sw_sim_project(sim), SW_ERR_SINGULAR);
  assert_memory_equal(sw_sim_state(sim), origin, sizeof origin);
  assert_non_null(strstr(sw_sim_message(sim), "projection failed at t = 0: "));
  sw_sim_free(&sim);
}

/* The constraint q3 = 0 in a model whose start is off by round-off: that is not off M, and the next
 * steps are not measured against the round-off either. */
static void pin(const long n[], const double z[], const double k[], double out[])
{
  (void)n;
  (void)k;
  out[0] = z[2];
}

static void pin_scale(const long n[], const double z[], const double k[], double out[])
{
  (void)n;
  (void)k;
  out[0] = fabs(z[2]);
}

static void pin_jac(const long n[], const double z[], const double k[], double out[])
{
  (void)n;
  (void)z;
  (void)k;
  out[0] = 1.0;
}

static void pin_hess(const long n[], const double z[], const double k[], const double lambda[],
                     double out[])
{
  (void)n;
  (void)z;
  (void)k;
  (void)lambda;
  (void)out; /* no entries */
}

static double pin_factor(const double z[])
{
  return 1.0 + 0.5 * z[0] * z[0];
}

static void pin_hidden(const long n[], const double z[], const double k[], double out[])
{
  (void)n;
  (void)k;
  out[0] = pin_factor(z) * z[5];
}

static void pin_hidden_scale(const long n[], const double z[], const double k[], double out[])
{
  (void)n;
  (void)k;
  out[0] = fabs(pin_factor(z) * z[5]);
}

static void pin_hidden_jac(const long n[], const double z[], const double k[], double out[])
{
  (void)n;
  (void)k;
  out[0] = z[0] * z[5];
  out[1] = pin_factor(z);
}

static void pin_flow(const long n[], const double z[], const double k[], const double lambda[],
                     double out[])
{
  (void)n;
  (void)k;
  memcpy(out, z, 6 * sizeof *z);
  out[5] -= lambda[0];
}

static void pin_flow_lambda(const long n[], const double z[], const double k[],
                            const double lambda[], double out[])
{
  (void)n;
  (void)z;
  (void)k;
  (void)lambda;
  out[0] = -1.0;
}

static void constraints_at_round_off_are_met(void **state)
{
  static const int zero[] = {0, 0};
  static const int two[] = {2};
  static const int five[] = {5};
  static const int zero_five[] = {0, 5};
  const double start[6] = {1.0, 0.5, 1e-17, 0.1, -0.2, 1e-17};
  sw_model model = sw_fixture_spherical;

  (void)state;
  model.constraint = pin;
  model.constraint_scale = pin_scale;
  model.constraint_jac.values = pin_jac;
  model.constraint_jac.places = (sw_places){1, zero, two, NULL};
  model.constraint_hess.values = pin_hess;
  model.constraint_hess.places = (sw_places){0, NULL, NULL, NULL};
  model.hidden = pin_hidden;
  model.hidden_scale = pin_hidden_scale;
  model.hidden_jac.values = pin_hidden_jac;
  model.hidden_jac.places = (sw_places){2, zero, zero_five, NULL};
  model.fibre_flow = pin_flow;
  model.fibre_flow_lambda.values = pin_flow_lambda;
  model.fibre_flow_lambda.places = (sw_places){1, five, zero, NULL};
  for (const char *const *base = sw_base_names(); *base; base++) {
    sw_options options;
    sw_sim *sim = NULL;

    sw_options_init(&options);
    options.base = *base;
    assert_int_equal(sw_sim_create(&model, &options, &sim), SW_OK);
    assert_int_equal(sw_sim_set_state(sim, 0.0, start), SW_OK);
    assert_int_equal(sw_sim_run(sim, 0.05, 200, NULL, NULL), SW_OK);
    assert_below(sw_sim_stats(sim).residual_g, 1e-15);
    assert_below(sw_sim_stats(sim).residual_hidden, 1e-15);
    sw_sim_free(&sim);
  }
}

static void checks_of_good_states(void **state)
{
  double z[6];
  sw_check check;

  (void)state;
  sw_fixture_pendulum.init[0].state(NULL, sw_fixture_defaults(&sw_fixture_pendulum), z);
  assert_int_equal(sw_model_check(&sw_fixture_pendulum, NULL, z, &check), SW_OK);
  assert_below(check.scaled_g, 1e-15);
  assert_below(check.scaled_hidden, 1e-15);
  assert_int_equal(check.rank, 1);
  assert_near(check.condition, 1.0, 0.0);
  assert_near(check.coisotropy, 0.0, 0.0);
  assert_int_equal(check.worst_g, 0);

  const double k[2] = {1.0, 2.0};
  assert_int_equal(sw_model_check(&sw_fixture_pendulum, k, z, &check), SW_OK);
  assert_near(check.residual_g, 3.0, 1e-14);
  assert_near(check.scaled_g, 3.0 / 5.0, 1e-14);

  sw_fixture_free.init[0].state(NULL, sw_fixture_defaults(&sw_fixture_free), z);
  assert_int_equal(sw_model_check(&sw_fixture_free, NULL, z, &check), SW_OK);
  assert_int_equal(check.worst_g, -1);
  assert_int_equal(check.rank, 0);
}

/* N = 4 (|p|^2 - |q|^2) without a potential: it vanishes at |q| = |p|, here up to round-off. */
static void a_degenerate_state_is_found(void **state)
{
  const double k[2] = {0.0, 0.0};
  const double r = sqrt(0.5);
  const double z[4] = {r * cos(0.3), r * sin(0.3), -r * sin(0.3), r * cos(0.3)};
  sw_check check;

  (void)state;
  assert_int_equal(sw_model_check(&sw_fixture_hopf, k, z, &check), SW_OK);
  assert_int_equal(check.rank, 0);
  assert_true(isinf(check.condition));
}

static void dependent_nondegeneracy(const long n[], const double z[], const double k[],
                                    double out[])
{
  (void)n;
  (void)z;
  (void)k;
  out[0] = 1.0;
  out[1] = 2.0;
  out[2] = 3.0;
  out[3] = 6.0;
}

/* Rows and columns scaled to (1, 1; 1, -1/2): singular values of a symmetric matrix. */
static void scaled_nondegeneracy(const long n[], const double z[], const double k[], double out[])
{
  (void)n;
  (void)z;
  (void)k;
  out[0] = 1e-3;
  out[1] = 1e-1;
  out[2] = 1e-1;
  out[3] = -5.0;
}

static void half(const long n[], const double z[], const double k[], double out[])
{
  (void)n;
  (void)z;
  (void)k;
  out[0] = 0.5;
}

static void not_a_number(const long n[], const double z[], const double k[], double out[])
{
  (void)n;
  (void)z;
  (void)k;
  out[0] = NAN;
}

static void checks_of_bad_models(void **state)
{
  static const int zero[] = {0};
  static const int one[] = {1};
  sw_model model = sw_fixture_two;
  double z[6];
  double grad[4];
  sw_check check;

  (void)state;
  model.init[0].state(NULL, sw_fixture_defaults(&model), z);
  model.nondegeneracy.values = dependent_nondegeneracy;
  assert_int_equal(sw_model_check(&model, NULL, z, &check), SW_OK);
  assert_int_equal(check.rank, 1);
  assert_true(isinf(check.condition));

  model.nondegeneracy.values = scaled_nondegeneracy;
  assert_int_equal(sw_model_check(&model, NULL, z, &check), SW_OK);
  assert_int_equal(check.rank, 2);
  /* Rows: (0.01, 1), (0.02, -1).  Columns: (0.5, 1), (1, -1).  A^T A = (5, -2; -2, 8)/4. */
  assert_near(check.condition, sqrt(9.0 / 4.0), 1e-14);

  model.coisotropy.values = half;
  model.coisotropy.places = (sw_places){1, zero, one, NULL};
  /* |g_q| and |g_p| of the sphere, then of the spin. */
  grad[0] = 2.0 * (fabs(z[0]) + fabs(z[1]) + fabs(z[2]));
  grad[1] = 2.0 * (fabs(z[3]) + fabs(z[4]) + fabs(z[5]));
  grad[2] = fabs(z[4]) + fabs(z[3]);
  grad[3] = fabs(z[1]) + fabs(z[0]);
  assert_int_equal(sw_model_check(&model, NULL, z, &check), SW_OK);
  assert_near(check.coisotropy, 0.5 / (grad[0] * grad[3] + grad[1] * grad[2]), 1e-14);

  model.coisotropy.values = not_a_number;
  assert_int_equal(sw_model_check(&model, NULL, z, &check), SW_ERR_NOT_FINITE);
  z[3] = NAN;
  assert_int_equal(sw_model_check(&sw_fixture_two, NULL, z, &check), SW_ERR_ARGUMENT);
  assert_int_equal(sw_model_check(&sw_fixture_two, NULL, NULL, &check), SW_ERR_ARGUMENT);
  assert_int_equal(sw_model_check(NULL, NULL, z, &check), SW_ERR_ARGUMENT);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nearest_points_of_spheres),
      cmocka_unit_test(the_pendulum_is_projected),
      cmocka_unit_test(nearest_points_are_stationary),
      cmocka_unit_test(steps_after_projection_have_no_memory),
      cmocka_unit_test(projections_can_fail),
      cmocka_unit_test(constraints_at_round_off_are_met),
      cmocka_unit_test(checks_of_good_states),
      cmocka_unit_test(a_degenerate_state_is_found),
      cmocka_unit_test(checks_of_bad_models),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
