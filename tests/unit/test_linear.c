/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_linear.c -- linear systems of many patterns against dense LU, and how each of them is
 * solved.
 */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "checks/model_check.h"
#include "linear/linear_solver.h"
#include "matrices.h"
#include "near.h"

/* Factorises m with `linear`: the residual of a solve, sign and condition. */
static void check_factors(sw_linear *linear, const full_matrix *m, const sparse_matrix *s,
                          const char *kind)
{
  const double condition = true_condition(m);
  uint64_t seed = 17;
  double x[most];
  double b[most] = {0};
  double size = 0.0;

  for (int j = 0; j < m->n; j++) {
    x[j] = uniform(&seed);
    for (int i = 0; i < m->n; i++)
      b[i] += m->A[j * m->n + i] * x[j];
  }
  assert_int_equal(sw_linear_factor(linear, s->values), SW_OK);
  assert_string_equal(sw_linear_kind(linear), kind);
  sw_linear_solve(linear, b);
  for (int i = 0; i < m->n; i++)
    size = fmax(size, fabs(x[i]));
  assert_all_near(b, x, m->n, 1e4 * DBL_EPSILON * condition * size);
  assert_int_equal(sw_linear_sign(linear), dense_sign(m));

  double estimate = 0.0;
  assert_int_equal(sw_condition_estimate(&s->pattern, s->values, &estimate), SW_OK);
  assert_below(estimate, 1.001 * condition);
  assert_below(condition, 10.0 * estimate);
}

/* What has been factorised before leaves no trace: a solve has the digits of one after nothing
 * else. */
static void check_memory(sw_linear *linear, const sparse_matrix *s)
{
  const int n = s->pattern.rows;
  sw_linear *fresh = NULL;
  double x[most];
  double y[most];

  for (int i = 0; i < n; i++)
    x[i] = y[i] = 1.0 + 0.1 * i;
  assert_int_equal(sw_linear_create(&s->pattern, &fresh), SW_OK);
  assert_int_equal(sw_linear_factor(fresh, s->values), SW_OK);
  sw_linear_solve(fresh, x);
  sw_linear_solve(linear, y);
  assert_memory_equal(x, y, (size_t)n * sizeof *x);
  sw_linear_free(&fresh);
}

/* m, and then a few more matrices of its pattern, whose entries are those of m moved by a tenth. */
static void check(full_matrix *m, const char *kind)
{
  sparse_matrix s = sparse(m);
  sw_linear *linear = NULL;
  uint64_t seed = 5;

  assert_int_equal(sw_linear_create(&s.pattern, &linear), SW_OK);
  for (int round = 0; round < 4; round++) {
    check_factors(linear, m, &s, kind);
    check_memory(linear, &s);
    for (int e = 0; e < s.pattern.entries; e++) {
      s.values[e] *= 1.0 + 0.2 * uniform(&seed);
      m->A[s.col[e] * m->n + s.row[e]] = s.values[e];
    }
  }
  sw_linear_free(&linear);
  assert_null(linear);
  release(&s);
  free(m);
}

static void small_and_full_ones_are_dense(void **state)
{
  uint64_t seed = 1;

  (void)state;
  for (int n = 1; n <= 12; n++) {
    full_matrix *m = matrix(n);
    for (int i = 0; i < n * n; i++)
      if (n < 3 || uniform(&seed) < 0.2 || i % (n + 1) == 0)
        set(m, i % n, i / n, uniform(&seed));
    check(m, "dense");
  }
  check(banded(60, 59, 59, &seed), "dense");
}

static void bands_keep_to_their_envelope(void **state)
{
  uint64_t seed = 2;

  (void)state;
  for (int n = 13; n < 40; n += 3) {
    check(banded(n, 1, 1, &seed), "envelope");
    check(shuffled(banded(n, 1, 1, &seed), &seed), "envelope");
  }
  check(banded(100, 0, 0, &seed), "envelope");
  check(banded(100, 1, 0, &seed), "envelope");
  check(banded(100, 0, 2, &seed), "envelope");
  check(banded(100, 3, 1, &seed), "envelope");
  check(shuffled(banded(100, 2, 3, &seed), &seed), "envelope");
  check(shuffled(banded(150, 5, 5, &seed), &seed), "envelope");
  check(banded(250, 249, 249, &seed), "envelope");
}

