/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_linear_alloc.c -- linear and nonlinear solvers that run out of memory, at every allocation, and
 * those that are not to allocate any.
 */
#include "failing_malloc.h"

#include <string.h>

#include "near.h"
#include "solver/linear.h"
#include "solver/solver.h"

enum { n_dense = 9, n_band = 40, n_cyclic = 60 };

/* A pattern with its values, for each kind of solver. */
typedef struct {
  const char *kind;
  sw_pattern pattern;
  int row[4 * n_cyclic];
  int col[4 * n_cyclic];
  double values[4 * n_cyclic];
} matrix;

static void add(matrix *m, int i, int j, double value)
{
  m->row[m->pattern.entries] = i;
  m->col[m->pattern.entries] = j;
  m->values[m->pattern.entries++] = value;
}

static void make_band(matrix *m, int n, const char *kind)
{
  m->kind = kind;
  m->pattern = (sw_pattern){n, n, 0, m->row, m->col};
  for (int i = 0; i < n; i++)
    for (int j = i - 1; j <= i + 1; j++)
      if (j >= 0 && j < n)
        add(m, i, j, i == j ? 4.0 : 1.0);
}

/* Without a diagonal. */
static void make_cyclic(matrix *m)
{
  m->kind = "KLU";
  m->pattern = (sw_pattern){n_cyclic, n_cyclic, 0, m->row, m->col};
  for (int i = 0; i < n_cyclic; i++)
    for (int j = 0; j < n_cyclic; j++) {
      const int shift = (j - i + n_cyclic) % n_cyclic;
      if (shift == 7 || shift == 11 || shift == 24)
        add(m, i, j, shift == 11 ? 5.0 : 1.0);
    }
}

static void make_all(matrix m[3])
{
  make_band(&m[0], n_dense, "dense");
  make_band(&m[1], n_band, "envelope");
  make_cyclic(&m[2]);
}

/* Returns how many allocations sw_linear_create makes: the first sweep that none of failed. */
static long sweep_create(const matrix *m)
{
  for (long n = 1;; n++) {
    sw_linear *linear = NULL;
    const long kept = allocations - releases;

    fail_at = n;
    const sw_status status = sw_linear_create(&m->pattern, &linear);
    const int failed = fail_at == 0;
    fail_at = 0;
    if (!failed) {
      assert_int_equal(status, SW_OK);
      sw_linear_free(&linear);
      assert_int_equal(allocations - releases, kept);
      return n - 1;
    }
    assert_int_equal(status, SW_ERR_MEMORY);
    assert_null(linear);
    assert_int_equal(allocations - releases, kept);
  }
}

static void creation_survives_every_failure(void **state)
{
  static matrix m[3];

  (void)state;
  make_all(m);
  for (int t = 0; t < 3; t++)
    assert_true(sweep_create(&m[t]) >= 6);
}

/* SUNDIALS' set-up does not survive a failing malloc; what comes before it does. */
static void solvers_survive_until_sundials(void **state)
{
  static matrix m[3];

  (void)state;
  make_all(m);
  for (int t = 0; t < 3; t++) {
    const long ours = 5 + sweep_create(&m[t]);
    for (long n = 1; n <= ours; n++) {
      const long kept = allocations - releases;
      sw_solver *solver = NULL;

      fail_at = n;
      const sw_status status = sw_solver_create(&m[t].pattern, 1e-12, 30, &solver);
      fail_at = 0;
      assert_int_equal(status, SW_ERR_MEMORY);
      assert_null(solver);
      assert_int_equal(allocations - releases, kept);
    }
  }
}

/* Factorises with the n-th allocation failing; returns whether it failed, and counts in *refusals. */
static int factor_without_memory(sw_linear *linear, const double values[], long n, int *refusals)
{
  fail_at = n;
  const int refused = sw_linear_factor(linear, values);
  const int failed = fail_at == 0;
  fail_at = 0;
  /* KLU gives back what it does not need, and carries on where that fails. */
  if (!failed)
    assert_int_equal(refused, 0);
  *refusals += refused;
  return failed;
}

/* The first factorisation by KLU, also that of a bad pivot, allocates; short of memory, it refuses, and
 * the next one succeeds. */
