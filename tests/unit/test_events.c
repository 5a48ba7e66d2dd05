/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_events.c -- states between steps, and crossings of events.
 *
 * Hand i of clocks turns at the rate i, from (1, 0).  ringing is a damped oscillator.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clocks.h"
#include "damped_net.h"
#include "near.h"
#include "ringing.h"
#include "sidewinder/events.h"

/* The events of clocks at N = 2. */
enum { MARK_1, MARK_2, LOW_2, TOP_1, END, EVENTS };

/* Parameters of clocks. */
enum { HEIGHT, TOP, ENDS };

static const double pi = 3.14159265358979323846;

typedef struct list {
  int n;
  sw_crossing at[256];
  double z[256][8];
  double worst;   /* largest value of a crossed event */
  double stopped; /* the observer stops at this time; 0: never */
} list;

static int note(sw_sim *at, const sw_crossing *crossing, void *user)
{
  list *to = user;
  double value[16];

  assert_true(to->n < 256 && sw_sim_n_event(at) <= 16);
  assert_true(crossing->t == sw_sim_time(at));
  sw_sim_event(at, value);
  to->worst = fmax(to->worst, fabs(value[crossing->event]));
  if (2 * sw_sim_nq(at) <= 8) {
    memcpy(to->z[to->n], sw_sim_state(at), 2 * (size_t)sw_sim_nq(at) * sizeof(double));
  }
  to->at[to->n++] = *crossing;
  return to->stopped > 0.0 && crossing->t > to->stopped;
}

static sw_sim *made(const sw_model *model, const char *method, const char *base,
                    const char *compose)
{
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.method = method;
  options.base = base;
  options.compose = compose;
  options.stepper = model == &sw_model_ringing  ? &sw_stepper_ringing
                    : model == &sw_model_clocks ? &sw_stepper_clocks
                                                : NULL;
  if (sw_sim_create(model, &options, &sim) != SW_OK) {
    fail_msg("%s: %s", method, sw_options_objection(model, &options));
  }
  return sim;
}

static void set(sw_sim *sim, int parameter, double value)
{
  double k[8];

  memcpy(k, sw_sim_parameters(sim), (size_t)sw_sim_nk(sim) * sizeof *k);
  k[parameter] = value;
  assert_int_equal(sw_sim_set_parameters(sim, k), SW_OK);
}

static list run(sw_sim *sim, double h, long steps)
{
  sw_events *events = NULL;
  list found = {0};

  assert_int_equal(sw_events_create(sim, &events), SW_OK);
  if (sw_events_run(events, sim, h, steps, NULL, note, &found) != SW_OK) {
    fail_msg("%s", sw_sim_message(sim));
  }
  sw_events_free(&events);
  sw_events_free(&events);
  return found;
}

/* The first crossing of an event. */
static const sw_crossing *first(const list *found, int event)
{
  for (int i = 0; i < found->n; i++) {
    if (found->at[i].event == event) {
      return &found->at[i];
    }
  }
  return NULL;
}

/* Located times have the order of the method, and located states are on M^H and on the event. */
static void times_have_the_order_of_the_method(void **state)
{
  static const char *const composes[] = {"none", "triple-jump-4"};
  static const double factor[] = {4.0, 16.0};
  (void)state;

  for (int c = 0; c < 2; c++) {
    double error[2];
    for (int i = 0; i < 2; i++) {
      sw_sim *sim = made(&sw_model_clocks, "rattle", "verlet", composes[c]);
      const list found = run(sim, 0.1 / (1 << i), 20L << i);
      const sw_crossing *one = first(&found, MARK_1);
      const sw_crossing *two = first(&found, MARK_2);
      assert_non_null(one);
      assert_non_null(two);
      assert_int_equal(one->direction, 1);
      error[i] = fabs(one->t - pi / 6.0);
      assert_true(fabs(two->t - pi / 12.0) < 8.0 * 2.0 * error[i]);
      assert_true(found.worst < 1e-15);
      for (int j = 0; j < found.n; j++) {
        const double *z = found.z[j];
        assert_near(z[0] * z[0] + z[1] * z[1], 1.0, 1e-14);
        assert_near(z[0] * z[4] + z[1] * z[5], 0.0, 1e-14);
      }
      sw_sim_free(&sim);
    }
    assert_near(error[0] / error[1], factor[c], 0.1 * factor[c]);
  }
}

