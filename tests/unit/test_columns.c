/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_columns.c -- what callers in other languages need beside steps: columns, named initial
 * states, the run line's options.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "hopf.h"
#include "index1.h"
#include "pendulum.h"
#include "sidewinder/columns.h"

static sw_sim *made(const sw_model *model, const char *method)
{
  sw_options options;
  sw_sim *sim = NULL;
  sw_options_of_run(model, method, &options);
  assert_int_equal(sw_sim_create(model, &options, &sim), SW_OK);
  return sim;
}

static void test_options_of_the_run_line(void **state)
{
  sw_options options;
  (void)state;
  sw_options_of_run(&sw_model_hopf, NULL, &options);
  assert_string_equal(options.method, "rattle");
  assert_string_equal(options.base, "midpoint");
  sw_options_of_run(&sw_model_hopf, "shake",
                    &options); /* which has the same choice of base methods */
  assert_string_equal(options.method, "shake");
  assert_string_equal(options.base, "midpoint");
  sw_options_of_run(&sw_model_pendulum, "lobatto", &options);
  assert_string_equal(options.base, "lobatto-4");
  assert_string_equal(sw_options_objection(&sw_model_pendulum, &options), "");
  sw_options_of_run(&sw_model_pendulum, "none", &options);
  assert_string_not_equal(sw_options_objection(&sw_model_pendulum, &options), "");
}

static void test_named_initial_states(void **state)
{
  static const char *const names[] = {"za", "zb", "zc"};
  sw_sim *sim = made(&sw_model_hopf, NULL);
  double z[4];
  (void)state;
  assert_int_equal(sw_sim_n_init(sim), 3);
  for (int i = 0; i < 3; i++) {
    assert_string_equal(sw_sim_init_name(sim, i), names[i]);
    sw_sim_init_state(sim, i, z);
    assert_int_equal(memcmp(z, sw_sim_state(sim), sizeof z) == 0, i == 0);
  }
  sw_sim_free(&sim);

  const double k[] = {1.0,
                      2.0}; /* gravity, length: the state is at the parameters of the simulation */
  sim = made(&sw_model_pendulum, NULL);
  assert_int_equal(sw_sim_set_parameters(sim, k), SW_OK);
  sw_sim_init_state(sim, 0, z);
  assert_true(z[0] == 1.2 && z[1] == -1.6);
  sw_sim_free(&sim);
}

static void test_columns(void **state)
{
  sw_sim *sim = made(&sw_model_pendulum, NULL);
  sw_columns *columns = NULL;
  char room[SW_NAME_BYTES];
  char message[SW_COLUMNS_MESSAGE];
  (void)state;
  assert_int_equal(sw_columns_of(sim, 0.1, NULL, &columns, message), SW_OK);
  assert_int_equal(sw_columns_count(columns), 10);
  assert_string_equal(sw_columns_name(columns, 2, room), "q.x");
  assert_string_equal(sw_columns_name(columns, 9, room), "residual_hidden");
  assert_int_equal(sw_sim_run(sim, 0.1, 5, NULL, NULL), SW_OK);
  const double *values = sw_columns_values(columns, sim, 5);
  assert_true(values[0] == 5.0 && values[1] == sw_sim_time(sim));
  assert_memory_equal(values + 2, sw_sim_state(sim), 4 * sizeof *values);
  assert_true(values[8] <= 4e-16);
  sw_columns_free(&columns);
  assert_null(columns);

  /* Multipliers are not among all of them, and are there for those that ask. */
  assert_int_equal(sw_columns_of(sim, 0.1, "multiplier,t", &columns, message), SW_OK);
  assert_int_equal(sw_columns_count(columns), 2);
  assert_string_equal(sw_columns_name(columns, 0, room), "multiplier.rod");
  double lambda = NAN;
  assert_int_equal(sw_sim_multipliers(sim, &lambda), SW_OK);
  assert_true(sw_columns_values(columns, sim, 5)[0] == lambda);
  sw_columns_free(&columns);

  /* So are impulses, of which there are none before the first step. */
  assert_int_equal(sw_columns_of(sim, 0.1, "impulse", &columns, message), SW_OK);
  assert_string_equal(sw_columns_name(columns, 0, room), "impulse.rod");
  assert_true(isnan(sw_columns_values(columns, sim, 0)[0]));
  assert_true(sw_columns_values(columns, sim, 5)[0] == sw_sim_impulses(sim)[0]);
  assert_true(sw_sim_impulses(sim)[0] != 0.0);
  sw_columns_free(&columns);

  /* N = -4 |q|^2, and |q| = 1. */
  assert_int_equal(sw_columns_of(sim, 0.1, "det_N", &columns, message), SW_OK);
  assert_true(fabs(sw_columns_values(columns, sim, 5)[0] + 4.0) < 1e-14);
  sw_columns_free(&columns);
  assert_int_equal(sw_columns_of(sim, 0.1, "smallest_pivot", &columns, message), SW_OK);
  assert_true(fabs(sw_columns_values(columns, sim, 5)[0] - 4.0) < 1e-14);
  sw_columns_free(&columns);
  assert_int_equal(sw_columns_of(sim, 0.1, "log_det_N", &columns, message), SW_OK);
  assert_true(fabs(sw_columns_values(columns, sim, 5)[0] - log(4.0)) < 1e-14);
  sw_columns_free(&columns);

  assert_int_equal(sw_columns_of(sim, 0.0, "energy,q,zz", &columns, message), SW_ERR_ARGUMENT);
  assert_null(columns);
  assert_non_null(strstr(message, "unknown column 'zz'"));
  sw_sim_free(&sim);
}

