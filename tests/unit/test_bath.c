/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_bath.c -- Langevin dynamics in a heat bath, the method baoab.
 *
 * Means over runs with a fixed seed are compared with those of the canonical distribution.  Their
 * standard errors are those of means over blocks that are much longer than the correlation time.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bath_bead.h"
#include "bath_chain.h"
#include "bath_pair.h"
#include "near.h"
#include "sidewinder/sim.h"

enum { MOST = 64, BLOCKS = 100 };

static sw_sim *bathed(const sw_model *model, int threads)
{
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_of_run(model, NULL, &options);
  assert_string_equal(options.method, "baoab");
  options.threads = threads;
  assert_int_equal(sw_sim_create(model, &options, &sim), SW_OK);
  assert_int_equal(sw_sim_set_seed(sim, 7, 0), SW_OK);
  return sim;
}

static void steps(sw_sim *sim, double h, long n)
{
  if (sw_sim_run(sim, h, n, NULL, NULL) != SW_OK) {
    fail_msg("%s", sw_sim_message(sim));
  }
}

/* ---- distributions ---- */

/* The sum of values over the steps of a block. */
typedef struct block {
  double (*value)(const double z[]);
  double sum;
  long n;
} block;

static int add(const sw_sim *sim, long step, void *user)
{
  block *b = user;

  if (step > 0) {
    b->sum += b->value(sw_sim_state(sim));
    b->n++;
  }
  return 0;
}

/* Asserts that the mean of a value is `exact` within 4 standard errors and `bias`, and that the
 * standard error is at most `most`. */
static void assert_mean(sw_sim *sim, double h, long length, double (*value)(const double z[]),
                        double exact, double bias, double most)
{
  double sum = 0.0;
  double squares = 0.0;

  steps(sim, h, length);
  for (int i = 0; i < BLOCKS; i++) {
    block b = {.value = value};
    assert_int_equal(sw_sim_run(sim, h, length, add, &b), SW_OK);
    const double mean = b.sum / (double)b.n;
    sum += mean / BLOCKS;
    squares += mean * mean / BLOCKS;
  }
  const double error = sqrt((squares - sum * sum) / (BLOCKS - 1));
  if (!(fabs(sum - exact) <= 4.0 * error + bias && error <= most)) {
    fail_msg("mean %.6f +- %.6f, expected %.6f", sum, error, exact);
  }
}

static double height(const double z[])
{
  return z[2];
}

/* On the unit sphere, the density of the height is exp(-b z), b = m g/kT. */
static void bead_has_its_height(void **state)
{
  const double b = 1.3 * 1.7 / 0.6;
  sw_sim *sim = bathed(&sw_model_bath_bead, 1);

  (void)state;
  assert_mean(sim, 0.05, 2000, height, 1.0 / b - 1.0 / tanh(b), 0.0, 0.004);
  assert_near(sw_sim_temperature(sim), 0.6, 0.02 * 0.6);
  sw_sim_free(&sim);
}

/* The error of the kinetic temperature after a million steps; its standard error is 0.0006. */
static double error_of_temperature(double h)
{
  sw_sim *sim = bathed(&sw_model_bath_bead, 1);

  steps(sim, h, 1000000);
  const double error = sw_sim_temperature(sim) - 0.6;
  sw_sim_free(&sim);
  return error;
}

static void temperature_has_order_2(void **state)
{
  (void)state;
  assert_near(log2(error_of_temperature(0.4) / error_of_temperature(0.2)), 2.0, 0.4);
}

/* cos^2 of the bend of the chain, and its mean with the density sqrt(4 - c^2) of c in [-1, 1]. */
static double bend_squared(const double z[])
{
  double c = 0.0;

  for (int a = 0; a < 3; a++) {
    c += (z[6 + a] - z[3 + a]) * (z[3 + a] - z[a]);
  }
  return c * c;
}

static double exact_bend(void)
{
  enum { N = 2000 };
  double above = 0.0;
  double below = 0.0;

  for (int i = 0; i < N; i++) {
    const double c = (i + 0.5) / N;
    above += c * c * sqrt(4.0 - c * c);
    below += sqrt(4.0 - c * c);
  }
  return above / below;
}

static void chain_has_the_measure_of_its_metric(void **state)
{
  sw_sim *sim = bathed(&sw_model_bath_chain, 1);

  (void)state;
  /* It is 1/3 without the determinant, more than 4 standard errors away. */
  assert_true(exact_bend() < 1.0 / 3.0 - 4.0 * 0.002);
  assert_mean(sim, 0.1, 5000, bend_squared, exact_bend(), 0.0, 0.002);
  assert_near(sw_sim_temperature(sim), 0.8, 0.02 * 0.8);
  sw_sim_free(&sim);
}

