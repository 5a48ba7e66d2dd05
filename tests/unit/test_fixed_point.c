/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_fixed_point.c -- steps of variational integrators by the fixed-point iteration of paper 004
 * with Anderson acceleration: the same as Newton's, of unrolled and of looped models, whose memory
 * grows as they do; and how it fails.
 */
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "solve/fixed_point.h"
#include "variational.h"

extern const sw_model sw_model_pendulum_norm;
extern const sw_model sw_model_net;
extern const sw_model sw_model_moving;

enum { most = REFERENCE_MAX };

/* ---- the iteration itself ---- */

enum { UNKNOWNS = 12 };

/* With 200 iterations where nothing accelerates them. */
static void slow(void *context, const double u[], double G[])
{
  ++*(int *)context;
  for (int i = 0; i < UNKNOWNS; i++) {
    G[i] = 0.9 * cos(u[i] - 0.1 * i) + 0.05 * u[(i + 1) % UNKNOWNS];
  }
}

static void far_away(void *context, const double u[], double G[])
{
  (void)context;
  for (int i = 0; i < UNKNOWNS; i++) {
    G[i] = fabs(u[0]) > 1e9 ? NAN : 3.0 * u[i] * u[i] + 1.0;
  }
}

static void iterations_go_down_to_round_off(void **state)
{
  sw_fixed_point *solver = NULL;
  sw_solve_report report = {0};
  double u[UNKNOWNS] = {0.0};
  double G[UNKNOWNS];
  int evaluations = 0;

  (void)state;
  assert_int_equal(sw_fixed_point_create(UNKNOWNS, 1e-12, 200, &solver), SW_OK);
  assert_int_equal(sw_fixed_point_solve(solver, slow, &evaluations, u, &report), SW_OK);
  printf("  %d evaluations, residual %.1e\n", evaluations, report.residual);
  assert_true(evaluations < 60);
  slow(&evaluations, u, G);
  assert_all_near(G, u, UNKNOWNS, 4e-16);
  report = (sw_solve_report){0};
  assert_int_not_equal(sw_fixed_point_solve(solver, far_away, NULL, u, &report), SW_OK);
  assert_true(report.residual > 1e-12);
  sw_fixed_point_free(&solver);
  assert_int_equal(sw_fixed_point_create(UNKNOWNS, 1e-12, 3, &solver), SW_OK);
  assert_int_equal(sw_fixed_point_solve(solver, far_away, NULL, u, &report), SW_ERR_NOT_CONVERGED);
  assert_int_equal(report.exhausted, 1);
  sw_fixed_point_free(&solver);
}

/* ---- against Newton's method ---- */

typedef struct choice {
  const char *base;
  const char *base_minus;
  const char *adjoint;
  double bias[2];
} choice;

static const choice choices[] = {{"euler", NULL, "none", {-0.5, 0.5}},
                                 {"rk4", "kutta-3", "minus", {-0.5, 0.5}},
                                 {"kutta-3", NULL, "both", {0.0, 1.0}},
                                 {"explicit-midpoint", "euler", "plus", {-0.8, 0.2}}};
enum { CHOICES = sizeof choices / sizeof *choices };

static sw_options options_of(const choice *c, const char *solve)
{
  sw_options options = variational_options(c->base, c->base_minus, c->adjoint);

  memcpy(options.bias, c->bias, sizeof options.bias);
  options.iteration = solve;
  return options;
}

/* The largest difference between states, multipliers and ends of curves. */
static double apart(sw_sim *a, sw_sim *b, double h)
{
  double x[most];
  double y[most];
  const int d = sw_sim_nq(a);
  double worst = reference_distance(2 * d, sw_sim_state(a), sw_sim_state(b));

  worst = fmax(worst, reference_distance(sw_sim_nc(a), sw_sim_lambda(a), sw_sim_lambda(b)));
  assert_int_equal(sw_sim_legendre(a, h, x, NULL), SW_OK);
  assert_int_equal(sw_sim_legendre(b, h, y, NULL), SW_OK);
  return fmax(worst, reference_distance(2 * d, x, y));
}

/* A mass matrix that varies, a(q).v, a constraint of degree 4, none, several, and one that
 * moves. */