/* exp(-gamma t/2) cos(w t + a): its zeros, and those of p, repeat after pi/w. */
static void forced_steps_have_crossings(void **state)
{
  double error[2];
  (void)state;

  for (int i = 0; i < 2; i++) {
    sw_sim *sim = made(&sw_model_ringing, "rattle", "verlet", "none");
    const list found = run(sim, 0.1 / (1 << i), 100L << i);
    const double w = sqrt(1.0 - 0.05 * 0.05);
    const double first_zero = (pi / 2.0 + asin(0.05)) / w;
    assert_int_equal(found.at[0].event, 0);
    assert_int_equal(found.at[0].direction, -1);
    error[i] = fabs(found.at[0].t - first_zero);
    assert_int_equal(found.at[1].event, 1); /* p rises after half a period: it starts at 0 */
    assert_near(found.at[1].t, pi / w, 0.01);
    assert_true(found.worst < 1e-15);
    sw_sim_free(&sim);
  }
  assert_near(error[0] / error[1], 4.0, 0.4);
}

static void compare_runs(const char *method, const char *base, const char *compose,
                         const sw_model *model)
{
  sw_sim *plain = made(model, method, base, compose);
  sw_sim *watched = made(model, method, base, compose);
  const size_t n = sw_sim_saved_count(plain);
  double *a = calloc(2 * n, sizeof *a);

  assert_int_equal(sw_sim_run(plain, 0.07, 300, NULL, NULL), SW_OK);
  const list found = run(watched, 0.07, 300);
  assert_true(found.n > 5);
  sw_sim_save(plain, a);
  sw_sim_save(watched, a + n);
  assert_memory_equal(a, a + n, n * sizeof *a);
  const sw_stats one = sw_sim_stats(plain);
  const sw_stats two = sw_sim_stats(watched);
  assert_memory_equal(&one, &two, sizeof one);
  free(a);
  sw_sim_free(&plain);
  sw_sim_free(&watched);
}

static void the_run_is_the_same(void **state)
{
  (void)state;

  compare_runs("rattle", "verlet", "none", &sw_model_clocks);
  compare_runs("rattle", "verlet", "triple-jump-4", &sw_model_clocks);
  compare_runs("rattle", "midpoint", "none", &sw_model_clocks);
  compare_runs("shake", "euler-a", "none", &sw_model_clocks);
  compare_runs("vs", NULL, "none", &sw_model_clocks);
  compare_runs("lobatto", NULL, "none", &sw_model_clocks);
  compare_runs("rattle", "verlet", "none", &sw_model_ringing);
  compare_runs("rattle", "midpoint", "none", &sw_model_ringing);
}

/* In a step of 1.2, both hands pass marks: in the order of time, and a stop discards the rest. */
static void events_of_a_step_come_in_order(void **state)
{
  sw_sim *sim = made(&sw_model_clocks, "rattle", "euler-a", "none");
  (void)state;

  list found = run(sim, 0.4, 20);
  assert_true(found.n > 6);
  for (int i = 1; i < found.n; i++) {
    assert_true(found.at[i].t > found.at[i - 1].t);
  }
  sw_sim_free(&sim);

  /* Hand 1 passes x = 0.95 at t = 0.3176, between hand 2 and hand 1 at the mark 0.5. */
  sim = made(&sw_model_clocks, "rattle", "verlet", "none");
  set(sim, ENDS, 0.95);
  set(sim, TOP, 0.45);
  found = run(sim, 0.45, 5);
  assert_int_equal(found.n, 2);
  assert_int_equal(found.at[0].event, MARK_2);
  assert_int_equal(found.at[1].event, END);
  assert_true(sw_sim_time(sim) == found.at[1].t);
  assert_memory_equal(sw_sim_state(sim), found.z[1], 8 * sizeof(double));
  assert_int_equal((int)sw_sim_stats(sim).steps, 1);
  /* The run that goes on does not report it again, but the event between. */
  found = run(sim, 0.45, 2);
  assert_int_equal(found.at[0].event, TOP_1);
  assert_null(first(&found, END));
  sw_sim_free(&sim);
}

