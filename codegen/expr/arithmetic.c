/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arithmetic.c -- numbers, inputs, sums, products, powers, functions, and solutions of linear
 * equations, in normal form.
 */
#include <stdlib.h>

#include "expr/builders.h"
#include "expr/expr.h"

const ir_expr *ir_plus(ir_context *c, const ir_expr *a, const ir_expr *b)
{
  const ir_expr *parts[2] = {a, b};
  return ir_add(c, 2, parts);
}

const ir_expr *ir_minus(ir_context *c, const ir_expr *a, const ir_expr *b)
{
  return ir_plus(c, a, ir_negated(c, b));
}

const ir_expr *ir_negated(ir_context *c, const ir_expr *a)
{
  return ir_scale(c, ir_integer(c, -1)->value, a);
}

const ir_expr *ir_times(ir_context *c, const ir_expr *a, const ir_expr *b)
{
  const ir_expr *parts[2] = {a, b};
  return ir_mul(c, 2, parts);
}

const ir_expr *ir_mean(ir_context *c, const ir_expr *a, const ir_expr *b)
{
  return ir_times(c, ir_power(c, ir_integer(c, 2), -1, 1), ir_plus(c, a, b));
}

const ir_expr *ir_power(ir_context *c, const ir_expr *a, long numerator, unsigned long denominator)
{
  mpq_t e;
  mpq_init(e);
  mpq_set_si(e, numerator, denominator);
  const ir_expr *r = ir_pow(c, a, e);
  mpq_clear(e);
  return r;
}

/* Lists of (node, rational) from which sums and products are built.  They are on the heap: most
 * constructors find an existing node, and the arena would keep the scratch memory of each call. */
typedef struct item {
  const ir_expr *node; /* node of a term, or base of a factor */
  mpq_t value;         /* coefficient of a term, or exponent of a factor */
} item;

typedef struct items {
  item *at;
  size_t n;
  size_t capacity;
} items;

/* Appends an item with a copy of the value. */
static void items_push(items *list, const ir_expr *node, mpq_srcptr value)
{
  if (list->n == list->capacity) {
    list->capacity = list->n ? 2 * list->n : 8;
    list->at = ir_widen(list->at, list->capacity, sizeof *list->at);
  }
  list->at[list->n].node = node;
  mpq_init(list->at[list->n].value);
  mpq_set(list->at[list->n].value, value);
  list->n++;
}

/* Frees the values and the list, and leaves it empty. */
static void items_clear(items *list)
{
  for (size_t i = 0; i < list->n; i++) {
    mpq_clear(list->at[i].value);
  }
  free(list->at);
  *list = (items){0};
}

static int by_node(const void *a, const void *b)
{
  return ir_compare(((const item *)a)->node, ((const item *)b)->node);
}

/* Sorts the list by node, adds the values of equal nodes, and drops items with value 0. */
static void items_collect(items *list)
{
  if (list->n == 0) {
    return;
  }
  qsort(list->at, list->n, sizeof *list->at, by_node);
  size_t kept = 0;
  for (size_t i = 1; i < list->n; i++) {
    if (list->at[i].node == list->at[kept].node) {
      mpq_add(list->at[kept].value, list->at[kept].value, list->at[i].value);
      continue;
    }
    if (mpq_sgn(list->at[kept].value) != 0) {
      kept++;
    }
    if (kept != i) {
      list->at[kept].node = list->at[i].node;
      mpq_set(list->at[kept].value, list->at[i].value);
    }
  }
  if (mpq_sgn(list->at[kept].value) != 0) {
    kept++;
  }
  for (size_t i = kept; i < list->n; i++) {
    mpq_clear(list->at[i].value);
  }
  list->n = kept;
}

/* Numbers, inputs and sums in normal form.
 *
 * GiNaC extracts signs and contents of sums in the order of its hashes.  Here, every sum is
 * primitive under our own order, so that 8(x-y)^3 and -8(y-x)^3 become one node. */

enum { DOUBLE_BITS = 53 };

int ir_is_zero(const ir_expr *e)
{
  return e->kind == IR_NUMBER && mpq_sgn(e->value) == 0;
}

const ir_expr *ir_number(ir_context *c, mpq_srcptr value)
{
  return ir_intern(c, &(ir_expr){.kind = IR_NUMBER, .value = value});
}

