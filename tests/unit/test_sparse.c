/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_sparse.c -- patterns and their products, against dense matrices.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "linear/pattern.h"
#include "linear/sparse_product.h"
#include "near.h"

enum { most = 12, most_contributions = 200 };

static unsigned random_below(uint64_t *seed, unsigned bound)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(*seed >> 33) % bound;
}

/* A random pattern of random contributions; count[i][j] is how many of them are at (i,j). */
typedef struct {
  int n;
  int row[most_contributions];
  int col[most_contributions];
  int place[most_contributions];
  int count[most][most];
  sw_pattern pattern;
} sample;

static void fill_sample(sample *s, int rows, int cols, int n, int lower, uint64_t *seed)
{
  memset(s, 0, sizeof *s);
  s->n = rows > 0 && cols > 0 ? n : 0;
  for (int t = 0; t < s->n; t++) {
    s->row[t] = (int)random_below(seed, (unsigned)rows);
    s->col[t] = (int)random_below(seed, lower ? (unsigned)s->row[t] + 1 : (unsigned)cols);
    s->place[t] = -1;
    s->count[s->row[t]][s->col[t]]++;
  }
  assert_int_equal(sw_pattern_create(rows, cols, s->n, s->row, s->col, &s->pattern, s->place),
                   SW_OK);
}

/* Sorted, each entry once, and these are the entries. */
static void check_pattern(const sw_pattern *pattern, int rows, int cols, int count[most][most])
{
  int expected = 0;

  assert_int_equal(pattern->rows, rows);
  assert_int_equal(pattern->cols, cols);
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < cols; j++) {
      if (count[i][j] > 0) {
        assert_true(expected < pattern->entries);
        assert_int_equal(pattern->row[expected], i);
        assert_int_equal(pattern->col[expected], j);
        expected++;
      }
    }
  }
  assert_int_equal(pattern->entries, expected);
  assert_true(expected > 0 || (!pattern->row && !pattern->col));
}

static void patterns_are_sorted(void **state)
{
  static sample s;
  uint64_t seed = 1;

  (void)state;
  for (int repeat = 0; repeat < 300; repeat++) {
    const int rows = (int)random_below(&seed, most + 1);
    const int cols = (int)random_below(&seed, most + 1);
    int start[most + 1];

    fill_sample(&s, rows, cols, (int)random_below(&seed, most_contributions + 1), 0, &seed);
    check_pattern(&s.pattern, rows, cols, s.count);
    for (int t = 0; t < s.n; t++) {
      assert_in_range(s.place[t], 0, s.pattern.entries - 1);
      assert_int_equal(s.pattern.row[s.place[t]], s.row[t]);
      assert_int_equal(s.pattern.col[s.place[t]], s.col[t]);
    }
    sw_pattern_rows(&s.pattern, start);
    assert_int_equal(start[0], 0);
    assert_int_equal(start[rows], s.pattern.entries);
    for (int i = 0; i < rows; i++) {
      for (int e = start[i]; e < start[i + 1]; e++) {
        assert_int_equal(s.pattern.row[e], i);
      }
    }
    sw_pattern_free(&s.pattern);
    assert_null(s.pattern.row);
  }
}

static void transposes_are_transposed(void **state)
{
  static sample s;
  uint64_t seed = 2;

  (void)state;
  for (int repeat = 0; repeat < 100; repeat++) {
    const int rows = (int)random_below(&seed, most + 1);
    const int cols = (int)random_below(&seed, most + 1);
    sw_pattern transposed;
    int place[most * most];
    int count[most][most] = {{0}};

    fill_sample(&s, rows, cols, (int)random_below(&seed, most_contributions + 1), 0, &seed);
    assert_int_equal(sw_pattern_transpose(&s.pattern, &transposed, place), SW_OK);
    for (int e = 0; e < s.pattern.entries; e++) {
      count[s.pattern.col[e]][s.pattern.row[e]] = 1;
      assert_int_equal(transposed.row[place[e]], s.pattern.col[e]);
      assert_int_equal(transposed.col[place[e]], s.pattern.row[e]);
    }
    check_pattern(&transposed, cols, rows, count);
    sw_pattern_free(&transposed);
    sw_pattern_free(&s.pattern);
  }
}

