/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_made_rows.c -- matrices whose rows are made while they are factorised (linear/row_product.h)
 * have the factors, bit for bit, and the values of those that were made before: chains of all
 * lengths, in three orders, with pinned ends, with gaps, by one thread and three.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"
#include "linear/linear_solver.h"
#include "linear/row_product.h"
#include "near.h"

/* C = F A B^T for gradients A of a chain of links, B the same times masses. */
typedef struct chain {
  int links;
  int rows;
  sw_pattern A;
  sw_pattern C;
  sw_row_product product;
  double *a;
  double *b;
  double *factor;
  double *made; /* C, all at once */
  double *values;
} chain;

/* How its rows are numbered. */
typedef enum numbering { ALONG, BACKWARDS, SHUFFLED } numbering;

static double positive(uint64_t *seed)
{
  return 0.5 + 0.25 * (sw_random(seed) + 1.0);
}

static void *zeros(size_t n, size_t size)
{
  void *p = calloc(n + 1, size);

  assert_non_null(p);
  return p;
}

/* Pins of the first node come first; a link at `gap` has lost an entry. */
static chain make_chain(int links, int pins, int gap, numbering order, uint64_t *seed)
{
  chain c = {.links = links, .rows = links + pins};
  int *row = zeros(6 * (size_t)c.rows, sizeof *row);
  int *col = zeros(6 * (size_t)c.rows, sizeof *col);
  int *number = zeros((size_t)links, sizeof *number);
  int n = 0;

  for (int i = 0; i < links; i++) {
    number[i] = order == BACKWARDS ? links - 1 - i : i;
  }
  for (int i = links - 1; i > 0 && order == SHUFFLED; i--) {
    const int j = (int)((sw_random(seed) + 1.0) * 0.5 * i);
    const int kept = number[i];
    number[i] = number[j];
    number[j] = kept;
  }
  for (int i = 0; i < pins; i++) {
    row[n] = i;
    col[n++] = i;
  }
  for (int i = 0; i < links; i++) {
    for (int t = number[i] == gap; t < 6; t++) {
      row[n] = pins + i;
      col[n++] = 3 * number[i] + t;
    }
  }
  assert_int_equal(sw_pattern_create(c.rows, 3 * (links + 1), n, row, col, &c.A, NULL), SW_OK);
  assert_int_equal(sw_row_product_create(&c.A, &c.A, &c.product, &c.C), SW_OK);
  c.a = zeros((size_t)n, sizeof *c.a);
  c.b = zeros((size_t)n, sizeof *c.b);
  c.factor = zeros((size_t)c.rows, sizeof *c.factor);
  c.made = zeros((size_t)c.C.entries, sizeof *c.made);
  c.values = zeros((size_t)c.C.entries, sizeof *c.values);
  /* Links of a length near 1: half of a row is the other one's negative, nearly. */
  for (int e = 0; e < n; e++) {
    const int second = c.A.row[e] >= pins && (c.A.col[e] / 3) != number[c.A.row[e] - pins];
    c.a[e] = (second ? 1.0 : -1.0) * positive(seed);
    c.b[e] = c.a[e] * (1.0 + 0.125 * (double)(c.A.col[e] % 3));
  }
  for (int i = 0; i < c.rows; i++) {
    c.factor[i] = positive(seed);
  }
  free(row);
  free(col);
  free(number);
  return c;
}

static void drop_chain(chain *c)
{
  sw_row_product_free(&c->product);
  sw_pattern_free(&c->A);
  sw_pattern_free(&c->C);
  free(c->a);
  free(c->b);
  free(c->factor);
  free(c->made);
  free(c->values);
}

static void make_rows(void *context, size_t first, size_t end)
{
  chain *c = context;

  sw_row_product_values(&c->product, (int)first, (int)end, c->a, c->b, c->factor, c->values);
}

static sw_row_maker maker_of(chain *c)
{
  return (sw_row_maker){
      .make = make_rows,
      .context = c,
      .neighbours = sw_row_product_neighbours(&c->product, c->a, c->b, c->factor, c->values)};
}

/* C x is the right-hand side of compare. */
static void check_solution(const chain *c, const double x[])
{
  double *left = zeros((size_t)c->rows, sizeof *left);
  double *terms = zeros((size_t)c->rows, sizeof *terms);

  for (int e = 0; e < c->C.entries; e++) {
    left[c->C.row[e]] += c->made[e] * x[c->C.col[e]];
    terms[c->C.row[e]] += fabs(c->made[e] * x[c->C.col[e]]);
  }
  for (int i = 0; i < c->rows; i++) {
    assert_near(left[i], sin(2.0 * i), 1e-13 * (1.0 + terms[i]));
  }
  free(left);
  free(terms);
}