const ir_expr *ir_integer(ir_context *c, long value)
{
  mpq_t q;
  mpq_init(q);
  mpq_set_si(q, value, 1);
  const ir_expr *e = ir_number(c, q);
  mpq_clear(q);
  return e;
}

const ir_expr *ir_pi(ir_context *c)
{
  return ir_intern(c, &(ir_expr){.kind = IR_PI});
}

const ir_expr *ir_input(ir_context *c, ir_space space, int index)
{
  return ir_intern(c, &(ir_expr){.kind = IR_INPUT, .space = space, .index = index});
}

const ir_expr *ir_scale(ir_context *c, mpq_srcptr coefficient, const ir_expr *node)
{
  if (mpq_sgn(coefficient) == 0) {
    return ir_integer(c, 0);
  }
  if (rational_is_one(coefficient)) {
    return node;
  }
  mpq_t q;
  mpq_init(q);
  const ir_expr *e = NULL;
  if (node->kind == IR_NUMBER) {
    mpq_mul(q, coefficient, node->value);
    e = ir_number(c, q);
  } else if (node->kind == IR_SUM && node->n == 1) {
    mpq_mul(q, coefficient, node->terms[0].coefficient);
    e = ir_scale(c, q, node->terms[0].node);
  } else {
    ir_term term = {coefficient, node};
    e = ir_intern(c, &(ir_expr){.kind = IR_SUM, .n = 1, .terms = &term});
  }
  mpq_clear(q);
  return e;
}

static void flatten_sum(ir_context *c, items *list, const ir_expr *node, mpq_srcptr coefficient)
{
  mpq_t q;
  mpq_init(q);
  if (node->kind == IR_SUM) {
    for (int i = 0; i < node->n; i++) {
      mpq_mul(q, coefficient, node->terms[i].coefficient);
      flatten_sum(c, list, node->terms[i].node, q);
    }
  } else if (node->kind == IR_NUMBER) {
    mpq_mul(q, coefficient, node->value);
    items_push(list, ir_integer(c, 1), q);
  } else {
    items_push(list, node, coefficient);
  }
  mpq_clear(q);
}

/* The number of bits of the largest numerator among the coefficients divided by `divisor`. */
static size_t most_bits(const items *list, mpq_srcptr divisor)
{
  size_t most = 0;
  mpq_t integer;
  mpq_init(integer);
  for (size_t i = 0; i < list->n; i++) {
    mpq_div(integer, list->at[i].value, divisor);
    size_t bits = mpz_sizeinbase(mpq_numref(integer), 2);
    most = bits > most ? bits : most;
  }
  mpq_clear(integer);
  return most;
}

/* Multiplies the divisor by a power of four, so that |value/divisor| is in [1, 4); the quotient was
 * an integer. */
static void scale_to_one(mpq_srcptr value, mpq_ptr divisor)
{
  mpq_t integer;
  mpq_init(integer);
  mpq_div(integer, value, divisor);
  mpq_mul_2exp(divisor, divisor, (mpz_sizeinbase(mpq_numref(integer), 2) - 1) & ~(mp_bitcnt_t)1);
  mpq_clear(integer);
}

/* The rational divisor that makes the coefficients coprime integers, the first positive: gcd of
 * numerators over lcm of denominators, with the sign of the first.  If these integers are too large
 * for doubles, the divisor is multiplied by a power of four, so that the constant term (or else the
 * first) is in [1, 4).  Then a power of 1 + (x/u)^2 does not overflow in any unit u, and the
 * scaling introduces no square root of two. */
static void content(const items *list, mpq_ptr result)
{
  mpz_set_ui(mpq_numref(result), 0);
  mpz_set_ui(mpq_denref(result), 1);
  for (size_t i = 0; i < list->n; i++) {
    mpz_gcd(mpq_numref(result), mpq_numref(result), mpq_numref(list->at[i].value));
    mpz_lcm(mpq_denref(result), mpq_denref(result), mpq_denref(list->at[i].value));
  }
  mpq_canonicalize(result);
  if (most_bits(list, result) > DOUBLE_BITS) {
    const item *last = &list->at[list->n - 1];
    scale_to_one(last->node->kind == IR_NUMBER ? last->value : list->at[0].value, result);
  }
  if (mpq_sgn(list->at[0].value) < 0) {
    mpq_neg(result, result);
  }
}

