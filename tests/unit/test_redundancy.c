/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_redundancy.c -- dependent unknowns: which are found, and what the rest is solved to.
 */
#include "failing_malloc.h"

#include <math.h>
#include <string.h>

#include "linear/deficient.h"
#include "linear/redundancy.h"
#include "matrices.h"
#include "near.h"
#include "solve/solver.h"

enum { most_unknowns = 80 };

/* U K U^T with U of n x rank and K diagonal, of both signs where `indefinite` says so: symmetric,
 * and any rank rows of U are independent.  Writes the sign of det K. */
static full_matrix *low_rank(int n, int rank, int indefinite, uint64_t *seed, int *sign)
{
  full_matrix *m = matrix(n);
  double U[most_unknowns][most_unknowns];
  double K[most_unknowns];

  *sign = 1;
  for (int s = 0; s < rank; s++) {
    const double entry = uniform(seed);
    K[s] = indefinite && entry < 0.0 ? entry - 1.0 : fabs(entry) + 1.0;
    *sign = K[s] < 0.0 ? -*sign : *sign;
    for (int i = 0; i < n; i++)
      U[i][s] = uniform(seed);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double entry = 0.0;
      for (int s = 0; s < rank; s++)
        entry += U[i][s] * K[s] * U[j][s];
      set(m, i, j, entry);
    }
  return m;
}

/* `count` such blocks of 6 on the diagonal, each of rank 4. */
static full_matrix *low_rank_blocks(int count, uint64_t *seed)
{
  full_matrix *m = matrix(6 * count);
  int sign;

  for (int b = 0; b < count; b++) {
    full_matrix *block = low_rank(6, 4, 0, seed, &sign);
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++)
        set(m, 6 * b + i, 6 * b + j, block->A[j * 6 + i]);
    free(block);
  }
  return m;
}

/* y = A x. */
static void multiply(const sparse_matrix *s, const double x[], double y[])
{
  memset(y, 0, (size_t)s->pattern.rows * sizeof *y);
  for (int e = 0; e < s->pattern.entries; e++)
    y[s->pattern.row[e]] += s->values[e] * x[s->pattern.col[e]];
}

/* The largest power of two that is not above the entries of a column. */
static double weight_of(const sparse_matrix *m, int column)
{
  double largest = 0.0;
  double power = 1.0;

  for (int e = 0; e < m->pattern.entries; e++)
    if (m->pattern.col[e] == column)
      largest = fmax(largest, fabs(m->values[e]));
  while (power > largest)
    power /= 2.0;
  while (2.0 * power <= largest)
    power *= 2.0;
  return power;
}

typedef struct {
  const sparse_matrix *matrix;
  const double *x;
  int found;
  double worst_column; /* |sum_i c_i a_i|, relative to its terms */
  double
      worst_product; /* |sum_i c_i w_i^2 x_i|, likewise, with the weights of linear/deficient.h */
} relations;

static void look_at_relation(void *context, int dropped, int n, const int index[],
                             const double coefficient[])
{
  relations *r = context;
  const sparse_matrix *m = r->matrix;
  double sum[most_unknowns] = {0};
  double terms = 0.0;
  double product = 0.0;
  double product_terms = 0.0;

  for (int i = 0; i < n; i++) {
    for (int e = 0; e < m->pattern.entries; e++)
      if (m->pattern.col[e] == index[i]) {
        sum[m->pattern.row[e]] += coefficient[i] * m->values[e];
        terms = fmax(terms, fabs(coefficient[i] * m->values[e]));
      }
    if (r->x) {
      const double w = weight_of(m, index[i]);
      product += coefficient[i] * w * w * r->x[index[i]];
      product_terms += fabs(coefficient[i] * w * w * r->x[index[i]]);
    }
    assert_true(index[i] != dropped || coefficient[i] == -1.0);
  }
  for (int i = 0; i < m->pattern.rows; i++)
    r->worst_column = fmax(r->worst_column, fabs(sum[i]) / terms);
  r->worst_product = r->x ? fmax(r->worst_product, fabs(product) / product_terms) : 0.0;
  r->found++;
}

