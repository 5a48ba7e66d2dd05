/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_alloc.c -- memory: none is allocated by a step, all is released, and running out of it is a
 * status.
 *
 * The program's own malloc and its relatives count, and can be told to fail.  They see the
 * allocations of SUNDIALS and LAPACK too.  SUNDIALS' set-up does not survive a failing malloc, so
 * the parts of a simulation are swept one by one, and as a whole only one that needs no solver.
 * sw_model_check is swept.
 */
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "chain.h"
#include "checks/lyapunov_exponents.h"
#include "failing_malloc.h"
#include "fixtures.h"
#include "four_particles.h"
#include "near.h"
#include "pairs.h"
#include "sidewinder/data.h"
#include "sidewinder/sim.h"
#include "spherical_discrete.h"
#include "spherical_pendulum.h"
#include "step/phase_plan.h"
#include "step/projection.h"
#include "step/splitting.h"

/* A fixture whose H is of degree 2, which it does not say. */
static const sw_model *quadratic(void)
{
  static sw_model model;

  model = sw_fixture_pendulum;
  model.structure.degree_H = 2;
  return &model;
}

static void steps_do_not_allocate(void **state)
{
  const sw_model *const models[] = {&sw_fixture_pendulum, &sw_fixture_spherical, &sw_fixture_two,
                                    &sw_fixture_free, quadratic()};

  (void)state;
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
    for (const char *const *base = sw_base_choices(); *base; base++) {
      if (!takes(models[i], "rattle", *base))
        continue;
      sw_options options;
      sw_sim *sim = NULL;
      const double z[6] = {0.5, 0.5, 0.5, 0.1, 0.2, 0.3};

      sw_options_init(&options);
      options.base = *base;
      const long before_create = allocations;
      assert_int_equal(sw_sim_create(models[i], &options, &sim), SW_OK);
      assert_true(allocations > before_create);

      const long before = allocations;
      const sw_status run = sw_sim_run(sim, 0.1, 20, NULL, NULL);
      const sw_status huge = sw_sim_step(sim, 1e6);
      const sw_status refused = sw_sim_step(sim, 0.0);
      const sw_status set = sw_sim_set_state(sim, 0.0, z);
      const long after = allocations;
      /* The first projection may make a pattern that all further ones need; these keep nothing. */
      const sw_status project = sw_sim_project(sim);
      const long kept = allocations - releases;
      const sw_status again = sw_sim_project(sim);

      assert_int_equal(after, before);
      assert_int_equal(allocations - releases, kept);
      assert_int_equal(run, SW_OK);
      assert_int_equal(huge == SW_OK, models[i]->n_constraints == 0);
      assert_int_equal(refused, SW_ERR_ARGUMENT);
      assert_int_equal(set, SW_OK);
      assert_int_equal(project, SW_OK);
      assert_int_equal(again, SW_OK);
      sw_sim_free(&sim);
    }
}

static void numerical_flows_do_not_allocate(void **state)
{
  sw_options options;
  sw_sim *sim = NULL;

  (void)state;
  sw_options_init(&options);
  options.numerical_fibre = 1;
  assert_int_equal(sw_sim_create(&sw_fixture_two, &options, &sim), SW_OK);
  const long before = allocations;
  const sw_status run = sw_sim_run(sim, 0.1, 20, NULL, NULL);
  const sw_status huge = sw_sim_step(sim, 1e6);
  const long after = allocations;

  assert_int_equal(after, before);
  assert_int_equal(run, SW_OK);
  assert_int_not_equal(huge, SW_OK);
  assert_true(sw_sim_stats(sim).fibre_flows > 0);
  sw_sim_free(&sim);
}

static void everything_is_released(void **state)
{
  sw_sim *sim = NULL;
  long kept;

  (void)state;
  kept = allocations - releases;
  assert_int_equal(sw_sim_create(&sw_fixture_spherical, NULL, &sim), SW_OK);
  assert_true(allocations - releases > kept);
  sw_sim_free(&sim);
  assert_int_equal(allocations - releases, kept);
}

static void creation_without_memory_is_refused(void **state)
{
  sw_sim *sim = NULL;

  (void)state;
  const long before = allocations;
  fail_at = 1;
  const sw_status status = sw_sim_create(&sw_fixture_two, NULL, &sim);
  const int failed = fail_at == 0;
  fail_at = 0;
  const long made = allocations - before;

  assert_true(failed);
  assert_int_equal(status, SW_ERR_MEMORY);
  assert_null(sim);
  assert_int_equal(made, 0);
}

/* Something that allocates: makes it, and releases it where that went well. */
typedef sw_status maker(const sw_system *system, const sw_stage_plan *base);