static const ir_expr *make_sum(ir_context *c, items *list)
{
  if (list->n == 0) {
    return ir_integer(c, 0);
  }
  if (list->n == 1) {
    return ir_scale(c, list->at[0].value, list->at[0].node);
  }
  mpq_t common;
  mpq_init(common);
  content(list, common);
  ir_term *terms = ir_zeros(list->n, sizeof *terms);
  for (size_t i = 0; i < list->n; i++) {
    mpq_div(list->at[i].value, list->at[i].value, common);
    terms[i] = (ir_term){list->at[i].value, list->at[i].node};
  }
  const ir_expr *sum = ir_intern(c, &(ir_expr){.kind = IR_SUM, .n = (int)list->n, .terms = terms});
  free(terms);
  const ir_expr *e = ir_scale(c, common, sum);
  mpq_clear(common);
  return e;
}

const ir_expr *ir_add(ir_context *c, int n, const ir_expr *const nodes[])
{
  items list = {0};
  for (int i = 0; i < n; i++) {
    flatten_sum(c, &list, nodes[i], ir_integer(c, 1)->value);
  }
  items_collect(&list);
  const ir_expr *e = make_sum(c, &list);
  items_clear(&list);
  return e;
}

#define EXPONENT_LIMIT 1000000

/* 1 if integer powers of a node are expanded. */
static int is_composite(const ir_expr *e)
{
  return e->kind == IR_PRODUCT || e->kind == IR_NUMBER || (e->kind == IR_SUM && e->n == 1);
}

/* coefficient *= base^exponent. */
static void multiply_power(mpq_ptr coefficient, mpq_srcptr base, mpz_srcptr exponent)
{
  long power = mpz_get_si(exponent);
  unsigned long magnitude = power < 0 ? 0UL - (unsigned long)power : (unsigned long)power;
  mpq_t q;
  mpq_init(q);
  mpz_pow_ui(mpq_numref(q), mpq_numref(base), magnitude);
  mpz_pow_ui(mpq_denref(q), mpq_denref(base), magnitude);
  if (power < 0) {
    mpq_inv(q, q);
  }
  mpq_mul(coefficient, coefficient, q);
  mpq_clear(q);
}

static void flatten_product(ir_context *c, items *list, mpq_ptr coefficient, const ir_expr *node,
                            mpq_srcptr exponent);

/* flatten_product for a composite node and an integer exponent. */
static void flatten_composite(ir_context *c, items *list, mpq_ptr coefficient, const ir_expr *node,
                              mpq_srcptr exponent)
{
  mpq_t q;
  if (node->kind == IR_PRODUCT) {
    mpq_init(q);
    for (int i = 0; i < node->n; i++) {
      mpq_mul(q, exponent, node->factors[i].exponent);
      flatten_product(c, list, coefficient, node->factors[i].base, q);
    }
    mpq_clear(q);
    return;
  }
  multiply_power(coefficient, node->kind == IR_NUMBER ? node->value : node->terms[0].coefficient,
                 mpq_numref(exponent));
  if (node->kind == IR_SUM) {
    flatten_product(c, list, coefficient, node->terms[0].node, exponent);
  }
}

/* 1 for |x|^(2n), which equals x^(2n). */
static int is_even_power_of_size(const ir_expr *e, mpq_srcptr exponent)
{
  return e->kind == IR_CALL && e->call == IR_ABS && rational_is_integer(exponent) &&
         mpz_even_p(mpq_numref(exponent));
}

static int is_inside(const ir_expr *e)
{
  return e->kind == IR_CALL && e->call == IR_INSIDE;
}

static void push_one(ir_context *c, items *list, const ir_expr *node)
{
  items_push(list, node, ir_integer(c, 1)->value);
}

/* Adds node^exponent to the list; rational factors go to *coefficient.  Exponents are multiplied if
 * that is an identity on the reals: (x^a)^n for integer n.  Composite nodes keep only a power
 * between 0 and 1: (xy)^(3/2) = x y (xy)^(1/2).  The result then does not depend on the order in
 * which factors were joined. */
