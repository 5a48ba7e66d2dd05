/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_variational_loops.c -- variational integrators of models with loops beyond T(p) + V(q):
 * masses that depend on positions, a(q).v and constraints of higher degree, against the same model
 * unrolled.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks/lyapunov_exponents.h"
#include "step/acceleration_rates.h"
#include "variational.h"

extern const sw_model sw_model_beads;  /* with loops */
extern const sw_model sw_model_beads2; /* of two beads, unrolled */

enum { most = REFERENCE_MAX };

/* ---- the model, with all that it has or some of it ---- */

enum { HEAVY, DRAG, FIELD, BENT, LENGTH, PARAMETERS };

static const struct {
  const char *name;
  double k[PARAMETERS - 1];
} parts[] = {{"M(q)", {0.4, 0.3, 0.0, 0.0}},
             {"a(q).v", {0.0, 0.0, 0.7, 0.0}},
             {"degrees 3 and 4", {0.0, 0.0, 0.0, 0.5}},
             {"all", {0.4, 0.3, 0.7, 0.5}}};
enum { PARTS = sizeof parts / sizeof *parts, ALL = PARTS - 1 };

/* On M^H. */
static sw_sim *beads_with(const sw_model *model, long nodes, int part, sw_options options)
{
  const sw_size size = {.name = "N", .value = nodes};
  double k[PARAMETERS];

  options.n_sizes = model->n_sizes;
  options.sizes = &size;
  sw_sim *sim = variational_sim(model, &options);
  memcpy(k, parts[part].k, sizeof parts[part].k);
  k[LENGTH] = 1.0 / (double)(nodes + 1);
  assert_int_equal(sw_sim_set_parameters(sim, k), SW_OK);
  if (sw_sim_project(sim) != SW_OK) {
    fail_msg("%s", sw_sim_message(sim));
  }
  return sim;
}

static sw_sim *beads_of(const sw_model *model, long nodes, int part, const char *base)
{
  return beads_with(model, nodes, part, variational_options(base, NULL, "none"));
}

/* ---- accelerations ---- */

enum { D = 6, M = 3, N = 2 * D + M };

static sw_rates rates_of(const sw_system *system, void **block)
{
  sw_rates rates = {.system = system, .k = system->k_default};
  sw_carver walk = {NULL, 0, 0};

  sw_rates_carve(&walk, &rates);
  *block = calloc(1, walk.used + 1);
  assert_non_null(*block);
  walk = (sw_carver){*block, 0, 0};
  sw_rates_carve(&walk, &rates);
  return rates;
}

static double farthest(size_t n, const double a[], const double b[])
{
  double worst = 0.0;

  for (size_t i = 0; i < n; i++) {
    worst = fmax(worst, fabs(a[i] - b[i]) / (1.0 + fabs(a[i])));
  }
  return worst;
}

/* What is made of derivatives along directions is what the closed formulas are. */
static void accelerations_are_those_of_the_unrolled_model(void **state)
{
  const sw_size size = {.name = "N", .value = 2};
  sw_system *system[2];
  sw_rates rates[2];
  void *block[2];
  double found[2][3][N * N] = {{{0.0}}};
  double y[N];
  double weights[2 * (D + M)];
  double worst[3] = {0.0, 0.0, 0.0};

  (void)state;
  assert_int_equal(sw_system_create(&sw_model_beads2, 0, NULL, &system[0], NULL), SW_OK);
  assert_int_equal(sw_system_create(&sw_model_beads, 1, &size, &system[1], NULL), SW_OK);
  for (int i = 0; i < 2; i++) {
    rates[i] = rates_of(system[i], &block[i]);
  }
  for (int point = 0; point < 20; point++) {
    for (int i = 0; i < N; i++) {
      y[i] = sin(1.0 + 3.7 * i + 11.0 * point);
    }
    for (int i = 0; i < 2 * (D + M); i++) {
      weights[i] = i < M ? y[2 * D + i] : cos(2.0 + 5.1 * i + 7.0 * point);
    }
    for (int i = 0; i < 2; i++) {
      sw_rates_values(&rates[i], y, found[i][0]);
      sw_rates_jacobian(&rates[i], y, found[i][1]);
      sw_rates_second(&rates[i], y, weights, found[i][2]);
    }
    for (int what = 0; what < 3; what++) {
      worst[what] = fmax(worst[what], farthest((size_t)(N * N), found[0][what], found[1][what]));
    }
  }
  printf("  %.1e %.1e %.1e\n", worst[0], worst[1], worst[2]);
  for (int what = 0; what < 3; what++) {
    assert_below(worst[what], 1e-13);
  }
  for (int i = 0; i < 2; i++) {
    free(block[i]);
    sw_system_free(&system[i]);
  }
}

/* ---- steps ---- */

