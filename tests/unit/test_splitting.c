/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_splitting.c -- the base method made of exact flows of parts of H: what it equals, its order,
 * what it keeps.
 */
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

#include "all_models.h"
#include "charge.h"
#include "charged_sphere.h"
#include "checks/symplectic.h"
#include "mirror.h"
#include "penning.h"
#include "simulation.h"
#include "step/flows.h"
#include "step/splitting.h"

static sw_sim *started(const sw_model *model, const char *method, const char *base,
                       const char *compose, int check_reversible)
{
  sw_options options;
  sw_sim *sim = NULL;

  sw_options_init(&options);
  options.method = method;
  options.base = base;
  options.compose = compose;
  options.check_reversible = check_reversible;
  assert_int_equal(sw_sim_create(model, &options, &sim), SW_OK);
  assert_int_equal(sw_sim_project(sim), SW_OK);
  return sim;
}

/* The methods that take a base method which is no tableau. */
static const char *const over_bases[] = {"shake", "rattle", NULL};

static sw_sim *plain(const sw_model *model, const char *base)
{
  return started(model, "rattle", base, "none", 0);
}

/* ---- what it equals ---- */

static void one_part_is_the_flow(void **state)
{
  static const double times[] = {0.01, 0.7, 3.0, 1000.0};
  const double w = 1.5;
  const double W = sqrt(w * w - 0.35);
  const double k = sqrt(0.7);

  (void)state;
  for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
    const double t = times[i];
    const double complex u =
        cexp(-I * w * t) * ((0.6 - 0.2 * I) * cos(W * t) + (0.1 + 0.5 * I) * sin(W * t) / W);
    sw_sim *sim = plain(&sw_model_penning, "splitting");
    assert_int_equal(sw_division_of(&sw_model_penning), SW_DIVISION_WHOLE);
    assert_int_equal(sw_sim_step(sim, t), SW_OK);
    const double *z = sw_sim_state(sim);
    const double error = 2e-15 * fmax(1.0, w * t);
    assert_near(z[0], creal(u), error);
    assert_near(z[1], cimag(u), error);
    assert_near(z[2], 0.3 * cos(k * t) - 0.4 * sin(k * t) / k, error);
    sw_sim_free(&sim);
  }
}

/* T(p) and V(q) of a fixture as the parts that a generated model would have. */
static const sw_model *divided;

static void half_grad(int half, const long n[], const double z[], const double k[], double out[])
{
  const int d = divided->n_coordinates;

  divided->hamiltonian_grad(n, z, k, out);
  for (int i = 0; i < d; i++)
    out[half == 0 ? d + i : i] = 0.0;
}

static void half_hess(int half, const long n[], const double z[], const double k[], double out[])
{
  divided->hamiltonian_hess.values(n, z, k, out);
  for (int e = 0; e < divided->hamiltonian_hess.places.n; e++) {
    if ((divided->hamiltonian_hess.places.row[e] >= divided->n_coordinates) != half)
      out[e] = 0.0;
  }
}

static void kick_grad(const long n[], const double z[], const double k[], double out[])
{
  half_grad(0, n, z, k, out);
}

static void kick_hess(const long n[], const double z[], const double k[], double out[])
{
  half_hess(0, n, z, k, out);
}

static void drift_grad(const long n[], const double z[], const double k[], double out[])
{
  half_grad(1, n, z, k, out);
}

static void drift_hess(const long n[], const double z[], const double k[], double out[])
{
  half_hess(1, n, z, k, out);
}

/* With both kinds of flow for T(p), which is quadratic. */
static void flows_of_T_and_V_make_verlet(void **state)
{
  static const sw_model *const models[] = {&sw_fixture_pendulum, &sw_fixture_hopf, &sw_fixture_two,
                                           &sw_fixture_free};

  (void)state;
  for (size_t i = 0; i < 2 * (sizeof models / sizeof models[0]); i++) {
    divided = models[i / 2];
    const int dim = 2 * divided->n_coordinates;
    const sw_part parts[] = {
        {"V", SW_PART_COMMUTING, kick_grad, {divided->hamiltonian_hess.places, kick_hess}},
        {"T",
         i % 2 ? SW_PART_QUADRATIC : SW_PART_COMMUTING,
         drift_grad,
         {divided->hamiltonian_hess.places, drift_hess}}};
    sw_model model = *divided;
    double D[max_dim * max_dim];
    double expected[max_dim * max_dim];
    model.n_parts = 2;
    model.parts = parts;
    for (const char *const *method = over_bases; *method; method++) {
      sw_sim *own = started(&model, *method, "splitting", "none", 0);
      sw_sim *verlet = started(&model, *method, "verlet", "none", 0);
      for (int step = 0; step < 20; step++) {
        assert_int_equal(sw_sim_tangent(own, 0.05, D), SW_OK);
        assert_int_equal(sw_sim_tangent(verlet, 0.05, expected), SW_OK);
        assert_all_near(D, expected, dim * dim, 1e-11);
        assert_int_equal(sw_sim_step(own, 0.05), SW_OK);
        assert_int_equal(sw_sim_step(verlet, 0.05), SW_OK);
        assert_all_near(sw_sim_state(own), sw_sim_state(verlet), dim, 1e-13);
      }
      sw_sim_free(&own);
      sw_sim_free(&verlet);
    }
  }
}

