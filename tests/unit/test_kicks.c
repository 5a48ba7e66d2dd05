/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_kicks.c -- steps of models with forces.
 *
 * The model motors has forces that depend on the time, on inputs, on positions and nonlinearly on
 * momenta; damped_net has a damping with one gamma and forces of q; dashpots has no constraints.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "damped_net.h"
#include "dashpots.h"
#include "motors.h"
#include "near.h"
#include "sidewinder/sim.h"

enum { most = 64 };

static sw_sim *forced(const sw_model *model, const char *base, const char *solver)
{
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.method = "rattle";
  options.base = base;
  options.solver = solver;
  options.stepper = model == &sw_model_motors       ? &sw_stepper_motors
                    : model == &sw_model_damped_net ? &sw_stepper_damped_net
                                                    : &sw_stepper_dashpots;
  assert_int_equal(sw_sim_create(model, &options, &sim), SW_OK);
  assert_true(2 * sw_sim_nq(sim) <= most);
  return sim;
}

static double energy(sw_sim *sim)
{
  double H = NAN;

  sw_sim_hamiltonian(sim, &H);
  return H;
}

/* Runs from the initial state to t = 0.4 in n steps.  z: the end; *left: the change of H minus the
 * work.  Returns 2d. */
static int run_to(const sw_model *model, const char *base, long n, double z[], double *left)
{
  sw_sim *sim = forced(model, base, "auto");
  const double before = energy(sim);

  if (sw_sim_run(sim, 0.4 / (double)n, n, NULL, NULL) != SW_OK) {
    fail_msg("%s over %s: %s", model->name, base, sw_sim_message(sim));
  }
  memcpy(z, sw_sim_state(sim), 2 * (size_t)sw_sim_nq(sim) * sizeof *z);
  *left = fabs(energy(sim) - before - sw_sim_work(sim));
  const int dim = 2 * sw_sim_nq(sim);
  sw_sim_free(&sim);
  return dim;
}

static double distance(int n, const double a[], const double b[])
{
  double largest = 0.0;

  for (int i = 0; i < n; i++) {
    largest = fmax(largest, fabs(a[i] - b[i]));
  }
  return largest;
}

static const sw_model *const all_models[] = {&sw_model_motors, &sw_model_damped_net,
                                             &sw_model_dashpots};
static const char *const bases[] = {"verlet", "midpoint"};

/* Halving h divides the differences by 4, over base methods of order 2, and the error of H minus
 * the work by 4 as well. */
static void steps_have_order_2(void **state)
{
  (void)state;
  for (int i = 0; i < 3; i++) {
    for (int b = 0; b < 2; b++) {
      double z[4][most];
      double left[4];
      int n = 0;
      for (int k = 0; k < 4; k++) {
        n = run_to(all_models[i], bases[b], 40L << k, z[k], &left[k]);
      }
      const double order = log2(distance(n, z[1], z[2]) / distance(n, z[2], z[3]));
      if (!(order > 1.8 && order < 2.2)) {
        fail_msg("%s over %s: order %.3f", all_models[i]->name, bases[b], order);
      }
      if (!(left[3] < 1e-12 || (left[2] / left[3] > 3.0 && left[2] / left[3] < 5.0))) {
        fail_msg("%s over %s: H - work changes by %g, then %g", all_models[i]->name, bases[b],
                 left[2], left[3]);
      }
    }
  }
}

/* A step of -h leads back, so the order is even. */
static void steps_are_symmetric(void **state)
{
  (void)state;
  for (int i = 0; i < 3; i++) {
    sw_sim *sim = forced(all_models[i], "verlet", "auto");
    double z[most];
    assert_int_equal(sw_sim_run(sim, 0.02, 10, NULL, NULL), SW_OK);
    memcpy(z, sw_sim_state(sim), 2 * (size_t)sw_sim_nq(sim) * sizeof *z);
    const double work = sw_sim_work(sim);
    assert_true(work != 0.0);
    assert_int_equal(sw_sim_step(sim, 0.02), SW_OK);
    assert_true(distance(2 * sw_sim_nq(sim), z, sw_sim_state(sim)) > 1e-4);
    assert_int_equal(sw_sim_step(sim, -0.02), SW_OK);
    assert_near(distance(2 * sw_sim_nq(sim), z, sw_sim_state(sim)), 0.0, 1e-12);
    assert_near(sw_sim_work(sim), work, 1e-12);
    sw_sim_free(&sim);
  }
}

