/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_clusters.c -- clusters of constraints in lanes: the bits do not depend on how many are
 * computed at once, or in which ranges; and where clusters are not what the generated code is for,
 * steps go the general way.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/processor.h"
#include "dimers.h"
#include "lanterns.h"
#include "near.h"
#include "sidewinder/sim.h"
#include "sidewinder/stepper.h"
#include "water_box.h"

static const double h = 1e-3;

static sw_sim *create_by(const sw_model *model, const sw_stepper *stepper, const char *size, long n,
                         const char *base, int threads)
{
  const int is_water = strcmp(model->name, "water_box") == 0;
  const sw_size sizes[] = {{.name = size, .value = n}, {.name = "forces", .value = n < 12}};
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.base = base;
  options.stepper = stepper;
  options.n_sizes = is_water ? 2 : 1;
  options.sizes = sizes;
  options.threads = threads;
  assert_int_equal(sw_sim_create(model, &options, &sim), SW_OK);
  return sim;
}

static sw_sim *create(const sw_model *model, const sw_stepper *stepper, const char *size, long n,
                      const char *base)
{
  return create_by(model, stepper, size, n, base, 1);
}

static sw_sim *water_by(const sw_stepper *stepper, long n, int threads)
{
  return create_by(&sw_model_water_box, stepper, "W", n, "verlet", threads);
}

static sw_sim *water(const sw_stepper *stepper, long n)
{
  return water_by(stepper, n, 1);
}

static void assert_same_bits(const sw_sim *a, const sw_sim *b)
{
  assert_memory_equal(sw_sim_state(a), sw_sim_state(b), 2 * (size_t)sw_sim_nq(a) * sizeof(double));
  assert_memory_equal(sw_sim_impulses(a), sw_sim_impulses(b),
                      (size_t)sw_sim_nc(a) * sizeof(double));
}

/* ---- lanes and ranges ---- */

static void lanes_have_the_bits_of_one(void **state)
{
  static const sw_stepper *const steppers[] = {&sw_stepper_water_box_4, &sw_stepper_water_box_8};
  const long sizes[] = {1, 2, 5, 8, 19};

  (void)state;
  for (size_t i = 0; i < 2; i++) {
    for (size_t j = 0;
         j < sizeof sizes / sizeof sizes[0] && sw_processor_has(steppers[i]->processor); j++) {
      sw_sim *one = water(&sw_stepper_water_box, sizes[j]);
      sw_sim *several = water(steppers[i], sizes[j]);
      assert_int_equal(sw_sim_run(one, h, 20, NULL, NULL), SW_OK);
      assert_int_equal(sw_sim_run(several, h, 20, NULL, NULL), SW_OK);
      assert_same_bits(one, several);
      const sw_stats a = sw_sim_stats(one);
      const sw_stats b = sw_sim_stats(several);
      assert_int_equal(a.fused_steps, 20);
      assert_memory_equal(&a, &b, sizeof a);
      sw_sim_free(&one);
      sw_sim_free(&several);
    }
  }
}

/* Works on ranges of one block backwards, each with a job of its own, as threads could; what the
 * solves have cost is left out. */
static const sw_clusters *whole;
static int block;

static int in_ranges(sw_cluster_work *work, sw_cluster_job *job, long first, long last)
{
  int taken = 1;
  double most_q = 0.0;
  double most_p = 0.0;

  for (long at = (last - 1) / block * block; at >= first; at -= block) {
    sw_cluster_job part = *job;
    taken &= work(&part, at, at + block < last ? at + block : last);
    most_q = fmax(most_q, part.end_q);
    most_p = fmax(most_p, part.end_p);
  }
  job->end_q = most_q;
  job->end_p = most_p;
  return taken;
}

static int solve_in_ranges(sw_cluster_job *job, long first, long last)
{
  return in_ranges(whole->solve, job, first, last);
}

static void ranges_have_the_bits_of_all(void **state)
{
  const int has_8 = sw_processor_has(sw_stepper_water_box_8.processor);
  const sw_stepper *real = has_8 ? &sw_stepper_water_box_8 : &sw_stepper_water_box;
  sw_clusters clusters = *real->clusters;
  sw_stepper cut = *real;

  (void)state;
  whole = real->clusters;
  block = has_8 ? 8 : 1;
  clusters.solve = solve_in_ranges;
  cut.clusters = &clusters;
  sw_sim *all = water(real, 11);
  sw_sim *parts = water(&cut, 11);
  assert_int_equal(sw_sim_run(all, h, 20, NULL, NULL), SW_OK);
  assert_int_equal(sw_sim_run(parts, h, 20, NULL, NULL), SW_OK);
  assert_int_equal(sw_sim_stats(parts).fused_steps, 20);
  assert_same_bits(all, parts);
  sw_sim_free(&all);
  sw_sim_free(&parts);
}

