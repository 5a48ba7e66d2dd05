/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_ir.c -- the normal form: equal formulas are one node, whatever order they were built in.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "expr/builders.h"
#include "random_trees.h"

#include <cmocka.h>

typedef struct room {
  arena *memory;
  ir_context *c;
  const ir_expr *x;
  const ir_expr *y;
  const ir_expr *z;
} room;

static int open_room(void **state)
{
  room *r = calloc(1, sizeof *r);
  if (!r) {
    return -1;
  }
  r->memory = arena_create();
  r->c = ir_context_create(r->memory);
  r->x = ir_input(r->c, IR_Z, 0);
  r->y = ir_input(r->c, IR_Z, 1);
  r->z = ir_input(r->c, IR_Z, 2);
  *state = r;
  return 0;
}

static int close_room(void **state)
{
  room *r = *state;
  ir_context_free(r->c);
  arena_free(r->memory);
  free(r);
  return 0;
}

static const ir_expr *sum(room *r, const ir_expr *a, const ir_expr *b)
{
  return ir_add(r->c, 2, (const ir_expr *[2]){a, b});
}

static const ir_expr *product(room *r, const ir_expr *a, const ir_expr *b)
{
  return ir_mul(r->c, 2, (const ir_expr *[2]){a, b});
}

static const ir_expr *times(room *r, long n, const ir_expr *e)
{
  return scaled(r->c, n, 1, e);
}

static const ir_expr *root(room *r, const ir_expr *e)
{
  return raised(r->c, e, 1, 2);
}

static const ir_expr *call(room *r, ir_call f, const ir_expr *e)
{
  return ir_apply(r->c, f, e, NULL);
}

static int is_one(const ir_expr *e)
{
  return e->kind == IR_NUMBER && mpq_cmp_ui(e->value, 1, 1) == 0;
}

/* ---- what the header promises of every node ---- */

static void check_term_list(const ir_expr *e)
{
  mpz_t gcd;
  mpz_init(gcd);
  for (int i = 0; i < e->n; i++) {
    mpq_srcptr q = e->terms[i].coefficient;
    assert_true(mpq_sgn(q) != 0);
    assert_true(e->terms[i].node->kind != IR_SUM || e->n == 1);
    assert_true(e->terms[i].node->kind != IR_NUMBER || (e->n > 1 && i == e->n - 1));
    assert_true(e->terms[i].node->kind != IR_NUMBER || is_one(e->terms[i].node));
    assert_true(i == 0 || ir_compare(e->terms[i - 1].node, e->terms[i].node) < 0);
    assert_true(e->n == 1 || mpz_cmp_ui(mpq_denref(q), 1) == 0);
    mpz_gcd(gcd, gcd, mpq_numref(q));
  }
  if (e->n == 1) {
    assert_true(mpq_cmp_ui(e->terms[0].coefficient, 1, 1) != 0);
    assert_true(e->terms[0].node->kind != IR_SUM || e->terms[0].node->n > 1);
  } else {
    assert_true(mpz_cmp_ui(gcd, 1) == 0);
    assert_true(mpq_sgn(e->terms[0].coefficient) > 0);
  }
  mpz_clear(gcd);
}

static void check_factor_list(const ir_expr *e)
{
  assert_true(e->n > 0);
  assert_true(e->n > 1 || mpq_cmp_ui(e->factors[0].exponent, 1, 1) != 0);
  for (int i = 0; i < e->n; i++) {
    const ir_expr *base = e->factors[i].base;
    int whole = mpz_cmp_ui(mpq_denref(e->factors[i].exponent), 1) == 0;
    int composite = base->kind == IR_NUMBER || base->kind == IR_PRODUCT ||
                    (base->kind == IR_SUM && base->n == 1);
    assert_true(mpq_sgn(e->factors[i].exponent) != 0);
    assert_true(i == 0 || ir_compare(e->factors[i - 1].base, base) < 0);
    assert_false(whole && composite);
  }
}

static int negative_lead(const ir_expr *e)
{
  return (e->kind == IR_NUMBER && mpq_sgn(e->value) < 0) ||
         (e->kind == IR_SUM && mpq_sgn(e->terms[0].coefficient) < 0);
}

