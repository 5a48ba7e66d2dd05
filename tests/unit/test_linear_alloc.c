/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_linear_alloc.c -- linear and nonlinear solvers that run out of memory, at every allocation,
 * and those that are not to allocate any.
 */
#include "failing_malloc.h"

#include <string.h>

#include "linear/linear_solver.h"
#include "near.h"
#include "solve/solver.h"

enum {
  n_dense = 9,
  n_band = 40,
  n_cyclic = 60,
  side = 8,
  n_saddle = side * side + side,
  most = 512,
  kinds = 4
};

/* A pattern with its values, for each kind of solver. */
typedef struct {
  const char *kind;
  sw_pattern pattern;
  int row[most];
  int col[most];
  double values[most];
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

/* Without a diagonal: KLU has to choose other pivots. */
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

/* A grid, and the multipliers of constraints between distant points of it: [A B^T; B 0]. */
static void make_saddle(matrix *m)
{
  m->kind = "KLU";
  m->pattern = (sw_pattern){n_saddle, n_saddle, 0, m->row, m->col};
  for (int i = 0; i < n_saddle; i++)
    for (int j = 0; j < n_saddle; j++) {
      const int low = i < j ? i : j;
      const int high = i < j ? j : i;
      const int near = high - low == side || (high - low == 1 && high % side != 0);

      if (high < side * side && (near || high == low))
        add(m, i, j, near ? -1.0 : 4.5);
      if (high >= side * side && low < side * side && (low * 5 + high) % 13 == 0)
        add(m, i, j, 1.0);
    }
}

static void make_all(matrix m[kinds])
{
  make_band(&m[0], n_dense, "dense");
  make_band(&m[1], n_band, "envelope");
  make_cyclic(&m[2]);
  make_saddle(&m[3]);
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
    /* KLU gives back what it does not need, and carries on where that fails. */
    assert_int_equal(status, failed && !linear ? SW_ERR_MEMORY : SW_OK);
    sw_linear_free(&linear);
    assert_int_equal(allocations - releases, kept);
    if (!failed)
      return n - 1;
  }
}

static void creation_survives_every_failure(void **state)
{
  static matrix m[kinds];

  (void)state;
  make_all(m);
  for (int t = 0; t < kinds; t++)
    assert_true(sweep_create(&m[t]) >= 4);
}

static long count_allocations(const matrix *m)
{
  const long before = allocations;
  sw_solver *solver = NULL;

  assert_int_equal(sw_solver_create(&m->pattern, (sw_multipliers){0}, 1e-12, 30, &solver), SW_OK);
  sw_solver_free(&solver);
  return allocations - before;
}

static void solvers_survive_every_failure(void **state)
{
  static matrix m[kinds];

  (void)state;
  make_all(m);
  for (int t = 0; t < kinds; t++) {
    const long all = count_allocations(&m[t]);
    assert_true(all > 30);
    for (long n = 1; n <= all; n++) {
      const long kept = allocations - releases;
      sw_solver *solver = NULL;

      fail_at = n;
      const sw_status status =
          sw_solver_create(&m[t].pattern, (sw_multipliers){0}, 1e-12, 30, &solver);
      fail_at = 0;
      /* KLU gives back what it does not need, and carries on where that fails. */
      if (status == SW_OK) {
        sw_solver_free(&solver);
      } else {
        assert_int_equal(status, SW_ERR_MEMORY);
      }
      assert_null(solver);
      assert_int_equal(allocations - releases, kept);
    }
  }
}

/* Factorises with the n-th allocation failing; returns whether it failed, and counts in
 * *refusals. */
static int factor_without_memory(sw_linear *linear, const double values[], long n, int *refusals)
{
  fail_at = n;
  const sw_status status = sw_linear_factor(linear, values);
  const int failed = fail_at == 0;
  fail_at = 0;
  /* KLU gives back what it does not need, and carries on where that fails. */
  assert_true(status == SW_OK || (failed && status == SW_ERR_MEMORY));
  *refusals += status != SW_OK;
  return failed;
}

/* A factorisation by KLU with pivots that are chosen, also that of a bad pivot of an envelope,
 * allocates; short of memory, it refuses, and the next one succeeds. */
static void factorisations_survive_every_failure(void **state)
{
  static matrix m[kinds];

  (void)state;
  make_all(m);
  m[1].values[0] = 0.0;
  for (int t = 1; t < 3; t++) {
    int failed = 1;
    int refusals = 0;
    for (long n = 1; failed; n++) {
      const long kept = allocations - releases;
      sw_linear *linear = NULL;
      double x[n_saddle];

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

/* No kind allocates, but where KLU has to choose its pivots; then it keeps nothing from matrix to
 * matrix. */
static void factorisations_do_not_allocate(void **state)
{
  static matrix m[kinds];

  (void)state;
  make_all(m);
  for (int t = 0; t < kinds; t++) {
    sw_linear *linear = NULL;
    const int chooses = t == 2;
    double x[n_saddle] = {1.0};
    int refused = 0;

    assert_int_equal(sw_linear_create(&m[t].pattern, &linear), SW_OK);
    if (chooses)
      assert_int_equal(sw_linear_factor(linear, m[t].values), SW_OK);
    const long kept = allocations - releases;
    const long before = allocations;
    for (int round = 0; round < 5; round++) {
      refused |= sw_linear_factor(linear, m[t].values) != SW_OK;
      sw_linear_solve(linear, x);
      refused |= sw_linear_sign(linear) == 0;
      m[t].values[round] *= 1.1;
    }
    const long after = allocations;
    assert_int_equal(refused, 0);
    assert_int_equal(after > before, chooses);
    assert_int_equal(allocations - releases, kept);
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
  static matrix m[kinds];

  (void)state;
  make_all(m);
  for (int t = 0; t < kinds; t++) {
    const sw_problem problem = {cubes, cubes_jac, &m[t]};
    const long kept = allocations - releases;
    sw_solver *solver = NULL;
    sw_solve_report report;
    double u[n_saddle] = {0.0};

    assert_int_equal(sw_solver_create(&m[t].pattern, (sw_multipliers){0}, 1e-12, 30, &solver),
                     SW_OK);
    const long before = allocations;
    const sw_status status = sw_solver_solve(solver, &problem, u, &report);
    const long after = allocations;
    assert_int_equal(status, SW_OK);
    assert_int_equal(after > before, t == 2);
    assert_below(report.residual, 1e-15);
    sw_solver_free(&solver);
    assert_int_equal(allocations - releases, kept);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(creation_survives_every_failure),
      cmocka_unit_test(solvers_survive_every_failure),
      cmocka_unit_test(factorisations_survive_every_failure),
      cmocka_unit_test(factorisations_do_not_allocate),
      cmocka_unit_test(solves_do_not_allocate),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
