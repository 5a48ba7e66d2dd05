/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_ensemble.c -- many trajectories: random numbers by their place, statistics, and that no
 * trajectory sees another, on any number of threads.
 *
 * test_ensemble_watched is this file and the runtime under ThreadSanitizer.
 */
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chain.h"
#include "common/processor.h"
#include "ensemble/random_states.h"
#ifndef __SANITIZE_THREAD__
#include "pendulum.h"
#endif
#include "sidewinder/ensemble.h"

enum { COUNT = 37, STEPS = 12, LINKS = 5, BAD = 20 };

static const double h = 1e-2;

/* ---- random numbers ---- */

static void drawn_at_their_place(void **state)
{
  (void)state;
  const double first = sw_draw_normal(1, 7, 3);
  (void)sw_draw_uniform(1, 8, 3);
  assert_true(sw_draw_normal(1, 7, 3) == first);
  assert_true(sw_draw_normal(2, 7, 3) != first);
  assert_true(sw_draw_normal(1, 8, 3) != first);
  assert_true(sw_draw_normal(1, 7, 4) != first);
}

/* Mean, variance, third and fourth moments within four standard errors; neighbours of both kinds
 * uncorrelated. */
static void moments_are_right(void **state)
{
  enum { N = 40000 };
  double sum[5] = {0.0};
  double flat[3] = {0.0};
  double along = 0.0;
  double across = 0.0;
  (void)state;
  for (uint64_t i = 0; i < N; i++) {
    const double x = sw_draw_normal(5, i, 2);
    const double u = sw_draw_uniform(5, i, 9);
    assert_true(u > 0.0 && u < 1.0);
    for (int power = 1; power < 5; power++)
      sum[power] += pow(x, power) / N;
    flat[1] += (u - 0.5) / N;
    flat[2] += (u - 0.5) * (u - 0.5) / N;
    along += x * sw_draw_normal(5, i + 1, 2) / N;
    across += x * sw_draw_normal(5, i, 3) / N;
  }
  const double error = 4.0 / sqrt(N);
  assert_true(fabs(sum[1]) < error);
  assert_true(fabs(sum[2] - 1.0) < error * sqrt(2.0));
  assert_true(fabs(sum[3]) < error * sqrt(15.0));
  assert_true(fabs(sum[4] - 3.0) < error * sqrt(96.0));
  assert_true(fabs(flat[1]) < error * sqrt(1.0 / 12.0));
  assert_true(fabs(flat[2] - 1.0 / 12.0) < error * sqrt(1.0 / 180.0));
  assert_true(fabs(along) < error && fabs(across) < error);
}

/* ---- statistics ---- */

static void statistics_by_hand(void **state)
{
  const double levels[] = {0.0, 0.25, 0.5, 1.0};
  const double values[] = {4.0, 1.0, 3.0, 2.0};
  const double wanted[] = {2.5, 5.0 / 3.0, 1.0, 1.75, 2.5, 4.0};
  double sorted[4];
  double found[6];
  (void)state;
  sw_statistics(4, values, 4, levels, sorted, found);
  assert_memory_equal(found, wanted, sizeof wanted);
  const double cancelling[] = {1e16, 1.0, -1e16};
  sw_statistics(3, cancelling, 0, NULL, sorted, found);
  assert_true(found[0] == 1.0 / 3.0);
  /* A large mean takes nothing from the variance. */
  const double shifted[] = {1e9 + 1.0, 1e9 + 2.0, 1e9 + 3.0};
  sw_statistics(3, shifted, 1, levels, sorted, found);
  assert_true(found[0] == 1e9 + 2.0 && found[1] == 1.0 && found[2] == 1e9 + 1.0);
  sw_statistics(1, values, 1, levels, sorted, found);
  assert_true(found[0] == 4.0 && isnan(found[1]) && found[2] == 4.0);
  const double undefined[] = {1.0, NAN};
  sw_statistics(2, undefined, 1, levels, sorted, found);
  assert_true(isnan(found[0]) && isnan(found[1]) && isnan(found[2]));
}