static void separable_models_take_the_steps_of_verlet(void **state)
{
  sw_sim *own = plain(&sw_model_lj7, "splitting");
  sw_sim *verlet = plain(&sw_model_lj7, "verlet");
  const size_t bytes = 2 * (size_t)sw_sim_nq(own) * sizeof(double);

  (void)state;
  assert_int_equal(sw_division_of(&sw_model_lj7), SW_DIVISION_VERLET);
  assert_int_equal(sw_sim_run(own, 0.01, 50, NULL, NULL), SW_OK);
  assert_int_equal(sw_sim_run(verlet, 0.01, 50, NULL, NULL), SW_OK);
  assert_memory_equal(sw_sim_state(own), sw_sim_state(verlet), bytes);
  sw_sim_free(&own);
  sw_sim_free(&verlet);
}

/* ---- order, and what is kept ---- */

static const sw_model *const with_parts[] = {&sw_model_charge, &sw_model_charged_sphere,
                                             &sw_model_mirror};
enum { n_with_parts = (int)(sizeof with_parts / sizeof with_parts[0]) };

/* How far two states are apart after n and 2n steps over the time 1, and the slope of that. */
static double slope(const sw_model *model, const char *method, const char *compose, long n)
{
  double z[3][max_dim];
  double apart[2] = {0.0, 0.0};

  for (int i = 0; i < 3; i++) {
    sw_sim *sim = started(model, method, "splitting", compose, 0);
    assert_int_equal(sw_sim_run(sim, 1.0 / (double)(n << i), n << i, NULL, NULL), SW_OK);
    /* SHAKE is a map of fibres: its end is compared where that is on M^H, the momenta aside. */
    memcpy(z[i], sw_sim_state(sim), sizeof z[i]);
    sw_sim_free(&sim);
  }
  for (int i = 0; i < (strcmp(method, "shake") == 0 ? max_dim / 2 : max_dim); i++) {
    apart[0] = fmax(apart[0], fabs(z[0][i] - z[1][i]));
    apart[1] = fmax(apart[1], fabs(z[1][i] - z[2][i]));
  }
  printf("%s, %s, %s: %.2g, slope %.4f\n", model->name, method, compose, apart[1],
         log2(apart[0] / apart[1]));
  return log2(apart[0] / apart[1]);
}

static void orders_are_as_stated(void **state)
{
  (void)state;
  for (int i = 0; i < n_with_parts; i++) {
    assert_near(slope(with_parts[i], "rattle", "none", 80), 2.0, 0.01);
    assert_near(slope(with_parts[i], "shake", "none", 80), 2.0, 0.01);
    assert_near(slope(with_parts[i], "rattle", "triple-jump-4", 40), 4.0, 0.06);
  }
}

static void the_form_is_kept(void **state)
{
  enum { N = 5 };
  (void)state;
  for (int i = 0; i < n_with_parts + 1; i++) {
    for (const char *const *method = over_bases; *method; method++) {
      double V[N * max_dim];
      double DV[N * max_dim];
      double found = NAN;
      sw_sim *sim = started(i < n_with_parts ? with_parts[i] : &sw_model_penning, *method,
                            "splitting", "none", 0);
      for (int j = 0; j < N * max_dim; j++)
        V[j] = sin(1.0 + 37.0 * (double)j);
      assert_int_equal(sw_symplectic_defect(sim, 0.1, N, V, DV, &found), SW_OK);
      assert_below(found, 1e-15);
      sw_sim_free(&sim);
    }
  }
}

/* Its columns against differences of fourth order of the step, off M as well. */
static void tangents_are_derivatives(void **state)
{
  const double e = 1e-3;

  (void)state;
  for (int i = 0; i < n_with_parts; i++) {
    double D[max_dim * max_dim];
    double z0[max_dim];
    /* Without constraints, so that any state can be stepped from. */
    sw_model model = *with_parts[i];
    model.n_constraints = 0;
    model.n_invariant = 0;
    sw_sim *sim = plain(&model, "splitting");
    memcpy(z0, sw_sim_state(sim), sizeof z0);
    assert_int_equal(sw_sim_tangent(sim, 0.1, D), SW_OK);
    for (int j = 0; j < max_dim; j++) {
      static const double at[] = {-2.0, -1.0, 1.0, 2.0};
      static const double weight[] = {1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0};
      double slopes[max_dim] = {0.0};
      for (int s = 0; s < 4; s++) {
        double z[max_dim];
        memcpy(z, z0, sizeof z);
        z[j] += at[s] * e;
        assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
        assert_int_equal(sw_sim_step(sim, 0.1), SW_OK);
        for (int r = 0; r < max_dim; r++)
          slopes[r] += weight[s] / e * sw_sim_state(sim)[r];
      }
      assert_all_near(D + j * max_dim, slopes, max_dim, 1e-10);
    }
    sw_sim_free(&sim);
  }
}