static void flatten_product(ir_context *c, items *list, mpq_ptr coefficient, const ir_expr *node,
                            mpq_srcptr exponent)
{
  if (is_even_power_of_size(node, exponent)) {
    flatten_product(c, list, coefficient, node->arguments[0], exponent);
    return;
  }
  if (is_inside(node)) { /* 1 or NaN; any power has the same value */
    push_one(c, list, node);
    return;
  }
  if (!is_composite(node)) {
    items_push(list, node, exponent);
    return;
  }
  mpq_t whole;
  mpq_t rest;
  mpq_init(whole);
  mpq_init(rest);
  mpz_fdiv_q(mpq_numref(whole), mpq_numref(exponent), mpq_denref(exponent));
  mpq_sub(rest, exponent, whole);
  if (mpq_sgn(rest) != 0) {
    items_push(list, node, rest);
  }
  if (mpq_sgn(whole) != 0) {
    flatten_composite(c, list, coefficient, node, whole);
  }
  mpq_clear(whole);
  mpq_clear(rest);
}

/* Flattens factors that became composite powers while collecting: (xy)^(1/2) twice is xy.  Returns
 * 1 if there were any. */
static int flatten_again(ir_context *c, items *list, mpq_ptr coefficient)
{
  items next = {0};
  int changed = 0;
  for (size_t i = 0; i < list->n; i++) {
    const ir_expr *base = list->at[i].node;
    mpq_srcptr exponent = list->at[i].value;
    int within = mpq_sgn(exponent) > 0 && mpq_cmp_ui(exponent, 1, 1) < 0;
    changed |= (is_inside(base) && !rational_is_one(exponent)) || (is_composite(base) && !within) ||
               is_even_power_of_size(base, exponent);
    flatten_product(c, &next, coefficient, base, exponent);
  }
  items_clear(list);
  *list = next;
  items_collect(list);
  return changed;
}

static int is_real_power(const ir_expr *e)
{
  return e->kind == IR_CALL && e->call == IR_POW;
}

/* The amount that the factor node^value adds to the exponent of a power of base.  NULL if the
 * factor is not a power of base, or if joining is not an identity: pow(b, 2)^(1/2) is |b|. */
static const ir_expr *added_exponent(ir_context *c, const item *f, const ir_expr *base)
{
  if (!rational_is_integer(f->value)) {
    return NULL;
  }
  const ir_expr *own = f->node == base ? ir_integer(c, 1)
                       : is_real_power(f->node) && f->node->arguments[0] == base
                           ? f->node->arguments[1]
                           : NULL;
  return own ? ir_scale(c, f->value, own) : NULL;
}

/* pow(b, e)^n b^m ... = pow(b, n e + m) for integers n, m.  Without this rule the derivative of b^n
 * with a parameter n would be n pow(b, n)/b, which is 0/0 at b = 0.  Merges the factors of the
 * first such power; returns 0 if there is none. */
static int merge_real_powers(ir_context *c, items *list)
{
  for (size_t i = 0; i < list->n; i++) {
    if (!is_real_power(list->at[i].node) || !rational_is_integer(list->at[i].value)) {
      continue;
    }
    const ir_expr *base = list->at[i].node->arguments[0];
    const ir_expr *exponent = ir_integer(c, 0);
    size_t kept = 0;
    int parts = 0;
    for (size_t j = 0; j < list->n; j++) {
      const ir_expr *own = added_exponent(c, &list->at[j], base);
      parts += own ? 1 : 0;
      if (own) {
        const ir_expr *sum[2] = {exponent, own};
        exponent = ir_add(c, 2, sum);
      }
    }
    if (parts == 1 && rational_is_one(list->at[i].value)) {
      continue;
    }
    for (size_t j = 0; j < list->n; j++) {
      if (added_exponent(c, &list->at[j], base)) {
        mpq_clear(list->at[j].value);
      } else {
        list->at[kept++] = list->at[j];
      }
    }
    list->n = kept;
    push_one(c, list, ir_apply(c, IR_POW, base, exponent));
    return 1;
  }
  return 0;
}