static void check_normal(const ir_expr *e)
{
  if (e->kind == IR_SUM) {
    check_term_list(e);
  } else if (e->kind == IR_PRODUCT) {
    check_factor_list(e);
  } else if (e->kind == IR_CALL) {
    assert_false(call_parity(e->call) != 0 && negative_lead(e->arguments[0]));
  } else {
    return;
  }
  for (int i = 0; i < e->n; i++) {
    check_normal(e->kind == IR_SUM       ? e->terms[i].node
                 : e->kind == IR_PRODUCT ? e->factors[i].base
                                         : e->arguments[i]);
  }
}

/* ---- properties of random formulas ---- */

static void test_equal_formulas_are_one_node(void **state)
{
  room *r = *state;
  for (uint64_t seed = 1; seed <= 1500; seed++) {
    uint64_t shape = seed;
    const tree *t = tree_random(r->memory, &shape, 1 + (int)(seed % 4));
    uint64_t way = 1000 * seed;
    const ir_expr *e = tree_build(r->c, t, &way);
    check_normal(e);
    for (int i = 0; i < 6; i++) {
      if (tree_build(r->c, t, &way) != e) {
        fail_msg("formula %lu has two nodes", (unsigned long)seed);
      }
    }
  }
}

static int sign(int i)
{
  return (i > 0) - (i < 0);
}

static void test_the_order_is_total(void **state)
{
  enum { count = 60 };
  room *r = *state;
  const ir_expr *e[count];
  for (int i = 0; i < count; i++) {
    uint64_t seed = 77 + (uint64_t)i;
    e[i] = tree_build(r->c, tree_random(r->memory, &seed, i % 4), &seed);
    e[i] = i % 5 == 4 ? root(r, product(r, e[i - 1], r->x)) : e[i];
  }
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < count; j++) {
      int ij = sign(ir_compare(e[i], e[j]));
      assert_int_equal(ij == 0, e[i] == e[j]);
      assert_int_equal(ij, -sign(ir_compare(e[j], e[i])));
      for (int k = 0; k < count; k++) {
        if (ij <= 0 && ir_compare(e[j], e[k]) <= 0) {
          assert_true(ir_compare(e[i], e[k]) <= 0);
        }
      }
    }
  }
}

/* The order of nodes is that of their structure: it survives another context with other
 * identities. */
static void test_the_order_does_not_depend_on_the_context(void **state)
{
  enum { count = 40 };
  room *r = *state;
  ir_context *other = ir_context_create(r->memory);
  const ir_expr *here[count];
  const ir_expr *there[count];
  for (int i = 0; i < count; i++) {
    uint64_t seed = 500 + (uint64_t)i;
    const tree *t = tree_random(r->memory, &seed, 3);
    here[i] = tree_build(r->c, t, &seed);
  }
  for (int i = count - 1; i >= 0; i--) {
    uint64_t seed = 500 + (uint64_t)i;
    const tree *t = tree_random(r->memory, &seed, 3);
    seed += 99;
    there[i] = tree_build(other, t, &seed);
  }
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < count; j++) {
      assert_int_equal(sign(ir_compare(here[i], here[j])), sign(ir_compare(there[i], there[j])));
    }
  }
  ir_context_free(other);
}

/* ---- sums ---- */

static void test_sums_are_primitive(void **state)
{
  room *r = *state;
  const ir_expr *d = sum(r, r->x, times(r, -1, r->y));
  const ir_expr *flipped = sum(r, r->y, times(r, -1, r->x));
  assert_ptr_equal(times(r, 8, raised(r->c, d, 3, 1)), times(r, -8, raised(r->c, flipped, 3, 1)));
  assert_ptr_equal(raised(r->c, times(r, 2, d), 3, 1), times(r, -8, raised(r->c, flipped, 3, 1)));
  assert_ptr_equal(raised(r->c, d, 4, 1), raised(r->c, flipped, 4, 1));
  assert_ptr_equal(product(r, d, flipped), times(r, -1, raised(r->c, d, 2, 1)));
  const ir_expr *e = sum(r, scaled(r->c, -4, 9, r->x), scaled(r->c, 10, 3, r->y));
  assert_int_equal(e->n, 1);
  assert_int_equal(mpq_cmp_si(e->terms[0].coefficient, -2, 9), 0);
  assert_int_equal(mpq_cmp_si(e->terms[0].node->terms[0].coefficient, 2, 1), 0);
  assert_int_equal(mpq_cmp_si(e->terms[0].node->terms[1].coefficient, -15, 1), 0);
}