/* Hand 1 is above 0.9999 for 0.028, within a step of 0.05; and it never is above 1.0001. */
static void near_tangents_are_found(void **state)
{
  (void)state;

  for (int i = 0; i < 40; i++) {
    sw_sim *sim = made(&sw_model_clocks, "rattle", "verlet", "none");
    const double h = 0.05 + 0.001 * i;
    int n = 0;
    list found = run(sim, h, (long)(8.5 / h)); /* passes the top at pi/2 and 5 pi/2 */
    for (int j = 0; j < found.n; j++) {
      n += found.at[j].event == TOP_1;
      assert_true(found.at[j].event != TOP_1 || found.at[j].direction == (n % 2 ? 1 : -1));
    }
    assert_int_equal(n, 4);
    sw_sim_free(&sim);
    sim = made(&sw_model_clocks, "rattle", "verlet", "none");
    set(sim, TOP, 1.0001);
    found = run(sim, h, (long)(8.5 / h));
    assert_null(first(&found, TOP_1));
    sw_sim_free(&sim);
  }
  /* In the first step, which begins with hand 1 before the top. */
  sw_sim *sim = made(&sw_model_clocks, "rattle", "verlet", "none");
  const double z[] = {cos(1.3), sin(1.3), 1.0, 0.0, -sin(1.3), cos(1.3), 0.0, 0.0};
  assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
  const list found = run(sim, 0.6, 1);
  assert_int_equal(found.n, 2);
  assert_int_equal(found.at[0].direction, 1);
  assert_int_equal(found.at[1].direction, -1);
  sw_sim_free(&sim);
}

static void a_start_on_the_event_is_no_crossing(void **state)
{
  sw_sim *sim = made(&sw_model_clocks, "rattle", "verlet", "none");
  (void)state;

  set(sim, HEIGHT, 0.0);
  const list found = run(sim, 0.05, 130);
  assert_near(first(&found, MARK_1)->t, 2.0 * pi, 0.01);
  assert_near(first(&found, MARK_2)->t, pi, 0.01);
  sw_sim_free(&sim);
}

/* ---- failures ---- */

static int broken_H, broken_event, calls;

static void broken_gradient(const long n[], const double z[], const double k[], double out[])
{
  sw_model_ringing.hamiltonian_grad(n, z, k, out);
  if (broken_H) {
    out[0] = NAN;
  }
}

static void counted_event(const long n[], const double z[], const double k[], double out[])
{
  sw_model_ringing.event(n, z, k, out);
  calls++;
  broken_H = broken_event == 1 && out[0] < 0.0;
  if ((broken_event == 2 && out[0] < 0.0 && out[0] > -0.01) || (broken_event == 3 && calls == 1)) {
    out[0] = NAN;
  }
}

static void failures_leave_the_start_of_the_step(void **state)
{
  sw_model model = sw_model_ringing;
  (void)state;

  model.event = counted_event;
  model.hamiltonian_grad = broken_gradient;
  for (broken_event = 1; broken_event <= 2; broken_event++) {
    sw_sim *sim = made(&model, "rattle", "midpoint", "none");
    sw_sim *plain = made(&sw_model_ringing, "rattle", "midpoint", "none");
    const size_t n = sw_sim_saved_count(sim);
    double *a = calloc(2 * n, sizeof *a);
    sw_events *events = NULL;
    broken_H = 0;
    assert_int_equal(sw_events_create(sim, &events), SW_OK);
    assert_int_equal(sw_events_run(events, sim, 0.1, 40, NULL, NULL, NULL), SW_ERR_NOT_FINITE);
    assert_non_null(strstr(sw_sim_message(sim), "event zero, step of size 0.1 from t = 1.6, at "));
    assert_int_equal((int)sw_sim_stats(sim).steps, 16);
    broken_H = 0;
    assert_int_equal(sw_sim_run(plain, 0.1, 16, NULL, NULL), SW_OK);
    sw_sim_save(sim, a);
    sw_sim_save(plain, a + n);
    assert_memory_equal(a, a + n, n * sizeof *a);
    free(a);
    sw_events_free(&events);
    sw_sim_free(&sim);
    sw_sim_free(&plain);
  }
  broken_event = broken_H = 0;
}

static void values_are_finite_at_the_start(void **state)
{
  sw_model model = sw_model_ringing;
  sw_events *events = NULL;
  (void)state;

  model.event = counted_event;
  sw_sim *sim = made(&model, "rattle", "verlet", "none");
  assert_int_equal(sw_events_create(sim, &events), SW_OK);
  broken_event = 3;
  calls = 0;
  assert_int_equal(sw_events_run(events, sim, 0.1, 1, NULL, NULL, NULL), SW_ERR_NOT_FINITE);
  broken_event = 0;
  assert_non_null(strstr(sw_sim_message(sim), "event zero, "));
  assert_true(sw_sim_time(sim) == 0.0);
  assert_int_equal(sw_events_run(events, sim, 0.1, 1, NULL, NULL, NULL), SW_OK);
  sw_events_free(&events);
  sw_sim_free(&sim);
}