static const ir_expr *make_product(ir_context *c, const items *list)
{
  if (list->n == 0) {
    return ir_integer(c, 1);
  }
  if (list->n == 1 && rational_is_one(list->at[0].value)) {
    return list->at[0].node;
  }
  ir_factor *factors = ir_zeros(list->n, sizeof *factors);
  for (size_t i = 0; i < list->n; i++) {
    factors[i] = (ir_factor){list->at[i].node, list->at[i].value};
  }
  const ir_expr *e =
      ir_intern(c, &(ir_expr){.kind = IR_PRODUCT, .n = (int)list->n, .factors = factors});
  free(factors);
  return e;
}

/* The product of n nodes, each raised to the exponent. */
static const ir_expr *product_of_powers(ir_context *c, int n, const ir_expr *const nodes[],
                                        mpq_srcptr exponent)
{
  items list = {0};
  mpq_t coefficient;
  mpq_init(coefficient);
  mpq_set_ui(coefficient, 1, 1);
  for (int i = 0; i < n; i++) {
    flatten_product(c, &list, coefficient, nodes[i], exponent);
  }
  items_collect(&list);
  while (mpq_sgn(coefficient) != 0 &&
         (flatten_again(c, &list, coefficient) || merge_real_powers(c, &list))) {
  }
  const ir_expr *e = ir_scale(c, coefficient, make_product(c, &list));
  items_clear(&list);
  mpq_clear(coefficient);
  return e;
}

const ir_expr *ir_mul(ir_context *c, int n, const ir_expr *const nodes[])
{
  return product_of_powers(c, n, nodes, ir_integer(c, 1)->value);
}

/* ---- powers ---- */

/* base^(1/b) for a positive rational base and exponent a/b.  Returns 0 if the root is not exact. */
static int exact_root(mpq_ptr result, mpq_srcptr base, mpq_srcptr exponent)
{
  unsigned long root = mpz_get_ui(mpq_denref(exponent));
  return mpz_fits_ulong_p(mpq_denref(exponent)) &&
         mpz_root(mpq_numref(result), mpq_numref(base), root) &&
         mpz_root(mpq_denref(result), mpq_denref(base), root);
}

/* sqrt(n/d) = (k/d) sqrt(nd/k^2): extracts all squares of k up to 1000 from nd. */
static void take_squares(mpq_ptr outside, mpq_ptr inside)
{
  mpq_set_ui(outside, 1, 1);
  mpz_set(mpq_denref(outside), mpq_denref(inside));
  mpz_mul(mpq_numref(inside), mpq_numref(inside), mpq_denref(inside));
  mpz_set_ui(mpq_denref(inside), 1);
  for (unsigned long k = 2; k <= 1000; k++) {
    while (mpz_divisible_ui_p(mpq_numref(inside), k * k)) {
      mpz_divexact_ui(mpq_numref(inside), mpq_numref(inside), k * k);
      mpz_mul_ui(mpq_numref(outside), mpq_numref(outside), k);
    }
  }
  mpq_canonicalize(outside);
}

/* A positive number to a power that is not an integer: 4^(3/2) is 8, 8^(1/2) is 2 * 2^(1/2),
 * 2^(5/2) is 4 * 2^(1/2). */
static const ir_expr *number_power(ir_context *c, const ir_expr *base, mpq_srcptr exponent)
{
  mpq_t inside;
  mpq_t outside;
  mpq_t whole;
  mpq_t rest;
  mpq_init(inside);
  mpq_init(outside);
  mpq_init(whole);
  mpq_init(rest);
  const ir_expr *e = NULL;
  if (exact_root(inside, base->value, exponent)) {
    mpq_set_z(whole, mpq_numref(exponent));
    e = ir_pow(c, ir_number(c, inside), whole);
  } else {
    mpz_fdiv_q(mpq_numref(whole), mpq_numref(exponent), mpq_denref(exponent));
    mpq_sub(rest, exponent, whole);
    mpq_set(inside, base->value);
    mpq_set_ui(outside, 1, 1);
    if (mpq_cmp_ui(rest, 1, 2) == 0) {
      take_squares(outside, inside);
    }
    ir_factor factor = {ir_number(c, inside), rest};
    e = ir_intern(c, &(ir_expr){.kind = IR_PRODUCT, .n = 1, .factors = &factor});
    e = ir_scale(c, outside, ir_scale(c, ir_pow(c, base, whole)->value, e));
  }
  mpq_clear(inside);
  mpq_clear(outside);
  mpq_clear(whole);
  mpq_clear(rest);
  return e;
}