/* Checks z+ (values 0..3), z- (4..7), sigma and the impulse (8, 9) of a step of size h from z0:
 * z- is on M, and both ends of the step are on the fibres of these points.  angle: 0 if the fibre
 * is the line p + s 2q, else 1: the rotation of (q,p) by 2s. */
static void check_fibres(const double z0[], const double z1[], const double v[], double h,
                         int turns)
{
  const double lambda = v[9] / h - v[8];
  const double *ends[] = {z0, v + 4};
  const double *reached[] = {v, z1};
  const double angle[] = {h * lambda, h * v[8]};
  for (int i = 0; i < 2; i++) {
    const double c = turns ? cos(2.0 * angle[i]) : 1.0;
    const double s = turns ? sin(2.0 * angle[i]) : 2.0 * angle[i];
    for (int j = 0; j < 2; j++) {
      const double q = ends[i][j];
      const double p = ends[i][2 + j];
      assert_true(fabs(reached[i][j] - (turns ? c * q + s * p : q)) < 1e-14);
      assert_true(fabs(reached[i][2 + j] - (c * p - s * q)) < 1e-14);
    }
  }
}

/* The base method leads from z+ to z-: verlet with the gravity 1, and the midpoint rule with
 * H = |p|^2/2 - g.q. */
static void check_base(const double v[], double h, const double force[])
{
  for (int j = 0; j < 2; j++) {
    const double half = v[2 + j] + 0.5 * h * force[j];
    assert_true(fabs(v[4 + j] - (v[j] + h * half)) < 1e-14);
    assert_true(fabs(v[6 + j] - (half + 0.5 * h * force[j])) < 1e-14);
  }
}

static void test_points_of_steps(void **state)
{
  static const struct {
    const sw_model *model;
    int turns;
    double force[2];
  } cases[] = {{&sw_model_pendulum, 0, {0.0, -1.0}}, {&sw_model_hopf, 1, {0.0, -1.0}}};
  char room[SW_NAME_BYTES];
  char message[SW_COLUMNS_MESSAGE];
  const double h = 0.05;
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sw_sim *sim = made(cases[i].model, NULL);
    sw_sim *other = made(cases[i].model, NULL);
    sw_columns *columns = NULL;
    assert_int_equal(sw_columns_of(sim, 0.0, "z+,z-,sigma,impulse", &columns, message), SW_OK);
    assert_string_equal(sw_columns_name(columns, 4, room), i == 0 ? "z-.q.x" : "z-.q.1");
    assert_true(sw_columns_of_steps(columns));
    assert_int_equal(sw_columns_follow(columns, sim), SW_OK);
    assert_true(isnan(sw_columns_values(columns, sim, 0)[0]));
    for (int n = 1; n <= 5; n++) {
      double z0[4];
      memcpy(z0, sw_sim_state(sim), sizeof z0);
      assert_int_equal(sw_sim_step(sim, h), SW_OK);
      assert_int_equal(sw_sim_step(other, h), SW_OK);
      const double *v = sw_columns_values(columns, sim, n);
      assert_true(fabs(v[8]) > 0.1);
      check_fibres(z0, sw_sim_state(sim), v, h, cases[i].turns);
      check_base(v, h, cases[i].force);
      for (int j = 0; j < 4; j++) { /* as without the columns */
        assert_true(fabs(sw_sim_state(sim)[j] - sw_sim_state(other)[j]) < 1e-13);
      }
    }
    assert_int_equal(sw_sim_stats(sim).fused_steps, 0);
    assert_int_not_equal(sw_sim_step(sim, 1e6), SW_OK); /* a failed step leaves no points */
    assert_true(isnan(sw_columns_values(columns, sim, 5)[8]));
    sw_columns_free(&columns);
    sw_sim_free(&sim);
    sw_sim_free(&other);
  }
  sw_sim *shake = made(&sw_model_pendulum, "shake");
  sw_columns *columns = NULL;
  assert_int_equal(sw_columns_of(shake, 0.0, "q,z-", &columns, message), SW_ERR_ARGUMENT);
  assert_non_null(strstr(message, "only steps of rattle"));
  sw_sim_free(&shake);
}

/* A multiplier is a function of the state: there is one before the first step. */
static void test_multipliers_begin_with_the_state(void **state)
{
  sw_sim *sim = made(&sw_model_index1, NULL);
  sw_columns *columns = NULL;
  char message[SW_COLUMNS_MESSAGE];
  (void)state;
  assert_int_equal(sw_columns_of(sim, 0.0, "beta_rate", &columns, message), SW_OK);
  assert_true(isfinite(sw_columns_values(columns, sim, 0)[0]));
  assert_int_equal(sw_sim_step(sim, 0.01), SW_OK);
  assert_true(isfinite(sw_columns_values(columns, sim, 1)[0]));
  sw_columns_free(&columns);
  sw_sim_free(&sim);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_points_of_steps), cmocka_unit_test(test_options_of_the_run_line),
      cmocka_unit_test(test_named_initial_states), cmocka_unit_test(test_columns),
      cmocka_unit_test(test_multipliers_begin_with_the_state)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