/* More clusters than one piece of work has, and a number of them that is no multiple of the
 * lanes. */
static void threads_have_the_bits_of_one(void **state)
{
  const int has_8 = sw_processor_has(sw_stepper_water_box_8.processor);
  const sw_stepper *stepper = has_8 ? &sw_stepper_water_box_8 : &sw_stepper_water_box;
  sw_sim *alone = water(stepper, 1501);

  (void)state;
  assert_int_equal(sw_sim_run(alone, h, 5, NULL, NULL), SW_OK);
  const sw_stats wanted = sw_sim_stats(alone);
  for (int threads = 2; threads <= 3; threads++) {
    sw_sim *shared = water_by(stepper, 1501, threads);
    assert_int_equal(sw_sim_run(shared, h, 5, NULL, NULL), SW_OK);
    assert_same_bits(alone, shared);
    const sw_stats found = sw_sim_stats(shared);
    assert_int_equal(found.fused_steps, 5);
    assert_memory_equal(&found, &wanted, sizeof found);
    sw_sim_free(&shared);
  }
  sw_sim_free(&alone);
}

/* One step after the other, and all in one call. */
static void calls_do_not_matter(void **state)
{
  sw_sim *once = create(&sw_model_dimers, &sw_stepper_dimers, "N", 13, "verlet");
  sw_sim *often = create(&sw_model_dimers, &sw_stepper_dimers, "N", 13, "verlet");

  (void)state;
  assert_int_equal(sw_sim_run(once, h, 30, NULL, NULL), SW_OK);
  for (int i = 0; i < 30; i++) {
    assert_int_equal(sw_sim_step(often, h), SW_OK);
  }
  assert_int_equal(sw_sim_stats(often).fused_steps, 30);
  assert_same_bits(once, often);
  sw_sim_free(&once);
  sw_sim_free(&often);
}

/* What is known of the state where steps have ended is not used at another one. */
static void a_state_that_is_set_is_taken_up(void **state)
{
  const long sizes[] = {9, 19};

  (void)state;
  for (int i = 0; i < 2; i++) {
    sw_sim *sim = water(&sw_stepper_water_box, sizes[i]);
    sw_sim *ahead = water(&sw_stepper_water_box, sizes[i]);
    assert_int_equal(sw_sim_run(ahead, h, 12, NULL, NULL), SW_OK);
    assert_int_equal(sw_sim_run(sim, h, 5, NULL, NULL), SW_OK);
    assert_int_equal(sw_sim_set_state(sim, 0.0, sw_sim_state(ahead)), SW_OK);
    assert_int_equal(sw_sim_run(sim, h, 5, NULL, NULL), SW_OK);
    assert_int_equal(sw_sim_run(ahead, h, 5, NULL, NULL), SW_OK);
    assert_int_equal(sw_sim_stats(sim).fused_steps, 5);
    assert_same_bits(sim, ahead);
    sw_sim_free(&sim);
    sw_sim_free(&ahead);
  }
}

/* ---- forces ---- */

static double apart(const sw_sim *a, const sw_sim *b)
{
  double most = 0.0;

  for (int i = 0; i < 2 * sw_sim_nq(a); i++) {
    most = fmax(most, fabs(sw_sim_state(a)[i] - sw_sim_state(b)[i]));
  }
  return most;
}

static long passes; /* of both solves at once */

static int solve_and_count(sw_cluster_job *job, long first, long last)
{
  passes += job->solves == (SW_CLUSTERS_SHAKE | SW_CLUSTERS_SLIDE);
  return whole->solve(job, first, last);
}

static sw_sim *lanterns(const sw_stepper *stepper, long ties, const char *base)
{
  const sw_size sizes[] = {{.name = "N", .value = 9}, {.name = "ties", .value = ties}};
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.base = base;
  options.stepper = stepper;
  options.n_sizes = 2;
  options.sizes = sizes;
  assert_int_equal(sw_sim_create(&sw_model_lanterns, &options, &sim), SW_OK);
  return sim;
}

/* Clusters whose forces are their own are moved by one pass for each step, those that are tied by
 * two; all ends where the general way ends.  A table that does not tell of the ties leads
 * elsewhere. */