static void test_terms_cancel(void **state)
{
  room *r = *state;
  const ir_expr *d = sum(r, r->x, times(r, -1, r->x));
  assert_true(ir_is_zero(d));
  assert_true(ir_is_zero(ir_add(r->c, 0, NULL)));
  assert_true(is_one(ir_mul(r->c, 0, NULL)));
  assert_true(ir_is_zero(product(r, root(r, r->x), d)));
  assert_ptr_equal(sum(r, r->x, d), r->x);
  assert_ptr_equal(product(r, r->x, raised(r->c, r->x, -1, 1)), ir_integer(r->c, 1));
  const ir_expr *parts[5] = {r->x, r->y, times(r, -1, r->x), times(r, -1, r->y), r->z};
  assert_ptr_equal(ir_add(r->c, 5, parts), r->z);
}

/* ---- powers ---- */

static void test_powers_of_symbols(void **state)
{
  room *r = *state;
  const ir_expr *xy = product(r, r->x, r->y);
  assert_ptr_not_equal(root(r, raised(r->c, r->x, 2, 1)), r->x);
  assert_ptr_equal(raised(r->c, root(r, r->x), 2, 1), r->x);
  assert_ptr_equal(product(r, root(r, r->x), root(r, r->x)), r->x);
  assert_ptr_equal(product(r, root(r, xy), root(r, xy)), xy);
  assert_ptr_equal(product(r, r->x, root(r, r->x)), raised(r->c, r->x, 3, 2));
  assert_ptr_equal(root(r, times(r, 4, r->x)), times(r, 2, root(r, r->x)));
  const ir_expr *minus = root(r, times(r, -1, r->x));
  assert_ptr_equal(product(r, minus, minus), times(r, -1, r->x));
  assert_true(is_one(raised(r->c, xy, 0, 1)));
}

static void test_powers_of_numbers(void **state)
{
  room *r = *state;
  ir_context *c = r->c;
  const ir_expr *two = ir_integer(c, 2);
  const ir_expr *eight = ir_integer(c, 8);
  assert_ptr_equal(root(r, ir_integer(c, 4)), two);
  assert_ptr_equal(raised(c, ir_integer(c, 4), 3, 2), eight);
  assert_ptr_equal(raised(c, eight, -2, 3), scaled(c, 1, 4, ir_integer(c, 1)));
  assert_ptr_equal(root(r, scaled(c, 4, 9, ir_integer(c, 1))), scaled(c, 2, 3, ir_integer(c, 1)));
  assert_ptr_equal(product(r, root(r, two), root(r, two)), two);
  assert_ptr_equal(raised(c, two, 5, 2), times(r, 4, root(r, two)));
  assert_ptr_equal(raised(c, two, -1, 2), scaled(c, 1, 2, root(r, two)));
}

/* sqrt(8) = 2 sqrt(2) = 4 / sqrt(2) = 4 sqrt(1/2). */
static void test_squares_leave_the_roots_of_numbers(void **state)
{
  room *r = *state;
  const ir_expr *two = ir_integer(r->c, 2);
  const ir_expr *half = scaled(r->c, 1, 2, ir_integer(r->c, 1));
  assert_ptr_equal(root(r, ir_integer(r->c, 8)), times(r, 2, root(r, two)));
  assert_ptr_equal(times(r, 4, root(r, half)), times(r, 2, root(r, two)));
}

/* A root to the third power is one node, whether its factors come one by one or all at once. */
static void test_powers_of_roots_in_any_order(void **state)
{
  room *r = *state;
  const ir_expr *bases[4] = {product(r, r->x, r->y), ir_integer(r->c, 2), times(r, -1, r->x),
                             sum(r, r->x, r->y)};
  for (int i = 0; i < 4; i++) {
    const ir_expr *s = root(r, bases[i]);
    const ir_expr *three[3] = {s, s, s};
    const ir_expr *e = product(r, product(r, s, s), s);
    assert_ptr_equal(ir_mul(r->c, 3, three), e);
    assert_ptr_equal(raised(r->c, s, 3, 1), e);
    assert_ptr_equal(raised(r->c, bases[i], 3, 2), e);
  }
}