static sw_status make_system(const sw_system *system, const sw_stage_plan *base)
{
  sw_system *made = NULL;
  const sw_status status = sw_system_create(system->model, 0, NULL, &made, NULL);

  (void)base;
  sw_system_free(&made);
  return status;
}

static sw_status make_numerical(const sw_system *system, const sw_stage_plan *base)
{
  sw_system *made = NULL;
  sw_status status = sw_system_create(system->model, 0, NULL, &made, NULL);

  (void)base;
  if (status == SW_OK)
    status = sw_system_integrate_fibre(made);
  sw_system_free(&made);
  return status;
}

/* The same with the derivative in lambda that constraints need which do not commute. */
static sw_status make_not_commuting(const sw_system *system, const sw_stage_plan *base)
{
  sw_model model = *system->model;
  const sw_system changed = {.model = &model};

  model.structure.commuting = 0;
  return make_numerical(&changed, base);
}

static sw_status make_plan(const sw_system *system, const sw_stage_plan *base)
{
  sw_phase_plan plan = {.stages = base, .has_fibre = 1, .m = system->nc};

  plan.n = plan.m + base->blocks * system->nq;
  const sw_status status = sw_phase_plan_make(system, 1, &plan);
  sw_phase_plan_free(&plan);
  return status;
}

static sw_status make_projection(const sw_system *system, const sw_stage_plan *base)
{
  sw_projection projection;
  sw_status status = SW_OK;

  (void)base;
  if (system->nc == 0)
    return SW_OK;
  status = sw_projection_create(system, system->k_default, SW_REDUNDANT_MIN_NORM, &projection);
  sw_projection_free(&projection);
  return status;
}

/* A splitting, and a phase over it. */
static sw_status make_splitting(const sw_system *system, const sw_stage_plan *base)
{
  sw_splitting *splitting = calloc(1, sizeof *splitting);
  sw_phase_plan plan = {.has_fibre = 1, .m = system->nc, .n = system->nc};
  sw_status status = SW_ERR_MEMORY;

  (void)base;
  if (splitting) {
    status = sw_splitting_make(system, splitting);
    plan.flows = &splitting->flows;
    plan.parts = splitting->part;
    if (status == SW_OK)
      status = sw_phase_plan_make(system, 0, &plan);
    sw_phase_plan_free(&plan);
    sw_splitting_free(splitting);
  }
  free(splitting);
  return status;
}

/* An explicit method on a free particle: there is nothing to solve for. */
static sw_status make_free_simulation(const sw_system *system, const sw_stage_plan *base)
{
  sw_sim *sim = NULL;
  const sw_status status = sw_sim_create(&sw_fixture_free, NULL, &sim);

  (void)system;
  (void)base;
  sw_sim_free(&sim);
  return status;
}

/* Every allocation of `make` fails once: that is a status, and nothing is kept.  Returns their
 * number. */
static long sweep(maker *make, const sw_system *system, const sw_stage_plan *base)
{
  const long start = allocations;
  assert_int_equal(make(system, base), SW_OK);
  const long all = allocations - start;

  for (long n = 1; n <= all; n++) {
    const long kept = allocations - releases;

    fail_at = n;
    const sw_status status = make(system, base);
    fail_at = 0;
    assert_int_equal(status, SW_ERR_MEMORY);
    assert_int_equal(allocations - releases, kept);
  }
  return all;
}

/* What the next two work on. */
static sw_sim *under_test;

static sw_status make_tangent(const sw_system *system, const sw_stage_plan *base)
{
  double D[6 * 6];

  (void)system;
  (void)base;
  return sw_sim_tangent(under_test, 0.05, D);
}

static sw_status make_exponents(const sw_system *system, const sw_stage_plan *base)
{
  sw_lyapunov exponents;
  const sw_status status = sw_lyapunov_open(under_test, 0.001, 2, &exponents);

  (void)system;
  (void)base;
  sw_lyapunov_close(&exponents);
  return status;
}

static void tangents_survive_every_failure(void **state)
{
  const sw_model *const models[] = {&sw_fixture_pendulum, &sw_fixture_spherical, &sw_fixture_two,
                                    &sw_fixture_free, quadratic()};

  (void)state;
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    for (const char *const *base = sw_base_choices(); *base; base++) {
      if (!takes(models[i], "rattle", *base))
        continue;
      sw_options options;

      sw_options_init(&options);
      options.base = *base;
      assert_int_equal(sw_sim_create(models[i], &options, &under_test), SW_OK);
      /* The first one may make a pattern that all further ones need. */
      assert_int_equal(make_tangent(NULL, NULL), SW_OK);
      assert_true(sweep(make_tangent, NULL, NULL) > 0);
      /* the arrays of the exponents, and those of the tangents of two steps */
      assert_true(sweep(make_exponents, NULL, NULL) >= 3);
      assert_int_equal(sw_sim_step(under_test, 0.05), SW_OK);
      sw_sim_free(&under_test);
    }
  }
}