/* ---- trajectories ---- */

static sw_sim *make_sim(void)
{
  const sw_size N = {.name = "N", .value = LINKS};
  sw_sim *sim = NULL;
  sw_options options;
  sw_options_init(&options);
  options.n_sizes = 1;
  options.sizes = &N;
  assert_int_equal(sw_sim_create(&sw_model_chain, &options, &sim), SW_OK);
  return sim;
}

/* The energy, and the last multiplier. */
static void measure(sw_sim *sim, long step, int worker, double values[], void *user)
{
  (void)worker, (void)user;
  sw_sim_hamiltonian(sim, values);
  values[1] = sw_sim_impulses(sim)[sw_sim_nc(sim) - 1] + (double)step;
}

/* The momenta of trajectory i, and a gravity of its own.  One is off M. */
static void set_up(const sw_sim *like, long i, double z[], double k[])
{
  const size_t d = (size_t)sw_sim_nq(like);
  memcpy(z, sw_sim_state(like), 2 * d * sizeof *z);
  memcpy(k, sw_sim_parameters(like), (size_t)sw_sim_nk(like) * sizeof *k);
  for (size_t c = d; c < 2 * d; c++)
    z[c] += 0.1 * sw_draw_normal(3, (uint64_t)i, c);
  k[LINKS + 1] *= 1.0 + 1e-3 * (double)i;
}

static sw_ensemble *make(int threads, int with_bad)
{
  sw_sim *like = make_sim();
  sw_ensemble *e = NULL;
  sw_ensemble_options options;
  double *z = calloc(2 * (size_t)sw_sim_nq(like), sizeof *z);
  double *k = calloc((size_t)sw_sim_nk(like), sizeof *k);
  sw_ensemble_options_init(&options);
  options.count = COUNT;
  options.threads = threads;
  options.n_values = 2;
  options.measure = measure;
  assert_int_equal(sw_ensemble_create(like, &options, &e), SW_OK);
  for (long i = 0; i < COUNT; i++) {
    set_up(like, i, z, k);
    assert_int_equal(sw_ensemble_set_state(e, i, 0.0, z), SW_OK);
    assert_int_equal(sw_ensemble_set_parameters(e, i, k), SW_OK);
  }
  assert_int_equal(sw_ensemble_project(e, INFINITY), SW_OK);
  if (with_bad) {
    memcpy(z, sw_ensemble_state(e, BAD), 2 * (size_t)sw_sim_nq(like) * sizeof *z);
    z[3] += 0.5;
    assert_int_equal(sw_ensemble_set_state(e, BAD, 0.0, z), SW_OK);
  }
  free(z);
  free(k);
  sw_sim_free(&like);
  return e;
}

static void same(const sw_ensemble *a, const sw_ensemble *b, size_t dim, long but)
{
  for (long i = 0; i < COUNT; i++) {
    if (i == but)
      continue;
    assert_int_equal(sw_ensemble_status(a, i), SW_OK);
    assert_memory_equal(sw_ensemble_state(a, i), sw_ensemble_state(b, i), dim * sizeof(double));
    for (size_t v = 0; v < 2; v++)
      assert_true(sw_ensemble_values(a)[v * COUNT + (size_t)i] ==
                  sw_ensemble_values(b)[v * COUNT + (size_t)i]);
  }
}

/* Each trajectory is that of a simulation of its own. */
static void same_alone(const sw_ensemble *e, size_t dim)
{
  double *z = calloc(dim, sizeof *z);
  double k[LINKS + 5];
  double values[2];
  for (long i = 0; i < COUNT; i += 9) {
    sw_sim *fresh = make_sim();
    assert_int_equal(sw_sim_nk(fresh), LINKS + 5);
    set_up(fresh, i, z, k);
    assert_int_equal(sw_sim_set_parameters(fresh, k), SW_OK);
    assert_int_equal(sw_sim_set_state(fresh, 0.0, z), SW_OK);
    assert_int_equal(sw_sim_project(fresh), SW_OK);
    assert_int_equal(sw_sim_run(fresh, h, STEPS, NULL, NULL), SW_OK);
    measure(fresh, STEPS, 0, values, NULL);
    assert_memory_equal(sw_ensemble_state(e, i), sw_sim_state(fresh), dim * sizeof *z);
    assert_true(values[0] == sw_ensemble_values(e)[i] &&
                values[1] == sw_ensemble_values(e)[COUNT + i]);
    sw_sim_free(&fresh);
  }
  free(z);
}

