/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_compensated.c -- compensated summation of the steps: what it leaves of rounding errors, that
 * its carry is part of the state, and what it refuses.
 */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "all_models.h"
#include "double_pendulum.h"

enum { most = 16 };

static sw_options options_of(const char *method, const char *base, const char *compose,
                             int compensated)
{
  sw_options options;

  sw_options_init(&options);
  options.method = method;
  options.base = base;
  options.compose = compose;
  options.compensated = compensated;
  return options;
}

/* Of RATTLE at the model's own first state; but hopf's is near to where N is singular, so that its
 * last is taken. */
static sw_sim *simulation(const sw_model *model, const char *compose, int compensated)
{
  const sw_options options = options_of("rattle", "verlet", compose, compensated);
  sw_sim *sim = NULL;
  double z[most];

  assert_int_equal(sw_sim_create(model, &options, &sim), SW_OK);
  model->init[model == &sw_model_hopf ? model->n_init - 1 : 0].state(NULL, sw_sim_parameters(sim),
                                                                     z);
  assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
  assert_int_equal(sw_sim_project(sim), SW_OK);
  return sim;
}

/* ---- rounding errors ---- */

/* RATTLE over verlet for the pendulum, written out for long double. */
static void by_hand(long double z[4], long double h)
{
  const long double gx = 2.0L * z[0];
  const long double gy = 2.0L * z[1];
  long double lambda = 0.0L;
  long double x = 0.0L;
  long double y = 0.0L;
  long double p[2] = {0.0L, 0.0L};

  for (int i = 0; i < 6; i++) {
    p[0] = z[2] - h * lambda * gx;
    p[1] = z[3] - h * lambda * gy - h / 2.0L;
    x = z[0] + h * p[0];
    y = z[1] + h * p[1];
    lambda += (x * x + y * y - 1.0L) / (2.0L * h * h * (x * gx + y * gy));
  }
  p[1] -= h / 2.0L;
  const long double along = (x * p[0] + y * p[1]) / (x * x + y * y);
  z[0] = x;
  z[1] = y;
  z[2] = p[0] - along * x;
  z[3] = p[1] - along * y;
}

/* How far n steps lead from where they lead without rounding errors. */
static double rounding_errors(long n, double h, int compensated)
{
  sw_sim *sim = simulation(&sw_model_pendulum, "none", compensated);
  long double z[4];
  double largest = 0.0;

  for (int i = 0; i < 4; i++)
    z[i] = sw_sim_state(sim)[i];
  assert_int_equal(sw_sim_run(sim, h, n, NULL, NULL), SW_OK);
  for (long i = 0; i < n; i++)
    by_hand(z, h);
  for (int i = 0; i < 4; i++) {
    const long double carry = compensated ? sw_sim_carry(sim)[i] : 0.0;
    largest = fmax(largest, (double)fabsl(sw_sim_state(sim)[i] - z[i] + carry));
  }
  sw_sim_free(&sim);
  return largest;
}

static void what_rounding_leaves_is_h_times_smaller(void **state)
{
  static const struct {
    long n;
    double h;
    double gain;
  } runs[] = {{10000, 0.1, 5.0}, {30000, 0.01, 50.0}, {30000, 0.001, 300.0}};

  (void)state;
  if (sizeof(long double) == sizeof(double) || LDBL_EPSILON == DBL_EPSILON)
    skip();
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
    const double plain = rounding_errors(runs[i].n, runs[i].h, 0);
    const double compensated = rounding_errors(runs[i].n, runs[i].h, 1);
    printf("h = %g, %ld steps: %.2e, compensated %.2e\n", runs[i].h, runs[i].n, plain, compensated);
    assert_true(plain >= runs[i].gain * compensated);
  }
}

/* Where n steps lead over a time t_end. */
static void end_of(const sw_model *model, const char *compose, int compensated, double t_end,
                   long n, double z[])
{
  sw_sim *sim = simulation(model, compose, compensated);
  const int dim = 2 * sw_sim_nq(sim);

  assert_true(dim <= most);
  assert_int_equal(sw_sim_run(sim, t_end / (double)n, n, NULL, NULL), SW_OK);
  for (int i = 0; i < dim; i++) {
    z[i] = sw_sim_state(sim)[i];
    z[most + i] = compensated ? sw_sim_carry(sim)[i] : 0.0;
  }
  sw_sim_free(&sim);
}

static double apart(const double a[], const double b[], int dim)
{
  double largest = 0.0;

  for (int i = 0; i < dim; i++)
    largest = fmax(largest, fabs(a[i] - b[i] + (a[most + i] - b[most + i])));
  return largest;
}

/* The last pair of step sizes before round-off: without the carry the smaller error is several
 * times as large, or of no slope. */
