/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_redundant.c -- runs of models whose constraints follow from others, everywhere or at
 * singular configurations, against the same motion without them.
 */
#include "failing_malloc.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "../reference/square.h"
#include "reference.h"

extern const sw_model sw_model_square;
extern const sw_model sw_model_four_bar;
extern const sw_model sw_model_chain6_tied;

static const char *const ways[] = {"drop", "min-norm"};

/* A simulation of the model in its initial state number `init`. */
static sw_sim *start(const sw_model *model, const char *method, const char *base,
                     const char *redundant, int init)
{
  double z[REFERENCE_MAX];
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.method = method;
  options.base = base;
  options.redundant = redundant;
  assert_int_equal(sw_sim_create(model, &options, &sim), SW_OK);
  model->init[init].state(NULL, sw_sim_parameters(sim), z);
  assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
  return sim;
}

static void check_message(const sw_sim *sim, const char *part)
{
  if (!strstr(sw_sim_message(sim), part))
    fail_msg("'%s' is not in '%s'", part, sw_sim_message(sim));
}

/* Worst distance of the states of the square from the table, which is for five bars. */
static double square_error(const char *redundant, int n, const reference_row rows[])
{
  sw_sim *sim = start(&sw_model_square, "rattle", "verlet", redundant, 0);
  double worst = 0.0;
  long done = 0;

  for (int i = 0; i < n; i++) {
    reference_advance(sim, rows[i].step, rows[i].steps - done);
    done = rows[i].steps;
    worst = fmax(worst, reference_distance(16, sw_sim_state(sim), rows[i].z));
  }
  sw_sim_free(&sim);
  return worst;
}

static void square_has_the_states_of_five_bars(void **unused)
{
  reference_row wrong = reference_square_states[0];

  (void)unused;
  for (int w = 0; w < 2; w++) {
    reference_accept(ways[w], square_error(ways[w], REFERENCE_ROWS(reference_square_states)),
                     1e-10);
    wrong.z[3] = reference_square_states[0].z[3] + 2e-10;
    reference_refuse(ways[w], square_error(ways[w], 1, &wrong), 1e-10);
  }
}

/* Worst distance between the chain with and without three redundant constraints, over 1000
 * steps. */
static double chain_error(const char *method, const char *redundant, double h)
{
  sw_sim *plain = start(&sw_model_chain6, method, "verlet", "error", 0);
  sw_sim *tied = start(&sw_model_chain6_tied, method, "verlet", redundant, 0);
  double worst = 0.0;

  for (int i = 0; i < 100; i++) {
    reference_advance(plain, h, 10);
    reference_advance(tied, h, 10);
    worst = fmax(worst, reference_distance(24, sw_sim_state(plain), sw_sim_state(tied)));
  }
  sw_sim_free(&plain);
  sw_sim_free(&tied);
  return worst;
}

static void chain_agrees_with_its_five_links(void **unused)
{
  (void)unused;
  for (int w = 0; w < 2; w++) {
    reference_accept(ways[w], chain_error("rattle", ways[w], 0.01), 1e-9);
    reference_accept(ways[w], chain_error("shake", ways[w], 0.01), 1e-9);
    reference_accept(ways[w], chain_error("rattle", ways[w], -0.01), 1e-9);
  }
}

/* Both ways have the same states with any method, and different multipliers, of which `drop` has
 * one at 0 and `min-norm` has the shorter ones; the forces Dg^T lambda are the same. */
