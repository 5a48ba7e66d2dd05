/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_variational_pairs.c -- variational integrators from two methods, one before a state and one
 * behind it, and from adjoints (paper 004, sections 2 and 3), against independent numbers and
 * against what is said about them.
 */
#include <stdio.h>
#include <string.h>

#include "../reference/spherical_pendulum.h"
#include "variational.h"

enum { most = REFERENCE_MAX };

static double error_of(const reference_adjoint *row, const char *adjoint)
{
  const sw_options options = variational_options(row->base, NULL, adjoint);
  double z[most];
  double sum = 0.0;

  variational_end(&sw_model_spherical_pendulum, &options, 1.0, row->steps, z);
  for (int i = 0; i < 3; i++) {
    const double off = z[i] - reference_spherical_pendulum_exact[0].z[i];
    sum += off * off;
  }
  return sqrt(sum);
}

static void errors_with_an_adjoint_are_those_of_the_references(void **state)
{
  double worst = 0.0;

  (void)state;
  for (size_t i = 0; i < sizeof reference_spherical_pendulum_adjoint /
                             sizeof *reference_spherical_pendulum_adjoint;
       i++) {
    const reference_adjoint *row = &reference_spherical_pendulum_adjoint[i];
    worst = fmax(worst, fabs(error_of(row, "minus") - row->error));
  }
  reference_accept("spherical_pendulum, errors with an adjoint", worst, 1e-12);
  const reference_adjoint *first = &reference_spherical_pendulum_adjoint[0];
  reference_refuse("without it", fabs(error_of(first, "none") - first->error), 1e-12);
}

/* A case of methods before and behind a state, with the order of each. */
typedef struct pair {
  const char *base;
  const char *base_minus; /* NULL: base */
  const char *adjoint;
  double bias[2];
  int order; /* r; the next even number where the methods are one, with a symmetric bias */
} pair;

