/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_solver.c -- the nonlinear solve: what it accepts, what it refuses, and that it ends.
 */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "near.h"
#include "solve/solver.h"

enum { iterations = 30 };
static const double tolerance = 1e-12;

/* A problem with a record of what the solver did with it. */
typedef struct {
  double a; /* of the problem below */
  int n;
  long residuals;
  long jacobians;
  double last[2]; /* where residual was called last */
  int jacobian_elsewhere;
  int sign;     /* of the last Jacobian */
  double c[12]; /* of `curves` */
} record;

static void visit(record *r, const double u[])
{
  r->residuals++;
  memcpy(r->last, u, (size_t)r->n * sizeof *u);
}

static void check_place(record *r, const double u[])
{
  r->jacobians++;
  r->jacobian_elsewhere |= memcmp(r->last, u, (size_t)r->n * sizeof *u) != 0;
}

/* u^2 - a */
static void square(void *context, const double u[], double F[])
{
  record *r = context;

  visit(r, u);
  F[0] = u[0] * u[0] - r->a;
}

static void square_jac(void *context, const double u[], double J[])
{
  check_place(context, u);
  J[0] = 2.0 * u[0];
}

/* (a + u) - a - 0.1, which cannot be smaller than the spacing of the doubles near a */
static void offset(void *context, const double u[], double F[])
{
  record *r = context;
  volatile double sum = r->a + u[0];

  visit(r, u);
  F[0] = sum - r->a - 0.1;
}

static void one_jac(void *context, const double u[], double J[])
{
  check_place(context, u);
  J[0] = 1.0;
}

/* u/a - 1 */
static void ratio(void *context, const double u[], double F[])
{
  record *r = context;

  visit(r, u);
  F[0] = u[0] / r->a - 1.0;
}

static void ratio_jac(void *context, const double u[], double J[])
{
  const record *r = context;

  check_place(context, u);
  J[0] = 1.0 / r->a;
}

/* arctan u - a, from which full Newton steps fly off where a = 0 and |u| > 1.4 */
static void arctan(void *context, const double u[], double F[])
{
  record *r = context;

  visit(r, u);
  F[0] = atan(u[0]) - r->a;
}

static void arctan_jac(void *context, const double u[], double J[])
{
  check_place(context, u);
  J[0] = 1.0 / (1.0 + u[0] * u[0]);
}

/* sqrt(u) - a */
static void root(void *context, const double u[], double F[])
{
  record *r = context;

  visit(r, u);
  F[0] = sqrt(u[0]) - r->a;
}

static void root_jac(void *context, const double u[], double J[])
{
  check_place(context, u);
  J[0] = 0.5 / sqrt(u[0]);
}

static void nan_jac(void *context, const double u[], double J[])
{
  (void)context;
  (void)u;
  J[0] = NAN;
}

/* u1 + u2 - 1 twice, the second time with a relative perturbation of the round-off's size */
static void twice(void *context, const double u[], double F[])
{
  visit(context, u);
  F[0] = u[0] + u[1] - 1.0;
  F[1] = u[0] + u[1] - 2.0;
}

static void twice_jac(void *context, const double u[], double J[])
{
  (void)context;
  (void)u;
  J[0] = 1.0;
  J[1] = 1.0;
  J[2] = 1.0;
  J[3] = 1.0 + DBL_EPSILON;
}

/* A circle and a line: u1^2 + u2^2 = 25, u1 - u2 = 1, with the solution (4,3) near the guess. */
static void circle(void *context, const double u[], double F[])
{
  visit(context, u);
  F[0] = (u[0] * u[0] + u[1] * u[1] - 25.0) / 50.0;
  F[1] = (u[0] - u[1] - 1.0) / 8.0;
}

static void circle_jac(void *context, const double u[], double J[])
{
  check_place(context, u);
  J[0] = 2.0 * u[0] / 50.0;
  J[1] = 2.0 * u[1] / 50.0;
  J[2] = 1.0 / 8.0;
  J[3] = -1.0 / 8.0;
}

/* A force u that holds a momentum v, which moves a position by a only: a v = 0 and
 * v - 1 + u + a u (v - 1) = 0. */