static const sw_model *const discrete_models[] = {&sw_model_spherical_discrete,
                                                  &sw_model_four_particles};
static const sw_model *discrete_model;

static sw_status make_discrete(const sw_system *system, const sw_stage_plan *base)
{
  sw_options options;
  sw_sim *sim = NULL;

  (void)system;
  (void)base;
  sw_options_init(&options);
  options.method = "energy-momentum";
  options.check_reversible = 1;
  const sw_status status = sw_sim_create(discrete_model, &options, &sim);
  sw_sim_free(&sim);
  return status;
}

/* Where the unknowns are z1, and where they are p1. */
static void discrete_gradients_survive_every_failure(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof discrete_models / sizeof discrete_models[0]; i++) {
    sw_options options;

    discrete_model = discrete_models[i];
    assert_true(sweep(make_discrete, NULL, NULL) > 10);
    sw_options_init(&options);
    options.method = "energy-momentum";
    assert_int_equal(sw_sim_create(discrete_model, &options, &under_test), SW_OK);
    const long before = allocations;
    const sw_status run = sw_sim_run(under_test, 0.02, 20, NULL, NULL);
    const long after = allocations;
    assert_int_equal(after, before);
    assert_int_equal(run, SW_OK);
    sw_sim_free(&under_test);
  }
}

/* Variational integrators with two methods, one of them an adjoint. */
static sw_options curve_options(void)
{
  sw_options options;

  sw_options_init(&options);
  options.method = "variational";
  options.base_minus = "kutta-3";
  options.adjoint = "minus";
  options.check_reversible = 1;
  return options;
}

static sw_status make_curves(const sw_system *system, const sw_stage_plan *base)
{
  const sw_options options = curve_options();
  sw_sim *sim = NULL;

  (void)system;
  (void)base;
  const sw_status status = sw_sim_create(&sw_model_spherical_pendulum, &options, &sim);
  sw_sim_free(&sim);
  return status;
}

extern const sw_model sw_model_beads;

static void curve_steps_do_not_allocate(const sw_model *model)
{
  const sw_size size = {.name = "N", .value = 2};
  sw_options options = curve_options();

  options.n_sizes = model->n_sizes;
  options.sizes = &size;
  assert_int_equal(sw_sim_create(model, &options, &under_test), SW_OK);
  assert_int_equal(sw_sim_project(under_test), SW_OK);
  const long before = allocations;
  const sw_status run = sw_sim_run(under_test, 0.001, 10, NULL, NULL);
  const long after = allocations;
  assert_int_equal(after, before);
  assert_int_equal(run, SW_OK);
  sw_sim_free(&under_test);
}

static void curves_survive_every_failure(void **state)
{
  (void)state;
  assert_true(sweep(make_curves, NULL, NULL) > 10);
  curve_steps_do_not_allocate(&sw_model_spherical_pendulum);
  curve_steps_do_not_allocate(&sw_model_beads);
}

static void parts_survive_every_failure(void **state)
{
  static const sw_model *const models[] = {&sw_fixture_pendulum, &sw_fixture_spherical,
                                           &sw_fixture_two, &sw_fixture_free};

  (void)state;
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    sw_system *system = NULL;

    assert_int_equal(sw_system_create(models[i], 0, NULL, &system, NULL), SW_OK);
    assert_true(sweep(make_system, system, NULL) > 0);
    assert_true(sweep(make_numerical, system, NULL) > (system->nc > 0 ? 20 : 0));
    assert_true(sweep(make_not_commuting, system, NULL) > (system->nc > 0 ? 20 : 0));
    assert_int_equal(sweep(make_projection, system, NULL) > 0, system->nc > 0);
    for (const char *const *name = sw_base_names(); *name; name++) {
      sw_stage_plan base;

      sw_stage_plan_make(sw_base_tableau(*name), system->model->structure.separable, &base);
      assert_int_equal(sweep(make_plan, system, &base) > 0, system->nc > 0 || base.blocks > 0);
    }
    sw_system_free(&system);
  }
  sw_system *system = NULL;
  assert_int_equal(sw_system_create(quadratic(), 0, NULL, &system, NULL), SW_OK);
  assert_true(sweep(make_splitting, system, NULL) > 8);
  sw_system_free(&system);
  assert_true(sweep(make_free_simulation, NULL, NULL) > 1);
}

static double huge;

static void huge_range(const double n[], double first[], double last[])
{
  (void)n;
  first[0] = 1.0;
  last[0] = huge;
}