static void multipliers_are_as_asked_for(void **unused)
{
  static const char *const bases[] = {"euler-a", "euler-b", "verlet", "midpoint"};
  static const char *const methods[] = {"shake", "rattle"};

  (void)unused;
  for (int t = 0; t < 8; t++) {
    sw_sim *sims[2];
    double length[2] = {0.0, 0.0};
    int zeros[2] = {0, 0};
    for (int w = 0; w < 2; w++) {
      sims[w] = start(&sw_model_square, methods[t / 4], bases[t % 4], ways[w], 0);
      reference_advance(sims[w], 0.02, 50);
      const double *lambda = sw_sim_impulses(sims[w]);
      for (int i = 0; i < 6; i++) {
        length[w] = hypot(length[w], lambda[i]);
        zeros[w] += lambda[i] == 0.0;
      }
    }
    assert_true(reference_distance(16, sw_sim_state(sims[0]), sw_sim_state(sims[1])) < 1e-12);
    assert_int_equal(zeros[0], 1);
    assert_int_equal(zeros[1], 0);
    assert_true(length[1] < 0.99 * length[0]);
    sw_sim_free(&sims[0]);
    sw_sim_free(&sims[1]);
  }
}

static void redundant_constraints_are_named(void **unused)
{
  sw_sim *sim = start(&sw_model_square, "rattle", "verlet", "error", 0);
  double before[16];

  (void)unused;
  memcpy(before, sw_sim_state(sim), sizeof before);
  assert_int_equal(sw_sim_step(sim, 0.02), SW_ERR_SINGULAR);
  check_message(sim, "dependent gradients at its start: 5 of 6 constraints are independent, ");
  check_message(sim, "' depends on '");
  check_message(sim, "set options.redundant to \"drop\" or \"min-norm\"");
  assert_memory_equal(before, sw_sim_state(sim), sizeof before);
  sw_sim_free(&sim);
  sim = start(&sw_model_chain6_tied, "rattle", "verlet", "error", 0);
  assert_int_equal(sw_sim_step(sim, 0.01), SW_ERR_SINGULAR);
  check_message(sim, "' follows from '");
  sw_sim_free(&sim);
}

/* From the state "aimed" the bars are in line after ten steps; the cranks turn by asin(h) a
 * step. */
static void linkage_passes_its_singular_configuration(void **unused)
{
  const double h = 0.1;

  (void)unused;
  for (int w = 0; w < 2; w++) {
    sw_sim *sim = start(&sw_model_four_bar, "rattle", "verlet", ways[w], 1);
    for (int n = 1; n <= 20; n++) {
      assert_int_equal(sw_sim_step(sim, h), SW_OK);
      const double angle = (10 - n) * asin(h);
      const double c = cos(angle), s = sin(angle);
      const double expected[8] = {c, s, c + 2.0, s, s, -c, s, -c};
      assert_true(reference_distance(8, sw_sim_state(sim), expected) < 1e-12);
    }
    /* And back. */
    reference_advance(sim, -h, 20);
    const double c = cos(10 * asin(h)), s = sin(10 * asin(h));
    const double expected[8] = {c, s, c + 2.0, s, s, -c, s, -c};
    assert_true(reference_distance(8, sw_sim_state(sim), expected) < 1e-11);
    sw_sim_free(&sim);
  }
}

static void linkage_is_refused_in_line(void **unused)
{
  const double flat[8] = {1.0, 0.0, 3.0, 0.0, 0.0, -1.0, 0.0, -1.0};
  sw_sim *sim = start(&sw_model_four_bar, "rattle", "verlet", "error", 1);

  (void)unused;
  reference_advance(sim, 0.1, 9);
  assert_int_equal(sw_sim_step(sim, 0.1), SW_ERR_SINGULAR);
  check_message(sim, "because of dependent gradients: 2 of 3 constraints are independent, ");
  check_message(sim, "' depends on '");
  check_message(sim, "set options.redundant to \"drop\" or \"min-norm\"");
  assert_int_equal(sw_sim_set_state(sim, 0.0, flat), SW_OK);
  assert_int_equal(sw_sim_step(sim, 0.1), SW_ERR_SINGULAR);
  check_message(sim, "dependent gradients at its start: 2 of 3 constraints are independent, ");
  sw_sim_free(&sim);
  for (int w = 0; w < 2; w++) {
    sim = start(&sw_model_four_bar, "rattle", "verlet", ways[w], 1);
    assert_int_equal(sw_sim_set_state(sim, 0.0, flat), SW_OK);
    reference_advance(sim, 0.1, 3);
    const double c = cos(-3 * asin(0.1)), s = sin(-3 * asin(0.1));
    const double expected[8] = {c, s, c + 2.0, s, s, -c, s, -c};
    assert_true(reference_distance(8, sw_sim_state(sim), expected) < 1e-12);
    sw_sim_free(&sim);
  }
}