static void held(void *context, const double u[], double F[])
{
  const record *r = context;

  visit(context, u);
  F[0] = r->a * u[1];
  F[1] = u[1] - 1.0 + u[0] + r->a * u[0] * (u[1] - 1.0);
}

static void held_jac(void *context, const double u[], double J[])
{
  const record *r = context;

  check_place(context, u);
  J[0] = 0.0;
  J[1] = r->a;
  J[2] = 1.0 + r->a * (u[1] - 1.0);
  J[3] = 1.0 + r->a * u[0];
}

/* Curves that a full Newton step overshoots: c0 + c1 u + c2 v + c3 u v + c4 atan(5 u) + c5 v^3,
 * twice. */
static void curves(void *context, const double u[], double F[])
{
  record *r = context;

  visit(r, u);
  for (int i = 0; i < 2; i++) {
    const double *c = r->c + (size_t)i * 6;
    F[i] = c[0] + c[1] * u[0] + c[2] * u[1] + c[3] * u[0] * u[1] + c[4] * atan(5.0 * u[0]) +
           c[5] * u[1] * u[1] * u[1];
  }
}

static void curves_jac(void *context, const double u[], double J[])
{
  record *r = context;

  check_place(r, u);
  for (int i = 0; i < 2; i++) {
    const double *c = r->c + (size_t)i * 6;
    J[2 * i] = c[1] + c[3] * u[1] + 5.0 * c[4] / (1.0 + 25.0 * u[0] * u[0]);
    J[2 * i + 1] = c[2] + c[3] * u[0] + 3.0 * c[5] * u[1] * u[1];
  }
}

static sw_status solve_any(record *r, void (*residual)(void *, const double[], double[]),
                           void (*jacobian)(void *, const double[], double[]), double u[],
                           sw_solve_report *report)
{
  const sw_problem problem = {residual, jacobian, r};
  static const int row[4] = {0, 0, 1, 1};
  static const int col[4] = {0, 1, 0, 1};
  static const int zero[1] = {0};
  const sw_pattern one = {1, 1, 1, zero, zero};
  const sw_pattern two = {2, 2, 4, row, col};
  sw_solver *solver = NULL;
  sw_status status;

  assert_int_equal(sw_solver_create(r->n == 1 ? &one : &two, (sw_multipliers){0}, tolerance,
                                    iterations, &solver),
                   SW_OK);
  assert_int_equal(sw_solver_root(solver).sign, 0);
  status = sw_solver_solve(solver, &problem, u, report);
  assert_int_equal(r->jacobian_elsewhere, 0);
  if (status == SW_OK)
    assert_memory_equal(r->last, u, (size_t)r->n * sizeof *u);
  r->sign = sw_solver_root(solver).sign;
  sw_solver_free(&solver);
  assert_null(solver);
  return status;
}

/* The same for problems that are soon solved, or soon known not to be. */
static sw_status solve(record *r, void (*residual)(void *, const double[], double[]),
                       void (*jacobian)(void *, const double[], double[]), double u[],
                       sw_solve_report *report)
{
  const sw_status status = solve_any(r, residual, jacobian, u, report);

  /* Full steps are given up after a few that do not help; the line search has the rest. */
  assert_in_range(report->iterations, 0, iterations + 10);
  assert_in_range(r->residuals, 0, 11 * iterations + 2);
  return status;
}

static void converges_to_round_off(void **state)
{
  record r = {.a = 2.0, .n = 1};
  sw_solve_report report;
  double u[1] = {1.0};

  (void)state;
  assert_int_equal(solve(&r, square, square_jac, u, &report), SW_OK);
  assert_near(u[0], sqrt(2.0), 2.0 * DBL_EPSILON);
  assert_below(report.residual, 2.0 * DBL_EPSILON); /* one rounding of u^2 */
  /* Quadratically: errors 4e-1, 9e-2, 2e-3, 2e-6, 2e-12, round-off. */
  assert_in_range(report.iterations, 4, 6);

  record two = {.n = 2};
  double v[2] = {5.0, 2.0};

  assert_int_equal(solve(&two, circle, circle_jac, v, &report), SW_OK);
  assert_near(v[0], 4.0, 8.0 * DBL_EPSILON);
  assert_near(v[1], 3.0, 8.0 * DBL_EPSILON);
}