static int count_rows(const sw_ensemble *e, long step, void *user)
{
  long *seen = user;
  assert_true(step == sw_ensemble_step(e) && step == (*seen < 3 ? 5 * *seen : STEPS));
  ++*seen;
  return 0;
}

static int stop(const sw_ensemble *e, long step, void *user)
{
  (void)e, (void)user;
  return step == 5;
}

static void threads_and_calls_change_nothing(void **state)
{
  sw_ensemble *one = make(1, 0);
  const size_t dim = 2 * 3 * LINKS;
  long rows = 0;
  (void)state;
  assert_int_equal(sw_ensemble_advance(one, h, STEPS), SW_OK);
  same_alone(one, dim);
  for (int threads = 1; threads < 5; threads++) {
    sw_ensemble *many = make(threads, 0);
    rows = 0;
    assert_int_equal(sw_ensemble_run(many, h, STEPS, 5, count_rows, &rows), SW_OK);
    assert_int_equal(rows, 4);
    same(one, many, dim, -1);
    assert_int_equal(sw_ensemble_stats(many).steps, COUNT * STEPS);
    sw_ensemble_free(&many);
  }
  sw_ensemble *ended = make(2, 0);
  assert_int_equal(sw_ensemble_run(ended, h, STEPS, 5, stop, NULL), SW_ERR_STOPPED);
  assert_int_equal(sw_ensemble_step(ended), 5);
  sw_ensemble_free(&ended);
  sw_ensemble_free(&one);
  sw_ensemble_free(&one);
}

static void one_that_fails_disturbs_no_other(void **state)
{
  sw_ensemble *good = make(2, 0);
  sw_ensemble *bad = make(3, 1);
  const size_t dim = 2 * 3 * LINKS;
  (void)state;
  assert_int_equal(sw_ensemble_run(good, h, STEPS, 4, NULL, NULL), SW_OK);
  assert_int_equal(sw_ensemble_run(bad, h, STEPS, 4, NULL, NULL), SW_OK);
  same(good, bad, dim, BAD);
  assert_int_equal(sw_ensemble_failed(good), 0);
  assert_int_equal(sw_ensemble_failed(bad), 1);
  assert_int_equal(sw_ensemble_status(bad, BAD), SW_ERR_OFF_M);
  assert_int_equal(sw_ensemble_steps(bad, BAD), 0);
  assert_int_equal(sw_ensemble_steps(bad, BAD + 1), STEPS);
  assert_non_null(strstr(sw_ensemble_message(bad, BAD), "length.1"));
  assert_string_equal(sw_ensemble_message(bad, 0), "");
  assert_true(isnan(sw_ensemble_values(bad)[BAD]));
  sw_ensemble_free(&good);
  sw_ensemble_free(&bad);
}

static void a_projection_that_goes_far_is_refused(void **state)
{
  sw_ensemble *e = make(2, 1);
  (void)state;
  assert_int_equal(sw_ensemble_project(e, 1e-6), SW_OK);
  assert_int_equal(sw_ensemble_failed(e), 1);
  assert_int_equal(sw_ensemble_steps(e, BAD), -1);
  assert_non_null(strstr(sw_ensemble_message(e, BAD), "more than 0.0001 %"));
  assert_int_equal(sw_ensemble_advance(e, h, 1), SW_OK);
  assert_int_equal(sw_ensemble_steps(e, BAD), -1);
  /* It may begin anew. */
  assert_int_equal(sw_ensemble_set_state(e, BAD, 0.0, sw_ensemble_state(e, 0)), SW_OK);
  assert_int_equal(sw_ensemble_failed(e), 0);
  assert_int_equal(sw_ensemble_project(e, INFINITY), SW_OK);
  assert_int_equal(sw_ensemble_advance(e, h, 1), SW_OK);
  assert_int_equal(sw_ensemble_steps(e, BAD), 1);
  sw_ensemble_free(&e);
}