/* Where N is singular although no gradients are dependent, nothing can be dropped: at |q| = |p| of
 * the model hopf_free. */
static void degenerate_states_are_refused(void **unused)
{
  const double z[4] = {sqrt(0.5), 0.0, 0.0, sqrt(0.5)};
  static const char *const all[] = {"error", "drop", "min-norm"};

  (void)unused;
  for (int w = 0; w < 3; w++) {
    sw_sim *sim = start(&sw_model_hopf_free, "rattle", "midpoint", all[w], 0);
    assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
    assert_int_equal(sw_sim_step(sim, 0.01), SW_ERR_SINGULAR);
    check_message(sim, "N = {{g,H},g} is singular at its start");
    sw_sim_free(&sim);
  }
}

static void states_are_projected(void **unused)
{
  (void)unused;
  for (int w = 0; w < 2; w++) {
    for (int far = 0; far < 2; far++) {
      sw_sim *sim = start(&sw_model_square, "rattle", "verlet", ways[w], 0);
      double z[16];
      memcpy(z, sw_sim_state(sim), sizeof z);
      for (int i = 0; i < 16; i++)
        z[i] += (far ? 0.1 : 1e-4) * sin(1.0 + 3.0 * i);
      assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
      assert_int_equal(sw_sim_step(sim, 0.02), SW_ERR_OFF_M);
      assert_int_equal(sw_sim_project(sim), SW_OK);
      reference_advance(sim, 0.02, 10);
      sw_sim_free(&sim);
    }
  }
}

/* From the start of a run, through the singular configuration, and where it is refused. */
static void steps_do_not_allocate(void **unused)
{
  static const sw_model *const models[] = {&sw_model_square, &sw_model_four_bar,
                                           &sw_model_chain6_tied};
  static const char *const all[] = {"error", "drop", "min-norm"};

  (void)unused;
  for (int i = 0; i < 3; i++)
    for (int w = 0; w < 3; w++) {
      const long kept = allocations - releases;
      sw_sim *sim = start(models[i], "rattle", "verlet", all[w], i == 1);
      const long before = allocations;
      const sw_status status = sw_sim_run(sim, 0.1, 15, NULL, NULL);
      assert_int_equal(allocations, before);
      assert_int_equal(status, w == 0 ? SW_ERR_SINGULAR : SW_OK);
      sw_sim_free(&sim);
      assert_int_equal(allocations - releases, kept);
    }
  assert_int_equal(fail_at, 0);
}

static void options_are_checked(void **unused)
{
  sw_options options;
  sw_sim *sim = NULL;

  (void)unused;
  sw_options_init(&options);
  assert_string_equal(options.redundant, "error");
  options.redundant = "dropped";
  assert_int_equal(sw_sim_create(&sw_model_square, &options, &sim), SW_ERR_OPTION);
  options.redundant = NULL;
  assert_int_equal(sw_sim_create(&sw_model_square, &options, &sim), SW_ERR_OPTION);
  assert_string_equal(sw_redundant_names()[1], "drop");
  assert_string_equal(sw_redundant_names()[2], "min-norm");
  assert_null(sw_redundant_names()[3]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(square_has_the_states_of_five_bars),
      cmocka_unit_test(chain_agrees_with_its_five_links),
      cmocka_unit_test(multipliers_are_as_asked_for),
      cmocka_unit_test(redundant_constraints_are_named),
      cmocka_unit_test(linkage_passes_its_singular_configuration),
      cmocka_unit_test(linkage_is_refused_in_line),
      cmocka_unit_test(degenerate_states_are_refused),
      cmocka_unit_test(states_are_projected),
      cmocka_unit_test(steps_do_not_allocate),
      cmocka_unit_test(options_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