static void steps_are_those_of_newton(void **state)
{
  static const sw_model *const models[] = {&sw_model_curved, &sw_model_cyclotron,
                                           &sw_model_spherical_pendulum, &sw_model_rigid_body,
                                           &sw_model_moving};

  (void)state;
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    for (int c = 0; c < CHOICES; c++) {
      const sw_options newton = options_of(&choices[c], "newton");
      const sw_options fixed = options_of(&choices[c], "fixed-point");
      sw_sim *a = variational_sim(models[i], &newton);
      sw_sim *b = variational_sim(models[i], &fixed);
      variational_run(a, 0.05, 20);
      variational_run(b, 0.05, 20);
      assert_below(apart(a, b, 0.05), 1e-13);
      assert_true(sw_sim_stats(b).residual_solve <= 1e-12);
      variational_run(a, 0.05, 1);
      assert_true(apart(a, b, 0.05) > 1e-3); /* another state is seen */
      sw_sim_free(&a);
      sw_sim_free(&b);
    }
  }
}

/* ---- looped models ---- */

static sw_sim *chain_of(long nodes, const char *base, const char *adjoint)
{
  const sw_size size = {.name = "N", .value = nodes};
  sw_options options = variational_options(base, NULL, adjoint);

  options.n_sizes = 1;
  options.sizes = &size;
  return variational_sim(&sw_model_chain, &options);
}

static void looped_steps_are_those_of_the_unrolled_model(void **state)
{
  static const char *const solves[] = {"newton", "fixed-point"};

  (void)state;
  for (int c = 0; c < CHOICES; c++) {
    const sw_size size = {.name = "N", .value = 3};
    sw_options options = options_of(&choices[c], NULL);
    options.n_sizes = 1;
    options.sizes = &size;
    for (int s = 0; s < 2; s++) {
      const sw_options unrolled = options_of(&choices[c], solves[s]);
      sw_sim *a = variational_sim(&sw_model_chain, &options);
      sw_sim *b = variational_sim(&sw_model_chain3, &unrolled);
      variational_run(a, 0.01, 50);
      variational_run(b, 0.01, 50);
      assert_below(apart(a, b, 0.01), 1e-13);
      sw_sim_free(&a);
      sw_sim_free(&b);
    }
  }
}

static void orders_of_looped_models(void **state)
{
  static const struct {
    const char *base;
    double bias[2];
    int order;
  } of[] = {{"kutta-3", {0.0, 1.0}, 3},
            {"kutta-3", {-0.5, 0.5}, 4},
            {"explicit-midpoint", {0.0, 1.0}, 2},
            {"euler", {-0.5, 0.5}, 2}};
  const sw_size size = {.name = "N", .value = 3};
  double exact[most];
  double z[2][most];

  (void)state;
  variational_solve_otherwise(&sw_model_chain3, 0.5, exact);
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    for (int fine = 0; fine < 2; fine++) {
      sw_options options = variational_options(of[i].base, NULL, "none");
      memcpy(options.bias, of[i].bias, sizeof options.bias);
      options.n_sizes = 1;
      options.sizes = &size;
      variational_end(&sw_model_chain, &options, 0.5, 320L << fine, z[fine]);
    }
    const double slope =
        log2(reference_distance(18, z[0], exact) / reference_distance(18, z[1], exact));
    printf("  chain, %-17s %4.1f,%3.1f  slope %.3f\n", of[i].base, of[i].bias[0], of[i].bias[1],
           slope);
    assert_near(slope, of[i].order, 0.2);
  }
}

/* About the vertical axis through the pin. */
static double turning(int nodes, const double x[])
{
  const int d = 3 * nodes;
  double sum = 0.0;

  for (int i = 0; i < nodes; i++) {
    sum += x[3 * i] * x[d + 3 * i + 1] - x[3 * i + 1] * x[d + 3 * i];
  }
  return sum;
}

static void discrete_momenta_of_looped_models_are_conserved(void **state)
{
  enum { NODES = 8 };
  double x[6 * NODES];
  double first = 0.0;
  double worst = 0.0;
  double of_z = 0.0;

  (void)state;
  sw_sim *sim = chain_of(NODES, "explicit-midpoint", "minus");
  for (int n = 0; n <= 100; n++) {
    assert_int_equal(sw_sim_legendre(sim, 0.01, x, NULL), SW_OK);
    const double J = turning(NODES, x);
    first = n == 0 ? J : first;
    worst = fmax(worst, fabs(J - first));
    of_z = fmax(of_z, fabs(turning(NODES, sw_sim_state(sim)) - first));
    variational_run(sim, 0.01, 1);
  }
  assert_below(worst, 1e-12);
  assert_true(of_z > 1e-9);
  sw_sim_free(&sim);
}