/* Generated and general steps agree, and a restored simulation continues bit for bit. */
static void steps_agree_and_resume(void **state)
{
  long fused = 0;

  (void)state;
  for (int i = 0; i < 3; i++) {
    sw_sim *sim = forced(all_models[i], "verlet", "auto");
    sw_sim *other = forced(all_models[i], "verlet", "kinsol");
    assert_int_equal(sw_sim_run(sim, 0.02, 20, NULL, NULL), SW_OK);
    assert_int_equal(sw_sim_run(other, 0.02, 20, NULL, NULL), SW_OK);
    assert_near(distance(2 * sw_sim_nq(sim), sw_sim_state(sim), sw_sim_state(other)), 0.0, 1e-11);
    assert_int_equal(sw_sim_stats(other).fused_steps, 0);
    fused += sw_sim_stats(sim).fused_steps;

    double *saved = calloc(sw_sim_saved_count(sim), sizeof *saved);
    assert_non_null(saved);
    sw_sim_save(sim, saved);
    sw_sim_free(&other);
    other = forced(all_models[i], "verlet", "auto");
    assert_int_equal(sw_sim_restore(other, saved), SW_OK);
    free(saved);
    assert_true(sw_sim_work(other) == sw_sim_work(sim));
    assert_int_equal(sw_sim_run(sim, 0.02, 7, NULL, NULL), SW_OK);
    assert_int_equal(sw_sim_run(other, 0.02, 7, NULL, NULL), SW_OK);
    assert_memory_equal(sw_sim_state(sim), sw_sim_state(other),
                        2 * (size_t)sw_sim_nq(sim) * sizeof(double));
    assert_true(sw_sim_work(other) == sw_sim_work(sim));
    sw_sim_free(&other);
    sw_sim_free(&sim);
  }
  assert_true(fused > 0);
}

/* Inputs act from the next step on; values outside of their bounds change nothing. */
static void inputs_act(void **state)
{
  sw_sim *sim = forced(&sw_model_motors, "verlet", "auto");
  sw_sim *other = forced(&sw_model_motors, "verlet", "auto");
  const double still[] = {0.0, 0.0, 0.0};
  const double strong[] = {5.0, 0.0, 0.0};
  const double wrong[] = {11.0, 0.0, 0.0};

  (void)state;
  assert_int_equal(sw_sim_n_inputs(sim), 3);
  assert_int_equal(sw_sim_input(sim, 3), -1);
  assert_int_equal(sw_sim_set_inputs(sim, still), SW_OK);
  assert_int_equal(sw_sim_set_inputs(other, strong), SW_OK);
  assert_int_equal(sw_sim_set_inputs(other, wrong), SW_ERR_PARAMETER);
  assert_true(sw_sim_parameters(other)[sw_sim_input(other, 0)] == 5.0);
  assert_int_equal(sw_sim_step(sim, 0.01), SW_OK);
  assert_int_equal(sw_sim_step(other, 0.01), SW_OK);
  /* the motor's torque about the first joint, times h, to first order */
  const double *a = sw_sim_state(sim) + sw_sim_nq(sim);
  const double *b = sw_sim_state(other) + sw_sim_nq(sim);
  const double *q = sw_sim_state(sim);
  const double turn = q[0] * (b[1] - a[1]) - q[1] * (b[0] - a[0]);
  assert_true(turn > 0.0 && sw_sim_work(other) != sw_sim_work(sim));
  sw_sim_free(&other);
  sw_sim_free(&sim);
}

/* A step that fails in its second kick or before leaves state, work and time as they were. */
static void failures_change_nothing(void **state)
{
  sw_sim *sim = forced(&sw_model_motors, "verlet", "auto");
  double z[most];

  (void)state;
  assert_int_equal(sw_sim_run(sim, 0.02, 3, NULL, NULL), SW_OK);
  memcpy(z, sw_sim_state(sim), 2 * (size_t)sw_sim_nq(sim) * sizeof *z);
  const double work = sw_sim_work(sim);
  const double t = sw_sim_time(sim);
  assert_int_not_equal(sw_sim_step(sim, 50.0), SW_OK);
  assert_true(sw_sim_message(sim)[0] != '\0');
  assert_memory_equal(sw_sim_state(sim), z, 2 * (size_t)sw_sim_nq(sim) * sizeof *z);
  assert_true(sw_sim_work(sim) == work && sw_sim_time(sim) == t);
  assert_int_equal(sw_sim_step(sim, 0.02), SW_OK);
  sw_sim_free(&sim);
}

/* Methods with which kicks do not fit are refused. */
static void other_methods_are_refused(void **state)
{
  static const char *const methods[] = {"leapfrog", "bdf2", "vs"};
  sw_options options;

  (void)state;
  for (int i = 0; i < 3; i++) {
    sw_options_init(&options);
    options.method = methods[i];
    assert_true(strstr(sw_options_objection(&sw_model_motors, &options), "kick") != NULL);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_have_order_2),      cmocka_unit_test(steps_are_symmetric),
      cmocka_unit_test(steps_agree_and_resume),  cmocka_unit_test(inputs_act),
      cmocka_unit_test(failures_change_nothing), cmocka_unit_test(other_methods_are_refused)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