static void blocks_keep_to_their_envelope(void **state)
{
  uint64_t seed = 3;

  (void)state;
  for (int size = 1; size <= 7; size++) {
    check(blocks(20, size, &seed), "envelope");
    check(shuffled(blocks(20, size, &seed), &seed), "envelope");
  }
}

/* A first or a last row and column that couple all: wherever they stand, the order puts them
 * last. */
static void arrows_keep_to_their_envelope(void **state)
{
  uint64_t seed = 4;

  (void)state;
  for (int hub = 0; hub < 60; hub += 59) {
    full_matrix *m = matrix(60);
    for (int i = 0; i < 60; i++) {
      set(m, i, hub, uniform(&seed));
      set(m, hub, i, uniform(&seed));
      set(m, i, i, 2.0 + uniform(&seed));
    }
    check(m, "envelope");
  }
}

static void others_are_left_to_klu(void **state)
{
  uint64_t seed = 5;

  (void)state;
  check(grid(6, &seed), "envelope");
  check(shuffled(grid(20, &seed), &seed), "KLU");
  for (int n = 20; n <= 200; n += 30) {
    check(scattered(n, 0, &seed), "KLU");
    check(scattered(n, 3, &seed), "KLU");
  }
}

/* The diagonal is zero, in the pattern or by value: sizes 2 n, blocks 0 1 / 1 0 in a band. */
static void zero_diagonals_are_left_to_klu(void **state)
{
  (void)state;
  for (int stored = 0; stored < 2; stored++) {
    uint64_t seed = 6;
    full_matrix *m = matrix(50);
    for (int i = 0; i < 50; i++) {
      const double size = 1.0 + 0.5 * uniform(&seed);
      set(m, i, i ^ 1, i % 3 ? size : -size);
      if (i > 1)
        set(m, i, i - 2, 0.3 * uniform(&seed));
      if (stored)
        set(m, i, i, 0.0);
    }
    check(m, "KLU");
  }
}

/* One small pivot: the matrix is fine, the envelope's order is not; the next matrix has no such
 * pivot. */
static void bad_pivots_are_left_to_klu(void **state)
{
  static const double pivots[] = {0.0, 1e-300, 1e-17, -1e-9, 1e-4};
  uint64_t seed = 7;
  full_matrix *m = banded(40, 1, 1, &seed);
  sparse_matrix s = sparse(m);
  sw_linear *linear = NULL;

  (void)state;
  assert_int_equal(sw_linear_create(&s.pattern, &linear), SW_OK);
  for (size_t p = 0; p < sizeof pivots / sizeof pivots[0]; p++) {
    const double kept = m->A[0];
    check_factors(linear, m, &s, "envelope");
    check_memory(linear, &s);
    m->A[0] = s.values[0] = pivots[p];
    check_factors(linear, m, &s, "KLU");
    check_memory(linear, &s);
    m->A[0] = s.values[0] = kept;
  }
  sw_linear_free(&linear);
  release(&s);
  free(m);
}

/* Pivots on the diagonal are zero here, and those that are good for one matrix are nearly zero in
 * the next. */
static void pivots_are_chosen_anew(void **state)
{
  enum { n = 60 };
  uint64_t seed = 8;
  full_matrix *m = scattered(n, 3, &seed);
  sw_linear *linear = NULL;

  (void)state;
  for (int i = 0; i < n; i++)
    set(m, i, (i + 11) % n, 0.0);
  sparse_matrix s = sparse(m);
  assert_int_equal(sw_linear_create(&s.pattern, &linear), SW_OK);
  for (int round = 0; round < 20; round++) {
    const int large = round % 2 ? 7 : 11;
    for (int e = 0; e < s.pattern.entries; e++) {
      const int shift = (s.col[e] - s.row[e] + n) % n;
      s.values[e] = shift == large ? 1.0 + uniform(&seed) : 1e-9 * uniform(&seed);
      m->A[s.col[e] * n + s.row[e]] = s.values[e];
    }
    check_factors(linear, m, &s, "KLU");
    check_memory(linear, &s);
  }
  sw_linear_free(&linear);
  release(&s);
  free(m);
}

