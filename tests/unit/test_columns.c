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

  assert_int_equal(sw_columns_of(sim, 0.0, "energy,q,zz", &columns, message), SW_ERR_ARGUMENT);
  assert_null(columns);
  assert_non_null(strstr(message, "unknown column 'zz'"));
  sw_sim_free(&sim);
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
      cmocka_unit_test(test_options_of_the_run_line), cmocka_unit_test(test_named_initial_states),
      cmocka_unit_test(test_columns), cmocka_unit_test(test_multipliers_begin_with_the_state)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