/* Factorises both ways, and compares what comes of it.  kind: who does it. */
static void compare(chain *c, sw_team *team, sw_status expected, const char *kind)
{
  const size_t n = (size_t)c->rows;
  double *x = zeros(n, sizeof *x);
  double *y = zeros(n, sizeof *y);
  const sw_row_maker maker = maker_of(c);
  sw_linear *before = NULL;
  sw_linear *on_the_way = NULL;

  assert_int_equal(sw_linear_create(&c->C, &before), SW_OK);
  assert_int_equal(sw_linear_create(&c->C, &on_the_way), SW_OK);
  sw_linear_share(on_the_way, team);
  sw_row_product_values(&c->product, 0, c->rows, c->a, c->b, c->factor, c->made);
  for (int e = 0; e < c->C.entries; e++) {
    c->values[e] = 1e300;
  }
  for (size_t i = 0; i < n; i++) {
    x[i] = y[i] = sin(2.0 * (double)i);
  }
  assert_int_equal(sw_linear_factor(before, c->made), expected);
  assert_int_equal(sw_linear_make_and_factor(on_the_way, c->values, &maker), expected);
  assert_string_equal(sw_linear_kind(before), sw_linear_kind(on_the_way));
  assert_true(kind == NULL || strcmp(sw_linear_kind(before), kind) == 0);
  assert_memory_equal(c->made, c->values, (size_t)c->C.entries * sizeof *c->made);
  if (expected == SW_OK) {
    assert_int_equal(sw_linear_sign(before), sw_linear_sign(on_the_way));
    sw_linear_solve(before, x);
    sw_linear_solve(on_the_way, y);
    assert_memory_equal(x, y, n * sizeof *x);
    check_solution(c, x);
  }
  sw_linear_free(&before);
  sw_linear_free(&on_the_way);
  free(x);
  free(y);
}

static void chains_have_the_same_factors(void **state)
{
  uint64_t seed = 3;
  int with_neighbours = 0;

  (void)state;
  for (int links = 2; links < 120; links += links < 45 ? 1 : 13) {
    for (int kind = 0; kind < 12; kind++) {
      const int gap = kind % 2 ? links / 3 : -1;
      chain c = make_chain(links, kind / 2 % 2 * 3, gap, (numbering)(kind / 4), &seed);
      with_neighbours += maker_of(&c).neighbours.end > 30;
      compare(&c, NULL, SW_OK, NULL);
      drop_chain(&c);
    }
  }
  assert_in_range(with_neighbours, 20, 200);
}

static void threads_have_the_same_factors(void **state)
{
  uint64_t seed = 4;
  sw_team *team = NULL;

  (void)state;
  assert_int_equal(sw_team_create(3, &team), SW_OK);
  for (int kind = 0; kind < 4; kind++) {
    chain c = make_chain(30000, kind % 2 * 3, kind / 2 ? 20000 : -1, ALONG, &seed);
    assert_true(maker_of(&c).neighbours.end > 9000);
    compare(&c, team, SW_OK, "envelope");
    compare(&c, NULL, SW_OK, "envelope");
    c.factor[10000] *= 1e9;
    compare(&c, team, SW_OK, "KLU");
    drop_chain(&c);
  }
  sw_team_free(&team);
}

/* A gradient of zeros, one that is not finite, and an equation in another unit, which has to be
 * exchanged with another one, wherever they stand: all values are made. */
static void bad_rows_are_seen(void **state)
{
  uint64_t seed = 5;

  (void)state;
  for (int bad = 0; bad < 50; bad += 7) {
    for (int kind = 0; kind < 3; kind++) {
      chain c = make_chain(50, 0, -1, ALONG, &seed);
      for (int e = 0; e < c.A.entries; e++) {
        const int is_spoiled = c.A.row[e] == bad && kind < 2;
        c.a[e] = !is_spoiled ? c.a[e] : kind ? (double)NAN : 0.0;
        c.b[e] = is_spoiled ? c.a[e] : c.b[e];
      }
      c.factor[bad] *= kind == 2 ? 1e9 : 1.0;
      compare(&c, NULL, kind < 2 ? SW_ERR_SINGULAR : SW_OK, bad % 49 ? "KLU" : NULL);
      drop_chain(&c);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chains_have_the_same_factors),
      cmocka_unit_test(threads_have_the_same_factors),
      cmocka_unit_test(bad_rows_are_seen),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
