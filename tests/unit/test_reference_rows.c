/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_reference_rows.c -- SHAKE and RATTLE states of the shipped models against numbers that an
 * independent program computed with 25 to 50 digits.
 *
 * The tolerances say what double precision can reach: round-off grows with the number of steps,
 * fastest where neighbouring trajectories separate.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../reference/chain6.h"
#include "../reference/hopf.h"
#include "../reference/hopf_free.h"
#include "../reference/index1.h"
#include "../reference/lj7.h"
#include "../reference/pendulum.h"
#include "../reference/spherical.h"
#include "../reference/two_constraints.h"
#include "reference.h"

static void compare(const char *what, const reference_problem *problem, int n,
                    const reference_row rows[], double tolerance)
{
  reference_accept(what, reference_rows_error(problem, n, rows), tolerance);
}

static void pendulum_states(void **unused)
{
  const reference_problem problem = {&sw_model_pendulum, NULL, 0.0};
  (void)unused;
  compare("pendulum, three base methods, to 320 steps", &problem,
          REFERENCE_ROWS(reference_pendulum_states), 1e-12);
}

static void spherical_states(void **unused)
{
  const reference_problem problem = {&sw_model_spherical, NULL, 0.0};
  (void)unused;
  compare("spherical, three base methods, to 320 steps", &problem,
          REFERENCE_ROWS(reference_spherical_states), 1e-12);
}

static void hopf_states(void **unused)
{
  const reference_problem problem = {&sw_model_hopf, NULL, 0.0};
  (void)unused;
  compare("hopf, za zb zc, to 1000 steps", &problem, REFERENCE_ROWS(reference_hopf_states), 1e-11);
}

static void hopf_free_states(void **unused)
{
  const reference_problem problem = {&sw_model_hopf_free, NULL, 0.0};
  (void)unused;
  compare("hopf_free, four states, to 1000 steps", &problem,
          REFERENCE_ROWS(reference_hopf_free_states), 1e-11);
}

/* SHAKE's and RATTLE's beta differ by 3e-2: the rows tell the two methods apart. */
static void index1_states(void **unused)
{
  const reference_problem problem = {&sw_model_index1, NULL, 0.0};
  (void)unused;
  compare("index1, q, p and beta, to 1000 steps", &problem, REFERENCE_ROWS(reference_index1_states),
          1e-12);
}

static void two_constraints_states(void **unused)
{
  const reference_problem problem = {&sw_model_two_constraints, NULL, 0.0};
  (void)unused;
  compare("two_constraints, to 1000 steps", &problem,
          REFERENCE_ROWS(reference_two_constraints_states), 1e-11);
}

static void chain6_states(void **unused)
{
  const reference_problem stiff = {&sw_model_chain6, "kappa", 1.0};
  const reference_problem soft = {&sw_model_chain6, "kappa", 0.2};
  (void)unused;
  compare("chain6, kappa = 1, to 1000 steps", &stiff, REFERENCE_ROWS(reference_chain6_states_1),
          1e-10);
  compare("chain6, kappa = 0.2, to 1000 steps", &soft, REFERENCE_ROWS(reference_chain6_states_02),
          1e-10);
}

static void lj7_states(void **unused)
{
  const reference_problem problem = {&sw_model_lj7, NULL, 0.0};
  (void)unused;
  compare("lj7, two minima, to 2000 steps", &problem, REFERENCE_ROWS(reference_lj7_states), 1e-10);
}

/* Each component of one row in turn, of two models, is moved by twice the tolerance, and then the
 * parameter that tells the two tables of chain6 apart is taken from the wrong one. */
static void wrong_rows_are_seen(void **unused)
{
  const reference_problem pendulum = {&sw_model_pendulum, NULL, 0.0};
  const reference_problem index1 = {&sw_model_index1, NULL, 0.0};
  const reference_problem soft = {&sw_model_chain6, "kappa", 0.2};
  (void)unused;
  for (int i = 0; i < 4; i++) {
    reference_row wrong = reference_pendulum_states[0];
    wrong.z[i] += 2e-12;
    reference_refuse("pendulum, one component moved by 2e-12",
                     reference_rows_error(&pendulum, 1, &wrong), 1e-12);
  }
  for (int i = 0; i < 4; i++) {
    reference_row wrong = reference_index1_states[0];
    wrong.z[i] += 2e-12;
    reference_refuse("index1, one component moved by 2e-12",
                     reference_rows_error(&index1, 1, &wrong), 1e-12);
  }
  reference_refuse("chain6, first row of the other kappa",
                   reference_rows_error(&soft, 1, reference_chain6_states_1), 1e-10);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pendulum_states),     cmocka_unit_test(spherical_states),
      cmocka_unit_test(hopf_states),         cmocka_unit_test(hopf_free_states),
      cmocka_unit_test(index1_states),       cmocka_unit_test(two_constraints_states),
      cmocka_unit_test(chain6_states),       cmocka_unit_test(lj7_states),
      cmocka_unit_test(wrong_rows_are_seen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
