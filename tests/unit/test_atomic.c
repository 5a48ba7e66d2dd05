/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_atomic.c -- a step or a projection ends converged, or nothing has changed, bit for bit.
 */
#include <float.h>
#include <limits.h>
#include <string.h>

#include "fixtures.h"
#include "near.h"
#include "poisoned.h"
#include "sidewinder/sim.h"
#include "simulation.h"

/* One step after two good ones, with `which` poisoned from its call `first` on.  Returns whether
 * the poison was met. */
static int poisoned_step(const sw_model *model, const char *method, const char *base,
                         sw_poison which, long first, long calls, const double good[])
{
  sw_sim *sim = create(model, method, base);

  sw_poison_set(SW_POISON_COUNT, 1, 0);
  assert_int_equal(sw_sim_run(sim, 0.1, 2, NULL, NULL), SW_OK);
  const snapshot before = take_snapshot(sim);

  sw_poison_set(which, first, calls);
  const sw_status status = sw_sim_step(sim, 0.1);
  const int hit = sw_poison_hit();

  sw_poison_set(SW_POISON_COUNT, 1, 0);
  if (status == SW_OK) {
    /* A single NaN may be stepped around; then a residual at the tolerance of 1e-12 is accepted,
     * and a residual moves the solution by a small multiple of itself. */
    /* The energy monitor evaluates a gradient, and the examination of N between the ends of a step
     * evaluates N beside the end.  Both do without a value that is not finite, and neither changes
     * the state. */
    const int is_beside =
        (which == SW_POISON_GRAD || which == SW_POISON_NONDEGENERACY) &&
        memcmp(sw_sim_state(sim), good, 2 * (size_t)model->n_coordinates * sizeof *good) == 0;
    assert_false(hit && calls == LONG_MAX && !is_beside);
    assert_all_near(sw_sim_state(sim), good, 2 * model->n_coordinates, hit ? 1e-11 : 0.0);
    assert_string_equal(sw_sim_message(sim), "");
  } else {
    assert_true(hit);
    assert_true(status == SW_ERR_NOT_FINITE || status == SW_ERR_NOT_CONVERGED);
    assert_int_not_equal(strlen(sw_sim_message(sim)), 0);
    assert_unchanged(sim, &before);
    /* And the simulation goes on as if nothing had happened. */
    assert_int_equal(sw_sim_step(sim, 0.1), SW_OK);
    assert_all_near(sw_sim_state(sim), good, 2 * model->n_coordinates, 1e-13);
  }
  sw_sim_free(&sim);
  return hit;
}

/* `least`: calls of watched functions that a step makes at the very least. */
static void sweep_step(const sw_model *original, const char *method, const char *base, long least)
{
  const sw_model model = sw_poison_model(original);
  double good[max_dim];
  sw_sim *sim = create(&model, method, base);
  long hits = 0;

  sw_poison_set(SW_POISON_COUNT, 1, 0);
  assert_int_equal(sw_sim_run(sim, 0.1, 3, NULL, NULL), SW_OK);
  memcpy(good, sw_sim_state(sim), 2 * (size_t)model.n_coordinates * sizeof *good);
  sw_sim_free(&sim);
  for (int which = 0; which < SW_POISON_COUNT; which++)
    for (long first = 1;; first++) {
      const int once = poisoned_step(&model, method, base, (sw_poison)which, first, 1, good);
      const int on = poisoned_step(&model, method, base, (sw_poison)which, first, LONG_MAX, good);

      assert_int_equal(once, on);
      if (!once)
        break;
      hits++;
    }
  assert_true(hits >= least);
}

static void nan_anywhere_in_a_step_changes_nothing(void **state)
{
  sw_model general = sw_fixture_pendulum;

  (void)state;
  /* step/holonomic.h asks for less than the general method, which is what a step takes without the
   * model's word that H_pp is constant. */
  sweep_step(&sw_fixture_pendulum, "rattle", "verlet", 12);
  general.structure.mass = SW_MASS_GENERAL;
  sweep_step(&general, "rattle", "verlet", 20);
  sweep_step(&sw_fixture_spherical, "rattle", "verlet", 20);
  sweep_step(&sw_fixture_two, "rattle", "midpoint", 20);
  /* All that it does not know from the step before is the force at the end. */
  sweep_step(&sw_fixture_free, "rattle", "verlet", 1);
  sweep_step(&sw_fixture_hopf, "shake", "euler-b", 20);
}

