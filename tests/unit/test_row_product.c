/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_row_product.c -- products along rows (linear/row_product.h) are those of lists of terms, for
 * rows that repeat and for rows that do not; runs lead along all rows, and their kernels make the
 * sums that they say.
 */
#include <math.h>
#include <stdlib.h>

#include "common/random.h"
#include "linear/row_product.h"
#include "linear/row_runs.h"
#include "linear/sparse_product.h"
#include "near.h"

enum { most_rows = 300, most_cols = 1300, most_entries = 6 * most_rows };

typedef struct made {
  sw_pattern pattern;
  double *values;
} made;

static double uniform(uint64_t *seed)
{
  return 0.5 * (sw_random(seed) + 1.0);
}

/* The rows of a chain, each so many columns behind the one before, of which each entry is kept with
 * that probability. */
static made make(int rows, int step, double kept, uint64_t *seed)
{
  int row[most_entries];
  int col[most_entries];
  int n = 0;
  made a;

  for (int i = 0; i < rows; i++) {
    for (int t = 0; t < 6; t++) {
      if (uniform(seed) < kept) {
        row[n] = i;
        col[n++] = step * i + t;
      }
    }
  }
  assert_int_equal(sw_pattern_create(rows, most_cols, n, row, col, &a.pattern, NULL), SW_OK);
  a.values = calloc((size_t)n + 1, sizeof *a.values);
  assert_non_null(a.values);
  for (int e = 0; e < a.pattern.entries; e++) {
    a.values[e] = uniform(seed) - 0.5;
  }
  return a;
}

static void drop(made *a)
{
  sw_pattern_free(&a->pattern);
  free(a->values);
}

/* C x in two ranges of rows, against the sums that it stands for. */
static void check_times(const sw_row_product *product, const sw_pattern *C, const double c[],
                        uint64_t *seed)
{
  double x[most_rows];
  double y[most_rows];
  double expected[most_rows] = {0.0};
  const int middle = (int)(uniform(seed) * C->rows);

  for (int i = 0; i < most_rows; i++) {
    x[i] = uniform(seed) - 0.5;
    y[i] = NAN;
  }
  for (int e = 0; e < C->entries; e++) {
    expected[C->row[e]] += c[e] * x[C->col[e]];
  }
  sw_row_product_times(product, middle, C->rows, c, C->col, x, y);
  sw_row_product_times(product, 0, middle, c, C->col, x, y);
  for (int i = 0; i < C->rows; i++) {
    assert_true(y[i] == expected[i]);
  }
}

/* C = A B^T by rows, against terms of A and the transposed B. */
static void compare(const made *a, const made *b, uint64_t *seed)
{
  sw_pattern C = {0};
  sw_pattern expected = {0};
  sw_pattern transposed = {0};
  sw_product terms = {0};
  sw_row_product product = {0};
  int *place = calloc((size_t)b->pattern.entries + 1, sizeof *place);
  double *moved = calloc((size_t)b->pattern.entries + 1, sizeof *moved);
  double factor[most_rows];

  assert_true(place && moved);
  assert_int_equal(sw_row_product_create(&a->pattern, &b->pattern, &product, &C), SW_OK);
  assert_int_equal(sw_pattern_transpose(&b->pattern, &transposed, place), SW_OK);
  assert_int_equal(sw_product_create(&a->pattern, &transposed, &terms, &expected), SW_OK);
  for (int e = 0; e < b->pattern.entries; e++) {
    moved[place[e]] = b->values[e];
  }
  for (int i = 0; i < most_rows; i++) {
    factor[i] = 0.5 + uniform(seed);
  }
  double *c = calloc(2 * (size_t)expected.entries + 1, sizeof *c);
  double *by_terms = c + expected.entries;
  assert_non_null(c);
  assert_int_equal(C.entries, expected.entries);
  /* All rows, in two ranges. */
  const int middle = (int)(uniform(seed) * a->pattern.rows);
  sw_row_product_values(&product, middle, a->pattern.rows, a->values, b->values, factor, c);
  sw_row_product_values(&product, 0, middle, a->values, b->values, factor, c);
  sw_product_values(&terms, a->values, moved, by_terms);
  for (int e = 0; e < C.entries; e++) {
    assert_int_equal(C.row[e], expected.row[e]);
    assert_int_equal(C.col[e], expected.col[e]);
    assert_near(c[e], by_terms[e] * factor[C.row[e]], 4e-16);
  }
  check_times(&product, &C, c, seed);
  sw_row_product_free(&product);
  sw_product_free(&terms);
  sw_pattern_free(&C);
  sw_pattern_free(&expected);
  sw_pattern_free(&transposed);
  free(place);
  free(moved);
  free(c);
}

