/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_evaluate.c -- the interpreter against long double and exact arithmetic, and the bound of
 * its error.
 */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_trees.h"

#include <cmocka.h>

#include "common/rational.h"
#include "expr/evaluate.h"
#include "expr/magnitude.h"

static const double unit_roundoff = DBL_EPSILON / 2;

typedef struct point {
  double in[IR_SPACES][tree_inputs];
  ir_values values;
} point;

static void random_point(point *p, uint64_t *seed)
{
  for (int s = 0; s < IR_SPACES; s++) {
    for (int i = 0; i < tree_inputs; i++) {
      p->in[s][i] = 2 * sw_random(seed);
    }
    p->values.in[s] = p->in[s];
  }
}

static double value_at(ir_context *c, const ir_expr *e, const point *p)
{
  ir_evaluator *evaluator = ir_evaluator_create(c);
  ir_evaluator_begin(evaluator, &p->values);
  double v = ir_evaluator_value(evaluator, e);
  ir_evaluator_free(evaluator);
  return v;
}

/* ---- numbers ---- */

static double rational_value(const char *numerator, const char *denominator)
{
  mpq_t q;
  mpq_init(q);
  mpz_set_str(mpq_numref(q), numerator, 10);
  mpz_set_str(mpq_denref(q), denominator, 10);
  mpq_canonicalize(q);
  double v = rational_double(q);
  mpq_clear(q);
  return v;
}

static void test_quotients_are_rounded_to_nearest(void **state)
{
  (void)state;
  assert_true(rational_value("1", "3") == 1.0 / 3);
  assert_true(rational_value("-2", "3") == -2.0 / 3);
  assert_true(rational_value("0", "1") == 0);
  assert_true(rational_value("1", "10") == 0.1);
  assert_true(rational_value("9007199254740993", "1") == 9007199254740992.0);
  assert_true(rational_value("9007199254740995", "1") == 9007199254740996.0);
  assert_true(rational_value("3602879701896397", "36028797018963968") == 0.1);
  for (uint64_t seed = 1, i = 0; i < 20000; i++) {
    mpq_t q;
    mpq_init(q);
    long n = (long)(sw_random_bits(&seed) >> 12);
    unsigned long d = 1 + (sw_random_bits(&seed) >> 12);
    mpq_set_si(q, n, d);
    mpq_canonicalize(q);
    assert_true(rational_double(q) == (double)n / (double)d);
    mpq_clear(q);
  }
}

/* Decimals of 1 to 30 digits and any exponent, compared with what the C library reads. */
static void test_decimals_are_read_as_c_reads_them(void **state)
{
  (void)state;
  for (uint64_t seed = 5, i = 0; i < 20000; i++) {
    char digits[40] = {0};
    char text[60];
    int n = 1 + random_below(&seed, 30);
    for (int k = 0; k < n; k++) {
      digits[k] = (char)('0' + (k ? random_below(&seed, 10) : 1 + random_below(&seed, 9)));
    }
    int exponent = random_below(&seed, 660) - 345;
    snprintf(text, sizeof text, "%se%d", digits, exponent);
    mpz_t ten;
    mpq_t q;
    mpz_init(ten);
    mpq_init(q);
    mpz_ui_pow_ui(ten, 10, (unsigned long)abs(exponent));
    mpz_set_str(mpq_numref(q), digits, 10);
    if (exponent < 0) {
      mpz_set(mpq_denref(q), ten);
    } else {
      mpz_mul(mpq_numref(q), mpq_numref(q), ten);
    }
    mpq_canonicalize(q);
    if (rational_double(q) != strtod(text, NULL)) {
      fail_msg("%s is read as %.17g", text, rational_double(q));
    }
    mpq_clear(q);
    mpz_clear(ten);
  }
}

/* ---- the interpreter ---- */

/* The interpreter's error is at most 64 u mag(e): trees of depth 4 round far fewer than 64
 * times on any path.  The long double reference adds its own error, bounded by its own sizes. */