static void orders_go_on_to_round_off(void **state)
{
  static const struct {
    const sw_model *model;
    const char *compose;
    int order;
    double t_end;
    long n; /* and twice as many */
    double error;
  } cases[] = {{&sw_model_hopf, "suzuki-4", 4, 10.0, 5120, 1e-13},
               {&sw_model_hopf, "kahan-li-6", 6, 10.0, 640, 5e-14},
               {&sw_model_hopf, "kahan-li-8", 8, 10.0, 80, 1e-12},
               {&sw_model_two_constraints, "suzuki-4", 4, 10.0, 2560, 5e-13},
               {&sw_model_two_constraints, "kahan-li-6", 6, 10.0, 640, 1e-14},
               {&sw_model_two_constraints, "kahan-li-8", 8, 10.0, 80, 3e-13},
               {&sw_model_double_pendulum, "kahan-li-6", 6, 3.0, 320, 1e-13},
               {&sw_model_double_pendulum, "kahan-li-8", 8, 3.0, 40, 3e-13}};

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const int dim = 2 * cases[i].model->n_coordinates;
    double fine[2 * most];
    double z[2 * most];
    double error[2];
    end_of(cases[i].model, "kahan-li-8", 1, cases[i].t_end, 1280, fine);
    for (int j = 0; j < 2; j++) {
      end_of(cases[i].model, cases[i].compose, 1, cases[i].t_end, cases[i].n << j, z);
      error[j] = apart(z, fine, dim);
    }
    printf("%s, %s: slope %.3f to %.2e\n", cases[i].model->name, cases[i].compose,
           log2(error[0] / error[1]), error[1]);
    assert_near(log2(error[0] / error[1]), cases[i].order, 0.15);
    assert_below(error[1], cases[i].error);
  }
}

/* ---- the state ---- */

static sw_sim *open_compensated(const shipped *s, const char *method, const char *base,
                                const char *redundant, int compensated)
{
  sw_options options = options_of(method, base, "none", compensated);
  sw_sim *sim = NULL;

  options.redundant = redundant;
  options.n_sizes = s->n_sizes;
  options.sizes = s->sizes;
  if (sw_options_objection(s->model, &options)[0] != '\0')
    return NULL;
  assert_int_equal(sw_sim_create(s->model, &options, &sim), SW_OK);
  return sim;
}

static void assert_same_state(const sw_sim *a, const sw_sim *b)
{
  double *x = saved_state(a);
  double *y = saved_state(b);

  assert_int_equal(sw_sim_saved_count(a), sw_sim_saved_count(b));
  assert_memory_equal(x, y, sw_sim_saved_count(a) * sizeof *x);
  free(x);
  free(y);
}

/* From one state: plain steps lead nearly there, the carry is below the last digit, a simulation
 * that is given the state goes on bit for bit, and a step that fails leaves it as it is.  Returns
 * whether rounding left anything out. */
static int go_on(sw_sim *sim, sw_sim *plain, sw_sim *again, double h)
{
  const int dim = 2 * sw_sim_nq(sim);
  double *saved = saved_state(plain);
  double largest = 0.0;

  assert_int_equal(sw_sim_set_state(sim, 0.0, sw_sim_state(plain)), SW_OK);
  assert_int_equal(sw_sim_set_state(plain, 0.0, sw_sim_state(sim)), SW_OK);
  free(saved);
  for (int i = 0; i < dim; i++)
    assert_true(sw_sim_carry(sim)[i] == 0.0);
  assert_int_equal(sw_sim_run(sim, h, 5, NULL, NULL), SW_OK);
  assert_int_equal(sw_sim_run(plain, h, 5, NULL, NULL), SW_OK);
  for (int i = 0; i < dim; i++) {
    const double z = sw_sim_state(sim)[i];
    largest = fmax(largest, fabs(sw_sim_carry(sim)[i]));
    assert_true(z + sw_sim_carry(sim)[i] == z);
    assert_near(z, sw_sim_state(plain)[i], 1e-11 * (1.0 + fabs(z)));
  }
  saved = saved_state(sim);
  assert_int_equal(sw_sim_restore(again, saved), SW_OK);
  if (sw_sim_step(again, 1e12 * h) == SW_OK)
    assert_int_equal(sw_sim_restore(again, saved), SW_OK);
  assert_same_state(sim, again);
  assert_int_equal(sw_sim_run(sim, h, 4, NULL, NULL), SW_OK);
  assert_int_equal(sw_sim_run(again, h, 4, NULL, NULL), SW_OK);
  assert_same_state(sim, again);
  free(saved);
  return largest > 0.0;
}

