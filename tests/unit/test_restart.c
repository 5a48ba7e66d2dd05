/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_restart.c -- a step is a map of the state, and a saved state is all of it.
 */
#include <math.h>
#include <stdlib.h>

#include "shipped.h"
#include "simulation.h"

static double *saved_state(const sw_sim *sim)
{
  double *saved = calloc(sw_sim_saved_count(sim), sizeof *saved);

  assert_non_null(saved);
  sw_sim_save(sim, saved);
  return saved;
}

/* The time is t0 + n h, and not a running sum, however the steps are made. */
static void times_are_counted_in_steps(void **state)
{
  sw_sim *sim = create(&sw_fixture_pendulum, "rattle", "verlet");
  double z[4];

  (void)state;
  memcpy(z, sw_sim_state(sim), sizeof z);
  assert_int_equal(sw_sim_set_state(sim, 0.3, z), SW_OK);
  assert_int_equal(sw_sim_run(sim, 0.1, 3, NULL, NULL), SW_OK);
  for (int n = 4; n <= 10; n++) {
    assert_int_equal(sw_sim_step(sim, 0.1), SW_OK);
    assert_true(sw_sim_time(sim) == 0.3 + n * 0.1);
  }
  double *saved = saved_state(sim);
  assert_true(saved[0] == 0.3 && saved[1] == 10.0 && saved[2] == 0.1);
  free(saved);

  /* Another size begins where the last one has ended. */
  assert_int_equal(sw_sim_step(sim, 0.05), SW_OK);
  saved = saved_state(sim);
  assert_true(saved[0] == 0.3 + 10 * 0.1 && saved[1] == 1.0 && saved[2] == 0.05);
  free(saved);
  sw_sim_free(&sim);
}

static void a_saved_state_comes_back_whole(void **state)
{
  (void)state;
  sw_sim *from = create(&sw_fixture_two, "rattle", "midpoint");
  sw_sim *to = create(&sw_fixture_two, "rattle", "midpoint");
  assert_int_equal(sw_sim_run(from, 0.1, 7, NULL, NULL), SW_OK);
  assert_int_equal(sw_sim_run(to, 0.03, 11, NULL, NULL), SW_OK);
  double *saved = saved_state(from);
  assert_int_equal(sw_sim_restore(to, saved), SW_OK);
  double *again = saved_state(to);
  assert_memory_equal(again, saved, sw_sim_saved_count(from) * sizeof *saved);
  assert_true(sw_sim_time(to) == sw_sim_time(from));
  assert_true(sw_sim_lambda(from)[0] != 0.0);
  assert_int_equal(sw_sim_stats(to).steps, 0);
  free(again);
  free(saved);
  sw_sim_free(&from);
  sw_sim_free(&to);
}

static void what_is_no_saved_state_is_refused(void **state)
{
  static const struct {
    int entry;
    double value;
  } wrong[] = {{0, NAN},   {1, -1.0},     {1, 0.5}, {1, 1e16},    {2, 0.0},
               {2, 1e308}, {2, INFINITY}, {4, NAN}, {7, INFINITY}};
  sw_sim *sim = create(&sw_fixture_pendulum, "rattle", "verlet");

  (void)state;
  assert_int_equal(sw_sim_run(sim, 0.1, 7, NULL, NULL), SW_OK);
  double *before = saved_state(sim);
  assert_int_equal(sw_sim_saved_count(sim), 8);
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    double *saved = saved_state(sim);
    saved[wrong[i].entry] = wrong[i].value;
    assert_int_equal(sw_sim_restore(sim, saved), SW_ERR_ARGUMENT);
    assert_true(sw_sim_message(sim)[0] != '\0');
    sw_sim_save(sim, saved);
    assert_memory_equal(saved, before, 8 * sizeof *saved);
    assert_int_equal(sw_sim_stats(sim).steps, 7);
    free(saved);
  }
  free(before);
  sw_sim_free(&sim);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(times_are_counted_in_steps),
      cmocka_unit_test(a_saved_state_comes_back_whole),
      cmocka_unit_test(what_is_no_saved_state_is_refused),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