static void nan_anywhere_in_a_projection_changes_nothing(void **state)
{
  const sw_model model = sw_poison_model(&sw_fixture_two);
  const double z[max_dim] = {-0.2, -0.6, -0.8, 0.1, -0.1, 0.02};
  long hits = 0;

  (void)state;
  for (int which = 0; which < SW_POISON_COUNT; which++)
    for (long first = 1;; first++) {
      sw_sim *sim = create(&model, "rattle", "verlet");

      assert_int_equal(sw_sim_set_state(sim, 0.5, z), SW_OK);
      const snapshot before = take_snapshot(sim);
      sw_poison_set((sw_poison)which, first, LONG_MAX);
      const sw_status status = sw_sim_project(sim);
      const int hit = sw_poison_hit();

      sw_poison_set(SW_POISON_COUNT, 1, 0);
      assert_int_equal(status == SW_OK, !hit);
      if (hit)
        assert_unchanged(sim, &before);
      sw_sim_free(&sim);
      if (!hit)
        break;
      hits++;
    }
  assert_true(hits > 10);
}

/* A step depends on the state alone, not on what the simulation did before. */
static void steps_have_no_memory(void **state)
{
  (void)state;
  for (const char *const *base = sw_base_names(); *base; base++) {
    sw_sim *old = create(&sw_fixture_hopf, "rattle", *base);
    sw_sim *fresh = create(&sw_fixture_hopf, "rattle", *base);
    assert_int_equal(sw_sim_run(old, 0.05, 20, NULL, NULL), SW_OK);
    assert_int_equal(sw_sim_set_state(fresh, 0.0, sw_sim_state(old)), SW_OK);
    for (int n = 0; n < 10; n++) {
      assert_int_equal(sw_sim_step(old, 0.05), SW_OK);
      assert_int_equal(sw_sim_step(fresh, 0.05), SW_OK);
      assert_memory_equal(sw_sim_state(old), sw_sim_state(fresh), 4 * sizeof(double));
    }
    sw_sim_free(&old);
    sw_sim_free(&fresh);
  }
}

/* Steps that cannot be made, for every method: they end, refuse, and change nothing. */
static void hopeless_steps_are_refused(void **state)
{
  static const double bad[] = {0.0, -0.0, NAN, INFINITY, -INFINITY};
  static const double huge[] = {1e3, -1e6, 1e30, 1e200, -DBL_MAX};

  (void)state;
  for (const char *const *base = sw_base_names(); *base; base++) {
    sw_sim *sim = create(&sw_fixture_spherical, "rattle", *base);

    assert_int_equal(sw_sim_step(sim, 0.1), SW_OK);
    const snapshot before = take_snapshot(sim);

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
      assert_int_equal(sw_sim_step(sim, bad[i]), SW_ERR_ARGUMENT);
      assert_unchanged(sim, &before);
    }
    for (size_t i = 0; i < sizeof huge / sizeof huge[0]; i++) {
      const sw_stats stats = sw_sim_stats(sim);
      const sw_status status = sw_sim_step(sim, huge[i]);

      assert_int_not_equal(status, SW_OK);
      assert_int_not_equal(strlen(sw_sim_message(sim)), 0);
      assert_unchanged(sim, &before);
      assert_in_range(sw_sim_stats(sim).newton_iterations - stats.newton_iterations, 0, 120);
    }
    assert_int_equal(sw_sim_step(sim, 0.1), SW_OK);
    sw_sim_free(&sim);
  }
}

/* A pendulum faster than one diameter per step has no next point: the message says so. */
static void messages_carry_numbers(void **state)
{
  const double z[4] = {1.0, 0.0, 0.0, 3.0};
  sw_sim *sim = create(&sw_fixture_pendulum, "rattle", "verlet");

  (void)state;
  assert_int_equal(sw_sim_set_state(sim, 0.25, z), SW_OK);
  assert_int_equal(sw_sim_step(sim, 1.0), SW_ERR_NOT_CONVERGED);
  assert_non_null(strstr(sw_sim_message(sim), "step failed at t = 0.25: Newton "));
  assert_non_null(strstr(sw_sim_message(sim), " > 1e-12 after "));
  assert_non_null(strstr(sw_sim_message(sim), "try a smaller step"));
  sw_sim_free(&sim);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nan_anywhere_in_a_step_changes_nothing),
      cmocka_unit_test(nan_anywhere_in_a_projection_changes_nothing),
      cmocka_unit_test(steps_have_no_memory),
      cmocka_unit_test(hopeless_steps_are_refused),
      cmocka_unit_test(messages_carry_numbers),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