static void clusters_move_alone_where_nothing_ties_them(void **state)
{
  static const char *const bases[] = {"verlet", "euler-a", "euler-b"};

  (void)state;
  whole = sw_stepper_lanterns.clusters;
  assert_int_equal(whole->n_others, 1);
  for (int i = 0; i < 9; i++) {
    const int ties = i % 3 > 0;
    const int is_wrong = i % 3 > 1;
    sw_clusters clusters = *whole;
    sw_stepper stepper = sw_stepper_lanterns;
    clusters.solve = solve_and_count;
    clusters.n_others = is_wrong ? 0 : 1;
    stepper.clusters = &clusters;
    stepper.base = bases[i / 3];
    sw_sim *fused = lanterns(&stepper, ties, bases[i / 3]);
    sw_sim *general = lanterns(NULL, ties, bases[i / 3]);
    passes = 0;
    assert_int_equal(sw_sim_run(fused, 10.0 * h, 20, NULL, NULL), SW_OK);
    assert_int_equal(sw_sim_run(general, 10.0 * h, 20, NULL, NULL), SW_OK);
    assert_int_equal(sw_sim_stats(fused).fused_steps, 20);
    assert_int_equal(passes, ties && !is_wrong ? 0 : 20);
    if (is_wrong ? !(apart(fused, general) > 1e-3) : !(apart(fused, general) < 1e-13)) {
      print_error("%s, ties = %d: %g apart\n", bases[i / 3], ties, apart(fused, general));
    }
    assert_true(is_wrong ? apart(fused, general) > 1e-3 : apart(fused, general) < 1e-13);
    sw_sim_free(&fused);
    sw_sim_free(&general);
  }
}

/* ---- base methods ---- */

/* The solves are the same for all base methods that kick and drift; kicks are those of the one that
 * is asked for. */
static void kicks_are_those_of_the_base_method(void **state)
{
  static const char *const bases[] = {"euler-a", "euler-b"};

  (void)state;
  for (int i = 0; i < 2; i++) {
    sw_stepper stepper = sw_stepper_dimers;
    stepper.base = bases[i];
    sw_sim *fused = create(&sw_model_dimers, &stepper, "N", 9, bases[i]);
    sw_sim *general = create(&sw_model_dimers, NULL, "N", 9, bases[i]);
    assert_int_equal(sw_sim_run(fused, h, 10, NULL, NULL), SW_OK);
    assert_int_equal(sw_sim_run(general, h, 10, NULL, NULL), SW_OK);
    assert_int_equal(sw_sim_stats(fused).fused_steps, 10);
    assert_true(apart(fused, general) < 8e-15);
    sw_sim_free(&fused);
    sw_sim_free(&general);
  }
}

/* ---- parameters ---- */

static void set(sw_sim *sim, const char *name, double value)
{
  double k[64];
  char found[SW_NAME_BYTES];
  int i = 0;

  while (i < sw_sim_nk(sim) && strcmp(sw_sim_name(sim, SW_K, i, found), name) != 0) {
    i++;
  }
  assert_in_range(i, 0, 63);
  memcpy(k, sw_sim_parameters(sim), (size_t)sw_sim_nk(sim) * sizeof *k);
  k[i] = value;
  assert_int_equal(sw_sim_set_parameters(sim, k), SW_OK);
}

/* Masses and lengths between two steps are those of the next one. */
static void parameters_are_read_again(void **state)
{
  sw_sim *fused = create(&sw_model_dimers, &sw_stepper_dimers, "N", 9, "verlet");
  sw_sim *general = create(&sw_model_dimers, NULL, "N", 9, "verlet");

  (void)state;
  for (int i = 0; i < 3; i++) {
    assert_int_equal(sw_sim_step(fused, h), SW_OK);
    assert_int_equal(sw_sim_step(general, h), SW_OK);
    for (int j = 0; j < 2; j++) {
      sw_sim *sim = j ? fused : general;
      set(sim, i == 0 ? "heavy.3" : i == 1 ? "mass.2" : "length.9", i == 2 ? 0.9 : 1.5);
      assert_int_equal(sw_sim_project(sim), SW_OK);
    }
  }
  assert_int_equal(sw_sim_step(fused, h), SW_OK);
  assert_int_equal(sw_sim_step(general, h), SW_OK);
  assert_int_equal(sw_sim_stats(fused).fused_steps, sw_sim_stats(fused).steps);
  assert_true(apart(fused, general) < 1.3e-15);
  sw_sim_free(&fused);
  sw_sim_free(&general);
}