/* Refused, and the next good matrix of the pattern is taken. */
static void check_refused(full_matrix *m, const double spoiled[], const sparse_matrix *s)
{
  sw_linear *linear = NULL;

  assert_int_equal(sw_linear_create(&s->pattern, &linear), SW_OK);
  assert_int_equal(sw_linear_factor(linear, spoiled), SW_ERR_SINGULAR);
  assert_int_equal(sw_linear_factor(linear, s->values), SW_OK);
  assert_int_equal(sw_linear_factor(linear, spoiled), SW_ERR_SINGULAR);
  assert_int_equal(sw_linear_factor(linear, s->values), SW_OK);
  assert_int_equal(sw_linear_sign(linear), dense_sign(m));
  sw_linear_free(&linear);
}

static void check_singular(full_matrix *m)
{
  sparse_matrix s = sparse(m);
  double *spoiled = calloc((size_t)s.pattern.entries, sizeof *spoiled);
  const int middle = m->n / 2;

  assert_non_null(spoiled);
  for (int trial = 0; trial < 4; trial++) {
    memcpy(spoiled, s.values, (size_t)s.pattern.entries * sizeof *spoiled);
    for (int e = 0; e < s.pattern.entries; e++) {
      if (trial == 0 && s.row[e] == middle)
        spoiled[e] = 0.0;
      if (trial == 1 && s.col[e] == middle)
        spoiled[e] = 0.0;
      if (trial == 2 && s.row[e] == middle && s.col[e] == middle)
        spoiled[e] = NAN;
      if (trial == 3)
        spoiled[e] = 0.0;
    }
    check_refused(m, spoiled, &s);
  }
  free(spoiled);
  release(&s);
  free(m);
}

static void singular_matrices_are_refused(void **state)
{
  uint64_t seed = 9;

  (void)state;
  check_singular(banded(5, 1, 1, &seed));
  check_singular(banded(50, 1, 1, &seed));
  check_singular(blocks(10, 3, &seed));
  check_singular(shuffled(grid(20, &seed), &seed));
}

/* The solver relies on it: wherever a value is not finite, the matrix is refused. */
static void no_kind_takes_what_is_not_finite(void **state)
{
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  uint64_t seed = 11;
  full_matrix *matrices[] = {banded(1, 0, 0, &seed),  banded(9, 8, 8, &seed),
                             banded(9, 1, 1, &seed),  banded(30, 1, 1, &seed),
                             banded(30, 3, 2, &seed), blocks(6, 3, &seed),
                             scattered(20, 2, &seed)};

  (void)state;
  for (size_t t = 0; t < sizeof matrices / sizeof matrices[0]; t++) {
    sparse_matrix s = sparse(matrices[t]);
    sw_linear *linear = NULL;
    assert_int_equal(sw_linear_create(&s.pattern, &linear), SW_OK);
    for (int e = 0; e < s.pattern.entries; e++)
      for (size_t b = 0; b < sizeof bad / sizeof bad[0]; b++) {
        const double kept = s.values[e];
        s.values[e] = bad[b];
        assert_int_equal(sw_linear_factor(linear, s.values), SW_ERR_SINGULAR);
        s.values[e] = kept;
      }
    assert_int_equal(sw_linear_factor(linear, s.values), SW_OK);
    sw_linear_free(&linear);
    release(&s);
    free(matrices[t]);
  }
}