static void steps_are_taken_back(void **state)
{
  (void)state;
  for (int i = 0; i < n_with_parts; i++) {
    sw_sim *sim = started(with_parts[i], "rattle", "splitting", "none", 1);
    assert_int_equal(sw_sim_run(sim, 0.05, 200, NULL, NULL), SW_OK);
    sw_sim_free(&sim);
  }
}

/* An invariant that both parts and the constraint have is kept to round-off. */
static void turning_is_kept(void **state)
{
  double before[2];
  double after[2];
  sw_sim *sim = plain(&sw_model_charged_sphere, "splitting");

  (void)state;
  sw_sim_invariant(sim, before);
  assert_int_equal(sw_sim_run(sim, 0.05, 2000, NULL, NULL), SW_OK);
  sw_sim_invariant(sim, after);
  assert_near(after[1], before[1], 1e-13);
  assert_below(fabs(after[0] - before[0]), 2e-4);
  assert_true(fabs(after[0] - before[0]) > 1e-8);
  sw_sim_free(&sim);
}

/* ---- what else a step has ---- */

/* The exponential is that of the present step and of the present parameters. */
static void parameters_and_steps_may_change(void **state)
{
  (void)state;
  for (int i = 0; i < n_with_parts; i++) {
    double k[8];
    sw_sim *changed = plain(with_parts[i], "splitting");
    sw_sim *fresh = plain(with_parts[i], "splitting");
    assert_true(sw_sim_nk(changed) <= 8);
    assert_int_equal(sw_sim_step(changed, -0.02), SW_OK);
    assert_int_equal(sw_sim_run(changed, 0.05, 5, NULL, NULL), SW_OK);
    memcpy(k, sw_sim_parameters(changed), (size_t)sw_sim_nk(changed) * sizeof *k);
    k[1] *= 1.3; /* B */
    assert_int_equal(sw_sim_set_parameters(changed, k), SW_OK);
    assert_int_equal(sw_sim_set_parameters(fresh, k), SW_OK);
    assert_int_equal(sw_sim_set_state(changed, 0.0, sw_sim_state(fresh)), SW_OK);
    assert_int_equal(sw_sim_run(changed, 0.05, 5, NULL, NULL), SW_OK);
    assert_int_equal(sw_sim_run(fresh, 0.05, 5, NULL, NULL), SW_OK);
    assert_memory_equal(sw_sim_state(changed), sw_sim_state(fresh), max_dim * sizeof(double));
    sw_sim_free(&changed);
    sw_sim_free(&fresh);
  }
}

/* What simulations share outlives the first of them. */
static void simulations_share_the_parts(void **state)
{
  static const sw_model *const models[] = {&sw_model_charged_sphere, &sw_model_mirror,
                                           &sw_model_penning};
  (void)state;
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    double z[max_dim];
    sw_sim *first = started(models[i], "rattle", "splitting", "none", 1);
    sw_sim *second = NULL;
    assert_int_equal(sw_sim_create_like(first, &second), SW_OK);
    assert_int_equal(sw_sim_set_state(second, 0.0, sw_sim_state(first)), SW_OK);
    assert_int_equal(sw_sim_run(first, 0.05, 5, NULL, NULL), SW_OK);
    memcpy(z, sw_sim_state(first), sizeof z);
    sw_sim_free(&first);
    assert_int_equal(sw_sim_run(second, 0.05, 5, NULL, NULL), SW_OK);
    assert_memory_equal(sw_sim_state(second), z, sizeof z);
    sw_sim_free(&second);
  }
}

/* No derivative has an entry where its pattern has none, and each has some outside of its
 * diagonal. */