static void wrong_arguments_are_refused(void **state)
{
  sw_sim *like = make_sim();
  sw_ensemble *e = NULL;
  sw_ensemble_options options;
  (void)state;
  sw_ensemble_options_init(&options);
  options.count = 0;
  assert_int_equal(sw_ensemble_create(like, &options, &e), SW_ERR_ARGUMENT);
  options.count = 1;
  options.threads = SW_THREADS_MOST + 1;
  assert_int_equal(sw_ensemble_create(like, &options, &e), SW_ERR_ARGUMENT);
  options.threads = 1;
  options.n_values = 1;
  assert_int_equal(sw_ensemble_create(like, &options, &e), SW_ERR_ARGUMENT);
  options.n_values = 0;
  assert_int_equal(sw_ensemble_create(like, &options, &e), SW_OK);
  assert_int_equal(sw_ensemble_advance(e, 0.0, 1), SW_ERR_ARGUMENT);
  assert_int_equal(sw_ensemble_advance(e, h, -1), SW_ERR_ARGUMENT);
  assert_int_equal(sw_ensemble_advance(e, 1e-310, 1), SW_ERR_ARGUMENT);
  assert_int_equal(sw_ensemble_run(e, h, 1, 0, NULL, NULL), SW_ERR_ARGUMENT);
  const long none[] = {-1, 1, 2, 1L << 40, LONG_MAX, LONG_MIN};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    assert_int_equal(sw_ensemble_set_state(e, none[i], 0.0, sw_sim_state(like)), SW_ERR_ARGUMENT);
    assert_int_equal(sw_ensemble_set_parameters(e, none[i], sw_sim_parameters(like)),
                     SW_ERR_ARGUMENT);
    assert_int_equal(sw_ensemble_status(e, none[i]), SW_ERR_ARGUMENT);
    assert_true(strlen(sw_ensemble_message(e, none[i])) > 0);
    assert_int_equal(sw_ensemble_steps(e, none[i]), -1);
    assert_null(sw_ensemble_state(e, none[i]));
    assert_null(sw_ensemble_parameters(e, none[i]));
  }
  sw_ensemble_free(&e);
  sw_sim_free(&like);
}

#ifndef __SANITIZE_THREAD__ /* where there are no other models */

/* The pendulum by its straight-line code, in any number of lanes. */
static sw_ensemble *swing(const sw_stepper *const lanes[])
{
  sw_sim *like = NULL;
  sw_ensemble *e = NULL;
  sw_options options;
  sw_ensemble_options of;
  sw_options_init(&options);
  options.stepper = &sw_stepper_pendulum;
  options.lanes = lanes;
  assert_int_equal(sw_sim_create(&sw_model_pendulum, &options, &like), SW_OK);
  sw_ensemble_options_init(&of);
  of.count = COUNT;
  of.threads = 2;
  assert_int_equal(sw_ensemble_create(like, &of, &e), SW_OK);
  for (long i = 0; i < COUNT; i++) {
    const double angle = 6.0 * sw_draw_uniform(4, (uint64_t)i, 0);
    const double length = 1.0 + 0.1 * (double)i;
    const double z[] = {length * sin(angle), (i == BAD ? 2.0 : 1.0) * length * cos(angle), 0, 0};
    const double k[] = {1.0, length};
    assert_int_equal(sw_ensemble_set_parameters(e, i, k), SW_OK);
    assert_int_equal(sw_ensemble_set_state(e, i, 0.0, z), SW_OK);
  }
  assert_int_equal(sw_ensemble_run(e, 0.05, 101, 17, NULL, NULL), SW_OK);
  sw_sim_free(&like);
  return e;
}

