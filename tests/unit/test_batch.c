/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_batch.c -- each trajectory of a batch is what a simulation of its own makes of it, bit for
 * bit, in any number of lanes.
 *
 * SW_BATCH_MODELS may be a header with SW_LANES_TABLE(X), X(model, stepper, step) for more steppers
 * that come in lanes, too.
 */
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "chain6.h"
#include "common/processor.h"
#include "common/random.h"
#include "double_pendulum.h"
#include "driven.h"
#include "four_bar.h"
#include "four_particles.h"
#include "hoop.h"
#include "hopf.h"
#include "hopf_free.h"
#include "index1.h"
#include "lj7.h"
#include "pendulum.h"
#include "sidewinder/batch.h"
#include "spherical.h"
#include "two_constraints.h"
#ifdef SW_WITH_COMPENSATED
#include "compensated_steppers.h"
#endif

#ifdef SW_BATCH_MODELS
#include SW_BATCH_MODELS
#else
#define SW_LANES_TABLE(X)
#endif

#define ROW(model, stepper, h)                                                                     \
  {&(model), &(stepper), {{&stepper##_4, NULL}, {&stepper##_8, NULL}}, (h)},
#define MODEL(name, h)       ROW(sw_model_##name, sw_stepper_##name, h)
#define COMPENSATED(name, h) ROW(sw_model_##name, sw_stepper_##name##_compensated, h)

static const struct {
  const sw_model *model;
  const sw_stepper *stepper;
  const sw_stepper *lanes[2][2]; /* 4 and 8 */
  double h;
} models[] = {MODEL(pendulum, 0.05) MODEL(double_pendulum, 0.02) MODEL(chain6, 0.01)
                  MODEL(lj7, 0.005) MODEL(spherical, 0.05) MODEL(driven, 0.005) MODEL(hoop, 0.02)
                      MODEL(hopf, 0.05) MODEL(two_constraints, 0.02) MODEL(index1, 0.02)
                          MODEL(four_bar, 0.01) MODEL(hopf_free, 0.05) MODEL(four_particles, 0.01)
#ifdef SW_WITH_COMPENSATED
                              COMPENSATED(pendulum, 0.05) COMPENSATED(double_pendulum, 0.02)
                                  COMPENSATED(chain6, 0.01) COMPENSATED(spherical, 0.05)
                                      COMPENSATED(hopf, 0.05) COMPENSATED(two_constraints, 0.02)
#endif
                                          SW_LANES_TABLE(ROW)};
enum { n_models = (int)(sizeof models / sizeof models[0]), most = 256, count = 11 };

/* Options for model i with lanes of that width, or none. */
static sw_options options_of(int i, int width)
{
  sw_options options;

  sw_options_init(&options);
  options.method = models[i].stepper->method;
  options.base = models[i].stepper->base;
  options.stepper = models[i].stepper;
  options.compensated = models[i].stepper->compensated;
  options.redundant = models[i].model->follows ? "drop" : "error";
  options.lanes = width > 1 ? models[i].lanes[width / 4 - 1] : NULL;
  return options;
}

static int has(int i, int width)
{
  return width == 1 || sw_processor_has(models[i].lanes[width / 4 - 1][0]->processor);
}

static sw_batch *create(int i, const sw_options *options)
{
  sw_sim *like = NULL;
  sw_batch *batch = NULL;

  assert_int_equal(sw_sim_create(models[i].model, options, &like), SW_OK);
  assert_int_equal(sw_batch_create(like, count, &batch), SW_OK);
  assert_int_equal(sw_batch_count(batch), count);
  sw_sim_free(&like);
  return batch;
}

/* A random state on M and M^H near the simulation's, and parameters of its own. */
static void scatter(sw_sim *sim, double far, uint64_t *random)
{
  double z[most];
  double k[most];
  double start[most];
  const int dim = 2 * sw_sim_nq(sim);

  memcpy(start, sw_sim_state(sim), (size_t)dim * sizeof *z);
  for (int attempt = 0; attempt < 50; attempt++) {
    for (int j = 0; j < sw_sim_nk(sim); j++) {
      k[j] = sw_sim_parameters(sim)[j] * (1.0 + 0.01 * sw_random(random));
    }
    for (int j = 0; j < dim; j++) {
      z[j] = start[j] + far * sw_random(random) * (1.0 + fabs(start[j]));
    }
    if (sw_sim_set_parameters(sim, k) == SW_OK && sw_sim_set_state(sim, 0.25, z) == SW_OK &&
        sw_sim_project(sim) == SW_OK) {
      memcpy(z, sw_sim_state(sim), (size_t)dim * sizeof *z);
      assert_int_equal(sw_sim_set_state(sim, 0.25, z), SW_OK); /* without the statistics of that */
      return;
    }
  }
  fail_msg("no state of %s", sw_sim_model(sim)->name);
}

static int same(const sw_sim *a, const sw_sim *b)
{
  const size_t carried = sw_sim_carry(a) ? 2 * (size_t)sw_sim_nq(a) * sizeof(double) : 0;

  return (carried == 0 || memcmp(sw_sim_carry(a), sw_sim_carry(b), carried) == 0) &&
         memcmp(sw_sim_state(a), sw_sim_state(b), 2 * (size_t)sw_sim_nq(a) * sizeof(double)) == 0 &&
         memcmp(sw_sim_impulses(a), sw_sim_impulses(b), (size_t)sw_sim_nc(a) * sizeof(double)) ==
             0 &&
         sw_sim_time(a) == sw_sim_time(b);
}

static int same_stats(sw_stats a, sw_stats b)
{
  return a.steps == b.steps && a.fused_steps == b.fused_steps && a.solves == b.solves &&
         a.newton_iterations == b.newton_iterations && a.residual_g == b.residual_g &&
         a.residual_hidden == b.residual_hidden && a.residual_solve == b.residual_solve;
}

/* Trajectories whose energy has left its scale, in all comparisons. */
static int left;

/* Runs a batch of random states and one simulation for each; how many trajectories stop.
 * Statistics of trajectories that stop also count what was tried, so that they are not compared. */
static int compare(const sw_model *model, const sw_options *options, double h, double last_h,
                   long steps, double far, uint64_t *random, sw_batch *batch)
{
  sw_sim *alone[count];
  int stopped = 0;

  for (int i = 0; i < count; i++) {
    assert_int_equal(sw_sim_create(model, options, &alone[i]), SW_OK);
    scatter(alone[i], far, random);
    sw_batch_put(batch, i, alone[i]);
  }
  /* In parts that go on, the last one perhaps with another step. */
  (void)sw_batch_run(batch, h, steps / 3);
  (void)sw_batch_run(batch, h, steps / 3);
  (void)sw_batch_run(batch, last_h, steps - 2 * (steps / 3));
  for (int i = 0; i < count; i++) {
    sw_status status = sw_sim_run(alone[i], h, steps / 3, NULL, NULL);
    status = status == SW_OK ? sw_sim_run(alone[i], h, steps / 3, NULL, NULL) : status;
    status = status == SW_OK ? sw_sim_run(alone[i], last_h, steps - 2 * (steps / 3), NULL, NULL)
                             : status;
    assert_int_equal(sw_batch_status(batch, i), status);
    if (status != SW_OK) {
      assert_string_equal(sw_batch_message(batch, i), sw_sim_message(alone[i]));
    }
    if (!same(sw_batch_get(batch, i), alone[i]) ||
        (status == SW_OK && !same_stats(sw_batch_stats(batch, i), sw_sim_stats(alone[i])))) {
      fail_msg("%s, h = %g, %d lanes: trajectory %d differs", model->name, h, sw_batch_lanes(batch),
               i);
    }
    assert_true(sw_batch_time(batch, i) == sw_sim_time(alone[i]));
    for (int e = 0; e < 2 * sw_sim_nq(alone[i]); e++) {
      const int lanes = sw_batch_lanes(batch);
      assert_true(
          sw_batch_states(batch)[(i / lanes * 2 * sw_sim_nq(alone[i]) + e) * lanes + i % lanes] ==
          sw_sim_state(alone[i])[e]);
    }
    stopped += status != SW_OK;
    left += status == SW_ERR_ENERGY;
  }
  for (int i = 0; i < count; i++) {
    sw_sim_free(&alone[i]);
  }
  return stopped;
}

static void lanes_are_simulations_bit_for_bit(void **state)
{
  uint64_t random = 20261122;

  (void)state;
  for (int i = 0; i < n_models; i++) {
    for (int width = 1; width <= 8; width += width == 1 ? 3 : 4) {
      const sw_options options = options_of(i, width);
      sw_batch *batch = create(i, &options);
      assert_int_equal(sw_batch_lanes(batch), has(i, width) ? width : 1);
      const double h = models[i].h;
      assert_int_equal(compare(models[i].model, &options, h, 0.75 * h, 40, 1e-3, &random, batch),
                       0);
      assert_true(sw_batch_stats(batch, 0).fused_steps >= 30);
      sw_batch_free(&batch);
    }
  }
}

/* Steps that are too large for many of the states: lanes leave the straight-line code for a step,
 * and come back, or stop. */
static void lanes_that_fail_disturb_no_others(void **state)
{
  uint64_t random = 7;
  int stopped = 0;
  int ran = 0;

  (void)state;
  for (int i = 0; i < n_models; i++) {
    const sw_options options = options_of(i, 8);
    sw_batch *batch = create(i, &options);
    for (int trial = 0; trial < 12; trial++) {
      const double h =
          models[i].h * pow(10.0, 0.75 + 0.75 * sw_random(&random)) * (trial % 2 ? -1.0 : 1.0);
      const int n = compare(models[i].model, &options, h, 0.5 * h, 12, 0.1, &random, batch);
      stopped += n;
      ran += count - n;
    }
    sw_batch_free(&batch);
  }
  print_message("%d trajectories ran, %d stopped\n", ran, stopped);
  assert_true(stopped > 100 && ran > 100);
}

static void other_ways_of_stepping_are_simulations_too(void **state)
{
  static const struct {
    const char *method, *base, *compose;
    int compensated;
  } ways[] = {{"bdf2", NULL, "none", 0},
              {"rattle", "verlet", "none", 1},
              {"rattle", "midpoint", "none", 0},
              {"rattle", "verlet", "kahan-li-6", 0}};
  uint64_t random = 3;

  (void)state;
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
    sw_options options = options_of(1, 8);
    options.method = ways[i].method;
    options.base = ways[i].base;
    options.compose = ways[i].compose;
    options.compensated = ways[i].compensated;
    sw_batch *batch = create(1, &options);
    assert_int_equal(sw_batch_lanes(batch), i == 3 && has(1, 8) ? 8 : 1);
    assert_int_equal(compare(models[1].model, &options, 0.02, 0.02, 20, 1e-3, &random, batch), 0);
    sw_batch_free(&batch);
  }
}

/* Atoms of a Lennard-Jones molecule that are thrown together: of lanes and of simulations the same
 * step is refused, whether calls end before a look is due or behind it. */
static void energies_that_leave_their_scale_are_noticed(void **state)
{
  const int molecule = 3;
  uint64_t random = 11;

  (void)state;
  assert_string_equal(models[molecule].model->name, "lj7");
  left = 0;
  for (int width = 1; width <= 8; width += width == 1 ? 3 : 4) {
    const sw_options options = options_of(molecule, width);
    sw_batch *batch = create(molecule, &options);
    for (int trial = 0; trial < 16; trial++) {
      const double h = models[molecule].h * (1.0 + 0.25 * trial);
      (void)compare(models[molecule].model, &options, h, h, 1000, 0.35, &random, batch);
    }
    sw_batch_free(&batch);
  }
  print_message("the energy of %d trajectories has left its scale\n", left);
  assert_true(left >= 20);
}

static const sw_stepper *real;

/* Steps that are a little too long in lane 2. */
static long wrong_steps(sw_fused *f, long n)
{
  const long taken = real->steps(f, n);

  f->z[2] *= taken > 0 ? 1.0 + 1e-15 : 1.0;
  return taken;
}

static void a_wrong_lane_is_seen(void **state)
{
  sw_options options = options_of(6, 8);
  uint64_t random = 5;
  sw_sim *alone = NULL;

  (void)state;
  if (!has(6, 8)) {
    skip();
  }
  real = models[6].lanes[1][0];
  sw_stepper wrong = *real;
  wrong.steps = wrong_steps;
  const sw_stepper *const lanes[] = {&wrong, NULL};
  options.lanes = lanes;
  sw_batch *batch = create(6, &options);
  assert_int_equal(sw_sim_create(models[6].model, &options, &alone), SW_OK);
  scatter(alone, 1e-3, &random);
  for (int i = 0; i < count; i++) {
    sw_batch_put(batch, i, alone);
  }
  assert_int_equal(sw_batch_run(batch, 0.05, 5), SW_OK);
  assert_int_equal(sw_sim_run(alone, 0.05, 5, NULL, NULL), SW_OK);
  for (int i = 0; i < 4; i++) {
    assert_int_equal(same(sw_batch_get(batch, i), alone), i != 2);
  }
  sw_batch_free(&batch);
  sw_sim_free(&alone);
}

/* The carry of a lane is its own. */
static long wrong_carry(sw_fused *f, long n)
{
  const long taken = real->steps(f, n);

  f->more[2] = 0.0;
  return taken;
}

static void a_wrong_carry_is_seen(void **state)
{
  int i = n_models - 1;
  uint64_t random = 5;
  sw_sim *alone = NULL;

  (void)state;
  if (!models[i].stepper->compensated || !has(i, 8)) {
    skip();
  }
  sw_options options = options_of(i, 8);
  real = models[i].lanes[1][0];
  sw_stepper wrong = *real;
  wrong.steps = wrong_carry;
  const sw_stepper *const lanes[] = {&wrong, NULL};
  options.lanes = lanes;
  sw_batch *batch = create(i, &options);
  assert_int_equal(sw_sim_create(models[i].model, &options, &alone), SW_OK);
  scatter(alone, 1e-3, &random);
  for (int j = 0; j < count; j++) {
    sw_batch_put(batch, j, alone);
  }
  assert_int_equal(sw_batch_run(batch, models[i].h, 5), SW_OK);
  assert_int_equal(sw_sim_run(alone, models[i].h, 5, NULL, NULL), SW_OK);
  for (int j = 0; j < 4; j++) {
    assert_int_equal(same(sw_batch_get(batch, j), alone), j != 2);
  }
  sw_batch_free(&batch);
  sw_sim_free(&alone);
}

static void what_makes_no_sense_is_refused(void **state)
{
  sw_options options = options_of(0, 8);
  sw_sim *like = NULL;
  sw_batch *batch = NULL;

  (void)state;
  options.lanes = models[1].lanes[1]; /* of another model */
  assert_int_equal(sw_sim_create(models[0].model, &options, &like), SW_OK);
  assert_int_equal(sw_batch_create(like, 0, &batch), SW_ERR_ARGUMENT);
  assert_null(batch);
  assert_int_equal(sw_batch_create(like, 3, &batch), SW_OK);
  assert_int_equal(sw_batch_lanes(batch), 1);
  assert_int_equal(sw_batch_run(batch, 0.1, -1), SW_ERR_ARGUMENT);
  assert_int_equal(sw_batch_run(batch, 0.0, 1), SW_ERR_ARGUMENT);
  const int none[] = {-1, 3, 4, INT_MAX, INT_MIN};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    assert_int_equal(sw_batch_put(batch, none[i], like), SW_ERR_ARGUMENT);
    assert_null(sw_batch_get(batch, none[i]));
    assert_int_equal(sw_batch_status(batch, none[i]), SW_ERR_ARGUMENT);
    assert_string_equal(sw_batch_message(batch, none[i]), sw_status_text(SW_ERR_ARGUMENT));
    assert_true(isnan(sw_batch_time(batch, none[i])));
    assert_int_equal(sw_batch_stats(batch, none[i]).steps, 0);
  }
  assert_int_equal(sw_batch_put(batch, 2, like), SW_OK);
  sw_sim_free(&like);
  sw_batch_free(&batch);
  sw_batch_free(&batch);
  sw_batch_free(NULL);
}

/* After good steps too: what a batch has is then a state that a simulation can be in. */
static void a_step_size_has_an_inverse(void **state)
{
  const double bad[] = {0.0, -0.0, 1e-310, -1e-310, 4.9e-324, INFINITY, -INFINITY, NAN};
  (void)state;
  for (int width = 1; width <= 8; width += width == 1 ? 3 : 4) {
    sw_options options = options_of(0, width);
    sw_sim *like = NULL;
    sw_batch *batch = NULL;
    double z[2][most];
    assert_int_equal(sw_sim_create(models[0].model, &options, &like), SW_OK);
    sw_sim_init_state(like, 0, z[0]);
    assert_int_equal(sw_sim_set_state(like, 0.0, z[0]), SW_OK);
    assert_int_equal(sw_batch_create(like, 3, &batch), SW_OK);
    for (int taken = 0; taken < 2; taken++) {
      const size_t bytes = 2 * (size_t)sw_sim_nq(like) * sizeof(double);
      memcpy(z[0], sw_sim_state(sw_batch_get(batch, 1)), bytes);
      for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(sw_batch_run(batch, bad[i], 1), SW_ERR_ARGUMENT);
        assert_int_equal(sw_batch_run(batch, bad[i], 0), SW_ERR_ARGUMENT);
        assert_int_equal(sw_batch_status(batch, 1), SW_OK);
        assert_memory_equal(z[0], sw_sim_state(sw_batch_get(batch, 1)), bytes);
        assert_true(sw_batch_time(batch, 1) == sw_sim_time(sw_batch_get(batch, 1)));
        assert_int_equal(sw_sim_step(sw_batch_get(batch, 1), bad[i]), SW_ERR_ARGUMENT);
      }
      assert_int_equal(sw_batch_run(batch, models[0].h, 5), SW_OK);
    }
    assert_true(sw_batch_time(batch, 1) > 0.0);
    sw_sim_free(&like);
    sw_batch_free(&batch);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lanes_are_simulations_bit_for_bit),
      cmocka_unit_test(lanes_that_fail_disturb_no_others),
      cmocka_unit_test(other_ways_of_stepping_are_simulations_too),
      cmocka_unit_test(energies_that_leave_their_scale_are_noticed),
      cmocka_unit_test(a_wrong_lane_is_seen),
      cmocka_unit_test(a_wrong_carry_is_seen),
      cmocka_unit_test(what_makes_no_sense_is_refused),
      cmocka_unit_test(a_step_size_has_an_inverse),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