static void a_run_in_two_halves_is_the_whole(void **state)
{
  double *saved = calloc(3 + 48 + 10, sizeof *saved);
  double whole[48];

  (void)state;
  assert_non_null(saved);
  sw_sim *sim = chain_of(8, "rk4", "none");
  assert_int_equal(sw_sim_saved_count(sim), 3 + 48 + 10);
  variational_run(sim, 0.01, 10);
  sw_sim_save(sim, saved);
  variational_run(sim, 0.01, 10);
  memcpy(whole, sw_sim_state(sim), sizeof whole);
  variational_run(sim, -0.007, 3);
  assert_int_equal(sw_sim_restore(sim, saved), SW_OK);
  variational_run(sim, 0.01, 10);
  assert_memory_equal(whole, sw_sim_state(sim), sizeof whole);
  sw_sim_free(&sim);
  free(saved);
}

static void steps_of_looped_models_can_be_taken_back(void **state)
{
  const sw_size size = {.name = "N", .value = 6};
  sw_options options = variational_options("kutta-3", "rk4", "plus");

  (void)state;
  options.n_sizes = 1;
  options.sizes = &size;
  options.check_reversible = 1;
  options.reversible_tolerance = 1e-12;
  sw_sim *sim = variational_sim(&sw_model_chain, &options);
  variational_run(sim, 0.01, 20);
  sw_sim_free(&sim);
}

/* Bytes that a simulation of so many nodes takes. */
static size_t memory_of(long nodes)
{
  const size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
  sw_sim *sim = chain_of(nodes, "rk4", "none");

  variational_run(sim, 1e-4, 1);
  const size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
  sw_sim_free(&sim);
  return after - before;
}

static void memory_grows_as_the_model_does(void **state)
{
  const size_t small = memory_of(500);
  const size_t large = memory_of(2000);

  (void)state;
  printf("  %zu and %zu bytes a node\n", small / 500, large / 2000);
  if (small > 0) { /* a sanitizer's heap has no such numbers */
    assert_true(large < 5 * small);
  }
}

/* ---- failures ---- */

static void refused(const sw_model *model, const sw_options *options, const char *word)
{
  sw_sim *sim = NULL;

  assert_int_equal(sw_sim_create(model, options, &sim), SW_ERR_OPTION);
  if (!strstr(sw_options_objection(model, options), word)) {
    fail_msg("'%s' not in '%s'", word, sw_options_objection(model, options));
  }
}

static void what_cannot_be_done_is_refused(void **state)
{
  double D[36 * 36];

  (void)state;
  sw_options options = variational_options("rk4", NULL, "none");
  refused(&sw_model_spherical, &options, "constant mass matrix"); /* C without what is asked for */
  refused(&sw_model_pendulum_norm, &options, "at most quadratic");
  options.iteration = "newton";
  refused(&sw_model_chain, &options, "solve by fixed-point");
  sw_sim *sim = chain_of(6, "rk4", "none");
  assert_int_equal(sw_sim_has_tangent(sim), 0);
  assert_int_equal(sw_sim_tangent(sim, 0.01, D), SW_ERR_OPTION);
  assert_non_null(strstr(sw_sim_message(sim), "--with variational"));
  sw_sim_free(&sim);
}

/* Steps that are too long fail, with a reason and a remedy, and change nothing. */
static void steps_fail_as_a_whole(void **state)
{
  static const double far[] = {0.2, 3.0, 1e3};
  double z[48];

  (void)state;
  for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
    sw_sim *sim = chain_of(8, "rk4", "none");
    memcpy(z, sw_sim_state(sim), sizeof z);
    assert_int_not_equal(sw_sim_step(sim, far[i]), SW_OK);
    printf("  %s\n", sw_sim_message(sim));
    assert_non_null(strstr(sw_sim_message(sim), "try a smaller step"));
    assert_memory_equal(z, sw_sim_state(sim), sizeof z);
    variational_run(sim, 0.01, 5);
    sw_sim_free(&sim);
  }
  sw_options options = variational_options("rk4", NULL, "none");
  options.max_iterations = 1;
  sw_sim *sim = variational_sim(&sw_model_chain, &options);
  assert_int_equal(sw_sim_step(sim, 0.005), SW_ERR_NOT_CONVERGED);
  assert_non_null(strstr(sw_sim_message(sim), "the fixed-point iteration did not converge"));
  sw_sim_free(&sim);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(iterations_go_down_to_round_off),
      cmocka_unit_test(steps_are_those_of_newton),
      cmocka_unit_test(looped_steps_are_those_of_the_unrolled_model),
      cmocka_unit_test(orders_of_looped_models),
      cmocka_unit_test(discrete_momenta_of_looped_models_are_conserved),
      cmocka_unit_test(a_run_in_two_halves_is_the_whole),
      cmocka_unit_test(steps_of_looped_models_can_be_taken_back),
      cmocka_unit_test(memory_grows_as_the_model_does),
      cmocka_unit_test(what_cannot_be_done_is_refused),
      cmocka_unit_test(steps_fail_as_a_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