/* Roots and pairs of roots take few trial steps: Brent's method, and parabolas. */
static void crossings_take_few_trial_steps(void **state)
{
  sw_model model = sw_model_ringing;
  (void)state;

  model.event = counted_event;
  sw_sim *sim = made(&model, "rattle", "midpoint", "none");
  set(sim, 1, 0.0);
  calls = 0;
  const list found = run(sim, 0.1, 300);
  /* The start, the middle of the first step, the ends of 300 steps, and each look of `note`. */
  const int trials = calls - 302 - found.n;
  assert_true(found.n >= 13);
  assert_true(trials <= 6 * found.n);
  sw_sim_free(&sim);
}

static void the_observer_can_stop(void **state)
{
  sw_sim *sim = made(&sw_model_clocks, "rattle", "verlet", "none");
  sw_events *events = NULL;
  list found = {.stopped = 1.0};
  (void)state;

  assert_int_equal(sw_events_create(sim, &events), SW_OK);
  assert_int_equal(sw_events_run(events, sim, 0.05, -1, NULL, note, &found), SW_ERR_ARGUMENT);
  assert_int_equal(sw_events_run(events, sim, 0.05, 100, NULL, note, &found), SW_ERR_STOPPED);
  assert_null(sw_events_stopped(events));
  assert_true(found.at[found.n - 1].t > 1.0 && sw_sim_time(sim) < found.at[found.n - 1].t + 0.05);
  sw_events_free(&events);
  sw_sim_free(&sim);
}

static void methods_without_states_between_are_refused(void **state)
{
  static const char *const methods[] = {"leapfrog", "bdf2"};
  (void)state;

  for (int i = 0; i < 2; i++) {
    sw_sim *sim = made(&sw_model_clocks, methods[i], NULL, "none");
    sw_sim *trial = NULL;
    sw_events *events = NULL;
    assert_int_equal(sw_events_create(sim, &events), SW_ERR_OPTION);
    assert_null(events);
    assert_int_equal(sw_sim_create_like(sim, &trial), SW_OK);
    assert_int_equal(sw_sim_step_from(trial, sim, 0.1), SW_ERR_OPTION);
    assert_string_equal(sw_sim_message(trial), sw_sim_between_objection(sim));
    sw_sim_free(&trial);
    sw_sim_free(&sim);
  }
  sw_sim *sim = NULL;
  sw_events *events = NULL;
  assert_int_equal(sw_sim_create(&sw_model_damped_net, NULL, &sim), SW_OK);
  assert_string_equal(sw_sim_between_objection(sim), "");
  assert_int_equal(sw_events_create(sim, &events), SW_ERR_OPTION);
  sw_sim_free(&sim);
}

/* A trial step equals a step, and its start stays. */
static void trial_steps_are_steps(void **state)
{
  sw_sim *sim = made(&sw_model_ringing, "rattle", "midpoint", "none");
  sw_sim *trial = NULL;
  (void)state;

  assert_int_equal(sw_sim_create_like(sim, &trial), SW_OK);
  assert_int_equal(sw_sim_run(sim, 0.1, 7, NULL, NULL), SW_OK);
  assert_int_equal(sw_sim_step_from(trial, sim, 0.03), SW_OK);
  assert_true(sw_sim_time(trial) == sw_sim_time(sim) + 0.03);
  assert_int_equal(sw_sim_step_from(trial, sim, 0.1), SW_OK);
  assert_int_equal(sw_sim_step(sim, 0.1), SW_OK);
  assert_memory_equal(sw_sim_state(sim), sw_sim_state(trial), 4 * sizeof(double));
  assert_true(sw_sim_work(sim) == sw_sim_work(trial) && sw_sim_time(sim) == sw_sim_time(trial));
  sw_sim_free(&trial);
  sw_sim_free(&sim);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(times_have_the_order_of_the_method),
                                     cmocka_unit_test(forced_steps_have_crossings),
                                     cmocka_unit_test(the_run_is_the_same),
                                     cmocka_unit_test(events_of_a_step_come_in_order),
                                     cmocka_unit_test(near_tangents_are_found),
                                     cmocka_unit_test(a_start_on_the_event_is_no_crossing),
                                     cmocka_unit_test(failures_leave_the_start_of_the_step),
                                     cmocka_unit_test(values_are_finite_at_the_start),
                                     cmocka_unit_test(crossings_take_few_trial_steps),
                                     cmocka_unit_test(the_observer_can_stop),
                                     cmocka_unit_test(methods_without_states_between_are_refused),
                                     cmocka_unit_test(trial_steps_are_steps)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