const ir_expr *ir_pow(ir_context *c, const ir_expr *base, mpq_srcptr exponent)
{
  if (mpq_sgn(exponent) == 0) {
    return ir_integer(c, 1);
  }
  if (rational_is_one(exponent)) {
    return base;
  }
  /* Powers that are infinite or too large for exact arithmetic are evaluated at run time. */
  int pole = ir_is_zero(base) && mpq_sgn(exponent) < 0;
  if (pole || mpz_cmpabs_ui(mpq_numref(exponent), EXPONENT_LIMIT) > 0) {
    return ir_plain_call(c, IR_POW, base, ir_number(c, exponent));
  }
  if (!rational_is_integer(exponent)) {
    if (base->kind == IR_NUMBER && mpq_sgn(base->value) > 0) {
      return number_power(c, base, exponent);
    }
    /* (c x)^e = |c|^e (sign(c) x)^e for either sign of x. */
    if (base->kind == IR_SUM && base->n == 1 &&
        mpq_cmp_si(base->terms[0].coefficient, -1, 1) != 0) {
      mpq_srcptr sign = ir_integer(c, mpq_sgn(base->terms[0].coefficient))->value;
      const ir_expr *size = ir_scale(c, sign, ir_number(c, base->terms[0].coefficient));
      const ir_expr *parts[2] = {ir_pow(c, size, exponent),
                                 ir_pow(c, ir_scale(c, sign, base->terms[0].node), exponent)};
      return ir_mul(c, 2, parts);
    }
  }
  return product_of_powers(c, 1, &base, exponent);
}

/* ---- calls of elementary functions in normal form ---- */

static int leading_sign(const ir_expr *e)
{
  if (e->kind == IR_NUMBER) {
    return mpq_sgn(e->value);
  }
  return e->kind == IR_SUM ? mpq_sgn(e->terms[0].coefficient) : 1;
}

/* |x^a y^b ...| = |x|^a |y|^b ... */
static const ir_expr *absolute_product(ir_context *c, const ir_expr *e)
{
  const ir_expr **parts = ARENA_ARRAY(ir_context_arena(c), e->n, const ir_expr *);
  for (int i = 0; i < e->n; i++) {
    parts[i] = ir_pow(c, ir_apply(c, IR_ABS, e->factors[i].base, NULL), e->factors[i].exponent);
  }
  return ir_mul(c, e->n, parts);
}

/* G_k(c, -t) = (-1)^k G_k(c, t), G_k(0, t) = t^k/k!, G_k(c, 0) = 0 or 1. */
static const ir_expr *universal(ir_context *c, ir_call call, const ir_expr *a, const ir_expr *t)
{
  int k = ir_universal_order(call);
  if (leading_sign(t) < 0) {
    const ir_expr *e = universal(c, call, a, ir_negated(c, t));
    return k % 2 ? ir_negated(c, e) : e;
  }
  if (ir_is_zero(a) || ir_is_zero(t)) {
    long factorial = k == 3 ? 6 : k == 2 ? 2 : 1;
    return ir_times(c, ir_power(c, ir_integer(c, factorial), -1, 1), ir_power(c, t, k, 1));
  }
  return ir_plain_call(c, call, a, t);
}

/* inside(c x) = inside(x) for c > 0, and inside(number) = 1 if the number is not negative. */
static const ir_expr *inside(ir_context *c, const ir_expr *e)
{
  if (e->kind == IR_NUMBER && mpq_sgn(e->value) >= 0) {
    return ir_integer(c, 1);
  }
  if (e->kind == IR_SUM && e->n == 1) {
    e = mpq_sgn(e->terms[0].coefficient) > 0 ? e->terms[0].node : ir_negated(c, e->terms[0].node);
  }
  return ir_plain_call(c, IR_INSIDE, e, NULL);
}