/* What elimination leaves of the last column is round-off: no kind takes it for a pivot. */
static void round_off_is_no_pivot(void **state)
{
  static const int sizes[] = {4, 30, 300};

  (void)state;
  for (size_t t = 0; t < sizeof sizes / sizeof sizes[0]; t++)
    for (int wide = 0; wide < 2; wide++) {
      const int n = sizes[t];
      full_matrix *m = matrix(n);
      /* A path's or circle's differences, each weighted: constants are in the kernel. */
      for (int i = 0; i < n; i++) {
        const int steps[2] = {1, wide && n > 4 ? 2 * n / 5 : 1};
        for (int w = 0; w <= wide; w++)
          for (int side = -1; side <= 1; side += 2) {
            const int j = (i + side * steps[w] + n) % n;
            const double weight = 0.1 * (1 + (i * j) % 7);
            if (!wide && abs(i - j) != 1)
              continue;
            set(m, i, j, -weight);
          }
        double sum = 0.0;
        for (int j = 0; j < n; j++)
          sum += j == i ? 0.0 : m->A[j * n + i];
        set(m, i, i, -sum);
      }
      sparse_matrix s = sparse(m);
      sw_linear *linear = NULL;
      assert_int_equal(sw_linear_create(&s.pattern, &linear), SW_OK);
      /* Round-off adds up along the way, so that what is left may be above the round-off of one
       * column:
       * then the condition tells. */
      double condition = 0.0;
      assert_int_equal(sw_condition_estimate(&s.pattern, s.values, &condition), SW_OK);
      if (!sw_linear_factor(linear, s.values))
        assert_true(condition > 1e13);
      sw_linear_free(&linear);
      release(&s);
      free(m);
    }
}

static void structurally_singular_patterns_are_refused(void **state)
{
  full_matrix *m = matrix(30);
  sparse_matrix s;
  sw_linear *linear = NULL;

  (void)state;
  for (int i = 0; i < 30; i++) {
    set(m, i, 0, 1.0);
    set(m, 0, i, 1.0);
  }
  s = sparse(m);
  assert_int_equal(sw_linear_create(&s.pattern, &linear), SW_OK);
  assert_int_equal(sw_linear_factor(linear, s.values), SW_ERR_SINGULAR);
  assert_int_equal(sw_linear_factor(linear, s.values), SW_ERR_SINGULAR);
  sw_linear_free(&linear);
  release(&s);
  free(m);

  const sw_pattern empty = {20, 20, 0, NULL, NULL};
  const double none[1] = {0.0};
  assert_int_equal(sw_linear_create(&empty, &linear), SW_OK);
  assert_int_equal(sw_linear_factor(linear, none), SW_ERR_SINGULAR);
  sw_linear_free(&linear);
}

/* Scales of the unknowns and of the equations do not make a matrix singular. */
static void scales_do_not_matter(void **state)
{
  uint64_t seed = 10;
  full_matrix *matrices[] = {banded(40, 1, 1, &seed), shuffled(grid(20, &seed), &seed)};

  (void)state;
  for (size_t t = 0; t < sizeof matrices / sizeof matrices[0]; t++) {
    full_matrix *m = matrices[t];
    const int sign = dense_sign(m);
    double scale[most];
    for (int j = 0; j < m->n; j++)
      scale[j] = pow(10.0, 60.0 * uniform(&seed));
    for (int j = 0; j < m->n; j++)
      for (int i = 0; i < m->n; i++)
        m->A[j * m->n + i] *= scale[j];
    sparse_matrix s = sparse(m);
    sw_linear *linear = NULL;
    double x[most];
    assert_int_equal(sw_linear_create(&s.pattern, &linear), SW_OK);
    assert_int_equal(sw_linear_factor(linear, s.values), SW_OK);
    assert_int_equal(sw_linear_sign(linear), sign);
    /* The solution for the sum of the columns, each divided by its scale, is 1/scale. */
    for (int i = 0; i < m->n; i++) {
      x[i] = 0.0;
      for (int j = 0; j < m->n; j++)
        x[i] += m->A[j * m->n + i] / scale[j];
    }
    sw_linear_solve(linear, x);
    for (int j = 0; j < m->n; j++)
      assert_near(x[j] * scale[j], 1.0, 1e-10);
    sw_linear_free(&linear);
    release(&s);
    free(m);
  }
}

