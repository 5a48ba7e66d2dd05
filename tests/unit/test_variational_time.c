/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_variational_time.c -- variational integrators of a model whose formulas contain the time:
 * orders of (q,p) and of p_t, the two-form, steps back.  Their derivatives are in test_tangent.c.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "variational.h"

extern const sw_model sw_model_moving;

enum { D = 3, T = 2, TIMES = 5 }; /* q, p and t: t is the last position */

typedef struct pair {
  const char *base;
  const char *base_minus;
  const char *adjoint;
  double bias[2];
  int order;
} pair;

static const pair pairs[] = {
    {"euler", NULL, "none", {0.0, 1.0}, 1},     {"euler", NULL, "none", {-0.5, 0.5}, 2},
    {"euler", NULL, "minus", {-0.5, 0.5}, 1},   {"explicit-midpoint", NULL, "none", {0.0, 1.0}, 2},
    {"kutta-3", NULL, "none", {-0.3, 0.7}, 3},  {"kutta-3", NULL, "both", {-0.5, 0.5}, 4},
    {"kutta-3", NULL, "minus", {-0.5, 0.5}, 3}, {"rk4", NULL, "none", {-0.5, 0.5}, 4},
    {"rk4", NULL, "plus", {0.0, 1.0}, 4},       {"rk4", "kutta-3", "none", {-0.5, 0.5}, 3},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static sw_options options_of(const pair *p)
{
  sw_options options = variational_options(p->base, p->base_minus, p->adjoint);

  memcpy(options.bias, p->bias, sizeof options.bias);
  return options;
}

/* The states at times 0.2, 0.4, ... by steps that divide them. */
static void pass(const sw_options *options, long steps, double z[TIMES][2 * D])
{
  sw_sim *sim = variational_sim(&sw_model_moving, options);

  assert_int_equal(sw_sim_project(sim), SW_OK);
  for (int i = 0; i < TIMES; i++) {
    variational_run(sim, 0.2 / (double)steps, steps);
    memcpy(z[i], sw_sim_state(sim), sizeof z[i]);
  }
  sw_sim_free(&sim);
}

/* The largest error of p_t, and of all else. */
static void errors_of(double z[TIMES][2 * D], double exact[TIMES][2 * D], double *of_p_t,
                      double *of_rest)
{
  *of_p_t = *of_rest = 0.0;
  for (int i = 0; i < TIMES; i++) {
    for (int j = 0; j < 2 * D; j++) {
      double *worst = j == D + T ? of_p_t : of_rest;
      *worst = fmax(*worst, fabs(z[i][j] - exact[i][j]));
    }
  }
}

static void solve_otherwise(double exact[TIMES][2 * D])
{
  sw_options options;

  sw_options_init(&options);
  options.method = "lobatto";
  options.base = "lobatto-6";
  pass(&options, 200, exact);
}

static void orders_are_those_of_the_method_for_p_t_too(void **state)
{
  double exact[TIMES][2 * D];
  double z[TIMES][2 * D];

  (void)state;
  solve_otherwise(exact);
  for (int j = 0; j < PAIRS; j++) {
    const sw_options options = options_of(&pairs[j]);
    double of_p_t[2];
    double of_rest[2];
    double of_wrong[2];
    double rest;
    for (int fine = 0; fine < 2; fine++) {
      pass(&options, 12L << fine, z);
      errors_of(z, exact, &of_p_t[fine], &of_rest[fine]);
      exact[TIMES - 1][D + T] += 0.1;
      errors_of(z, exact, &of_wrong[fine], &rest);
      exact[TIMES - 1][D + T] -= 0.1;
    }
    const double slope = log2(of_rest[0] / of_rest[1]);
    const double slope_p_t = log2(of_p_t[0] / of_p_t[1]);
    printf("  %s, %s, %s: slope %.2f, of p_t %.2f\n", pairs[j].base,
           pairs[j].base_minus ? pairs[j].base_minus : "-", pairs[j].adjoint, slope, slope_p_t);
    assert_near(slope, pairs[j].order, 0.2);
    assert_true(slope_p_t > pairs[j].order - 0.2);
    assert_true(log2(of_wrong[0] / of_wrong[1]) < pairs[j].order - 0.5); /* is seen */
  }
}

static void the_time_goes_on_by_h(void **state)
{
  (void)state;
  for (int j = 0; j < PAIRS; j++) {
    const sw_options options = options_of(&pairs[j]);
    sw_sim *sim = variational_sim(&sw_model_moving, &options);
    variational_run(sim, 0.125, 16);
    assert_near(sw_sim_state(sim)[T], 2.0, 4e-15);
    sw_sim_free(&sim);
  }
}

/* On (q,p,t,p_t), and so at a fixed t on (q,p). */
static void a_two_form_is_kept(void **state)
{
  (void)state;
  for (int j = 0; j < PAIRS; j++) {
    const sw_options options = options_of(&pairs[j]);
    assert_below(variational_defect(&sw_model_moving, &options), 1e-13);
  }
}

static void steps_can_be_taken_back(void **state)
{
  (void)state;
  for (int j = 0; j < PAIRS; j++) {
    double z[2 * D];
    sw_options options = options_of(&pairs[j]);
    options.check_reversible = 1;
    options.reversible_tolerance = 1e-12;
    sw_sim *sim = variational_sim(&sw_model_moving, &options);
    variational_run(sim, 0.1, 20);
    sw_sim_free(&sim);
    /* By hand; other methods than symmetric ones are not their own steps back. */
    options.check_reversible = 0;
    sim = variational_sim(&sw_model_moving, &options);
    assert_int_equal(sw_sim_project(sim), SW_OK);
    memcpy(z, sw_sim_state(sim), sizeof z);
    variational_run(sim, 0.1, 1);
    variational_run(sim, -0.1, 1);
    const int has_one =
        strcmp(pairs[j].adjoint, "none") == 0 || strcmp(pairs[j].adjoint, "both") == 0;
    const int is_symmetric =
        !pairs[j].base_minus && has_one && -pairs[j].bias[0] == pairs[j].bias[1];
    const double off = reference_distance(2 * D, sw_sim_state(sim), z);
    assert_true(is_symmetric ? off < 1e-14 : off > 1e-8);
    sw_sim_free(&sim);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orders_are_those_of_the_method_for_p_t_too),
      cmocka_unit_test(the_time_goes_on_by_h),
      cmocka_unit_test(a_two_form_is_kept),
      cmocka_unit_test(steps_can_be_taken_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