/* The square of (xy)^(1/4) sqrt(sqrt(xy) z) is x y z. */
static void test_nested_roots(void **state)
{
  room *r = *state;
  const ir_expr *xy = product(r, r->x, r->y);
  const ir_expr *e = product(r, raised(r->c, xy, 1, 4), root(r, product(r, root(r, xy), r->z)));
  assert_ptr_equal(product(r, e, e), product(r, xy, r->z));
  assert_ptr_equal(raised(r->c, e, 2, 1), product(r, xy, r->z));
}

/* sqrt(4 (y - x)) = 2 sqrt(y - x), as for x - y. */
static void test_positive_factors_leave_roots(void **state)
{
  room *r = *state;
  const ir_expr *d = sum(r, r->x, times(r, -1, r->y));
  assert_ptr_equal(root(r, times(r, 4, d)), times(r, 2, root(r, d)));
  assert_ptr_equal(root(r, times(r, -4, d)), times(r, 2, root(r, times(r, -1, d))));
}

/* ---- calls ---- */

static void test_odd_and_even_functions(void **state)
{
  room *r = *state;
  const ir_expr *d = sum(r, r->x, times(r, -3, r->y));
  const ir_expr *m = times(r, -1, d);
  for (int f = 0; f < IR_CALLS; f++) {
    if (ir_call_arguments((ir_call)f) == 1) {
      int parity = call_parity((ir_call)f);
      const ir_expr *e = call(r, (ir_call)f, m);
      assert_int_equal(parity != 0, e == times(r, parity, call(r, (ir_call)f, d)));
    }
  }
  assert_ptr_equal(call(r, IR_SIN, ir_integer(r->c, -2)),
                   times(r, -1, call(r, IR_SIN, ir_integer(r->c, 2))));
}

static void test_absolute_values(void **state)
{
  room *r = *state;
  const ir_expr *a = call(r, IR_ABS, r->x);
  assert_ptr_equal(call(r, IR_ABS, a), a);
  assert_ptr_equal(call(r, IR_ABS, times(r, -3, r->x)), times(r, 3, a));
  assert_ptr_equal(call(r, IR_ABS, ir_integer(r->c, -3)), ir_integer(r->c, 3));
  assert_ptr_equal(raised(r->c, a, 2, 1), raised(r->c, r->x, 2, 1));
  assert_ptr_equal(raised(r->c, a, -4, 1), raised(r->c, r->x, -4, 1));
  assert_ptr_not_equal(raised(r->c, a, 3, 1), raised(r->c, r->x, 3, 1));
}

static void test_signs_and_extremes(void **state)
{
  room *r = *state;
  const ir_expr *s = call(r, IR_SIGN, r->x);
  assert_ptr_equal(call(r, IR_SIGN, times(r, 3, r->x)), s);
  assert_ptr_equal(call(r, IR_SIGN, times(r, -3, r->x)), times(r, -1, s));
  for (int i = -1; i <= 1; i++) {
    assert_ptr_equal(call(r, IR_SIGN, ir_integer(r->c, 7 * i)), ir_integer(r->c, i));
  }
  const ir_expr *one = ir_integer(r->c, 1);
  const ir_expr *two = ir_integer(r->c, 2);
  for (ir_call f = IR_MIN; f <= IR_MAX; f++) {
    assert_ptr_equal(ir_apply(r->c, f, r->x, r->y), ir_apply(r->c, f, r->y, r->x));
    assert_ptr_equal(ir_apply(r->c, f, r->x, r->x), r->x);
    assert_ptr_equal(ir_apply(r->c, f, two, one), f == IR_MIN ? one : two);
  }
  assert_ptr_not_equal(ir_apply(r->c, IR_MIN, r->x, r->y), ir_apply(r->c, IR_MAX, r->x, r->y));
}