/* Solves for a right-hand side in the range, and returns the worst residual, relative to it. */
static double check_solution(const sparse_matrix *m, sw_redundant how, int deficiency, int sign,
                             relations *found)
{
  const int n = m->pattern.rows;
  const sw_multipliers all = {how, 0, n};
  sw_redundancy *redundancy = NULL;
  sw_deficient *deficient = NULL;
  double any[most_unknowns], b[most_unknowns], x[most_unknowns], y[most_unknowns];
  double worst = 0.0, size = 0.0;
  int zeros = 0;

  for (int i = 0; i < n; i++)
    any[i] = 1.0 + 0.1 * i;
  multiply(m, any, b);
  memcpy(x, b, sizeof x);
  assert_int_equal(sw_deficient_create(&m->pattern, all, &deficient), SW_OK);
  assert_int_equal(sw_deficient_factor(deficient, m->values), SW_OK);
  assert_int_equal(sw_deficient_dropped(deficient), deficiency);
  /* The same matrix again, with the choice that was made. */
  assert_int_equal(sw_deficient_factor(deficient, m->values), SW_OK);
  assert_int_equal(sw_deficient_dropped(deficient), deficiency);
  if (sign)
    assert_int_equal(sw_deficient_sign(deficient), sign);
  sw_deficient_solve(deficient, x);
  multiply(m, x, y);
  for (int i = 0; i < n; i++) {
    worst = fmax(worst, fabs(y[i] - b[i]));
    size = fmax(size, fabs(b[i]));
    zeros += x[i] == 0.0;
  }
  assert_int_equal(zeros, how == SW_REDUNDANT_DROP ? deficiency : 0);
  *found = (relations){m, how == SW_REDUNDANT_MIN_NORM ? x : NULL, 0, 0.0, 0.0};
  assert_int_equal(sw_redundancy_create(&m->pattern, 0, n, SW_REDUNDANCY_BLOCK, &redundancy),
                   SW_OK);
  assert_int_equal(sw_redundancy_find(redundancy, m->values, look_at_relation, found), deficiency);
  found->x = NULL;
  sw_redundancy_free(&redundancy);
  sw_deficient_free(&deficient);
  return worst / size;
}

static void check_both(full_matrix *m, int deficiency, int sign)
{
  sparse_matrix s = sparse(m);
  relations found;

  for (int how = SW_REDUNDANT_DROP; how <= SW_REDUNDANT_MIN_NORM; how++) {
    assert_true(check_solution(&s, (sw_redundant)how, deficiency, sign, &found) < 1e-9);
    assert_int_equal(found.found, deficiency);
    assert_true(found.worst_column < 1e-9);
    assert_true(found.worst_product < 1e-9);
  }
  release(&s);
  free(m);
}

static void equations_hold(void **state)
{
  uint64_t seed = 7;
  int sign;

  (void)state;
  for (int n = 2; n <= 20; n += 3)
    for (int rank = 1; rank < n; rank++) {
      full_matrix *m = low_rank(n, rank, 0, &seed, &sign);
      check_both(m, n - rank, 1);
      m = low_rank(n, rank, 1, &seed, &sign);
      check_both(m, n - rank, sign);
    }
  /* In the envelope, block by block. */
  for (int count = 3; count <= 12; count += 3)
    check_both(low_rank_blocks(count, &seed), 2 * count, 1);
}

/* Unknowns and equations in units that differ by 1e12. */
static void units_do_not_matter(void **state)
{
  uint64_t seed = 3;

  (void)state;
  for (int rank = 4; rank < 9; rank++) {
    int sign;
    full_matrix *m = low_rank(9, rank, 0, &seed, &sign);
    for (int i = 0; i < 9; i++)
      for (int j = 0; j < 9; j++)
        m->A[j * 9 + i] *= pow(10.0, i % 2 ? 6 : 0) * pow(10.0, j % 2 ? -6 : 0);
    sparse_matrix s = sparse(m);
    sw_redundancy *redundancy = NULL;
    assert_int_equal(sw_redundancy_create(&s.pattern, 0, 9, SW_REDUNDANCY_BLOCK, &redundancy),
                     SW_OK);
    assert_int_equal(sw_redundancy_find(redundancy, s.values, NULL, NULL), 9 - rank);
    sw_redundancy_free(&redundancy);
    release(&s);
    free(m);
  }
}

/* A regular matrix is solved as ever, however it is scaled; one with a small pivot is not taken for
 * a singular one. */
static void regular_ones_are_left_alone(void **state)
{
  uint64_t seed = 11;

  (void)state;
  for (int small = 0; small < 11; small++) {
    int sign;
    full_matrix *m = low_rank(8, 8, 0, &seed, &sign);
    /* Two rows and columns that are nearly the same. */
    for (int i = 0; i < 8; i++)
      set(m, i, 1, m->A[i]);
    for (int j = 0; j < 8; j++)
      set(m, 1, j, m->A[j * 8]);
    m->A[8 + 1] += pow(10.0, -small);
    sparse_matrix s = sparse(m);
    relations found;
    (void)check_solution(&s, SW_REDUNDANT_DROP, 0, 1, &found);
    release(&s);
    free(m);
  }
}