static double apart(sw_sim *a, sw_sim *b, double h)
{
  double x[most];
  double y[most];
  const int d = sw_sim_nq(a);
  double worst = reference_distance(2 * d, sw_sim_state(a), sw_sim_state(b));

  worst = fmax(worst, reference_distance(sw_sim_nc(a), sw_sim_impulses(a), sw_sim_impulses(b)) / h);
  assert_int_equal(sw_sim_legendre(a, h, x, NULL), SW_OK);
  assert_int_equal(sw_sim_legendre(b, h, y, NULL), SW_OK);
  return fmax(worst, reference_distance(2 * d, x, y));
}

static void steps_are_those_of_the_unrolled_model(void **state)
{
  (void)state;
  for (int part = 0; part < PARTS; part++) {
    sw_sim *a = beads_of(&sw_model_beads2, 2, part, "kutta-3");
    sw_sim *b = beads_of(&sw_model_beads, 2, part, "kutta-3");
    variational_run(a, 0.02, 50);
    variational_run(b, 0.02, 50);
    printf("  %-16s %.1e\n", parts[part].name, apart(a, b, 0.02));
    assert_below(apart(a, b, 0.02), 1e-13);
    sw_sim_free(&a);
    sw_sim_free(&b);
  }
}

static void orders_of_looped_models(void **state)
{
  static const struct {
    const char *base;
    int order;
  } of[] = {{"euler", 2}, {"explicit-midpoint", 2}, {"kutta-3", 4}};
  double z[3][2 * D];

  (void)state;
  for (int part = 0; part < PARTS; part++) {
    sw_sim *exact = beads_of(&sw_model_beads2, 2, part, "rk4");
    variational_run(exact, 0.2 / 256, 256);
    memcpy(z[2], sw_sim_state(exact), sizeof z[2]);
    sw_sim_free(&exact);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
      for (int fine = 0; fine < 2; fine++) {
        sw_sim *sim = beads_of(&sw_model_beads, 2, part, of[i].base);
        variational_run(sim, 0.2 / (8 << fine), 8 << fine);
        memcpy(z[fine], sw_sim_state(sim), sizeof z[fine]);
        sw_sim_free(&sim);
      }
      const double slope =
          log2(reference_distance(2 * D, z[0], z[2]) / reference_distance(2 * D, z[1], z[2]));
      printf("  %-16s %-17s slope %.3f\n", parts[part].name, of[i].base, slope);
      assert_near(slope, of[i].order, 0.1);
    }
  }
}

/* ---- tangents ---- */

/* Relative to its largest entry. */
static double tangents_apart(sw_sim *a, sw_sim *b, double h)
{
  const size_t dim = 2 * (size_t)sw_sim_nq(a);
  double *x = malloc(2 * dim * dim * sizeof *x);
  double largest = 0.0;
  double worst = 0.0;

  assert_non_null(x);
  assert_int_equal(sw_sim_tangent(a, h, x), SW_OK);
  assert_int_equal(sw_sim_tangent(b, h, x + dim * dim), SW_OK);
  for (size_t i = 0; i < dim * dim; i++) {
    largest = fmax(largest, fabs(x[i]));
    worst = fmax(worst, fabs(x[i] - x[dim * dim + i]));
  }
  free(x);
  return worst / largest;
}

enum { BEADS = 5 };

/* How much a step changes the two-form that it keeps, by its tangent and the derivative of
 * sw_sim_legendre. */
static double defect(sw_sim *sim, double h)
{
  enum { DIRECTIONS = 4, DIM = 6 * BEADS };
  double V[DIRECTIONS * DIM];
  double DV[DIRECTIONS * DIM];
  double found = NAN;

  for (int i = 0; i < DIRECTIONS * DIM; i++) {
    V[i] = sin(1.0 + 37.0 * (double)i);
  }
  assert_int_equal(sw_symplectic_defect(sim, h, DIRECTIONS, V, DV, &found), SW_OK);
  return found;
}

static void tangents_of_looped_models(void **state)
{
  (void)state;
  for (int part = 0; part < PARTS; part++) {
    sw_sim *a = beads_of(&sw_model_beads2, 2, part, "kutta-3");
    sw_sim *b = beads_of(&sw_model_beads, 2, part, "kutta-3");
    const double found = tangents_apart(a, b, 0.02);
    sw_sim_free(&a);
    sw_sim_free(&b);
    b = beads_of(&sw_model_beads, BEADS, part, "explicit-midpoint");
    const double form = defect(b, 0.02);
    printf("  %-16s %.1e from the unrolled model, form of five beads %.1e\n", parts[part].name,
           found, form);
    assert_below(found, 1e-12);
    assert_below(form, 1e-12);
    sw_sim_free(&b);
  }
}