static void test_values_and_their_bounds(void **state)
{
  (void)state;
  arena *memory = arena_create();
  ir_context *c = ir_context_create(memory);
  int compared = 0;
  for (uint64_t seed = 1; seed <= 1500; seed++) {
    uint64_t random = seed;
    const tree *t = tree_random(memory, &random, 1 + (int)(seed % 4));
    const ir_expr *e = tree_build(c, t, &random);
    const ir_expr *mag = NULL;
    ir_magnitudes(c, 1, &e, &mag);
    for (int k = 0; k < 3; k++) {
      point p;
      random_point(&p, &random);
      double value = value_at(c, e, &p);
      double size = value_at(c, mag, &p);
      tree_result exact = tree_value(t, p.values.in);
      long double slack = 64 * (long double)LDBL_EPSILON * exact.size;
      if (!isfinite(exact.size) || exact.size > 1e30L) {
        continue;
      }
      compared++;
      long double error = fabsl((long double)value - exact.value);
      if (!(error <= 64 * (long double)unit_roundoff * (long double)size + slack)) {
        fail_msg("formula %lu: %.17g, exactly %.17Lg, bound %.3g", (unsigned long)seed, value,
                 exact.value, 64 * unit_roundoff * size);
      }
      /* mag >= |e|, but for the rounding of either. */
      assert_true((long double)size * (1 + 64 * (long double)unit_roundoff) + slack >=
                  fabsl(exact.value));
    }
  }
  assert_true(compared > 4000);
  ir_context_free(c);
  arena_free(memory);
}

static void test_undefined_values(void **state)
{
  (void)state;
  arena *memory = arena_create();
  ir_context *c = ir_context_create(memory);
  const ir_expr *x = ir_input(c, IR_Z, 0);
  double minus = -1;
  double zero = 0;
  point p = {.values = {{NULL, NULL, &minus}}};
  assert_true(isnan(value_at(c, raised(c, x, 1, 2), &p)));
  assert_true(isnan(value_at(c, ir_apply(c, IR_LOG, x, NULL), &p)));
  p.values.in[IR_Z] = &zero;
  assert_true(isinf(value_at(c, raised(c, x, -1, 1), &p)));
  assert_true(value_at(c, ir_apply(c, IR_LOG, x, NULL), &p) < -DBL_MAX);
  ir_context_free(c);
  arena_free(memory);
}

/* A round forgets the values of the one before. */
static void test_rounds_are_independent(void **state)
{
  (void)state;
  arena *memory = arena_create();
  ir_context *c = ir_context_create(memory);
  const ir_expr *e = raised(c, ir_input(c, IR_Z, 0), 3, 1);
  ir_evaluator *evaluator = ir_evaluator_create(c);
  for (int i = 1; i < 5; i++) {
    double z = i;
    ir_evaluator_begin(evaluator, &(ir_values){{NULL, NULL, &z}});
    assert_true(ir_evaluator_value(evaluator, e) == z * z * z);
    assert_true(ir_evaluator_value(evaluator, e) == z * z * z);
  }
  ir_evaluator_free(evaluator);
  ir_context_free(c);
  arena_free(memory);
}

/* ---- cancellation, against exact arithmetic ---- */

/* (sum_i a_i x_i)^n as the sum of its n-fold products: what was factored, distributed. */
static const ir_expr *distributed(ir_context *c, int n, int terms, const ir_expr *const part[])
{
  const ir_expr *r = ir_integer(c, 1);
  for (int k = 0; k < n; k++) {
    const ir_expr *next = ir_integer(c, 0);
    int count = r->kind == IR_SUM && r->n > 1 ? r->n : 1;
    for (int i = 0; i < count; i++) {
      const ir_expr *old = r;
      if (count > 1) {
        mpq_t q;
        mpq_init(q);
        mpq_set(q, r->terms[i].coefficient);
        old = ir_scale(c, q, r->terms[i].node);
        mpq_clear(q);
      }
      for (int j = 0; j < terms; j++) {
        const ir_expr *pair[2] = {old, part[j]};
        const ir_expr *sum[2] = {next, ir_mul(c, 2, pair)};
        next = ir_add(c, 2, sum);
      }
    }
    r = next;
  }
  return r;
}

/* Most roundings on a path through the evaluation of a polynomial: with k of them the error is
 * at most k u mag / (1 - k u) (Higham, lemma 3.1). */
static int roundings(const ir_expr *e)
{
  int most = 0;
  if (e->kind == IR_NUMBER) {
    return 1;
  }
  for (int i = 0; i < e->n; i++) {
    if (e->kind == IR_SUM) {
      int k = roundings(e->terms[i].node) + 2 + e->n;
      most = k > most ? k : most;
    } else {
      int n = (int)mpz_get_si(mpq_numref(e->factors[i].exponent));
      most += n * (roundings(e->factors[i].base) + 1);
    }
  }
  return most;
}