static void products_are_those_of_terms(void **state)
{
  static const double kept[] = {1.0, 0.98, 0.5, 0.05};
  uint64_t seed = 7;

  (void)state;
  for (size_t i = 0; i < 4; i++) {
    for (size_t j = 0; j < 4; j++) {
      for (int step = 1; step <= 3; step += 2) {
        made a = make(most_rows, step, kept[i], &seed);
        made b = make(most_rows - 20, step, kept[j], &seed);
        compare(&a, &b, &seed);
        drop(&a);
        drop(&b);
      }
    }
  }
}

/* A chain is hardly more than one strip. */
static void rows_that_repeat_are_one_strip(void **state)
{
  uint64_t seed = 7;
  made a = make(most_rows, 1, 1.0, &seed);
  sw_row_product product;
  sw_pattern C;

  (void)state;
  assert_int_equal(sw_row_product_create(&a.pattern, &a.pattern, &product, &C), SW_OK);
  /* The first and the last five rows have fewer neighbours. */
  assert_int_equal(product.strips, 11);
  sw_row_product_free(&product);
  sw_pattern_free(&C);
  drop(&a);
}

/* to += factor A^T x and A x, and the sizes of the terms, by the kernels, against the sums that
 * they stand for: for rows whose columns stand side by side, for rows that begin in the middle of
 * the one before, and for others. */
static void kernels_make_the_sums(void **state)
{
  static const double kept[] = {1.0, 0.9};
  uint64_t seed = 8;

  (void)state;
  for (int part = 0; part < 8; part++) {
    made a = make(most_rows, part / 2 + 1, kept[part % 2], &seed);
    const sw_pattern *A = &a.pattern;
    double x[most_cols];
    double to[most_cols];
    double expected[most_cols];
    double sums[most_rows];
    double sizes[most_rows];
    double expected_sums[most_rows] = {0.0};
    double expected_sizes[most_rows] = {0.0};
    sw_runs runs;
    assert_int_equal(sw_runs_create(A, &runs), SW_OK);
    for (int j = 0; j < most_cols; j++) {
      x[j] = uniform(&seed) - 0.5;
      to[j] = expected[j] = uniform(&seed);
    }
    for (int e = 0; e < A->entries; e++) {
      expected[A->col[e]] += a.values[e] * (0.7 * x[A->row[e]]);
      expected_sums[A->row[e]] += a.values[e] * x[A->col[e]];
      expected_sizes[A->row[e]] += fabs(a.values[e] * x[A->col[e]]);
    }
    SW_ALONG_ROWS(&runs, 0, most_rows, sw_add_rows, A->col, a.values, 0.7, x, to)
    SW_ALONG_ROWS(&runs, 0, most_rows, sw_multiply_rows, A->col, a.values, x, sums, sizes)
    for (int j = 0; j < most_cols; j++) {
      assert_true(to[j] == expected[j]);
    }
    for (int i = 0; i < most_rows; i++) {
      assert_near(sums[i], expected_sums[i], 2e-15);
      assert_near(sizes[i], expected_sizes[i], 2e-15);
    }
    sw_runs_free(&runs);
    drop(&a);
  }
}

static inline void count(const sw_run *run, int width, int is_dense, const int col[], int seen[])
{
  for (int i = run->first; i < run->end; i++) {
    for (int t = 0; t < width; t++) {
      const int e = run->entry + (i - run->first) * width + t;
      const int dense = run->col + (i - run->first) * run->step;
      assert_int_equal(sw_run_column(is_dense, dense, col + e - t, t), col[e]);
      seen[e]++;
    }
  }
}

static void runs_lead_along_all_rows(void **state)
{
  static const double kept[] = {1.0, 0.999, 0.5};
  uint64_t seed = 7;

  (void)state;
  for (size_t i = 0; i < 3; i++) {
    made a = make(most_rows, 1, kept[i], &seed);
    int *seen = calloc((size_t)a.pattern.entries + 1, sizeof *seen);
    sw_runs runs;
    assert_non_null(seen);
    assert_int_equal(sw_runs_create(&a.pattern, &runs), SW_OK);
    const int middle = (int)(uniform(&seed) * most_rows);
    SW_ALONG_ROWS(&runs, middle, most_rows, count, a.pattern.col, seen)
    SW_ALONG_ROWS(&runs, 0, middle, count, a.pattern.col, seen)
    for (int e = 0; e < a.pattern.entries; e++) {
      assert_int_equal(seen[e], 1);
    }
    assert_true(i > 0 || runs.n == 1);
    sw_runs_free(&runs);
    free(seen);
    drop(&a);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_are_those_of_terms),
      cmocka_unit_test(rows_that_repeat_are_one_strip),
      cmocka_unit_test(kernels_make_the_sums),
      cmocka_unit_test(runs_lead_along_all_rows),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
