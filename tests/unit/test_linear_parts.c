/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_linear_parts.c -- what the linear solvers are made of: orders,
 * and where one solver has to give way to another.
 */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "linear/dense_lu.h"
#include "linear/envelope.h"
#include "linear/linear_solver.h"
#include "matrices.h"
#include "near.h"

/* The entries left of the diagonal within the envelope of a shuffled matrix. */
static size_t ordered_envelope(const full_matrix *m)
{
  sparse_matrix s = sparse(m);
  sw_envelope *envelope = NULL;

  assert_int_equal(sw_envelope_create(&s.pattern, &envelope), SW_OK);
  assert_non_null(envelope);
  const size_t size = (size_t)(envelope->size - m->n) / 2;
  sw_envelope_free(envelope);
  release(&s);
  return size;
}

static void orders_find_narrow_envelopes(void **state)
{
  uint64_t seed = 1;
  full_matrix *path = shuffled(banded(100, 1, 1, &seed), &seed);
  full_matrix *one_sided = shuffled(banded(100, 0, 1, &seed), &seed);
  full_matrix *molecules = shuffled(blocks(25, 4, &seed), &seed);
  full_matrix *square = shuffled(grid(12, &seed), &seed);

  (void)state;
  assert_int_equal(ordered_envelope(path), 99);
  assert_int_equal(ordered_envelope(one_sided), 99);
  assert_int_equal(ordered_envelope(molecules), 25 * 6);
  /* By diagonals of the square, of at most 12 points. */
  assert_in_range(ordered_envelope(square), 1, 144 * 12);
  free(path);
  free(one_sided);
  free(molecules);
  free(square);
}

/* A strip of triangles with a leaf in its middle: the vertex of the lowest degree, from which a
 * search would run to both sides at once. */
static void orders_start_at_an_end(void **state)
{
  enum { strip = 120 };
  uint64_t seed = 2;
  full_matrix *band = banded(strip, 2, 2, &seed);
  full_matrix *m = matrix(strip + 1);

  (void)state;
  for (int i = 0; i < strip; i++)
    for (int j = 0; j < strip; j++)
      if (band->there[j * strip + i])
        set(m, i, j, 1.0);
  set(m, strip, strip / 2, 1.0);
  set(m, strip, strip, 1.0);
  m = shuffled(m, &seed);
  /* Two before each one, and the leaf in between. */
  assert_in_range(ordered_envelope(m), 2 * strip - 3, 2 * strip + 10);
  free(m);
  free(band);
}

/* Pairs of unknowns: side by side, and 1 1 / 1 1+epsilon as the last one, or, without a diagonal
 * elsewhere, as the first. */
static const char *with_pair(double epsilon, int diagonal, int *refused)
{
  static const char *kind;
  full_matrix *m = matrix(30);
  sw_linear *linear = NULL;

  for (int i = 0; i < 30; i += 2) {
    const int pair = diagonal ? i == 28 : i == 0;
    set(m, i, i + 1, 1.0);
    set(m, i + 1, i, 1.0);
    if (pair || diagonal) {
      set(m, i, i, pair ? 1.0 : 2.0);
      set(m, i + 1, i + 1, pair ? 1.0 + epsilon : 2.0);
    }
  }
  sparse_matrix s = sparse(m);
  assert_int_equal(sw_linear_create(&s.pattern, &linear), SW_OK);
  *refused = sw_linear_factor(linear, s.values) != SW_OK;
  if (!*refused)
    assert_int_equal(sw_linear_sign(linear), dense_sign(m));
  kind = sw_linear_kind(linear);
  sw_linear_free(&linear);
  release(&s);
  free(m);
  return kind;
}

static void cancelled_pivots_are_judged_by_klu(void **state)
{
  int refused;

  (void)state;
  assert_string_equal(with_pair(1e-6, 1, &refused), "envelope");
  assert_int_equal(refused, 0);
  for (int diagonal = 0; diagonal < 2; diagonal++) {
    assert_string_equal(with_pair(1e-13, diagonal, &refused), "KLU");
    assert_int_equal(refused, 0);
    assert_string_equal(with_pair(DBL_EPSILON, diagonal, &refused), "KLU");
    assert_int_equal(refused, 1);
  }
}

/* Each multiplier is 100, and elimination without exchanges multiplies the last column by 101 at
 * every row: ones on the diagonal and in the last column, -100 below. */
static void growth_is_left_to_klu(void **state)
{
  (void)state;
  for (int n = 13; n <= 40; n += 9) {
    full_matrix *m = matrix(n);
    sw_linear *linear = NULL;
    double x[most];

    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++)
        set(m, i, j, i == j ? 1.0 : -100.0);
    for (int i = 0; i < n; i++)
      set(m, i, n - 1, 1.0);
    /* As one block of a larger matrix, which is not dense. */
    full_matrix *larger = matrix(10 * n);
    for (int i = 0; i < 10 * n; i++)
      set(larger, i, i, 1.0);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (m->there[j * n + i])
          set(larger, i, j, m->A[j * n + i]);
    sparse_matrix s = sparse(larger);
    assert_int_equal(sw_linear_create(&s.pattern, &linear), SW_OK);
    assert_string_equal(sw_linear_kind(linear), "envelope");
    assert_int_equal(sw_linear_factor(linear, s.values), SW_OK);
    assert_string_equal(sw_linear_kind(linear), "KLU");
    for (int i = 0; i < 10 * n; i++) {
      x[i] = 0.0;
      for (int j = 0; j < 10 * n; j++)
        x[i] += larger->A[j * 10 * n + i];
    }
    sw_linear_solve(linear, x);
    for (int i = 0; i < 10 * n; i++)
      assert_near(x[i], 1.0, 1e-9);
    sw_linear_free(&linear);
    release(&s);
    free(larger);
    free(m);
  }
}

static void lu_solves_random_systems(void **state)
{
  uint64_t seed = 1;

  (void)state;
  for (int n = 1; n <= 12; n++) {
    double A[144];
    double copy[144];
    double x[12];
    double b[12] = {0};
    int exchange[12];
    double least;

    for (int i = 0; i < n * n; i++)
      copy[i] = A[i] = uniform(&seed);
    for (int j = 0; j < n; j++) {
      x[j] = uniform(&seed);
      for (int i = 0; i < n; i++)
        b[i] += A[j * n + i] * x[j];
    }
    assert_int_equal(sw_lu_factor(n, copy, exchange, &least), 0);
    sw_lu_solve(n, copy, exchange, b);
    assert_all_near(b, x, n, 1e-12);
    /* A repeated column has no pivot. */
    if (n > 1) {
      memcpy(copy, A, sizeof A);
      memcpy(copy + (n - 1) * n, copy, (size_t)n * sizeof *copy);
      assert_int_equal(sw_lu_factor(n, copy, exchange, &least), 1);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lu_solves_random_systems),
      cmocka_unit_test(orders_find_narrow_envelopes),
      cmocka_unit_test(orders_start_at_an_end),
      cmocka_unit_test(cancelled_pivots_are_judged_by_klu),
      cmocka_unit_test(growth_is_left_to_klu),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