static void exact_value(const ir_expr *e, const point *p, mpq_ptr r)
{
  mpq_t v;
  mpq_init(v);
  if (e->kind == IR_NUMBER) {
    mpq_set(r, e->value);
  } else if (e->kind == IR_INPUT) {
    mpq_set_d(r, p->in[e->space][e->index]);
  } else {
    mpq_set_ui(r, e->kind == IR_SUM ? 0 : 1, 1);
    for (int i = 0; i < e->n; i++) {
      exact_value(e->kind == IR_SUM ? e->terms[i].node : e->factors[i].base, p, v);
      if (e->kind == IR_SUM) {
        mpq_mul(v, v, e->terms[i].coefficient);
        mpq_add(r, r, v);
      } else {
        for (long k = mpz_get_si(mpq_numref(e->factors[i].exponent)); k > 0; k--) {
          mpq_mul(r, r, v);
        }
      }
    }
  }
  mpq_clear(v);
}

/* x0 + a x1 + b x2 at points where it nearly vanishes, to the n-th power, distributed. */
static void test_cancelling_polynomials(void **state)
{
  (void)state;
  arena *memory = arena_create();
  ir_context *c = ir_context_create(memory);
  double worst = 0;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    uint64_t random = seed;
    long a = 1 + random_below(&random, 9);
    long b = 1 + random_below(&random, 9);
    const ir_expr *x = ir_input(c, IR_Z, 0);
    const ir_expr *part[3] = {x, scaled(c, -a, 3, ir_input(c, IR_Z, 1)),
                              scaled(c, b, 7, ir_input(c, IR_Z, 2))};
    const ir_expr *e = distributed(c, 2 + random_below(&random, 5), 3, part);
    const ir_expr *mag = NULL;
    ir_magnitudes(c, 1, &e, &mag);
    point p;
    random_point(&p, &random);
    double rest = (double)a / 3 * p.in[IR_Z][1] - (double)b / 7 * p.in[IR_Z][2];
    p.in[IR_Z][0] = rest * (1 + 1e-6 * sw_random(&random));
    mpq_t exact;
    mpq_t value;
    mpq_init(exact);
    mpq_init(value);
    exact_value(e, &p, exact);
    mpq_set_d(value, value_at(c, e, &p));
    mpq_sub(value, value, exact);
    double error = fabs(mpq_get_d(value));
    double size = value_at(c, mag, &p);
    double k = roundings(e);
    assert_true(error <= k * unit_roundoff * size * (1 + 4 * k * unit_roundoff));
    assert_true(size * (1 + 4 * k * unit_roundoff) >= fabs(mpq_get_d(exact)));
    worst = fmax(worst, error / fabs(mpq_get_d(exact)));
    mpq_clear(exact);
    mpq_clear(value);
  }
  assert_true(worst > 1); /* the points do cancel: some values have no correct digit */
  ir_context_free(c);
  arena_free(memory);
}

/* f_{n+1} = sin(f_n) + f_n^2 written out has 2^60 leaves; shared, 120 nodes. */
static void test_shared_parts_are_visited_once(void **state)
{
  (void)state;
  arena *memory = arena_create();
  ir_context *c = ir_context_create(memory);
  const ir_expr *e[2] = {ir_input(c, IR_Z, 0), ir_input(c, IR_Z, 1)};
  for (int n = 0; n < 60; n++) {
    for (int k = 0; k < 2; k++) {
      const ir_expr *parts[2] = {ir_apply(c, IR_SIN, e[k], NULL), raised(c, e[k], 2, 1)};
      e[k] = ir_add(c, 2, parts);
    }
  }
  assert_true(ir_context_size(c) < 1000);
  assert_true(ir_compare(e[0], e[1]) < 0);
  const ir_expr *mag[2];
  ir_magnitudes(c, 2, e, mag);
  assert_true(ir_context_size(c) < 100000);
  point p = {.in = {[IR_Z] = {1e-3, 2e-3, 0}}};
  p.values.in[IR_Z] = p.in[IR_Z];
  double expected = 1e-3;
  for (int n = 0; n < 60; n++) {
    expected = sin(expected) + expected * expected;
  }
  double value = value_at(c, e[0], &p);
  /* Errors grow by less than the product of 1 + 2 f_n, which is below 2 here. */
  assert_true(fabs(value - expected) <= 2 * 60 * 4 * unit_roundoff * expected);
  assert_true(value_at(c, mag[0], &p) >= value);
  ir_context_free(c);
  arena_free(memory);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_quotients_are_rounded_to_nearest),
      cmocka_unit_test(test_decimals_are_read_as_c_reads_them),
      cmocka_unit_test(test_values_and_their_bounds),
      cmocka_unit_test(test_undefined_values),
      cmocka_unit_test(test_rounds_are_independent),
      cmocka_unit_test(test_cancelling_polynomials),
      cmocka_unit_test(test_shared_parts_are_visited_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