static void symmetric_patterns_repeat_the_lower_triangle(void **state)
{
  static sample s;
  uint64_t seed = 3;

  (void)state;
  for (int repeat = 0; repeat < 100; repeat++) {
    const int rows = (int)random_below(&seed, most + 1);
    sw_pattern whole;
    int source[2 * most * most];
    int count[most][most] = {{0}};

    fill_sample(&s, rows, rows, (int)random_below(&seed, most_contributions + 1), 1, &seed);
    assert_int_equal(sw_pattern_symmetric(&s.pattern, &whole, source), SW_OK);
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < rows; j++) {
        count[i][j] = s.count[i][j] + s.count[j][i];
      }
    }
    check_pattern(&whole, rows, rows, count);
    for (int e = 0; e < whole.entries; e++) {
      const int i = whole.row[e];
      const int j = whole.col[e];
      assert_int_equal(s.pattern.row[source[e]], i > j ? i : j);
      assert_int_equal(s.pattern.col[source[e]], i > j ? j : i);
    }
    sw_pattern_free(&whole);
    sw_pattern_free(&s.pattern);
  }
}

static void dense(const sw_pattern *pattern, const double values[], double out[most][most])
{
  memset(out, 0, sizeof(double[most][most]));
  for (int e = 0; e < pattern->entries; e++) {
    out[pattern->row[e]][pattern->col[e]] = values[e];
  }
}

/* Values are small integers, so that sums are exact. */
static void products_are_products(void **state)
{
  static sample a;
  static sample b;
  uint64_t seed = 4;

  (void)state;
  for (int repeat = 0; repeat < 300; repeat++) {
    const int rows = (int)random_below(&seed, most + 1);
    const int inner = (int)random_below(&seed, most + 1);
    const int cols = (int)random_below(&seed, most + 1);
    double values[3][most * most];
    double A[most][most];
    double B[most][most];
    double C[most][most];
    int count[most][most] = {{0}};
    sw_product product;
    sw_pattern pattern;

    fill_sample(&a, rows, inner, (int)random_below(&seed, 40), 0, &seed);
    fill_sample(&b, inner, cols, (int)random_below(&seed, 40), 0, &seed);
    assert_int_equal(sw_product_create(&a.pattern, &b.pattern, &product, &pattern), SW_OK);
    for (int e = 0; e < most * most; e++) {
      values[0][e] = (double)random_below(&seed, 100) - 50.0;
      values[1][e] = (double)random_below(&seed, 100) - 50.0;
      values[2][e] = NAN;
    }
    sw_product_values(&product, values[0], values[1], values[2]);
    dense(&a.pattern, values[0], A);
    dense(&b.pattern, values[1], B);
    dense(&pattern, values[2], C);
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < cols; j++) {
        double sum = 0.0;
        for (int k = 0; k < inner; k++) {
          sum += A[i][k] * B[k][j];
          count[i][j] += a.count[i][k] > 0 && b.count[k][j] > 0;
        }
        assert_near(C[i][j], sum, 0.0);
      }
    }
    check_pattern(&pattern, rows, cols, count);
    sw_product_free(&product);
    assert_null(product.start);
    sw_pattern_free(&pattern);
    sw_pattern_free(&a.pattern);
    sw_pattern_free(&b.pattern);
  }
}

/* A column of ones times a row of ones, each 2^16 long: 2^32 terms. */
static void too_many_terms_are_refused(void **state)
{
  enum { n = 1 << 16 };
  int *up = calloc(n, sizeof *up);
  int *zero = calloc(n, sizeof *zero);
  sw_product product;
  sw_pattern pattern;

  (void)state;
  assert_non_null(up);
  assert_non_null(zero);
  for (int i = 0; i < n; i++) {
    up[i] = i;
  }
  const sw_pattern column = {n, 1, n, up, zero};
  const sw_pattern row = {1, n, n, zero, up};
  assert_int_equal(sw_product_create(&column, &row, &product, &pattern), SW_ERR_MEMORY);
  assert_null(product.left);
  assert_null(pattern.row);
  const sw_pattern huge = {INT_MAX, INT_MAX, INT_MAX / 2 + 1, up, up};
  assert_int_equal(sw_pattern_symmetric(&huge, &pattern, NULL), SW_ERR_MEMORY);
  free(up);
  free(zero);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(patterns_are_sorted),
      cmocka_unit_test(transposes_are_transposed),
      cmocka_unit_test(symmetric_patterns_repeat_the_lower_triangle),
      cmocka_unit_test(products_are_products),
      cmocka_unit_test(too_many_terms_are_refused),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