static void a_good_guess_is_improved(void **state)
{
  record r = {.a = 2.0, .n = 1};
  sw_solve_report report;
  double u[1] = {sqrt(2.0) * (1.0 + 1e-9)};

  (void)state;
  assert_int_equal(solve(&r, square, square_jac, u, &report), SW_OK);
  assert_near(u[0], sqrt(2.0), 2.0 * DBL_EPSILON);
}

static void a_long_way_is_one_step(void **state)
{
  record r = {.a = 1e6, .n = 1};
  sw_solve_report report;
  double u[1] = {0.0};

  (void)state;
  assert_int_equal(solve(&r, ratio, ratio_jac, u, &report), SW_OK);
  assert_near(u[0], 1e6, 1e-9);
  assert_in_range(report.iterations, 1, 2);
}

static void the_floor_is_accepted_below_the_tolerance(void **state)
{
  record fine = {.a = 1e3, .n = 1};
  record coarse = {.a = 1e6, .n = 1};
  sw_solve_report report;
  double u[1] = {0.0};
  double v[1] = {0.0};

  (void)state;
  assert_int_equal(solve(&fine, offset, one_jac, u, &report), SW_OK);
  assert_true(report.residual > SW_SOLVE_TARGET);
  assert_below(report.residual, tolerance);
  /* No search for something smaller: the guess, the solution, and one look around. */
  assert_in_range(fine.residuals, 2, 4);
  assert_int_equal(solve(&coarse, offset, one_jac, v, &report), SW_ERR_NOT_CONVERGED);
  assert_true(report.residual > tolerance);
}

/* A residual within the tolerance that the first step does not lower is not yet round-off. */
static void the_first_step_is_not_the_last(void **state)
{
  (void)state;
  for (double a = 1e-9; a > 3e-16; a *= 0.1) {
    record r = {.a = a, .n = 2};
    sw_solve_report report;
    double u[2] = {0.0, 1.0};
    assert_int_equal(solve(&r, held, held_jac, u, &report), SW_OK);
    assert_near(u[0], 1.0, 2.0 * a);
    assert_near(u[1], 0.0, 4.0 * DBL_EPSILON / a);
  }
}

/* (atan(u_0 + 3), u_1 - 1/2): two blocks, the first of which needs a line search from 0. */
static void two_blocks(void *context, const double u[], double F[])
{
  (void)context;
  F[0] = atan(u[0] + 3.0);
  F[1] = u[1] - 0.5;
}

static void two_blocks_jac(void *context, const double u[], double J[])
{
  (void)context;
  J[0] = 1.0 / (1.0 + (u[0] + 3.0) * (u[0] + 3.0));
  J[1] = 1.0;
}

/* Searches of single blocks leave the residual at the first guess what it was. */
static void the_residual_at_the_guess_is_kept(void **state)
{
  static int rows[] = {0, 1};
  const sw_pattern diagonal = {2, 2, 2, rows, rows};
  const sw_problem problem = {two_blocks, two_blocks_jac, NULL};
  sw_solve_report report;
  sw_solver *solver = NULL;
  double u[2] = {0.0, 0.0};

  (void)state;
  assert_int_equal(sw_solver_create(&diagonal, (sw_multipliers){0}, tolerance, iterations, &solver),
                   SW_OK);
  assert_int_equal(sw_solver_solve(solver, &problem, u, &report), SW_OK);
  assert_near(u[0], -3.0, 1e-12);
  assert_near(u[1], 0.5, 1e-12);
  assert_true(sw_solver_root(solver).at_guess[0] == atan(3.0));
  assert_true(sw_solver_root(solver).at_guess[1] == -0.5);
  sw_solver_free(&solver);
}

static void no_solution_ends(void **state)
{
  record r = {.a = -1.0, .n = 1};
  record far = {.a = -1e90, .n = 1};
  sw_solve_report report;
  double u[1] = {0.7};
  double v[1] = {1e40};

  (void)state;
  assert_int_equal(solve(&r, square, square_jac, u, &report), SW_ERR_NOT_CONVERGED);
  assert_true(report.residual >= 1.0);
  assert_int_not_equal(solve(&far, square, square_jac, v, &report), SW_OK);
}