static void patterns_have_all_entries(void **state)
{
  (void)state;
  for (int i = 0; i < n_with_parts; i++) {
    sw_splitting splitting;
    sw_system *system = NULL;
    sw_carver counting = {NULL, 0, 0};
    assert_int_equal(sw_system_create(with_parts[i], 0, NULL, &system, NULL), SW_OK);
    assert_int_equal(sw_splitting_make(system, &splitting), SW_OK);
    const double *k = system->k_default;
    sw_flow_step step = {
        .flows = &splitting.flows, .parts = splitting.part, .system = system, .k = k};
    sw_flow_step_carve(&counting, 1, &step);
    char *block = calloc(counting.used, 1);
    assert_non_null(block);
    sw_flow_step_carve(&(sw_carver){block, 0, 0}, 1, &step);
    for (int m = 0; m < splitting.flows.n_maps; m++) {
      const sw_pattern *pattern = &splitting.part[m].derivative;
      const double z[max_dim] = {0.3, -0.2, 0.5, 0.7, 0.4, -0.6};
      char inside[max_dim][max_dim] = {{0}};
      int off = 0;
      for (int e = 0; e < pattern->entries; e++)
        inside[pattern->row[e]][pattern->col[e]] = 1;
      for (int c = 0; c < max_dim; c++) {
        double v[max_dim] = {0.0};
        double Dv[max_dim];
        v[c] = 1.0;
        assert_int_equal(sw_part_flow_directions(&step.part[m], 0.1, z, k, 1, v, Dv), 0);
        for (int r = 0; r < max_dim; r++) {
          off += r != c && Dv[r] != 0.0;
          assert_true(inside[r][c] || Dv[r] == 0.0);
        }
      }
      assert_true(off > 0);
    }
    free(block);
    sw_splitting_free(&splitting);
    sw_system_free(&system);
  }
}

/* The pattern of the Newton matrix has all of its entries: the iterations are few. */
static void newton_matrices_are_whole(void **state)
{
  int n = 0;

  (void)state;
  for (int i = 0; i < n_models; i++) {
    const shipped *s = model_number(i);
    const sw_division division = sw_division_of(s->model);
    if (is_slow(s) || (division != SW_DIVISION_WHOLE && division != SW_DIVISION_PARTS))
      continue;
    sw_sim *sim = open_model(s, "rattle", "splitting", redundant_number(i));
    sw_sim *implicit = open_model(s, "rattle", "midpoint", redundant_number(i));
    start_model(sim, s->h, s->model->name);
    assert_int_equal(sw_sim_set_state(implicit, 0.0, sw_sim_state(sim)), SW_OK);
    assert_int_equal(sw_sim_set_state(sim, 0.0, sw_sim_state(sim)), SW_OK);
    assert_int_equal(sw_sim_run(sim, s->h, 10, NULL, NULL), SW_OK);
    assert_int_equal(sw_sim_run(implicit, s->h, 10, NULL, NULL), SW_OK);
    const sw_stats stats = sw_sim_stats(sim);
    const sw_stats other = sw_sim_stats(implicit);
    if (stats.newton_iterations > other.newton_iterations + 2 * stats.solves)
      fail_msg("%s: %ld iterations, %ld over midpoint", s->model->name, stats.newton_iterations,
               other.newton_iterations);
    n += sw_sim_nc(sim) > 0;
    sw_sim_free(&sim);
    sw_sim_free(&implicit);
  }
  assert_true(n >= 6);
}

static void what_cannot_be_divided_is_refused(void **state)
{
  const sw_size large = {.name = "N", .value = 200};
  sw_options options;
  sw_sim *sim = NULL;

  (void)state;
  sw_options_init(&options);
  options.base = "splitting";
  assert_int_equal(sw_sim_create(&sw_model_spherical, &options, &sim), SW_ERR_OPTION);
  assert_null(sim);
  assert_non_null(
      strstr(sw_model_spherical.undivided, "spherical.sw:19:17: the part q[x]^2*p[x]^2/4"));
  options.n_sizes = 1;
  options.sizes = &large;
  assert_int_equal(sw_sim_create(&sw_model_chain, &options, &sim), SW_ERR_SIZE);
  assert_null(sim);
  sw_model model = sw_model_charge;
  options.n_sizes = 0;
  model.n_parts = 33;
  assert_int_equal(sw_sim_create(&model, &options, &sim), SW_ERR_ARGUMENT);
  sw_part parts[2] = {model.parts[0], model.parts[1]};
  model.n_parts = 2;
  model.parts = parts;
  parts[1].grad = NULL;
  assert_int_equal(sw_sim_create(&model, &options, &sim), SW_ERR_ARGUMENT);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_part_is_the_flow),
      cmocka_unit_test(flows_of_T_and_V_make_verlet),
      cmocka_unit_test(separable_models_take_the_steps_of_verlet),
      cmocka_unit_test(orders_are_as_stated),
      cmocka_unit_test(the_form_is_kept),
      cmocka_unit_test(tangents_are_derivatives),
      cmocka_unit_test(steps_are_taken_back),
      cmocka_unit_test(turning_is_kept),
      cmocka_unit_test(parameters_and_steps_may_change),
      cmocka_unit_test(simulations_share_the_parts),
      cmocka_unit_test(patterns_have_all_entries),
      cmocka_unit_test(newton_matrices_are_whole),
      cmocka_unit_test(what_cannot_be_divided_is_refused),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