static double x_squared(const double z[])
{
  return z[0] * z[0];
}

static double y_squared(const double z[])
{
  return z[1] * z[1];
}

static double p_times_r(const double z[])
{
  return z[3] * z[4];
}

/* BAOAB has the exact variances of positions of oscillators.  Momenta have the covariance kT M
 * up to O(h^2), with M = H_pp^{-1}.  Without friction there is no noise. */
static void coupled_masses_share_noise(void **state)
{
  const double det = 1.5 * 0.8 - 0.7 * 0.7;
  sw_sim *sim = bathed(&sw_model_bath_pair, 1);

  (void)state;
  assert_mean(sim, 0.1, 2000, x_squared, 0.6, 0.0, 0.015);
  assert_mean(sim, 0.1, 2000, y_squared, 0.2, 0.0, 0.005);
  assert_mean(sim, 0.02, 10000, p_times_r, -0.7 / det * 0.6, 0.0005, 0.015);
  const double *z = sw_sim_state(sim);
  assert_near(z[2] * z[2] + z[5] * z[5], 1.0, 0.003);
  sw_sim_free(&sim);
}

/* ---- the noise is a function of the state ---- */

static void restart_continues_bit_for_bit(void **state)
{
  double saved[MOST];
  double z[MOST];

  (void)state;
  sw_sim *sim = bathed(&sw_model_bath_chain, 1);
  sw_sim *other = bathed(&sw_model_bath_chain, 2);
  const size_t bytes = 2 * (size_t)sw_sim_nq(sim) * sizeof *z;
  assert_true(sw_sim_saved_count(sim) <= MOST);
  assert_int_equal(sw_sim_set_seed(sim, 11, 5), SW_OK);
  steps(sim, 0.1, 50);
  sw_sim_save(sim, saved);
  steps(sim, 0.1, 50);
  memcpy(z, sw_sim_state(sim), bytes);
  steps(other, 0.07, 3);
  assert_int_equal(sw_sim_restore(other, saved), SW_OK);
  steps(other, 0.1, 50);
  assert_memory_equal(sw_sim_state(other), z, bytes);
  sw_sim_free(&other);
  sw_sim_free(&sim);
}

/* Runs 20 steps with this seed and trajectory. */
static void run_seed(long seed, long trajectory, double z[])
{
  sw_sim *sim = bathed(&sw_model_bath_bead, 1);

  assert_int_equal(sw_sim_set_seed(sim, seed, trajectory), SW_OK);
  steps(sim, 0.1, 20);
  memcpy(z, sw_sim_state(sim), 6 * sizeof *z);
  sw_sim_free(&sim);
}

static void seeds_and_trajectories_differ(void **state)
{
  double z[4][6];

  (void)state;
  run_seed(3, 0, z[0]);
  run_seed(3, 0, z[1]);
  run_seed(3, 1, z[2]);
  run_seed(4, 0, z[3]);
  assert_memory_equal(z[0], z[1], sizeof z[0]);
  assert_true(z[0][0] != z[2][0] && z[0][0] != z[3][0] && z[2][0] != z[3][0]);
}

/* Steps in halves of holonomic.h equal those of the phases of the method, which a numerical fibre
 * flow requires. */
static void assert_general_agrees(const sw_model *model)
{
  sw_options options;
  sw_sim *general = NULL;
  sw_sim *sim = bathed(model, 1);

  sw_options_of_run(model, NULL, &options);
  options.numerical_fibre = 1;
  assert_int_equal(sw_sim_create(model, &options, &general), SW_OK);
  assert_int_equal(sw_sim_set_seed(general, 7, 0), SW_OK);
  steps(sim, 0.1, 10);
  steps(general, 0.1, 10);
  for (int i = 0; i < 2 * sw_sim_nq(sim); i++) {
    assert_near(sw_sim_state(sim)[i], sw_sim_state(general)[i], 1e-11);
  }
  for (int i = 0; i < sw_sim_nc(sim); i++) {
    assert_near(sw_sim_impulses(sim)[i], sw_sim_impulses(general)[i], 1e-11);
  }
  sw_sim_free(&general);
  sw_sim_free(&sim);
}

static void general_steps_agree(void **state)
{
  (void)state;
  assert_general_agrees(&sw_model_bath_bead);
  assert_general_agrees(&sw_model_bath_chain);
}