static void nan_is_no_success(void **state)
{
  record start = {.a = 1.0, .n = 1};
  record guess = {.a = 1.0, .n = 1};
  record jacobian = {.a = 2.0, .n = 1};
  sw_solve_report report;
  double u[1] = {-1.0};
  double v[1] = {NAN};
  double w[1] = {1.0};

  (void)state;
  assert_int_equal(solve(&start, root, root_jac, u, &report), SW_ERR_NOT_FINITE);
  assert_true(isinf(report.residual));
  assert_int_equal(solve(&guess, root, root_jac, v, &report), SW_ERR_NOT_FINITE);
  assert_int_equal(solve(&jacobian, square, nan_jac, w, &report), SW_ERR_NOT_FINITE);
}

static void steps_that_overshoot_are_shortened(void **state)
{
  record r = {.n = 1};
  sw_solve_report report;
  double u[1] = {3.0};

  (void)state;
  assert_int_equal(solve(&r, arctan, arctan_jac, u, &report), SW_OK);
  assert_near(u[0], 0.0, SW_SOLVE_TARGET);
}

/* solve_any looks whether every Jacobian belongs to the residual before it, whatever the line
 * search did. */
static void jacobians_belong_to_residuals(void **state)
{
  uint64_t seed = 7;
  int solved = 0;

  (void)state;
  for (int n = 0; n < 4000; n++) {
    record r = {.n = 2};
    sw_solve_report report;
    double u[2] = {0.0, 0.0};
    for (size_t i = 0; i < 12; i++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      r.c[i] = 2.0 * ((double)(seed >> 11) / 9007199254740992.0) - 1.0;
    }
    u[0] = 20.0 * r.c[1];
    u[1] = 20.0 * r.c[7];
    solved += solve_any(&r, curves, curves_jac, u, &report) == SW_OK;
  }
  assert_true(solved > 1000);
}

/* The first Newton step leads to a negative u, where the residual is NaN. */
static void nan_on_the_way_is_stepped_around(void **state)
{
  record r = {.a = 1e-3, .n = 1};
  sw_solve_report report;
  double u[1] = {1.0};

  (void)state;
  assert_int_equal(solve(&r, root, root_jac, u, &report), SW_OK);
  assert_near(u[0], 1e-6, 1e-17);
  /* A step that ended at NaN says nothing about the Jacobian that it came from. */
  assert_int_equal(r.jacobians, report.iterations);
}

static void singular_jacobians_are_named(void **state)
{
  record zero = {.a = 1.0, .n = 1};
  record dependent = {.n = 2};
  sw_solve_report report;
  double u[1] = {0.0};
  double v[2] = {0.0, 0.0};

  (void)state;
  assert_int_equal(solve(&zero, square, square_jac, u, &report), SW_ERR_SINGULAR);
  assert_int_equal(solve(&dependent, twice, twice_jac, v, &report), SW_ERR_SINGULAR);
}

/* The guess is the solution: it comes back as it was, without a Jacobian. */
static void an_exact_guess_is_accepted(void **state)
{
  record r = {.a = 4.0, .n = 1};
  sw_solve_report report;
  double u[1] = {2.0};

  (void)state;
  assert_int_equal(solve(&r, square, square_jac, u, &report), SW_OK);
  assert_near(u[0], 2.0, 0.0);
  assert_near(report.residual, 0.0, 0.0);
  assert_int_equal(report.iterations, 0);
  assert_int_equal(r.jacobians, 0);
  assert_int_equal(r.sign, 0);
}