/* Of fifty steps, with their sum checked by the change of the symplectic volume. */
static void exponents_are_those_of_the_unrolled_model(void **state)
{
  enum { EXPONENTS = 2 * (D - M) };
  double found[2][EXPONENTS];

  (void)state;
  for (int looped = 0; looped < 2; looped++) {
    const sw_model *model = looped ? &sw_model_beads : &sw_model_beads2;
    sw_sim *sim = beads_of(model, 2, ALL, "rk4");
    sw_lyapunov exponents;
    assert_int_equal(sw_lyapunov_open(sim, 0.02, EXPONENTS, &exponents), SW_OK);
    for (int n = 0; n < 50; n++) {
      assert_int_equal(sw_lyapunov_step(&exponents, 0.02), SW_OK);
    }
    for (int i = 0; i < EXPONENTS; i++) {
      found[looped][i] = sw_lyapunov_exponent(&exponents, i);
    }
    assert_below(fabs(sw_lyapunov_sum_defect(&exponents)), 1e-13);
    sw_lyapunov_close(&exponents);
    sw_sim_free(&sim);
  }
  printf("  %.3g .. %.3g, %.1e apart\n", found[0][0], found[0][EXPONENTS - 1],
         farthest(EXPONENTS, found[0], found[1]));
  assert_below(farthest(EXPONENTS, found[0], found[1]), 1e-12);
  assert_true(fabs(found[0][0]) > 0.01);
}

/* A tangent leaves no trace. */
static void tangents_of_no_consequence(void **state)
{
  double D_z[4 * D * D];
  double x[2 * D];

  (void)state;
  sw_sim *with = beads_of(&sw_model_beads, 2, ALL, "rk4");
  sw_sim *without = beads_of(&sw_model_beads, 2, ALL, "rk4");
  for (int n = 0; n < 5; n++) {
    assert_int_equal(sw_sim_tangent(with, n % 2 ? 0.02 : -0.01, D_z), SW_OK);
    assert_int_equal(sw_sim_legendre(with, 0.02, x, D_z), SW_OK);
    variational_run(with, 0.02, 1);
    variational_run(without, 0.02, 1);
    assert_memory_equal(sw_sim_state(with), sw_sim_state(without), sizeof x);
  }
  sw_sim_free(&with);
  sw_sim_free(&without);
}

/* ---- restarts, steps back, failures ---- */

static void a_run_in_two_halves_is_the_whole(void **state)
{
  double saved[3 + 2 * D + M + 1];
  double whole[2 * D];

  (void)state;
  sw_sim *sim = beads_of(&sw_model_beads, 2, ALL, "rk4");
  assert_true(sw_sim_saved_count(sim) <= (int)(sizeof saved / sizeof *saved));
  variational_run(sim, 0.01, 10);
  sw_sim_save(sim, saved);
  variational_run(sim, 0.01, 10);
  memcpy(whole, sw_sim_state(sim), sizeof whole);
  variational_run(sim, -0.007, 3);
  assert_int_equal(sw_sim_restore(sim, saved), SW_OK);
  variational_run(sim, 0.01, 10);
  assert_memory_equal(whole, sw_sim_state(sim), sizeof whole);
  sw_sim_free(&sim);
}

static void steps_of_looped_models_can_be_taken_back(void **state)
{
  sw_options options = variational_options("kutta-3", "rk4", "plus");

  (void)state;
  options.check_reversible = 1;
  options.reversible_tolerance = 1e-12;
  sw_sim *sim = beads_with(&sw_model_beads, 3, ALL, options);
  variational_run(sim, 0.01, 20);
  sw_sim_free(&sim);
}

/* C without third derivatives or accelerations. */
static void what_cannot_be_done_is_refused(void **state)
{
  static const sw_model *const models[] = {&sw_model_chain, &sw_model_spherical};
  const sw_options options = variational_options("rk4", NULL, "none");

  (void)state;
  for (int i = 0; i < 2; i++) {
    sw_sim *sim = NULL;
    assert_int_equal(sw_sim_create(models[i], &options, &sim), SW_ERR_OPTION);
    assert_non_null(strstr(sw_options_objection(models[i], &options), "--with variational"));
  }
}

/* Steps that are too long fail, with a reason and a remedy, and change nothing. */
static void steps_fail_as_a_whole(void **state)
{
  static const double far[] = {3.0, 1e3};
  double z[2 * D];

  (void)state;
  for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
    sw_sim *sim = beads_of(&sw_model_beads, 2, ALL, "rk4");
    memcpy(z, sw_sim_state(sim), sizeof z);
    assert_int_not_equal(sw_sim_step(sim, far[i]), SW_OK);
    printf("  %s\n", sw_sim_message(sim));
    assert_non_null(strstr(sw_sim_message(sim), "try a smaller step"));
    assert_memory_equal(z, sw_sim_state(sim), sizeof z);
    variational_run(sim, 0.01, 5);
    sw_sim_free(&sim);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(accelerations_are_those_of_the_unrolled_model),
      cmocka_unit_test(steps_are_those_of_the_unrolled_model),
      cmocka_unit_test(orders_of_looped_models),
      cmocka_unit_test(tangents_of_looped_models),
      cmocka_unit_test(exponents_are_those_of_the_unrolled_model),
      cmocka_unit_test(tangents_of_no_consequence),
      cmocka_unit_test(a_run_in_two_halves_is_the_whole),
      cmocka_unit_test(steps_of_looped_models_can_be_taken_back),
      cmocka_unit_test(what_cannot_be_done_is_refused),
      cmocka_unit_test(steps_fail_as_a_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