/* ---- what does not fit ---- */

/* The whole step goes the general way where one cluster cannot be solved, and that finds what there
 * is to say. */
static int refused;

static int solve_all_but_one(sw_cluster_job *job, long first, long last)
{
  const int taken = whole->solve(job, first, last);

  return taken && !(refused && (job->solves & SW_CLUSTERS_SHAKE));
}

static void a_cluster_that_gives_up_leaves_the_step(void **state)
{
  sw_clusters clusters = *sw_stepper_water_box.clusters;
  sw_stepper refusing = sw_stepper_water_box;

  (void)state;
  whole = sw_stepper_water_box.clusters;
  clusters.solve = solve_all_but_one;
  refusing.clusters = &clusters;
  sw_sim *sim = water(&refusing, 9);
  sw_sim *general = water(NULL, 9);
  refused = 0;
  assert_int_equal(sw_sim_run(sim, h, 5, NULL, NULL), SW_OK);
  assert_int_equal(sw_sim_set_state(general, 0.0, sw_sim_state(sim)), SW_OK);
  assert_int_equal(sw_sim_stats(sim).fused_steps, 5);
  refused = 1;
  assert_int_equal(sw_sim_run(sim, h, 5, NULL, NULL), SW_OK);
  assert_int_equal(sw_sim_run(general, h, 5, NULL, NULL), SW_OK);
  assert_int_equal(sw_sim_stats(sim).fused_steps, 5);
  assert_int_equal(sw_sim_stats(sim).steps, 10);
  assert_same_bits(sim, general);
  refused = 0;
  assert_int_equal(sw_sim_run(sim, h, 5, NULL, NULL), SW_OK);
  assert_int_equal(sw_sim_stats(sim).fused_steps, 10);
  sw_sim_free(&sim);
  sw_sim_free(&general);
}

static int calls;

static int solve_but_for_one_call(sw_cluster_job *job, long first, long last)
{
  return whole->solve(job, first, last) && !((job->solves & SW_CLUSTERS_SHAKE) && ++calls == 70);
}

/* The steps before one that is not taken are the same as without it, and so are those behind it. */
static void a_step_that_is_refused_leaves_the_others(void **state)
{
  sw_clusters clusters = *sw_stepper_water_box.clusters;
  sw_stepper refusing = sw_stepper_water_box;

  (void)state;
  whole = sw_stepper_water_box.clusters;
  clusters.solve = solve_but_for_one_call;
  refusing.clusters = &clusters;
  calls = 0;
  sw_sim *sim = water(&refusing, 9);
  sw_sim *same = water(&sw_stepper_water_box, 9);
  sw_sim *general = water(NULL, 9);
  assert_int_equal(sw_sim_run(sim, h, 100, NULL, NULL), SW_OK);
  assert_true(calls > 100);
  assert_int_equal(sw_sim_stats(sim).steps, 100);
  assert_int_equal(sw_sim_stats(sim).fused_steps, 99);
  assert_int_equal(sw_sim_run(same, h, 69, NULL, NULL), SW_OK);
  const sw_stats before = sw_sim_stats(same);
  assert_int_equal(sw_sim_set_state(general, 0.0, sw_sim_state(same)), SW_OK);
  assert_int_equal(sw_sim_step(general, h), SW_OK);
  assert_int_equal(sw_sim_set_state(same, 0.0, sw_sim_state(general)), SW_OK);
  assert_int_equal(sw_sim_run(same, h, 30, NULL, NULL), SW_OK);
  assert_int_equal(sw_sim_stats(sim).newton_iterations,
                   before.newton_iterations + sw_sim_stats(general).newton_iterations +
                       sw_sim_stats(same).newton_iterations);
  assert_same_bits(sim, same);
  sw_sim_free(&sim);
  sw_sim_free(&same);
  sw_sim_free(&general);
}

static int is_broken;

static void constraint_that_breaks(const long n[], const double z[], const double k[], double out[])
{
  sw_model_water_box.constraint(n, z, k, out);
  out[0] = is_broken ? NAN : out[0];
}

static int solve_until_it_breaks(sw_cluster_job *job, long first, long last)
{
  const int taken = whole->solve(job, first, last);

  if (job->solves & SW_CLUSTERS_SHAKE) {
    is_broken = ++calls == 65;
  }
  return taken && !is_broken;
}

/* The first step that the simulation does not take over with those before it, of which the general
 * way can make nothing either: the state and the multipliers are those of the last step that was
 * taken. */