/* ---- refusals ---- */

static void assert_refused(const sw_model *model, const sw_options *options, const char *words)
{
  assert_non_null(strstr(sw_options_objection(model, options), words));
}

static void other_options_are_refused(void **state)
{
  sw_model without = sw_model_bath_bead;
  sw_options options;

  (void)state;
  without.bath = NULL;
  sw_options_of_run(&sw_model_bath_bead, NULL, &options);
  assert_string_equal(sw_options_objection(&sw_model_bath_bead, &options), "");
  assert_refused(&without, &options, "heat bath");
  options.compensated = 1;
  assert_refused(&sw_model_bath_bead, &options, "increments");
  options.compensated = 0;
  options.compose = "triple-jump-4";
  assert_refused(&sw_model_bath_bead, &options, "symmetric");
  options.compose = "none";
  options.check_reversible = 1;
  assert_refused(&sw_model_bath_bead, &options, "inverse");
  options.check_reversible = 0;
  options.base = "verlet";
  assert_refused(&sw_model_bath_bead, &options, "base method");
}

/* Asserts that a step fails with this message and leaves the state as it is. */
static void assert_step_fails(sw_sim *sim, double h, const char *words)
{
  double before[MOST];
  double after[MOST];

  sw_sim_save(sim, before);
  assert_int_equal(sw_sim_step(sim, h), SW_ERR_PARAMETER);
  assert_non_null(strstr(sw_sim_message(sim), words));
  sw_sim_save(sim, after);
  assert_memory_equal(before, after, sw_sim_saved_count(sim) * sizeof *before);
}

/* The noise is refused after the first half of a step has been taken. */
static void a_failed_step_changes_nothing(void **state)
{
  double k[MOST];

  (void)state;
  sw_sim *sim = bathed(&sw_model_bath_bead, 1);
  steps(sim, 0.1, 3);
  memcpy(k, sw_sim_parameters(sim), (size_t)sw_sim_nk(sim) * sizeof *k);
  k[3] = -1.0; /* the friction */
  assert_int_equal(sw_sim_set_parameters(sim, k), SW_OK);
  assert_step_fails(sim, 0.1, "negative");
  sw_sim_free(&sim);
}

static void bad_baths_are_refused(void **state)
{
  double k[MOST];
  double D[MOST * MOST];

  (void)state;
  sw_sim *sim = bathed(&sw_model_bath_chain, 1);
  memcpy(k, sw_sim_parameters(sim), (size_t)sw_sim_nk(sim) * sizeof *k);
  k[4] = 2.0; /* the friction of the first bead alone */
  assert_int_equal(sw_sim_set_parameters(sim, k), SW_OK);
  assert_step_fails(sim, 0.1, "p.1.x and p.2.x are coupled");
  k[4] = k[5] = k[6] = -1.0;
  assert_int_equal(sw_sim_set_parameters(sim, k), SW_OK);
  assert_step_fails(sim, 0.1, "negative");
  k[4] = k[5] = k[6] = 2.0;
  assert_int_equal(sw_sim_set_parameters(sim, k), SW_OK);
  assert_step_fails(sim, -0.1, "h > 0");
  steps(sim, 0.1, 1);
  assert_int_equal(sw_sim_has_tangent(sim), 0);
  assert_int_equal(sw_sim_tangent(sim, 0.1, D), SW_ERR_OPTION);
  assert_int_equal(sw_sim_set_seed(sim, -1, 0), SW_ERR_ARGUMENT);
  sw_sim_free(&sim);
  assert_int_equal(sw_sim_create(&sw_model_bath_chain, NULL, &sim), SW_OK); /* rattle */
  assert_int_equal(sw_sim_set_seed(sim, 1, 0), SW_ERR_ARGUMENT);
  assert_true(isnan(sw_sim_temperature(sim)));
  sw_sim_free(&sim);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(bead_has_its_height),
                                     cmocka_unit_test(temperature_has_order_2),
                                     cmocka_unit_test(chain_has_the_measure_of_its_metric),
                                     cmocka_unit_test(coupled_masses_share_noise),
                                     cmocka_unit_test(restart_continues_bit_for_bit),
                                     cmocka_unit_test(seeds_and_trajectories_differ),
                                     cmocka_unit_test(general_steps_agree),
                                     cmocka_unit_test(other_options_are_refused),
                                     cmocka_unit_test(a_failed_step_changes_nothing),
                                     cmocka_unit_test(bad_baths_are_refused)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
