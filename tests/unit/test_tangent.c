/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_tangent.c -- the exact derivative of a step against extrapolated differences of the step, in
 * all directions of phase space, for every method and base method.
 */
#include <stdlib.h>
#include <string.h>

#include "damped_net.h"
#include "dampers.h"
#include "dashpots.h"
#include "discrete_forms.h"
#include "fixtures.h"
#include "four_particles.h"
#include "loops.h"
#include "motors.h"
#include "near.h"
#include "pairs.h"
#include "sim/sim_internal.h"
#include "simulation.h"
#include "spherical_discrete.h"

enum { LEVELS = 4, MOST = 64 };

/* What a step maps: the state and, where the method has one, the one before; N values out of what
 * sw_sim_save gives. */
static double *mapped(const sw_sim *sim, double saved[], int i)
{
  const int dim = 2 * sw_sim_nq(sim);

  return i < dim ? saved + 3 + i : saved + 3 + i + sw_sim_nc(sim);
}

/* end = the step of size h from z + e v, z as it was saved.  A step refuses to begin off M, where
 * the map that it solves for is defined all the same: `checked` and `sign` are set by hand. */
static void shifted_step(sw_sim *sim, const double z[], double e, const double v[], double h,
                         double end[])
{
  const int N = sw_sim_n_state(sim);
  const size_t bytes = sw_sim_saved_count(sim) * sizeof(double);
  const sw_side side = sim->state.known.side;
  double *shifted = malloc(bytes);

  assert_non_null(shifted);
  memcpy(shifted, z, bytes);
  for (int i = 0; i < N; i++) {
    *mapped(sim, shifted, i) += e * v[i];
  }
  assert_int_equal(sw_sim_restore(sim, shifted), SW_OK);
  sim->state.known.checked = 1;
  sim->state.known.side = side;
  assert_int_equal(sw_sim_step(sim, h), SW_OK);
  sw_sim_save(sim, shifted);
  for (int i = 0; i < N; i++) {
    end[i] = *mapped(sim, shifted, i);
  }
  free(shifted);
}

/* out = the derivative of the step along v by central differences with e, e/2, ...,
 * extrapolated. */
static void difference(sw_sim *sim, const double z[], const double v[], double h, double e,
                       double out[])
{
  const size_t dim = (size_t)sw_sim_n_state(sim);
  double *table = malloc((LEVELS + 1) * dim * sizeof *table);

  assert_non_null(table);
  double *other = table + LEVELS * dim;
  for (size_t level = 0; level < LEVELS; level++) {
    const double small = ldexp(e, -(int)level);
    double *row = table + level * dim;
    shifted_step(sim, z, small, v, h, row);
    shifted_step(sim, z, -small, v, h, other);
    for (size_t i = 0; i < dim; i++) {
      row[i] = (row[i] - other[i]) / (2.0 * small);
    }
  }
  for (int order = 1; order < LEVELS; order++) {
    const double weight = ldexp(1.0, 2 * order) - 1.0;
    for (size_t level = 0; level + (size_t)order < LEVELS; level++) {
      for (size_t i = 0; i < dim; i++) {
        double *at = table + level * dim + i;
        at[0] = at[dim] + (at[dim] - at[0]) / weight;
      }
    }
  }
  memcpy(out, table, dim * sizeof *out);
  free(table);
}

/* Compares D with the differences at a state that some steps of size h lead to. */
static void compare(sw_sim *sim, double h, double e, double tolerance)
{
  const size_t dim = (size_t)sw_sim_n_state(sim);
  const size_t bytes = dim * sizeof(double);
  const size_t saved_bytes = sw_sim_saved_count(sim) * sizeof(double);
  double *D = malloc(dim * bytes);
  double *z = malloc(saved_bytes);
  double *after_z = malloc(saved_bytes);
  double *v = calloc(dim, sizeof *v);
  double *expected = malloc(bytes);

  assert_true(D && z && after_z && v && expected);
  if (!sw_sim_has_tangent(sim)) {
    assert_int_equal(sw_sim_tangent(sim, h, D), SW_ERR_OPTION);
    free(D);
    free(z);
    free(after_z);
    free(v);
    free(expected);
    return;
  }
  assert_int_equal(sw_sim_project(sim), SW_OK);
  assert_int_equal(sw_sim_run(sim, h, 3, NULL, NULL), SW_OK);
  const sw_stats before = sw_sim_stats(sim);
  const double t = sw_sim_time(sim);
  sw_sim_save(sim, z);
  assert_int_equal(sw_sim_tangent(sim, h, D), SW_OK);
  sw_sim_save(sim, after_z);
  assert_memory_equal(z, after_z, saved_bytes);
  const sw_stats after = sw_sim_stats(sim);
  assert_memory_equal(&after, &before, sizeof after);
  assert_true(sw_sim_time(sim) == t);
  for (size_t j = 0; j < dim; j++) {
    v[j] = 1.0;
    difference(sim, z, v, h, e, expected);
    v[j] = 0.0;
    assert_all_near(D + j * dim, expected, (int)dim, tolerance);
  }
  free(D);
  free(z);
  free(after_z);
  free(v);
  free(expected);
}