static const ir_expr *real_power(room *r, const ir_expr *base, const ir_expr *exponent)
{
  return ir_apply(r->c, IR_POW, base, exponent);
}

/* pow(x, y) x^-1 is pow(x, y - 1), which unlike pow(x, y)/x is defined at x = 0; and pow(x, y)
 * pow(x, 2 - y) is x^2. */
static void test_powers_with_the_same_base_are_one(void **state)
{
  room *r = *state;
  const ir_expr *e = real_power(r, r->x, r->y);
  const ir_expr *less = sum(r, r->y, ir_integer(r->c, -1));
  const ir_expr *other = sum(r, times(r, -1, r->y), ir_integer(r->c, 2));
  assert_ptr_equal(product(r, e, raised(r->c, r->x, -1, 1)), real_power(r, r->x, less));
  assert_ptr_equal(product(r, e, real_power(r, r->x, other)), raised(r->c, r->x, 2, 1));
  assert_ptr_equal(raised(r->c, e, 2, 1), product(r, e, e));
  assert_ptr_not_equal(product(r, e, r->y), e);
}

/* |x y| = |x| |y|, |x^2 y| = x^2 |y|. */
static void test_absolute_values_of_products(void **state)
{
  room *r = *state;
  const ir_expr *x = call(r, IR_ABS, r->x);
  const ir_expr *y = call(r, IR_ABS, r->y);
  assert_ptr_equal(call(r, IR_ABS, product(r, r->x, r->y)), product(r, x, y));
  assert_ptr_equal(call(r, IR_ABS, product(r, raised(r->c, r->x, 2, 1), r->y)),
                   product(r, raised(r->c, r->x, 2, 1), y));
}

/* |x| |x| is x^2 however it comes about. */
static void test_even_powers_of_absolute_values_in_any_order(void **state)
{
  room *r = *state;
  const ir_expr *a = call(r, IR_ABS, r->x);
  assert_ptr_equal(product(r, a, a), raised(r->c, r->x, 2, 1));
  assert_ptr_equal(raised(r->c, product(r, a, r->y), 2, 1),
                   raised(r->c, product(r, r->x, r->y), 2, 1));
  assert_ptr_equal(product(r, raised(r->c, a, 3, 1), a), raised(r->c, r->x, 4, 1));
}

/* ---- attempts ---- */

/* (1 + x)^n + x for n = 2, 3, ..., each a new node. */
static const ir_expr *many(room *r, int n)
{
  const ir_expr *x = ir_input(r->c, IR_Z, 0);
  const ir_expr *base = ir_plus(r->c, x, ir_integer(r->c, 1));
  const ir_expr *last = NULL;
  for (int i = 2; i <= n; i++) {
    last = ir_plus(r->c, raised(r->c, base, i, 1), x);
  }
  return last;
}

static void test_a_dropped_attempt_leaves_nothing(void **state)
{
  room *r = *state;
  const ir_expr *before = many(r, 5);
  const unsigned size = ir_context_size(r->c);
  const size_t bytes = arena_size(r->memory);
  ir_attempt attempt = ir_attempt_begin(r->c, (size_t)1 << 30);
  assert_int_equal(ir_is_spent(r->c), 0);
  many(r, 5000);
  assert_true(ir_context_size(r->c) > size + 5000);
  assert_true(ir_context_arena(r->c) != r->memory);
  ir_attempt_drop(&attempt);
  assert_int_equal(ir_is_spent(r->c), 0);
  assert_int_equal(ir_context_size(r->c), size);
  assert_int_equal(arena_size(r->memory), bytes);
  assert_ptr_equal(ir_context_arena(r->c), r->memory);
  assert_ptr_equal(many(r, 5), before);
  assert_int_equal(ir_context_size(r->c), size);
  many(r, 6);
  assert_true(ir_context_size(r->c) > size);
}

