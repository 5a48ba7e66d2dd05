/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_reference_orders.c -- the order of RATTLE over every base method: the slope
 * log2(error(h) / error(h/2)) at a fixed time.  RATTLE has the order of a symmetric base method,
 * and at least order one over any (paper 000, Propositions 4.4 and 4.9).  SHAKE has order one, as
 * its end point lies beside M^H by O(h).
 *
 * Where the exact solution is known the error is measured against it.  For two_constraints the
 * differences of successive halvings are used instead.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "../reference/hopf.h"
#include "../reference/pendulum.h"
#include "../reference/spherical.h"
#include "reference.h"

/* A slope may differ by this much from the order: the next power of h is not yet gone. */
static const double tolerance = 0.05;

/* z(t_end) of a run in `steps` steps. */
static void solve(const reference_problem *problem, const char *init, const char *method,
                  const char *base, double t_end, long steps, double z[])
{
  sw_sim *sim = reference_start(problem, init, method, base);
  reference_advance(sim, t_end / (double)steps, steps);
  memcpy(z, sw_sim_state(sim), (size_t)(2 * problem->model->n_coordinates) * sizeof z[0]);
  sw_sim_free(&sim);
}

/* Of RATTLE: the forces of constraints are impulses at the ends of a step. */
static double order_of(const char *base)
{
  int order = 0;
  int symmetric = 0;
  assert_int_equal(sw_base_info(base, &order, &symmetric), SW_OK);
  return order < 2 ? order : 2.0;
}

/* Slope of the error between 320 and 640 steps. */
static double slope(const reference_problem *problem, const char *method, const char *base,
                    const reference_exact *exact)
{
  const long coarse = 320;
  int n = 2 * problem->model->n_coordinates;
  double error[2];
  for (int i = 0; i < 2; i++) {
    double z[REFERENCE_MAX];
    solve(problem, exact->init, method, base, exact->t_end, coarse << i, z);
    error[i] = reference_distance(n, z, exact->z);
  }
  return log2(error[0] / error[1]);
}

/* The worst |slope - order| over the base methods, each slope printed. */
static void check_orders(const reference_problem *problem, const reference_exact *exact)
{
  for (const char *const *base = sw_base_names(); *base != NULL; base++) {
    double found = slope(problem, "rattle", *base, exact);
    print_message("  %s over %s: slope %.5f\n", problem->model->name, *base, found);
    reference_accept("rattle, |slope - order|", fabs(found - order_of(*base)), tolerance);
  }
}

static void pendulum_orders(void **unused)
{
  const reference_problem problem = {&sw_model_pendulum, NULL, 0.0};
  (void)unused;
  check_orders(&problem, &reference_pendulum_exact[0]);
}

static void spherical_orders(void **unused)
{
  const reference_problem problem = {&sw_model_spherical, NULL, 0.0};
  (void)unused;
  check_orders(&problem, &reference_spherical_exact[0]);
}

static void hopf_orders(void **unused)
{
  const reference_problem problem = {&sw_model_hopf, NULL, 0.0};
  (void)unused;
  check_orders(&problem, &reference_hopf_exact[0]);
}

static void two_constraints_orders(void **unused)
{
  const reference_problem problem = {&sw_model_two_constraints, NULL, 0.0};
  int n = 2 * sw_model_two_constraints.n_coordinates;
  (void)unused;
  for (const char *const *base = sw_base_names(); *base != NULL; base++) {
    double z[3][REFERENCE_MAX];
    double found;
    for (int i = 0; i < 3; i++)
      solve(&problem, "default", "rattle", *base, 0.4, 64L << i, z[i]);
    found = log2(reference_distance(n, z[0], z[1]) / reference_distance(n, z[1], z[2]));
    print_message("  two_constraints over %s: slope %.5f\n", *base, found);
    reference_accept("rattle, |slope - order|", fabs(found - order_of(*base)), tolerance);
  }
}

static void shake_has_order_one(void **unused)
{
  const reference_problem problem = {&sw_model_hopf, NULL, 0.0};
  (void)unused;
  for (const char *const *base = sw_base_names(); *base != NULL; base++)
    reference_accept("hopf, shake, |slope - 1|",
                     fabs(slope(&problem, "shake", *base, &reference_hopf_exact[0]) - 1.0),
                     tolerance);
}

/* An exact solution that is wrong by 1e-5, and the order of SHAKE taken for that of RATTLE. */
static void wrong_orders_are_seen(void **unused)
{
  const reference_problem problem = {&sw_model_hopf, NULL, 0.0};
  reference_exact wrong = reference_hopf_exact[0];
  (void)unused;
  wrong.z[3] += 1e-5;
  reference_refuse("hopf, rattle against a wrong solution, |slope - 2|",
                   fabs(slope(&problem, "rattle", "midpoint", &wrong) - 2.0), tolerance);
  reference_refuse("hopf, shake, |slope - 2|",
                   fabs(slope(&problem, "shake", "midpoint", &reference_hopf_exact[0]) - 2.0),
                   tolerance);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pendulum_orders),     cmocka_unit_test(spherical_orders),
      cmocka_unit_test(hopf_orders),         cmocka_unit_test(two_constraints_orders),
      cmocka_unit_test(shake_has_order_one), cmocka_unit_test(wrong_orders_are_seen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
