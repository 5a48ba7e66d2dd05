/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_solver_sparse.c -- the nonlinear solve of equations with a sparse Jacobian, and of very many.
 */
#include <string.h>

#include "near.h"
#include "solver/solver.h"

/* A discretised u'' = exp(u), u(0) = u(1) = 0, of many unknowns. */
enum { many = 3000 };

static void pressed(void *context, const double u[], double F[])
{
  const double h = 1.0 / (many + 1);

  (void)context;
  for (int i = 0; i < many; i++) {
    const double left = i > 0 ? u[i - 1] : 0.0;
    const double right = i < many - 1 ? u[i + 1] : 0.0;
    F[i] = 0.25 * (left - 2.0 * u[i] + right - h * h * exp(u[i]));
  }
}

static void pressed_jac(void *context, const double u[], double J[])
{
  const double h = 1.0 / (many + 1);
  int e = 0;

  (void)context;
  for (int i = 0; i < many; i++) {
    if (i > 0)
      J[e++] = 0.25;
    J[e++] = -0.25 * (2.0 + h * h * exp(u[i]));
    if (i < many - 1)
      J[e++] = 0.25;
  }
}

static void many_unknowns_are_solved(void **state)
{
  static int row[3 * many];
  static int col[3 * many];
  static double u[many];
  const sw_problem problem = {pressed, pressed_jac, NULL};
  sw_pattern pattern = {many, many, 0, row, col};
  sw_solver *solver = NULL;
  sw_solve_report report;

  (void)state;
  for (int i = 0; i < many; i++)
    for (int j = i - 1; j <= i + 1; j++)
      if (j >= 0 && j < many) {
        row[pattern.entries] = i;
        col[pattern.entries++] = j;
      }
  assert_int_equal(sw_solver_create(&pattern, 1e-12, 30, &solver), SW_OK);
  assert_int_equal(sw_solver_solve(solver, &problem, u, &report), SW_OK);
  /* exp(u) = c^2 / (2 cos^2(c (x - 1/2) / 2)), where c = sqrt(2) cos(c/4) is 1.3360556949... */
  const double c = 1.3360556949061008;
  for (int i = 0; i < many; i++) {
    const double x = (i + 1.0) / (many + 1);
    const double cosine = cos(0.5 * c * (x - 0.5));
    assert_near(u[i], log(0.5 * c * c / (cosine * cosine)), 1e-7);
  }
  assert_int_equal(sw_solver_sign(solver), many % 2 ? -1 : 1);
  sw_solver_free(&solver);
}

/* Blocks of three, u_i^2 + u_j u_k / 2 = 3 a / 2 with an a between 2 and 3 for each block: every block has
 * the solution sqrt(a), three times. */
enum { unknowns = 3 * 100000 };

static void triples(void *context, const double u[], double F[])
{
  (void)context;
  for (int i = 0; i < unknowns; i++) {
    const int b = i / 3 * 3;
    const double right = 2.0 + (double)b / unknowns;
    F[i] = 0.25 * (u[i] * u[i] + 0.5 * u[b + (i + 1) % 3] * u[b + (i + 2) % 3] - 1.5 * right);
  }
}

static void triples_jac(void *context, const double u[], double J[])
{
  (void)context;
  for (int i = 0; i < unknowns; i++) {
    const int b = i / 3 * 3;
    for (int j = b; j < b + 3; j++)
      J[3 * i + j - b] = j == i ? 0.5 * u[i] : 0.125 * u[3 * b + 3 - i - j];
  }
}

static void very_many_unknowns_are_solved(void **state)
{
  static int row[3 * unknowns];
  static int col[3 * unknowns];
  static double u[unknowns];
  const sw_problem problem = {triples, triples_jac, NULL};
  const sw_pattern pattern = {unknowns, unknowns, 3 * unknowns, row, col};
  sw_solver *solver = NULL;
  sw_solve_report report;

  (void)state;
  for (int e = 0; e < 3 * unknowns; e++) {
    row[e] = e / 3;
    col[e] = e / 9 * 3 + e % 3;
  }
  for (int i = 0; i < unknowns; i++)
    u[i] = 1.2;
  assert_int_equal(sw_solver_create(&pattern, 1e-12, 30, &solver), SW_OK);
  assert_int_equal(sw_solver_solve(solver, &problem, u, &report), SW_OK);
  assert_in_range(report.iterations, 3, 7);
  for (int i = 0; i < unknowns; i++)
    assert_near(u[i], sqrt(2.0 + (double)(i / 3 * 3) / unknowns), 4e-15);
  assert_int_equal(sw_solver_sign(solver), 1);
  sw_solver_free(&solver);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(many_unknowns_are_solved),
      cmocka_unit_test(very_many_unknowns_are_solved),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