static void the_sign_of_the_jacobian_is_known(void **state)
{
  record up = {.a = 2.0, .n = 1};
  record down = {.a = 2.0, .n = 1};
  record two = {.n = 2};
  record singular = {.a = 1.0, .n = 1};
  sw_solve_report report;
  double u[1] = {1.0};
  double v[1] = {-1.0};
  double w[2] = {5.0, 2.0};
  double x[1] = {0.0};

  (void)state;
  assert_int_equal(solve(&up, square, square_jac, u, &report), SW_OK);
  assert_int_equal(up.sign, 1);
  assert_int_equal(solve(&down, square, square_jac, v, &report), SW_OK);
  assert_int_equal(down.sign, -1);
  assert_int_equal(solve(&two, circle, circle_jac, w, &report), SW_OK);
  assert_int_equal(two.sign, -1);
  assert_int_equal(solve(&singular, square, square_jac, x, &report), SW_ERR_SINGULAR);
  assert_int_equal(singular.sign, 0);
}

/* What is known of the Jacobian belongs to the last solve, not to one before it. */
static void the_sign_is_forgotten(void **state)
{
  static const int zero[1] = {0};
  const sw_pattern one = {1, 1, 1, zero, zero};
  record r = {.a = 4.0, .n = 1};
  const sw_problem problem = {square, square_jac, &r};
  sw_solver *solver = NULL;
  sw_solve_report report;
  double u[1] = {3.0};
  double exact[1] = {2.0};

  (void)state;
  assert_int_equal(sw_solver_create(&one, (sw_multipliers){0}, tolerance, iterations, &solver),
                   SW_OK);
  assert_int_equal(sw_solver_solve(solver, &problem, u, &report), SW_OK);
  assert_int_equal(sw_solver_root(solver).sign, 1);
  assert_int_equal(sw_solver_solve(solver, &problem, exact, &report), SW_OK);
  assert_int_equal(sw_solver_root(solver).sign, 0);
  sw_solver_free(&solver);
}

/* A guess at which one Jacobian serves all steps, and one from which each step needs its own at
 * first. */
static void jacobians_are_kept_while_they_serve(void **state)
{
  record near = {.a = 2.0, .n = 1};
  record far = {.a = 2.0, .n = 1};
  record stretched = {.a = 0.5, .n = 1};
  sw_solve_report report;
  double u[1] = {sqrt(2.0) * (1.0 + 1e-7)};
  double v[1] = {1e3};
  double w[1] = {3.0};

  (void)state;
  assert_int_equal(solve(&near, square, square_jac, u, &report), SW_OK);
  assert_near(u[0], sqrt(2.0), 2.0 * DBL_EPSILON);
  /* The second step leaves 1e-14 of the first one's 1e-7. */
  assert_in_range(report.iterations, 1, 3);
  assert_int_equal(near.jacobians, 1);
  /* Halving takes 10 steps to sqrt(2); every one of them reduces the residual to a quarter only. */
  assert_int_equal(solve(&far, square, square_jac, v, &report), SW_OK);
  assert_near(v[0], sqrt(2.0), 2.0 * DBL_EPSILON);
  assert_in_range(report.iterations, 12, 16);
  assert_in_range(far.jacobians, 11, report.iterations - 1);
  /* The line search has one for every iteration. */
  assert_int_equal(solve(&stretched, arctan, arctan_jac, w, &report), SW_OK);
  assert_near(w[0], tan(0.5), 4.0 * DBL_EPSILON);
  assert_int_equal(stretched.jacobians, report.iterations);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(converges_to_round_off),
      cmocka_unit_test(a_good_guess_is_improved),
      cmocka_unit_test(a_long_way_is_one_step),
      cmocka_unit_test(the_floor_is_accepted_below_the_tolerance),
      cmocka_unit_test(the_first_step_is_not_the_last),
      cmocka_unit_test(the_residual_at_the_guess_is_kept),
      cmocka_unit_test(no_solution_ends),
      cmocka_unit_test(nan_is_no_success),
      cmocka_unit_test(steps_that_overshoot_are_shortened),
      cmocka_unit_test(jacobians_belong_to_residuals),
      cmocka_unit_test(nan_on_the_way_is_stepped_around),
      cmocka_unit_test(singular_jacobians_are_named),
      cmocka_unit_test(an_exact_guess_is_accepted),
      cmocka_unit_test(the_sign_of_the_jacobian_is_known),
      cmocka_unit_test(the_sign_is_forgotten),
      cmocka_unit_test(jacobians_are_kept_while_they_serve),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