static void test_a_spent_attempt_ends_soon(void **state)
{
  room *r = *state;
  const ir_expr *before = many(r, 5);
  const size_t limit = (size_t)1 << 20;
  ir_attempt attempt = ir_attempt_begin(r->c, limit);
  many(r, 200000);
  assert_true(is_one(call(r, IR_EXP, many(r, 4))));
  assert_true(ir_is_spent(r->c));
  assert_true(arena_size(ir_context_arena(r->c)) < 2 * limit);
  assert_ptr_equal(many(r, 5), before); /* nodes that exist are found */
  assert_true(ir_input(r->c, IR_Z, 77)->kind == IR_INPUT);
  ir_attempt_drop(&attempt);
  assert_false(is_one(many(r, 10)));
}

static void test_a_kept_attempt_stays(void **state)
{
  room *r = *state;
  ir_attempt attempt = ir_attempt_begin(r->c, (size_t)1 << 30);
  const ir_expr *kept = many(r, 3000);
  ir_attempt_keep(&attempt);
  assert_ptr_equal(ir_context_arena(r->c), r->memory);
  assert_true(arena_size(r->memory) > 3000 * sizeof(ir_expr));
  assert_ptr_equal(many(r, 3000), kept);
}

/* Look-ups of nodes that exist take time and no memory. */
static void test_an_attempt_is_spent_by_look_ups(void **state)
{
  room *r = *state;
  const ir_expr *before = many(r, 5);
  const size_t limit = (size_t)1 << 20;
  ir_attempt attempt = ir_attempt_begin(r->c, limit);
  assert_null(ir_attempt_excess(r->memory, r->c));
  for (size_t i = 0; i < limit / IR_ATTEMPT_SHARE && !ir_is_spent(r->c); i++) {
    assert_ptr_equal(many(r, 5), before);
  }
  assert_true(arena_size(ir_context_arena(r->c)) < limit);
  assert_string_equal(ir_attempt_excess(r->memory, r->c),
                      "take more than 262144 look-ups of common parts");
  assert_false(ir_attempt_settle(&attempt, 1));
  assert_false(is_one(many(r, 10)));
}

static void test_only_good_attempts_are_kept(void **state)
{
  room *r = *state;
  for (int good = 0; good < 2; good++) {
    const unsigned size = ir_context_size(r->c);
    ir_attempt attempt = ir_attempt_begin(r->c, (size_t)1 << 30);
    many(r, 3000);
    assert_int_equal(ir_attempt_settle(&attempt, good), good);
    assert_ptr_equal(ir_context_arena(r->c), r->memory);
    assert_int_equal(ir_context_size(r->c) > size + 2000, good);
  }
  ir_attempt attempt = ir_attempt_begin(r->c, (size_t)1 << 20);
  const ir_expr *x = many(r, 200000);
  assert_non_null(x);
  assert_string_equal(ir_attempt_excess(r->memory, r->c), "need more than 1 MiB");
  assert_false(ir_attempt_settle(&attempt, 1));
}

int main(void)
{
#define IN_ROOM(f) cmocka_unit_test_setup_teardown(f, open_room, close_room)
  const struct CMUnitTest tests[] = {
      IN_ROOM(test_equal_formulas_are_one_node),
      IN_ROOM(test_the_order_is_total),
      IN_ROOM(test_the_order_does_not_depend_on_the_context),
      IN_ROOM(test_sums_are_primitive),
      IN_ROOM(test_terms_cancel),
      IN_ROOM(test_powers_of_symbols),
      IN_ROOM(test_powers_of_numbers),
      IN_ROOM(test_squares_leave_the_roots_of_numbers),
      IN_ROOM(test_powers_of_roots_in_any_order),
      IN_ROOM(test_nested_roots),
      IN_ROOM(test_positive_factors_leave_roots),
      IN_ROOM(test_powers_with_the_same_base_are_one),
      IN_ROOM(test_absolute_values_of_products),
      IN_ROOM(test_odd_and_even_functions),
      IN_ROOM(test_absolute_values),
      IN_ROOM(test_signs_and_extremes),
      IN_ROOM(test_even_powers_of_absolute_values_in_any_order),
      IN_ROOM(test_a_dropped_attempt_leaves_nothing),
      IN_ROOM(test_a_spent_attempt_ends_soon),
      IN_ROOM(test_a_kept_attempt_stays),
      IN_ROOM(test_an_attempt_is_spent_by_look_ups),
      IN_ROOM(test_only_good_attempts_are_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
