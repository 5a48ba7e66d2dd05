/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_restart.c -- a step is a map of the state, and a saved state is all of it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "all_models.h"
#include "pairs.h"
#include "simulation.h"

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

/* Steps lead from one array to another and back; callers look into one of them, behind any number
 * of steps, and behind one that failed. */
static void the_state_stays_where_it_is(void **state)
{
  static const char *const compose[] = {"none", "triple-jump-4"};

  (void)state;
  for (int i = 0; i < 2; i++) {
    sw_sim *sims[2];
    for (int j = 0; j < 2; j++) {
      sw_options options;
      sw_options_init(&options);
      options.compose = compose[i];
      assert_int_equal(sw_sim_create(&sw_fixture_pendulum, &options, &sims[j]), SW_OK);
    }
    const double *z = sw_sim_state(sims[0]);
    for (long n = 0; n < 5; n++) {
      double before[4];
      assert_int_equal(sw_sim_run(sims[0], 0.1, n, NULL, NULL), SW_OK);
      for (long k = 0; k < n; k++) {
        assert_int_equal(sw_sim_step(sims[1], 0.1), SW_OK);
      }
      assert_ptr_equal(sw_sim_state(sims[0]), z);
      assert_memory_equal(z, sw_sim_state(sims[1]), sizeof before);
      assert_memory_equal(sw_sim_impulses(sims[0]), sw_sim_impulses(sims[1]), sizeof(double));
      memcpy(before, z, sizeof before);
      assert_int_not_equal(sw_sim_run(sims[0], 100.0, 3, NULL, NULL), SW_OK);
      assert_ptr_equal(sw_sim_state(sims[0]), z);
      assert_memory_equal(z, before, sizeof before);
    }
    sw_sim_free(&sims[0]);
    sw_sim_free(&sims[1]);
  }
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
  assert_true(sw_sim_impulses(from)[0] != 0.0);
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

/* ---- a step is a map of the state ---- */

enum { last_steps = 5, outcomes = 5 };

/* What a simulation comes to from one state: after each of some steps, after two that are too
 * large, and of how that was said. */
typedef struct {
  size_t count;
  double *saved; /* (last_steps + outcomes) x count */
  sw_status status[last_steps + outcomes];
  char message[last_steps + outcomes][512];
} record;

static record open_record(const sw_sim *sim)
{
  record r = {.count = sw_sim_saved_count(sim)};

  r.saved = calloc((last_steps + outcomes) * r.count, sizeof *r.saved);
  assert_non_null(r.saved);
  return r;
}

static void note(record *r, int at, const sw_sim *sim, sw_status status)
{
  sw_sim_save(sim, r->saved + (size_t)at * r->count);
  r->status[at] = status;
  snprintf(r->message[at], sizeof r->message[at], "%s", sw_sim_message(sim));
}

static void go_on(sw_sim *sim, const double from[], double h, int slow, record *r)
{
  /* From harmless to hopeless: some of them fail, each in a way of its own. */
  static const double factors[outcomes] = {-1.0, 7.0, 60.0, 1e4, 1e12};

  for (int i = 0; i < (slow ? 2 : outcomes); i++) {
    assert_int_equal(sw_sim_restore(sim, from), SW_OK);
    note(r, last_steps + i, sim, sw_sim_step(sim, factors[i] * h));
  }
  assert_int_equal(sw_sim_restore(sim, from), SW_OK);
  for (int i = 0; i < last_steps; i++)
    note(r, i, sim, sw_sim_step(sim, h));
}

/* Things that a simulation may have done before it is given a state. */
static void longer_run(sw_sim *sim, double h)
{
  (void)sw_sim_run(sim, h, 9, NULL, NULL);
}

static void other_steps(sw_sim *sim, double h)
{
  (void)sw_sim_step(sim, 0.37 * h);
  (void)sw_sim_step(sim, -1.1 * h);
}

static void failed_steps(sw_sim *sim, double h)
{
  (void)sw_sim_step(sim, 12.0 * h);
  (void)sw_sim_step(sim, 150.0 * h);
  (void)sw_sim_step(sim, 0.0);
}

static void off_the_manifold(sw_sim *sim, double h)
{
  double *saved = saved_state(sim);

  for (size_t i = 3; i < sw_sim_saved_count(sim); i++)
    saved[i] += i % 2 ? 1e-3 : -2e-3;
  assert_int_equal(sw_sim_restore(sim, saved), SW_OK);
  (void)sw_sim_step(sim, h);
  (void)sw_sim_project(sim);
  (void)sw_sim_step(sim, h);
  free(saved);
}

static void tangents(sw_sim *sim, double h)
{
  const size_t dim = (size_t)sw_sim_n_state(sim);
  double *V = calloc(2 * dim, sizeof *V);

  assert_non_null(V);
  V[0] = V[dim + 1] = 1.0;
  (void)sw_sim_tangent_times(sim, 1.3 * h, 2, V, V);
  free(V);
}

static void other_parameters(sw_sim *sim, double h)
{
  const size_t nk = (size_t)sw_sim_nk(sim);
  double *k = calloc(nk + 1, sizeof *k);
  double *changed = calloc(nk + 1, sizeof *changed);

  assert_non_null(k);
  assert_non_null(changed);
  for (size_t i = 0; i < nk; i++) {
    k[i] = sw_sim_parameters(sim)[i];
    changed[i] = 1.01 * k[i];
  }
  if (sw_sim_set_parameters(sim, changed) == SW_OK && sw_sim_project(sim) == SW_OK)
    (void)sw_sim_run(sim, h, 3, NULL, NULL);
  assert_int_equal(sw_sim_set_parameters(sim, k), SW_OK);
  free(k);
  free(changed);
}

static void nothing(sw_sim *sim, double h)
{
  (void)sim;
  (void)h;
}

typedef void history(sw_sim *sim, double h);
static history *const histories[] = {nothing,          longer_run, other_steps,     failed_steps,
                                     off_the_manifold, tangents,   other_parameters};

static void compare(const record *a, const record *b, const char *what, size_t h)
{
  for (size_t i = 0; i < last_steps + outcomes; i++) {
    if (a->status[i] != b->status[i] || strcmp(a->message[i], b->message[i]) != 0 ||
        memcmp(a->saved + i * a->count, b->saved + i * a->count, a->count * sizeof *a->saved) != 0)
      fail_msg("%s: history %zu shows in step %zu: '%s' %s, '%s' %s", what, h, i,
               sw_status_name(a->status[i]), a->message[i], sw_status_name(b->status[i]),
               b->message[i]);
  }
}

/* Returns how many of the steps were good. */
static int check_histories(const shipped *s, const char *method, const char *base,
                           const char *redundant)
{
  char what[200];
  int good = 0;
  sw_sim *reference = open_model(s, method, base, redundant);
  sw_sim *sim = open_model(s, method, base, redundant);
  record expected = open_record(reference);
  record found = open_record(sim);

  snprintf(what, sizeof what, "%s %s %s %s", s->model->name, method, base, redundant);
  start_model(sim, s->h, what);
  double *from = saved_state(sim);
  go_on(reference, from, s->h, is_slow(s), &expected);
  for (size_t h = 0; h < sizeof histories / sizeof histories[0]; h++) {
    histories[h](sim, s->h);
    go_on(sim, from, s->h, is_slow(s), &found);
    compare(&found, &expected, what, h);
  }
  for (int i = 0; i < last_steps; i++)
    good += expected.status[i] == SW_OK;
  free(from);
  free(expected.saved);
  free(found.saved);
  sw_sim_free(&reference);
  sw_sim_free(&sim);
  return good;
}

static void a_step_is_a_map_of_the_state(void **state)
{
  (void)state;
  for (const char *const *method = sw_method_names(); *method; method++)
    for (const char *const *base = bases_and_none; *base; base++) {
      for (int i = 0; i < n_models; i++)
        if (sweep_takes(i, *method, *base))
          assert_int_equal(check_histories(model_number(i), *method, *base, redundant_number(i)),
                           last_steps);
    }
}

/* After a step that fails in its first part, or in a later one, the next step is the same as
 * without it. */
static void a_failed_step_leaves_nothing(void **state)
{
  static const char *const bases[] = {"verlet", "midpoint", "gauss-4", "lobatto-4"};
  static const char *const compositions[] = {"none", "triple-jump-4", "suzuki-4"};
  int failed = 0;

  (void)state;
  for (size_t i = 0; i < 24; i++) {
    sw_options options;
    sw_sim *sim = NULL;
    sw_options_init(&options);
    options.base = bases[i % 12 / 3];
    options.compose = compositions[i % 3];
    assert_int_equal(
        sw_sim_create(i < 12 ? &sw_fixture_hopf : &sw_fixture_pendulum, &options, &sim), SW_OK);
    double *from = saved_state(sim);
    assert_int_equal(sw_sim_step(sim, 0.1), SW_OK);
    double *expected = saved_state(sim);
    for (int size = 1; size < 60; size++) {
      assert_int_equal(sw_sim_restore(sim, from), SW_OK);
      if (sw_sim_step(sim, 0.1 * size) == SW_OK)
        continue;
      assert_int_equal(sw_sim_step(sim, 0.1), SW_OK);
      double *found = saved_state(sim);
      assert_memory_equal(found, expected, sw_sim_saved_count(sim) * sizeof *found);
      free(found);
      failed++;
    }
    free(expected);
    free(from);
    sw_sim_free(&sim);
  }
  assert_true(failed > 50);
}

/* Every step of a longer run has the bits of one from the saved state before it: what is kept from
 * step to step is what would be found anew.  (Sums along rows in another order showed in one of ten
 * steps of a chain.) */
static void check_each_step(const sw_model *model, const char *size, long value, double h)
{
  const sw_size sizes[] = {{.name = size, .value = value}};
  sw_sim *sim[2] = {NULL, NULL};
  sw_options options;

  sw_options_init(&options);
  options.sizes = sizes;
  options.n_sizes = 1;
  for (int i = 0; i < 2; i++) {
    assert_int_equal(sw_sim_create(model, &options, &sim[i]), SW_OK);
    start_model(sim[i], h, model->name);
  }
  for (int n = 0; n < 150; n++) {
    double *before = saved_state(sim[0]);
    assert_int_equal(sw_sim_step(sim[0], h), SW_OK);
    assert_int_equal(sw_sim_restore(sim[1], before), SW_OK);
    assert_int_equal(sw_sim_step(sim[1], h), SW_OK);
    double *kept = saved_state(sim[0]);
    double *anew = saved_state(sim[1]);
    assert_memory_equal(kept, anew, sw_sim_saved_count(sim[0]) * sizeof *kept);
    free(before);
    free(kept);
    free(anew);
  }
  sw_sim_free(&sim[0]);
  sw_sim_free(&sim[1]);
}

static void each_step_goes_on_as_from_a_saved_state(void **state)
{
  (void)state;
  check_each_step(&sw_model_chain, "N", 7, 1e-3);
  check_each_step(&sw_model_chain, "N", 40, 1e-3);
  check_each_step(&sw_model_net, "N", 8, 1e-3);
  check_each_step(&sw_model_water_box, "W", 8, 1e-4);
  check_each_step(&sw_model_spin_chain, "N", 30, 0.02);
}

int main(int argc, char **argv)
{
  (void)argv;
  whole_sweep = argc > 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(times_are_counted_in_steps),
      cmocka_unit_test(the_state_stays_where_it_is),
      cmocka_unit_test(a_saved_state_comes_back_whole),
      cmocka_unit_test(what_is_no_saved_state_is_refused),
      cmocka_unit_test(a_step_is_a_map_of_the_state),
      cmocka_unit_test(a_failed_step_leaves_nothing),
      cmocka_unit_test(each_step_goes_on_as_from_a_saved_state),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