static const pair pairs[] = {
    {"rk4", "kutta-3", "none", {-0.5, 0.5}, 3},
    {"kutta-3", "rk4", "none", {-0.3, 0.7}, 3},
    {"euler", "explicit-midpoint", "none", {-0.5, 0.5}, 1},
    {"explicit-midpoint", NULL, "minus", {-0.5, 0.5}, 2},
    {"kutta-3", NULL, "plus", {0.0, 1.0}, 3},
    {"kutta-3", NULL, "both", {-0.5, 0.5}, 4},
    {"kutta-3", NULL, "both", {0.0, 1.0}, 3},
    {"euler", NULL, "both", {-0.5, 0.5}, 2},
    {"rk4", "kutta-3", "minus", {-0.6, 0.4}, 3},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static sw_options options_of(const pair *p)
{
  sw_options options = variational_options(p->base, p->base_minus, p->adjoint);

  memcpy(options.bias, p->bias, sizeof options.bias);
  return options;
}

static const sw_model *const models[] = {&sw_model_curved, &sw_model_cyclotron,
                                         &sw_model_spherical_pendulum};
enum { MODELS = sizeof models / sizeof *models };

static void orders_are_those_of_the_lower_method(void **state)
{
  (void)state;
  for (int i = 0; i < MODELS; i++) {
    double exact[most];
    variational_solve_otherwise(models[i], 0.5, exact);
    for (int j = 0; j < PAIRS; j++) {
      const sw_options options = options_of(&pairs[j]);
      sw_sim *sim = variational_sim(models[i], &options);
      assert_int_equal(sw_sim_order(sim), pairs[j].order);
      sw_sim_free(&sim);
      const double slope =
          variational_slope(models[i], &options, pairs[j].order == 1 ? 160 : 40, exact);
      printf("  %-18s %-17s %-17s %-5s slope %.3f\n", models[i]->name, pairs[j].base,
             pairs[j].base_minus ? pairs[j].base_minus : "", pairs[j].adjoint, slope);
      assert_near(slope, pairs[j].order, 0.2);
    }
  }
}

static void a_two_form_is_kept(void **state)
{
  (void)state;
  for (int i = 0; i < MODELS; i++) {
    for (int j = 0; j < PAIRS; j++) {
      const sw_options options = options_of(&pairs[j]);
      assert_below(variational_defect(models[i], &options), 1e-14);
    }
  }
}

static void discrete_momenta_are_conserved(void **state)
{
  double x[6];

  (void)state;
  for (int j = 0; j < PAIRS; j++) {
    const sw_options options = options_of(&pairs[j]);
    sw_sim *sim = variational_sim(&sw_model_spherical_pendulum, &options);
    double first = 0.0;
    double worst = 0.0;
    double of_z = 0.0;
    for (int n = 0; n <= 300; n++) {
      const double *z = sw_sim_state(sim);
      assert_int_equal(sw_sim_legendre(sim, 0.1, x, NULL), SW_OK);
      const double J = x[0] * x[4] - x[1] * x[3];
      first = n == 0 ? J : first;
      worst = fmax(worst, fabs(J - first));
      of_z = fmax(of_z, fabs(z[0] * z[4] - z[1] * z[3] - first));
      variational_run(sim, 0.1, 1);
    }
    assert_below(worst, 1e-12);
    assert_true(of_z > 1e-8); /* that of the state is another one, and not conserved */
    sw_sim_free(&sim);
  }
}

/* ---- adjoints ---- */

/* The method that takes steps back: the two methods in each other's place, and the opposite
 * bias. */
static sw_options back_of(const pair *p)
{
  static const char *const names[] = {"none", "minus", "plus", "both"};
  int which = 0;
  sw_options options = options_of(p);

  while (strcmp(names[which], p->adjoint) != 0) {
    which++;
  }
  options.adjoint = names[which >> 1 | (which & 1) << 1];
  options.base = p->base_minus ? p->base_minus : p->base;
  options.base_minus = p->base;
  options.bias[0] = -p->bias[1];
  options.bias[1] = -p->bias[0];
  return options;
}

static void steps_can_be_taken_back(void **state)
{
  (void)state;
  for (int j = 0; j < PAIRS; j++) {
    const sw_options back = back_of(&pairs[j]);
    sw_options options = options_of(&pairs[j]);
    options.check_reversible = 1;
    options.reversible_tolerance = 1e-12;
    sw_sim *sim = variational_sim(&sw_model_curved, &options);
    variational_run(sim, 0.1, 20);
    sw_sim_free(&sim);
    /* By hand, and that it makes a difference which one it is. */
    options.check_reversible = 0;
    sim = variational_sim(&sw_model_curved, &options);
    sw_sim *other = variational_sim(&sw_model_curved, &back);
    double z[6];
    memcpy(z, sw_sim_state(sim), sizeof z);
    variational_run(sim, 0.1, 1);
    assert_int_equal(sw_sim_set_state(other, 0.0, sw_sim_state(sim)), SW_OK);
    variational_run(other, -0.1, 1);
    assert_all_near(sw_sim_state(other), z, 6, 1e-14);
    variational_run(sim, -0.1, 1);
    const int is_symmetric = !pairs[j].base_minus && strcmp(pairs[j].adjoint, "both") == 0 &&
                             -pairs[j].bias[0] == pairs[j].bias[1];
    const double off = reference_distance(6, sw_sim_state(sim), z);
    assert_true(is_symmetric ? off < 1e-14 : off > 1e-8);
    sw_sim_free(&sim);
    sw_sim_free(&other);
  }
}

/* How far the end is from the exact one where a step of the method and one of its adjoint, which is
 * the inverse of the step back, take turns; or of the method alone. */
static double composed_error(const pair *p, int with_adjoint, long steps, const double exact[])
{
  const sw_options options = options_of(p);
  sw_options adjoint = back_of(p);
  double z[6];

  sw_sim *first = variational_sim(&sw_model_curved, &options);
  sw_sim *second = variational_sim(&sw_model_curved, with_adjoint ? &adjoint : &options);
  for (long n = 0; n < steps; n++) {
    variational_run(first, 0.25 / (double)steps, 1);
    assert_int_equal(sw_sim_set_state(second, 0.0, sw_sim_state(first)), SW_OK);
    variational_run(second, 0.25 / (double)steps, 1);
    assert_int_equal(sw_sim_set_state(first, 0.0, sw_sim_state(second)), SW_OK);
  }
  memcpy(z, sw_sim_state(first), sizeof z);
  sw_sim_free(&first);
  sw_sim_free(&second);
  return reference_distance(6, z, exact);
}

/* The adjoint after the method is a symmetric method, of even order. */
static void the_adjoint_composed_with_the_method_is_symmetric(void **state)
{
  static const pair odd[] = {{"euler", NULL, "minus", {-0.5, 0.5}, 1},
                             {"kutta-3", NULL, "plus", {0.0, 1.0}, 3}};
  double exact[most];

  (void)state;
  variational_solve_otherwise(&sw_model_curved, 0.5, exact);
  for (int i = 0; i < 2; i++) {
    for (int with_adjoint = 0; with_adjoint < 2; with_adjoint++) {
      const long steps = i == 0 ? 40 : 20;
      const double slope = log2(composed_error(&odd[i], with_adjoint, steps, exact) /
                                composed_error(&odd[i], with_adjoint, 2 * steps, exact));
      printf("  %s, %s: slope %.3f\n", odd[i].base, with_adjoint ? "with its adjoint" : "alone",
             slope);
      assert_near(slope, odd[i].order + with_adjoint, 0.2);
    }
  }
}

/* ---- names ---- */

static void refused(const sw_options *options, const char *word)
{
  sw_sim *sim = NULL;

  assert_int_equal(sw_sim_create(&sw_model_curved, options, &sim), SW_ERR_OPTION);
  assert_null(sim);
  if (!strstr(sw_options_objection(&sw_model_curved, options), word)) {
    fail_msg("'%s' not in '%s'", word, sw_options_objection(&sw_model_curved, options));
  }
}

static void what_does_not_go_together_is_refused(void **state)
{
  static const double A[] = {0.0};
  static const double b[] = {1.0};
  const sw_tableau own = {"own", 1, A, b, NULL, NULL};

  (void)state;
  sw_options options = variational_options("rk4", "midpoint", "none");
  refused(&options, "explicit base method");
  options.base_minus = "eulr";
  refused(&options, "before its state");
  options.base_minus = "euler";
  options.tableau_minus = &own;
  refused(&options, "two base methods");
  options = variational_options("rk4", NULL, "left");
  refused(&options, "none of its methods");
  options = variational_options("rk4", "euler", "none");
  options.method = "rattle";
  refused(&options, "variational has others");
  options = variational_options("rk4", NULL, "minus");
  options.method = "rattle";
  refused(&options, "variational has others");
  /* A table of one's own before a state is that of Euler's method here. */
  double named[most];
  double of_table[most];
  options = variational_options("rk4", "euler", "minus");
  variational_end(&sw_model_curved, &options, 0.5, 5, named);
  options.base_minus = NULL;
  options.tableau_minus = &own;
  variational_end(&sw_model_curved, &options, 0.5, 5, of_table);
  assert_memory_equal(named, of_table, 6 * sizeof *named);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_with_an_adjoint_are_those_of_the_references),
      cmocka_unit_test(orders_are_those_of_the_lower_method),
      cmocka_unit_test(a_two_form_is_kept),
      cmocka_unit_test(discrete_momenta_are_conserved),
      cmocka_unit_test(steps_can_be_taken_back),
      cmocka_unit_test(the_adjoint_composed_with_the_method_is_symmetric),
      cmocka_unit_test(what_does_not_go_together_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