static void derivative_of_the_step(void **state)
{
  static const sw_model *const models[] = {&sw_fixture_pendulum, &sw_fixture_hopf,
                                           &sw_fixture_spherical, &sw_fixture_two,
                                           &sw_fixture_free};

  (void)state;
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    for (const char *const *method = sw_method_names(); *method; method++) {
      for (const char *const *base = bases_and_none; *base; base++) {
        if (!takes(models[i], *method, *base)) {
          continue;
        }
        sw_sim *sim = create(models[i], *method, *base);
        compare(sim, 0.05, 0.004, 5e-10);
        sw_sim_free(&sim);
      }
    }
  }
}

static void derivative_of_looped_models(void **state)
{
  static const sw_model *const models[] = {&sw_fixture_loops_chain, &sw_fixture_loops_spins};
  double z[MOST];

  (void)state;
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    for (const char *const *method = sw_method_names(); *method; method++) {
      for (const char *const *base = bases_and_none; *base; base++) {
        if (!takes(models[i], *method, *base)) {
          continue;
        }
        sw_sim *sim = create(models[i], *method, *base);
        const int dim = 2 * sw_sim_nq(sim);
        /* The spins' own start is one from which no point of M is found. */
        for (int j = 0; i == 1 && j < dim; j++) {
          z[j] = 0.3 + 0.6 * sin(1.7 + 4.0 * (double)j);
        }
        if (i == 1) {
          assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
        }
        compare(sim, 0.01, i == 0 ? 0.002 : 5e-4, 1e-8);
        sw_sim_free(&sim);
      }
    }
  }
}

static void derivative_with_discrete_gradients(void **state)
{
  static const sw_model *const models[] = {&sw_model_spherical_discrete, &sw_model_discrete_forms,
                                           &sw_model_four_particles};

  (void)state;
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    sw_sim *sim = create(models[i], "energy-momentum", "none");
    compare(sim, 0.05, 5e-4, 1e-8);
    sw_sim_free(&sim);
  }
}

extern const sw_model sw_model_curved;
extern const sw_model sw_model_cyclotron;
extern const sw_model sw_model_rigid_body;
extern const sw_model sw_model_moving;
extern const sw_model sw_model_beads;

/* Of variational integrators, over each base method that they take, at some biases. */
static void derivative_of_variational_steps(void **state)
{
  static const sw_model *const models[] = {&sw_model_curved, &sw_model_cyclotron,
                                           &sw_model_rigid_body, &sw_model_moving};
  static const double biases[][2] = {{-0.5, 0.5}, {0.0, 1.0}, {-0.8, 0.2}};

  (void)state;
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    for (size_t b = 0; b < sizeof biases / sizeof biases[0]; b++) {
      for (const char *const *base = bases_and_none; *base; base++) {
        sw_options options;
        sw_sim *sim = NULL;
        sw_options_init(&options);
        options.method = "variational";
        options.base = *base;
        memcpy(options.bias, biases[b], sizeof options.bias);
        if (sw_sim_create(models[i], &options, &sim) == SW_OK) {
          compare(sim, 0.05, 0.004, 5e-10);
        }
        sw_sim_free(&sim);
      }
    }
  }
}

/* Variational steps with adjoints, also of a model with loops. */
static void derivative_of_steps_with_adjoints(void **state)
{
  static const sw_model *const models[] = {&sw_model_curved, &sw_model_beads};
  static const char *const adjoints[] = {"none", "minus"};
  const sw_size size = {.name = "N", .value = 2};

  (void)state;
  for (size_t i = 0; i < 2; i++) {
    for (size_t a = 0; a < 2; a++) {
      sw_options options;
      sw_sim *sim = NULL;
      sw_options_init(&options);
      options.method = "variational";
      options.base = "kutta-3";
      options.adjoint = adjoints[a];
      options.n_sizes = models[i]->n_sizes;
      options.sizes = &size;
      assert_int_equal(sw_sim_create(models[i], &options, &sim), SW_OK);
      assert_int_equal(sw_sim_has_tangent(sim), 1);
      compare(sim, 0.02, 0.002, 1e-9);
      sw_sim_free(&sim);
    }
  }
}