/* A small pivot that belongs to an equation with small coefficients: a step of size h with the
 * multiplier and the momentum (1/unit, 2) moves a position by 2 h and has a momentum in units of
 * h. */
static void check_small_equation(double h, double unit)
{
  double x[2] = {2.0 * h, 1.0 + 2.0 / h};
  full_matrix *m = matrix(2);
  sw_linear *linear = NULL;

  set(m, 0, 1, h);
  set(m, 1, 0, unit);
  set(m, 1, 1, 1.0 / h);
  sparse_matrix s = sparse(m);
  assert_int_equal(sw_linear_create(&s.pattern, &linear), SW_OK);
  assert_int_equal(sw_linear_factor(linear, s.values), SW_OK);
  assert_int_equal(sw_linear_sign(linear), -1);
  sw_linear_solve(linear, x);
  assert_near(x[1], 2.0, 1e-15);
  assert_near(x[0] * unit, 1.0, 1e-15 + DBL_EPSILON / h);
  sw_linear_free(&linear);
  release(&s);
  free(m);
}

/* A multiplier that moves a momentum, which moves a position by h^2, all in their own units: no
 * scales that the largest entries of rows and columns tell make the last pivot large. */
static void check_chain(double h)
{
  double x[3] = {2.0, 2.0 + 3.0 * h * h, 4.0}; /* of (1, 2, 3) */
  full_matrix *m = matrix(3);
  sw_linear *linear = NULL;

  set(m, 0, 1, 1.0);
  set(m, 1, 1, 1.0);
  set(m, 1, 2, h * h);
  set(m, 2, 0, 1.0);
  set(m, 2, 2, 1.0);
  sparse_matrix s = sparse(m);
  assert_int_equal(sw_linear_create(&s.pattern, &linear), SW_OK);
  assert_int_equal(sw_linear_factor(linear, s.values), SW_OK);
  sw_linear_solve(linear, x);
  assert_near(x[1], 2.0, 1e-15);
  assert_near(x[2], 3.0, 1e-15 + 4.0 * DBL_EPSILON / (h * h));
  assert_near(x[0] + x[2], 4.0, 1e-15 + DBL_EPSILON * fabs(x[2]));
  sw_linear_free(&linear);
  release(&s);
  free(m);
}

static void equations_may_be_small(void **state)
{
  (void)state;
  for (double h = 1e-1; h > 1e-100; h *= 1e-1)
    check_chain(h);
  for (double h = 1e-1; h > 1e-40; h *= 1e-1)
    for (double unit = 1e-60; unit < 1e70; unit *= 1e30)
      check_small_equation(h, unit);
}

static void freeing_nothing_is_fine(void **state)
{
  sw_linear *none = NULL;

  (void)state;
  sw_linear_free(&none);
  sw_linear_free(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_and_full_ones_are_dense),
      cmocka_unit_test(bands_keep_to_their_envelope),
      cmocka_unit_test(blocks_keep_to_their_envelope),
      cmocka_unit_test(arrows_keep_to_their_envelope),
      cmocka_unit_test(others_are_left_to_klu),
      cmocka_unit_test(zero_diagonals_are_left_to_klu),
      cmocka_unit_test(bad_pivots_are_left_to_klu),
      cmocka_unit_test(pivots_are_chosen_anew),
      cmocka_unit_test(singular_matrices_are_refused),
      cmocka_unit_test(no_kind_takes_what_is_not_finite),
      cmocka_unit_test(round_off_is_no_pivot),
      cmocka_unit_test(structurally_singular_patterns_are_refused),
      cmocka_unit_test(scales_do_not_matter),
      cmocka_unit_test(equations_may_be_small),
      cmocka_unit_test(freeing_nothing_is_fine),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