/* Models that need more memory than there is, or cannot even be counted. */
static void huge_models_are_refused(void **state)
{
  static const int sizes[] = {1 << 22, INT_MAX / 8, INT_MAX};
  static const sw_set many[] = {{"many", NULL}};
  static const int only[] = {0};
  static const sw_array array[] = {{"x", 1, only}};
  sw_options options;

  (void)state;
  sw_options_init(&options);
  options.base = "midpoint";
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    sw_model model = sw_fixture_free;
    sw_sim *sim = NULL;

    huge = sizes[i];
    model.n_sets = 1;
    model.sets = many;
    model.ranges = huge_range;
    model.n_coordinates = 1;
    model.positions = model.momenta = array;
    model.n_init = 0;
    model.hamiltonian_hess.places.n = 0;
    limit = (size_t)1 << 20;
    const sw_status status = sw_sim_create(&model, &options, &sim);
    limit = 0;
    assert_int_equal(status, sizes[i] == INT_MAX ? SW_ERR_SIZE : SW_ERR_MEMORY);
    assert_null(sim);
  }
}

static sw_status make_check(const sw_system *system, const sw_stage_plan *base)
{
  double z[6];
  sw_check check;

  (void)system;
  (void)base;
  sw_fixture_two.init[0].state(NULL, sw_fixture_defaults(&sw_fixture_two), z);
  return sw_model_check(&sw_fixture_two, NULL, z, &check);
}

static void check_survives_every_failure(void **state)
{
  (void)state;
  assert_true(sweep(make_check, NULL, NULL) > 0);
}

/* ---- files ---- */

/* As much memory is kept as before.  AddressSanitizer's strdup and realpath are not counted, so
 * releases may be more there; it looks for leaks itself. */
static void assert_kept(long kept)
{
  assert_true(SANITIZED ? allocations - releases <= kept : allocations - releases == kept);
}

/* Each allocation of a reading fails once: that is a shortage of memory, or makes no difference,
 * and never a fault of the file. */
static void reading_data_runs_out_of_memory(void **state)
{
  static const char text[] = "{\"gravity\": 2, \"comment\": {\"of\": [1, \"x\"]}}";
  char path[] = "/tmp/sidewinder_data-XXXXXX.json";
  const int file = mkstemps(path, 5);
  int ran_out = 0;
  int whole = 0;

  (void)state;
  assert_true(file >= 0 && write(file, text, sizeof text - 1) == (ssize_t)sizeof text - 1);
  close(file);
  for (long at = 1; !whole; at++) {
    char message[SW_DATA_MESSAGE] = "";
    sw_data *data = NULL;
    const long kept = allocations - releases;

    fail_at = at;
    const sw_status status = sw_data_read(&sw_fixture_pendulum, path, 0, NULL, &data, message);
    whole = fail_at > 0;
    fail_at = 0;
    assert_true(status == SW_OK || (status == SW_ERR_MEMORY && message[0] == '\0'));
    assert_true(!whole || status == SW_OK);
    ran_out += status == SW_ERR_MEMORY;
    sw_data_free(&data);
    assert_kept(kept);
  }
  unlink(path);
  assert_true(ran_out > 20);
}

/* ---- threads ---- */

static void projections_with_threads_run_out_of_memory(void **state)
{
  const sw_size N = {.name = "N", .value = 40};
  sw_options options;
  sw_sim *sim = NULL;
  int ran_out = 0;
  int whole = 0;

  (void)state;
  sw_options_init(&options);
  options.n_sizes = 1;
  options.sizes = &N;
  options.threads = 3;
  /* What the C library keeps of threads is there from then on. */
  assert_int_equal(sw_sim_create(&sw_model_chain, &options, &sim), SW_OK);
  assert_int_equal(sw_sim_project(sim), SW_OK);
  sw_sim_free(&sim);
  for (long at = 1; !whole; at++) {
    const long kept = allocations - releases;
    assert_int_equal(sw_sim_create(&sw_model_chain, &options, &sim), SW_OK);
    fail_at = at;
    const sw_status status = sw_sim_project(sim);
    whole = fail_at > 0;
    fail_at = 0;
    assert_true(status == SW_OK || (status == SW_ERR_MEMORY && !whole));
    ran_out += status == SW_ERR_MEMORY;
    sw_sim_free(&sim);
    assert_kept(kept);
  }
  assert_true(ran_out > 20);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_do_not_allocate),
      cmocka_unit_test(reading_data_runs_out_of_memory),
      cmocka_unit_test(projections_with_threads_run_out_of_memory),
      cmocka_unit_test(numerical_flows_do_not_allocate),
      cmocka_unit_test(everything_is_released),
      cmocka_unit_test(creation_without_memory_is_refused),
      cmocka_unit_test(parts_survive_every_failure),
      cmocka_unit_test(tangents_survive_every_failure),
      cmocka_unit_test(discrete_gradients_survive_every_failure),
      cmocka_unit_test(curves_survive_every_failure),
      cmocka_unit_test(huge_models_are_refused),
      cmocka_unit_test(check_survives_every_failure),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