/* Steps between two kicks by forces. */
static void derivative_with_forces(void **state)
{
  static const sw_model *const models[] = {&sw_model_motors, &sw_model_damped_net,
                                           &sw_model_dashpots, &sw_model_dampers};
  int n = 0;

  (void)state;
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    for (const char *const *method = sw_method_names(); *method; method++) {
      for (const char *const *base = bases_and_none; *base; base++) {
        if (takes(models[i], *method, *base)) {
          sw_sim *sim = create(models[i], *method, *base);
          compare(sim, 0.01, 0.002, 2e-9);
          sw_sim_free(&sim);
          n++;
        }
      }
    }
  }
  assert_true(n > 20);
}

/* Directions are linear, are told apart, and may be overwritten by their images. */
static void directions(void **state)
{
  enum { N = 21 };
  sw_sim *sim = create(&sw_fixture_loops_chain, "rattle", "verlet");
  const size_t dim = 2 * (size_t)sw_sim_nq(sim);
  double *D = malloc(dim * dim * sizeof *D);
  double *V = malloc(N * dim * sizeof *V);
  double *expected = calloc(N * dim, sizeof *expected);

  (void)state;
  assert_true(D && V && expected);
  assert_int_equal(sw_sim_run(sim, 0.01, 2, NULL, NULL), SW_OK);
  assert_int_equal(sw_sim_tangent(sim, -0.01, D), SW_OK);
  for (size_t i = 0; i < N * dim; i++) {
    V[i] = sin(1.0 + (double)(i * i % 101));
  }
  for (size_t n = 0; n < N; n++) {
    for (size_t j = 0; j < dim; j++) {
      for (size_t i = 0; i < dim; i++) {
        expected[n * dim + i] += D[j * dim + i] * V[n * dim + j];
      }
    }
  }
  assert_int_equal(sw_sim_tangent_times(sim, -0.01, N, V, V), SW_OK);
  assert_all_near(V, expected, (int)(N * dim), 1e-12);
  assert_int_equal(sw_sim_tangent_times(sim, -0.01, 0, NULL, NULL), SW_OK);
  assert_int_equal(sw_sim_tangent_times(sim, -0.01, -1, V, V), SW_ERR_ARGUMENT);
  assert_int_equal(sw_sim_tangent_times(sim, -0.01, 1, V, NULL), SW_ERR_ARGUMENT);
  free(D);
  free(V);
  free(expected);
  sw_sim_free(&sim);
}

/* Where there is no step there is no tangent, and the simulation goes on. */
static void no_step_no_tangent(void **state)
{
  double D[16];
  double z[4] = {1.0, 0.0, 0.0, 3.0};
  sw_sim *sim = create(&sw_fixture_pendulum, "rattle", "verlet");

  (void)state;
  assert_int_equal(sw_sim_tangent(sim, 0.0, D), SW_ERR_ARGUMENT);
  assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
  assert_int_equal(sw_sim_tangent(sim, 1.0, D), SW_ERR_NOT_CONVERGED);
  assert_memory_equal(z, sw_sim_state(sim), sizeof z);
  assert_int_not_equal(strlen(sw_sim_message(sim)), 0);
  assert_int_equal(sw_sim_tangent(sim, 0.1, D), SW_OK);
  z[0] = 1.5;
  assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
  assert_int_equal(sw_sim_tangent(sim, 0.1, D), SW_ERR_OFF_M);
  sw_sim_free(&sim);
}

/* A step after a tangent is, bit for bit, the step without. */
static void tangents_leave_no_trace(void **state)
{
  double D[16];

  (void)state;
  for (const char *const *base = sw_base_names(); *base; base++) {
    sw_sim *with = create(&sw_fixture_pendulum, "rattle", *base);
    sw_sim *without = create(&sw_fixture_pendulum, "rattle", *base);
    for (int n = 0; n < 20; n++) {
      assert_int_equal(sw_sim_tangent(with, n % 2 ? 0.05 : -0.2, D), SW_OK);
      assert_int_equal(sw_sim_step(with, 0.05), SW_OK);
      assert_int_equal(sw_sim_step(without, 0.05), SW_OK);
      assert_memory_equal(sw_sim_state(with), sw_sim_state(without), 4 * sizeof(double));
    }
    sw_sim_free(&with);
    sw_sim_free(&without);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivative_of_the_step),
      cmocka_unit_test(derivative_of_looped_models),
      cmocka_unit_test(derivative_with_discrete_gradients),
      cmocka_unit_test(derivative_of_variational_steps),
      cmocka_unit_test(derivative_of_steps_with_adjoints),
      cmocka_unit_test(derivative_with_forces),
      cmocka_unit_test(directions),
      cmocka_unit_test(no_step_no_tangent),
      cmocka_unit_test(tangents_leave_no_trace),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