/* Columns 0 and 3 are the same; who is no multiplier is not dropped. */
static void only_multipliers_are_dropped(void **state)
{
  full_matrix *m = matrix(4);
  sw_redundancy *redundancy = NULL;

  (void)state;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      set(m, i, j, j % 3 == 0 ? 1.0 + i : i == j ? 2.0 : 0.25);
  sparse_matrix s = sparse(m);
  for (int only = 0; only < 4; only++) {
    assert_int_equal(sw_redundancy_create(&s.pattern, only, 1, SW_REDUNDANCY_BLOCK, &redundancy),
                     SW_OK);
    const int found = sw_redundancy_find(redundancy, s.values, NULL, NULL);
    assert_int_equal(found, only % 3 == 0);
    for (int i = 0; i < 4; i++)
      assert_int_equal(sw_redundancy_dropped(redundancy)[i], found && i == only);
    sw_redundancy_free(&redundancy);
  }
  release(&s);
  free(m);
}

/* A chain of unknowns that is closed by nothing: the second difference, whose null space is 1. */
static int second_difference(int n, int row[], int col[], double values[])
{
  int entries = 0;

  for (int i = 0; i < n; i++)
    for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < n; j++) {
      const int ends = (i == 0) + (i == n - 1);
      row[entries] = i;
      col[entries] = j;
      values[entries++] = i == j ? 2.0 - ends : -1.0;
    }
  return entries;
}

static void large_blocks_are_refused(void **state)
{
  enum { large = SW_REDUNDANCY_BLOCK + 1 };
  static int row[3 * large], col[3 * large];
  static double values[3 * large];

  (void)state;
  for (int n = large - 1; n <= large; n++) {
    const sw_multipliers all = {SW_REDUNDANT_DROP, 0, n};
    sw_redundancy *redundancy = NULL;
    sw_deficient *deficient = NULL;
    const sw_pattern pattern = {n, n, second_difference(n, row, col, values), row, col};
    assert_int_equal(sw_redundancy_create(&pattern, 0, n, SW_REDUNDANCY_BLOCK, &redundancy), SW_OK);
    assert_int_equal(sw_redundancy_too_large(redundancy), n == large ? n : 0);
    assert_int_equal(sw_redundancy_find(redundancy, values, NULL, NULL), n < large);
    sw_redundancy_free(&redundancy);
    assert_int_equal(sw_deficient_create(&pattern, all, &deficient), SW_OK);
    assert_int_equal(sw_deficient_factor(deficient, values), n == large ? SW_ERR_SINGULAR : SW_OK);
    sw_deficient_free(&deficient);
  }
}

static void not_finite_is_refused(void **state)
{
  uint64_t seed = 5;
  int sign;
  full_matrix *m = low_rank(5, 3, 0, &seed, &sign);
  sparse_matrix s = sparse(m);
  const sw_multipliers all = {SW_REDUNDANT_MIN_NORM, 0, 5};
  sw_redundancy *redundancy = NULL;
  sw_deficient *deficient = NULL;

  (void)state;
  assert_int_equal(sw_redundancy_create(&s.pattern, 0, 5, SW_REDUNDANCY_BLOCK, &redundancy), SW_OK);
  assert_int_equal(sw_deficient_create(&s.pattern, all, &deficient), SW_OK);
  for (int e = 0; e < s.pattern.entries; e++) {
    const double kept = s.values[e];
    s.values[e] = e % 2 ? (double)NAN : (double)INFINITY;
    assert_int_equal(sw_redundancy_find(redundancy, s.values, NULL, NULL), -1);
    assert_int_equal(sw_deficient_factor(deficient, s.values), SW_ERR_SINGULAR);
    s.values[e] = kept;
    assert_int_equal(sw_deficient_factor(deficient, s.values), SW_OK);
    assert_int_equal(sw_deficient_dropped(deficient), 2);
  }
  sw_redundancy_free(&redundancy);
  sw_deficient_free(&deficient);
  release(&s);
  free(m);
}

/* x + y = 1 and 2 x + 2 y = `twice`. */
static void tied(void *context, const double u[], double F[])
{
  const double *twice = context;

  F[0] = u[0] + u[1] - 1.0;
  F[1] = 2.0 * u[0] + 2.0 * u[1] - *twice;
}

static void tied_jac(void *context, const double u[], double J[])
{
  (void)context;
  (void)u;
  J[0] = J[1] = 1.0;
  J[2] = J[3] = 2.0;
}