static void lanes_change_nothing(void **state)
{
  const sw_stepper *const lanes[][2] = {{&sw_stepper_pendulum_4, NULL},
                                        {&sw_stepper_pendulum_8, NULL}};
  sw_ensemble *alone = swing(NULL);
  (void)state;
  assert_int_equal(sw_ensemble_failed(alone), 1);
  assert_true(sw_ensemble_stats(alone).fused_steps >= (COUNT - 1) * 100);
  for (size_t l = 0; l < 2; l++) {
    if (!sw_processor_has(lanes[l][0]->processor))
      continue;
    sw_ensemble *e = swing(lanes[l]);
    for (long i = 0; i < COUNT; i++) {
      assert_int_equal(sw_ensemble_status(e, i), sw_ensemble_status(alone, i));
      assert_string_equal(sw_ensemble_message(e, i), sw_ensemble_message(alone, i));
      assert_memory_equal(sw_ensemble_state(e, i), sw_ensemble_state(alone, i), 4 * sizeof(double));
    }
    sw_ensemble_free(&e);
  }
  sw_ensemble_free(&alone);
}

#endif

/* ---- samples, as they are written down ---- */

static void samples_are_read(void **state)
{
  const sw_size N = {.name = "N", .value = 3};
  sw_system *system = NULL;
  sw_sample_entry entry[18] = {{SW_FIXED, 0.0, 0.0}};
  char message[SW_TEXT_MESSAGE];
  double z0[18] = {0.0};
  double z[18];
  const char *const bad[][2] = {
      {"r ~ normal(0, 1)", "unknown coordinate or momentum 'r'"},
      {"q.1.w ~ normal(0, 1)", "did you mean 'q.1.x'?"},
      {"q ~ norml(0, 1)", "did you mean 'normal'?"},
      {"q normal(0, 1)", "wanted is a name and '~'"},
      {"q ~ normal(0; 1)", "character 12: wanted is a finite number and a comma"},
      {"q ~ normal(0, x)", "wanted is a finite number and ')'"},
      {"q ~ normal(0, -1)", "the deviation is negative"},
      {"q ~ uniform(1, 0)", "write the smaller one first"},
      {"q ~ normal(0, 1) p", "wanted is a comma, or the end"},
      {"", "wanted is a name and '~'"},
      {"q ~ normal(0, 1),", "wanted is a name and '~'"},
  };
  (void)state;
  assert_int_equal(sw_system_create(&sw_model_chain, 1, &N, &system, NULL), SW_OK);
  assert_int_equal(sw_sample_read(system,
                                  " q[2, x] ~ normal(1, 0) ,p~uniform(-1,1), p.3.z ~ normal(5, 0)",
                                  entry, message),
                   SW_OK);
  sw_sample_draw(entry, 18, 1, 0, z0, z);
  for (int c = 0; c < 9; c++)
    assert_true(z[c] == (c == 3 ? 1.0 : 0.0));
  for (int c = 9; c < 17; c++)
    assert_true(z[c] != 0.0 && fabs(z[c]) < 1.0);
  assert_true(z[17] == 5.0);
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    assert_int_equal(sw_sample_read(system, bad[i][0], entry, message), SW_ERR_ARGUMENT);
    if (strstr(message, bad[i][1]) == NULL)
      fail_msg("'%s': %s", bad[i][0], message);
  }
  sw_system_free(&system);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drawn_at_their_place),
      cmocka_unit_test(moments_are_right),
      cmocka_unit_test(statistics_by_hand),
      cmocka_unit_test(threads_and_calls_change_nothing),
      cmocka_unit_test(one_that_fails_disturbs_no_other),
      cmocka_unit_test(a_projection_that_goes_far_is_refused),
      cmocka_unit_test(wrong_arguments_are_refused),
      cmocka_unit_test(samples_are_read),
#ifndef __SANITIZE_THREAD__
      cmocka_unit_test(lanes_change_nothing),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