static void the_carry_is_part_of_the_state(void **state)
{
  static const char *const methods[][2] = {{"rattle", "verlet"},     {"rattle", "midpoint"},
                                           {"rattle", "splitting"},  {"shake", "verlet"},
                                           {"lobatto", "lobatto-4"}, {"leapfrog", NULL}};
  int looped = 0;
  int cases = 0;
  int carried = 0;

  (void)state;
  for (int m = 0; m < (int)(sizeof methods / sizeof methods[0]); m++)
    for (int i = 0; i < n_models; i++) {
      const shipped *s = model_number(i);
      sw_sim *sims[3];
      for (int j = 0; j < 3; j++)
        sims[j] = open_compensated(s, methods[m][0], methods[m][1], redundant_number(i), j != 1);
      if (sims[0]) {
        looped += s->model->n_sizes > 0;
        start_model(sims[1], s->h, s->model->name);
        cases++;
        carried += go_on(sims[0], sims[1], sims[2], s->h);
      }
      for (int j = 0; j < 3; j++)
        sw_sim_free(&sims[j]);
    }
  printf("%d cases, %d with a carry, %d looped\n", cases, carried, looped);
  assert_true(carried >= 9 * cases / 10);
  assert_true(looped >= 20);
}

/* A step of several parts that fails in a later one; and what puts the state elsewhere leaves no
 * carry. */
static void parts_and_jumps(void **state)
{
  sw_sim *sim = simulation(&sw_model_pendulum, "kahan-li-6", 1);
  int failed = 0;

  (void)state;
  for (double h = 0.1; h < 60.0; h *= 1.2) {
    double *saved = saved_state(sim);
    if (sw_sim_step(sim, h) != SW_OK) {
      double *after = saved_state(sim);
      assert_memory_equal(after, saved, sw_sim_saved_count(sim) * sizeof *saved);
      free(after);
      failed++;
    }
    free(saved);
  }
  assert_true(failed >= 3);
  assert_int_equal(sw_sim_run(sim, 0.1, 3, NULL, NULL), SW_OK);
  assert_true(sw_sim_carry(sim)[0] != 0.0);
  assert_int_equal(sw_sim_project(sim), SW_OK);
  assert_true(sw_sim_carry(sim)[0] == 0.0);
  sw_sim_free(&sim);
}

/* The derivative is that of the step without a carry, and the step back leads back. */
static void tangents_and_steps_back(void **state)
{
  sw_sim *plain = simulation(&sw_model_hopf, "suzuki-4", 0);
  sw_sim *sim = simulation(&sw_model_hopf, "suzuki-4", 1);
  sw_options options = options_of("rattle", "euler-a", "none", 1);
  double D[2][16];

  (void)state;
  assert_int_equal(sw_sim_tangent(plain, 0.1, D[0]), SW_OK);
  assert_int_equal(sw_sim_tangent(sim, 0.1, D[1]), SW_OK);
  assert_all_near(D[1], D[0], 16, 1e-12);
  sw_sim_free(&plain);
  sw_sim_free(&sim);
  options.check_reversible = 1;
  options.reversible_tolerance = 1e-12;
  assert_int_equal(sw_sim_create(&sw_model_hopf, &options, &sim), SW_OK);
  assert_int_equal(sw_sim_run(sim, 0.01, 20, NULL, NULL), SW_OK);
  sw_sim_free(&sim);
}

/* ---- what is refused ---- */

static void assert_refused(const sw_model *model, const sw_options *options, const char *words)
{
  sw_sim *sim = NULL;

  assert_non_null(strstr(sw_options_objection(model, options), words));
  assert_int_equal(sw_sim_create(model, options, &sim), SW_ERR_OPTION);
  assert_null(sim);
}

static void what_adds_no_increments_is_refused(void **state)
{
  static const char *const others_methods[] = {"vs", "bdf2"};
  sw_options options;

  (void)state;
  for (int i = 0; i < 2; i++) {
    options = options_of(others_methods[i], NULL, "none", 1);
    assert_refused(&sw_model_pendulum, &options, "adds increments");
  }
  options = options_of("rattle", "verlet", "none", 1);
  options.numerical_fibre = 1;
  assert_refused(&sw_model_hopf, &options, "no closed form");
  assert_string_equal(sw_options_objection(&sw_model_pendulum, &options), "");
  options.numerical_fibre = 0;
  assert_refused(&sw_fixture_loops_spins, &options, "no closed form");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_rounding_leaves_is_h_times_smaller),
      cmocka_unit_test(orders_go_on_to_round_off),
      cmocka_unit_test(the_carry_is_part_of_the_state),
      cmocka_unit_test(parts_and_jumps),
      cmocka_unit_test(tangents_and_steps_back),
      cmocka_unit_test(what_adds_no_increments_is_refused),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