static void factorisations_survive_every_failure(void **state)
{
  static matrix m[3];

  (void)state;
  make_all(m);
  m[1].values[0] = 0.0;
  for (int t = 1; t < 3; t++) {
    int failed = 1;
    int refusals = 0;
    for (long n = 1; failed; n++) {
      const long kept = allocations - releases;
      sw_linear *linear = NULL;
      double x[n_cyclic];

      assert_int_equal(sw_linear_create(&m[t].pattern, &linear), SW_OK);
      failed = factor_without_memory(linear, m[t].values, n, &refusals);
      assert_int_equal(sw_linear_factor(linear, m[t].values), 0);
      assert_string_equal(sw_linear_kind(linear), "KLU");
      memset(x, 0, sizeof x);
      for (int e = 0; e < m[t].pattern.entries; e++)
        x[m[t].row[e]] += m[t].values[e];
      sw_linear_solve(linear, x);
      for (int i = 0; i < m[t].pattern.rows; i++)
        assert_near(x[i], 1.0, 1e-12);
      sw_linear_free(&linear);
      assert_int_equal(allocations - releases, kept);
    }
    assert_true(refusals >= 5);
  }
}

/* Once KLU has its pivots, no kind allocates for matrices like the first. */
static void factorisations_do_not_allocate(void **state)
{
  static matrix m[3];

  (void)state;
  make_all(m);
  for (int t = 0; t < 3; t++) {
    sw_linear *linear = NULL;
    double x[n_cyclic] = {1.0};
    int refused = 0;

    assert_int_equal(sw_linear_create(&m[t].pattern, &linear), SW_OK);
    if (t == 2)
      assert_int_equal(sw_linear_factor(linear, m[t].values), 0);
    const long before = allocations;
    for (int round = 0; round < 5; round++) {
      refused |= sw_linear_factor(linear, m[t].values);
      sw_linear_solve(linear, x);
      refused |= sw_linear_sign(linear) == 0;
      refused |= !(sw_linear_condition(linear, m[t].values) >= 1.0);
      m[t].values[round] *= 1.1;
    }
    const long after = allocations;
    assert_int_equal(refused, 0);
    assert_int_equal(after, before);
    assert_string_equal(sw_linear_kind(linear), m[t].kind);
    sw_linear_free(&linear);
  }
}

static void cubes(void *context, const double u[], double F[])
{
  const matrix *m = context;

  for (int i = 0; i < m->pattern.rows; i++)
    F[i] = -0.1;
  for (int e = 0; e < m->pattern.entries; e++) {
    const double x = u[m->col[e]];
    F[m->row[e]] += 0.1 * m->values[e] * (x + 0.1 * x * x * x);
  }
}

static void cubes_jac(void *context, const double u[], double J[])
{
  const matrix *m = context;

  for (int e = 0; e < m->pattern.entries; e++) {
    const double x = u[m->col[e]];
    J[e] = 0.1 * m->values[e] * (1.0 + 0.3 * x * x);
  }
}

static void solves_do_not_allocate(void **state)
{
  static matrix m[3];

  (void)state;
  make_all(m);
  for (int t = 0; t < 3; t++) {
    const sw_problem problem = {cubes, cubes_jac, &m[t]};
    const long kept = allocations - releases;
    sw_solver *solver = NULL;
    sw_solve_report report;
    double u[n_cyclic] = {0.0};

    assert_int_equal(sw_solver_create(&m[t].pattern, 1e-12, 30, &solver), SW_OK);
    if (t == 2)
      assert_int_equal(sw_solver_solve(solver, &problem, u, &report), SW_OK);
    memset(u, 0, sizeof u);
    const long before = allocations;
    const sw_status status = sw_solver_solve(solver, &problem, u, &report);
    const long after = allocations;
    assert_int_equal(status, SW_OK);
    assert_int_equal(after, before);
    assert_below(report.residual, 1e-15);
    sw_solver_free(&solver);
    assert_int_equal(allocations - releases, kept);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(creation_survives_every_failure),
      cmocka_unit_test(solvers_survive_until_sundials),
      cmocka_unit_test(factorisations_survive_every_failure),
      cmocka_unit_test(factorisations_do_not_allocate),
      cmocka_unit_test(solves_do_not_allocate),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