/* min or max of two nodes, with the arguments sorted by ir_compare. */
static const ir_expr *apply_extreme(ir_context *c, ir_call call, const ir_expr *a, const ir_expr *b)
{
  if (a == b) {
    return a;
  }
  if (a->kind == IR_NUMBER && b->kind == IR_NUMBER) {
    return (mpq_cmp(a->value, b->value) < 0) == (call == IR_MIN) ? a : b;
  }
  return ir_compare(a, b) < 0 ? ir_plain_call(c, call, a, b) : ir_plain_call(c, call, b, a);
}

const ir_expr *ir_held(ir_context *c, const ir_expr *e)
{
  return e->kind == IR_NUMBER || e->kind == IR_INPUT ? e : ir_plain_call(c, IR_HOLD, e, NULL);
}

const ir_expr *ir_apply(ir_context *c, ir_call call, const ir_expr *a, const ir_expr *b)
{
  if (ir_universal_order(call) >= 0) {
    return universal(c, call, a, b);
  }
  if (call == IR_INSIDE) {
    return inside(c, a);
  }
  if (call == IR_POW && b->kind == IR_NUMBER) {
    return ir_pow(c, a, b->value);
  }
  int odd = call == IR_SIN || call == IR_TAN || call == IR_ASIN || call == IR_ATAN ||
            call == IR_SINH || call == IR_TANH || call == IR_SIGN;
  int even = call == IR_COS || call == IR_COSH || call == IR_ABS;
  if ((odd || even) && leading_sign(a) < 0) {
    const ir_expr *e = ir_apply(c, call, ir_negated(c, a), NULL);
    return odd ? ir_negated(c, e) : e;
  }
  if (call == IR_ABS) {
    int positive =
        a->kind == IR_PI ||
        (a->kind == IR_CALL && (a->call == IR_EXP || a->call == IR_COSH || a->call == IR_INSIDE));
    if (positive || a->kind == IR_NUMBER || (a->kind == IR_CALL && a->call == IR_ABS)) {
      return a;
    }
    if (a->kind == IR_SUM && a->n == 1) { /* |c x| = c |x|; c > 0 here */
      return ir_scale(c, a->terms[0].coefficient, ir_apply(c, IR_ABS, a->terms[0].node, NULL));
    }
  }
  if (call == IR_ABS && a->kind == IR_PRODUCT) {
    return absolute_product(c, a);
  }
  if (call == IR_SIGN && a->kind == IR_NUMBER) {
    return ir_integer(c, mpq_sgn(a->value));
  }
  if (call == IR_SIGN && a->kind == IR_SUM && a->n == 1) { /* sign(c x) = sign(x); c > 0 here */
    return ir_apply(c, IR_SIGN, a->terms[0].node, NULL);
  }
  if (call == IR_HOLD && a->kind != IR_SUM) {
    return a;
  }
  if (call == IR_MIN || call == IR_MAX) {
    return apply_extreme(c, call, a, b);
  }
  return ir_plain_call(c, call, a, b);
}

/* ---- nodes that are unknowns of linear equations ---- */

const ir_equations *ir_solved_by(const ir_context *c, const ir_expr *e, int *row)
{
  const ir_rule *rule = ir_rule_of(c, e);
  int is_unknown = rule && rule->equations && rule->column < 0;
  if (is_unknown) {
    *row = rule->row;
  }
  return is_unknown ? rule->equations : NULL;
}

const ir_equations *ir_solve(ir_context *c, const ir_equations *of, const ir_expr *const y[])
{
  arena *a = ir_context_arena(c);
  const int n = of->n;
  ir_equations *result = ARENA_COPY(a, ir_equations, of);
  result->y = ARENA_ARRAY(a, n, const ir_expr *);
  result->v = ARENA_ARRAY(a, n, const ir_expr *);
  const ir_expr **parts = ARENA_ARRAY(a, n, const ir_expr *);
  for (int i = 0; i < n; i++) {
    result->y[i] = y[i];
    for (int j = 0; j < n; j++) {
      parts[j] = ir_times(c, of->W[i * n + j], y[j]);
    }
    result->v[i] = ir_held(c, ir_add(c, n, parts));
    if (result->v[i]->kind == IR_CALL && !ir_rule_of(c, result->v[i])) {
      const ir_rule rule = {0, NULL, result, i, -1};
      ir_give_rule(c, result->v[i], ARENA_COPY(a, ir_rule, &rule));
    }
  }
  return result;
}
