/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_by_hand.c -- the steppers that are written by hand do what the runtime does: the same states
 * after 100 steps, but for round-off.
 */
#include <math.h>
#include <string.h>

#include "by_hand_parameters.h"
#include "chain.h"
#include "common/processor.h"
#include "near.h"
#include "sidewinder/sim.h"
#include "sidewinder/stepper.h"
#include "water_box.h"

enum { STEPS = 100 };

static sw_sim *simulation(const sw_model *model, int n_sizes, const sw_size sizes[])
{
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.n_sizes = n_sizes;
  options.sizes = sizes;
  assert_int_equal(sw_sim_create(model, &options, &sim), SW_OK);
  return sim;
}

static void set_parameter(sw_sim *sim, const char *name, double value)
{
  double k[64];
  const int i = parameter_index(sim, name);

  assert_in_range(sw_sim_nk(sim), 1, 64);
  assert_in_range(i, 0, 63);
  memcpy(k, sw_sim_parameters(sim), (size_t)sw_sim_nk(sim) * sizeof(double));
  k[i] = value;
  assert_int_equal(sw_sim_set_parameters(sim, k), SW_OK);
}

/* max |z - z of sim| over the positions, or the momenta, in units of the largest of them. */
static double distance(const sw_sim *sim, int momenta, const double z[])
{
  const int d = sw_sim_nq(sim);
  const double *of_sim = sw_sim_state(sim);
  double worst = 0.0;
  double largest = 0.0;

  for (int i = momenta ? d : 0; i < (momenta ? 2 * d : d); i++) {
    assert_true(isfinite(z[i]));
    worst = fmax(worst, fabs(z[i] - of_sim[i]));
    largest = fmax(largest, fabs(of_sim[i]));
  }
  return worst / largest;
}

/* How far apart both are after 100 steps, where one momentum of the hand's start is off by
 * `error`. */
static double chain_distance(double kappa, double h, double error)
{
  const sw_size size = {.name = "N", .value = 6};
  sw_sim *sim = simulation(&sw_model_chain, 1, &size);
  by_hand_cost cost = {0, 0};
  double z[36];
  double far;

  set_parameter(sim, "kappa", kappa);
  set_parameter(sim, "m.3", 0.4);
  by_hand_chain *chain = by_hand_chain_of(sim);
  assert_non_null(chain);
  assert_int_equal(sw_sim_nq(sim), 18);
  memcpy(z, sw_sim_state(sim), sizeof z);
  z[18 + 3] += error;
  assert_int_equal(by_hand_chain_run(chain, h, STEPS, z, &cost), 0);
  assert_int_equal(sw_sim_run(sim, h, STEPS, NULL, NULL), SW_OK);
  assert_int_equal(cost.steps, STEPS);
  assert_in_range(cost.iterations, 2 * STEPS, 8 * STEPS);
  far = fmax(distance(sim, 0, z), distance(sim, 1, z));
  by_hand_chain_free(chain);
  sw_sim_free(&sim);
  return far;
}

static void chain_agrees(void **state)
{
  (void)state;
  assert_true(chain_distance(0.0, 0.005, 0.0) < 1e-13);
  assert_true(chain_distance(0.01, 0.005, 0.0) < 1e-13);
}

static double water_distance(long forces, double h, double error)
{
  const sw_size sizes[] = {{.name = "W", .value = 3}, {.name = "forces", .value = forces}};
  sw_sim *sim = simulation(&sw_model_water_box, 2, sizes);
  by_hand_cost cost = {0, 0};
  double z[54];
  double far;

  by_hand_water *water = by_hand_water_of(sim, forces != 0);
  assert_non_null(water);
  assert_int_equal(sw_sim_nq(sim), 27);
  memcpy(z, sw_sim_state(sim), sizeof z);
  z[27] += error;
  assert_int_equal(by_hand_water_run(water, h, STEPS, z, &cost), 0);
  assert_int_equal(sw_sim_run(sim, h, STEPS, NULL, NULL), SW_OK);
  assert_int_equal(cost.steps, STEPS);
  assert_in_range(cost.iterations, 2 * STEPS, 8 * STEPS);
  far = fmax(distance(sim, 0, z), distance(sim, 1, z));
  by_hand_water_free(water);
  sw_sim_free(&sim);
  return far;
}

static void water_agrees(void **state)
{
  (void)state;
  assert_true(water_distance(0, 1e-3, 0.0) < 1e-13);
  assert_true(water_distance(1, 1e-3, 0.0) < 1e-12);
  assert_true(water_distance(1, -1e-3, 0.0) < 1e-12);
}

/* Of eight molecules at once from one after the other. */
static double lanes_distance(double error)
{
  const sw_size sizes[] = {{.name = "W", .value = 17}, {.name = "forces", .value = 0}};
  sw_sim *sim = simulation(&sw_model_water_box, 2, sizes);
  double z[306];

  by_hand_water *water = by_hand_water_of(sim, 0);
  assert_non_null(water);
  memcpy(z, sw_sim_state(sim), sizeof z);
  z[153] += error;
  assert_int_equal(by_hand_water_run_8(by_hand_water_model_of(water), 1e-3, STEPS, z), 0);
  assert_int_equal(sw_sim_run(sim, 1e-3, STEPS, NULL, NULL), SW_OK);
  const double far = fmax(distance(sim, 0, z), distance(sim, 1, z));
  by_hand_water_free(water);
  sw_sim_free(&sim);
  return far;
}

static void lanes_agree(void **state)
{
  (void)state;
  if (!sw_processor_has(SW_NEEDS_AVX512)) {
    skip();
  }
  assert_true(lanes_distance(0.0) < 1e-14);
  assert_true(lanes_distance(1e-9) > 1e-12);
}

/* The comparison can fail. */
static void another_start_is_seen(void **state)
{
  (void)state;
  assert_true(chain_distance(0.0, 0.005, 1e-9) > 1e-12);
  assert_true(water_distance(0, 1e-3, 1e-9) > 1e-12);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chain_agrees),
      cmocka_unit_test(water_agrees),
      cmocka_unit_test(lanes_agree),
      cmocka_unit_test(another_start_is_seen),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