static sw_status solve_tied(sw_redundant how, double twice, double u[2])
{
  int row[] = {0, 0, 1, 1};
  int col[] = {0, 1, 0, 1};
  const sw_pattern pattern = {2, 2, 4, row, col};
  const sw_multipliers all = {how, 0, 2};
  const sw_problem problem = {tied, tied_jac, &twice};
  sw_solve_report report;
  sw_solver *solver = NULL;

  u[0] = u[1] = 0.0;
  assert_int_equal(sw_solver_create(&pattern, all, 1e-12, 30, &solver), SW_OK);
  const sw_status status = sw_solver_solve(solver, &problem, u, &report);
  assert_int_equal(sw_solver_root(solver).dropped, how != SW_REDUNDANT_ERROR);
  sw_solver_free(&solver);
  return status;
}

static void contradictions_are_seen(void **state)
{
  double u[2];

  (void)state;
  assert_int_equal(solve_tied(SW_REDUNDANT_ERROR, 2.0, u), SW_ERR_SINGULAR);
  assert_int_equal(solve_tied(SW_REDUNDANT_DROP, 2.0, u), SW_OK);
  assert_true(fabs(u[0] + u[1] - 1.0) < 1e-15 && (u[0] == 0.0) != (u[1] == 0.0));
  assert_int_equal(solve_tied(SW_REDUNDANT_MIN_NORM, 2.0, u), SW_OK);
  assert_true(fabs(u[0] - 0.5) < 1e-15 && fabs(u[1] - 0.5) < 1e-15);
  assert_int_equal(solve_tied(SW_REDUNDANT_DROP, 2.01, u), SW_ERR_NOT_CONVERGED);
  assert_int_equal(solve_tied(SW_REDUNDANT_MIN_NORM, 2.01, u), SW_ERR_NOT_CONVERGED);
}

/* A solve that runs into a singular matrix changes its multipliers as little as it can. */
static void late_rank_loss_gives_the_shortest_change(void **state)
{
  int row[] = {0, 0, 1, 1};
  int col[] = {0, 1, 0, 1};
  const double regular[] = {2.0, 1.0, 1.0, 2.0};
  const double ones[] = {1.0, 1.0, 1.0, 1.0};
  const sw_pattern pattern = {2, 2, 4, row, col};
  const sw_multipliers all = {SW_REDUNDANT_DROP, 0, 2};
  sw_deficient *deficient = NULL;

  (void)state;
  assert_int_equal(sw_deficient_create(&pattern, all, &deficient), SW_OK);
  for (int late = 0; late < 2; late++) {
    const double expected[2][2] = {{1.0, 0.0}, {0.5, 0.5}};
    double x[2] = {1.0, 1.0};
    sw_deficient_begin(deficient);
    if (late)
      assert_int_equal(sw_deficient_factor(deficient, regular), SW_OK);
    assert_int_equal(sw_deficient_factor(deficient, ones), SW_OK);
    assert_int_equal(sw_deficient_dropped(deficient), 1);
    sw_deficient_solve(deficient, x);
    assert_all_near(x, expected[late], 2, 1e-15);
  }
  sw_deficient_free(&deficient);
}

static void memory(void **state)
{
  uint64_t seed = 9;
  const sw_multipliers all = {SW_REDUNDANT_MIN_NORM, 0, 48};
  sw_deficient *deficient = NULL;
  double x[48];
  int failures = 0;

  (void)state;
  full_matrix *m = low_rank_blocks(8, &seed);
  sparse_matrix s = sparse(m);
  for (int failed = 1; failed; failures += failed) {
    const long kept = allocations - releases;
    fail_at = failures + 1;
    const sw_status status = sw_deficient_create(&s.pattern, all, &deficient);
    failed = fail_at == 0;
    fail_at = 0;
    assert_int_equal(status, failed ? SW_ERR_MEMORY : SW_OK);
    if (failed) {
      assert_null(deficient);
      assert_int_equal(allocations - releases, kept);
    }
  }
  assert_true(failures > 20);
  const long before = allocations;
  assert_int_equal(sw_deficient_factor(deficient, s.values), SW_OK);
  multiply(&s, s.values, x);
  sw_deficient_solve(deficient, x);
  assert_int_equal(sw_deficient_dropped(deficient), 16);
  assert_int_equal(allocations, before);
  sw_deficient_free(&deficient);
  release(&s);
  free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equations_hold),
      cmocka_unit_test(units_do_not_matter),
      cmocka_unit_test(regular_ones_are_left_alone),
      cmocka_unit_test(only_multipliers_are_dropped),
      cmocka_unit_test(large_blocks_are_refused),
      cmocka_unit_test(not_finite_is_refused),
      cmocka_unit_test(contradictions_are_seen),
      cmocka_unit_test(late_rank_loss_gives_the_shortest_change),
      cmocka_unit_test(memory),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