static void multipliers_are_those_of_the_last_step(void **state)
{
  sw_model model = sw_model_water_box;
  sw_clusters clusters = *sw_stepper_water_box.clusters;
  sw_stepper breaking = sw_stepper_water_box;

  (void)state;
  whole = sw_stepper_water_box.clusters;
  clusters.solve = solve_until_it_breaks;
  breaking.clusters = &clusters;
  model.constraint = constraint_that_breaks;
  calls = is_broken = 0;
  sw_sim *sim = create(&model, &breaking, "W", 9, "verlet");
  sw_sim *same = water(&sw_stepper_water_box, 9);
  assert_int_equal(sw_sim_run(sim, h, 100, NULL, NULL), SW_ERR_NOT_FINITE);
  assert_int_equal(sw_sim_stats(sim).fused_steps, 64);
  assert_int_equal(sw_sim_run(same, h, 64, NULL, NULL), SW_OK);
  assert_same_bits(sim, same);
  sw_sim_free(&sim);
  sw_sim_free(&same);
}

/* Tables of another cluster are seen by the pattern of Dg, and one mass for two by H_pp. */
static void other_clusters_are_not_used(void **state)
{
  static const int other_columns[] = {0, 1, 2, 6, 7, 8};
  static const int one_mass[] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  const int *columns[3];
  sw_clusters clusters = *sw_stepper_water_box.clusters;
  sw_stepper stepper = sw_stepper_water_box;

  (void)state;
  assert_int_equal(clusters.constraints, 3);
  assert_int_equal(clusters.positions, 9);
  stepper.clusters = &clusters;
  for (int i = 0; i < 2; i++) {
    clusters = *sw_stepper_water_box.clusters;
    memcpy(columns, clusters.columns, sizeof columns);
    if (i == 0) {
      columns[0] = other_columns;
      clusters.columns = columns;
    } else {
      clusters.mass_of = one_mass;
      clusters.n_masses = 1;
    }
    sw_sim *sim = water(&stepper, 5);
    assert_int_equal(sw_sim_run(sim, h, 5, NULL, NULL), SW_OK);
    assert_int_equal(sw_sim_stats(sim).fused_steps, 0);
    sw_sim_free(&sim);
  }
}

/* Where nothing else than the straight-line code may make the steps, clusters have to be there. */
static void without_clusters_fused_is_refused(void **state)
{
  static const int other_columns[] = {0, 1, 2, 6, 7, 8};
  const int *columns[3];
  const sw_size sizes[] = {{.name = "W", .value = 5}, {.name = "forces", .value = 0}};
  sw_clusters clusters = *sw_stepper_water_box.clusters;
  sw_stepper stepper = sw_stepper_water_box;
  sw_options options;
  sw_sim *sim = NULL;

  (void)state;
  sw_options_init(&options);
  options.base = "verlet";
  options.solver = "fused";
  options.n_sizes = 2;
  options.sizes = sizes;
  options.stepper = &sw_stepper_water_box;
  assert_int_equal(sw_sim_create(&sw_model_water_box, &options, &sim), SW_OK);
  sw_sim_free(&sim);
  memcpy(columns, clusters.columns, sizeof columns);
  columns[0] = other_columns;
  clusters.columns = columns;
  stepper.clusters = &clusters;
  options.stepper = &stepper;
  assert_int_equal(sw_sim_create(&sw_model_water_box, &options, &sim), SW_ERR_OPTION);
  assert_null(sim);
  options.solver = "auto";
  assert_int_equal(sw_sim_create(&sw_model_water_box, &options, &sim), SW_OK);
  sw_sim_free(&sim);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lanes_have_the_bits_of_one),
      cmocka_unit_test(ranges_have_the_bits_of_all),
      cmocka_unit_test(threads_have_the_bits_of_one),
      cmocka_unit_test(calls_do_not_matter),
      cmocka_unit_test(a_state_that_is_set_is_taken_up),
      cmocka_unit_test(clusters_move_alone_where_nothing_ties_them),
      cmocka_unit_test(kicks_are_those_of_the_base_method),
      cmocka_unit_test(parameters_are_read_again),
      cmocka_unit_test(a_cluster_that_gives_up_leaves_the_step),
      cmocka_unit_test(a_step_that_is_refused_leaves_the_others),
      cmocka_unit_test(multipliers_are_those_of_the_last_step),
      cmocka_unit_test(other_clusters_are_not_used),
      cmocka_unit_test(without_clusters_fused_is_refused),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
