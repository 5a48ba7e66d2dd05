/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * normal.c -- the constructors: sums, products and powers in normal form.
 *
 * GiNaC pulls signs and contents out of sums in the order of its hashes.  Here every sum is made
 * primitive under our own order, so that 8(x-y)^3 and -8(y-x)^3 become one node.
 */
#include "ir/expr.h"

#include <stdlib.h>

int ir_is_zero(const ir_expr *e)
{
  return e->kind == IR_NUMBER && mpq_sgn(e->value) == 0;
}

int ir_is_one(const ir_expr *e)
{
  return e->kind == IR_NUMBER && mpq_cmp_ui(e->value, 1, 1) == 0;
}

static int is_integer(mpq_srcptr q)
{
  return mpz_cmp_ui(mpq_denref(q), 1) == 0;
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
  if (mpq_cmp_ui(coefficient, 1, 1) == 0) {
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

/* ---- sums ---- */

typedef struct item {
  const ir_expr *node; /* a term's node, or a factor's base */
  mpq_t value;         /* its coefficient, or exponent */
} item;

typedef struct items {
  item *at;
  size_t n;
  size_t capacity;
} items;

static void items_push(ir_context *c, items *list, const ir_expr *node, mpq_srcptr value)
{
  list->at = arena_grow(ir_context_arena(c), list->at, list->n, &list->capacity, sizeof *list->at);
  list->at[list->n].node = node;
  mpq_init(list->at[list->n].value);
  mpq_set(list->at[list->n].value, value);
  list->n++;
}

static void items_clear(items *list)
{
  for (size_t i = 0; i < list->n; i++) {
    mpq_clear(list->at[i].value);
  }
  list->n = 0;
}

static int by_node(const void *a, const void *b)
{
  return ir_compare(((const item *)a)->node, ((const item *)b)->node);
}

/* Sorts, adds the values of equal nodes, and drops those that vanish. */
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
    items_push(c, list, ir_integer(c, 1), q);
  } else {
    items_push(c, list, node, coefficient);
  }
  mpq_clear(q);
}

/* The rational by which the coefficients must be divided to be coprime integers, the first positive:
 * gcd of numerators over lcm of denominators, with the first one's sign. */
static void content(const items *list, mpq_ptr result)
{
  mpz_set_ui(mpq_numref(result), 0);
  mpz_set_ui(mpq_denref(result), 1);
  for (size_t i = 0; i < list->n; i++) {
    mpz_gcd(mpq_numref(result), mpq_numref(result), mpq_numref(list->at[i].value));
    mpz_lcm(mpq_denref(result), mpq_denref(result), mpq_denref(list->at[i].value));
  }
  mpq_canonicalize(result);
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
  ir_term *terms = ARENA_ARRAY(ir_context_arena(c), list->n, ir_term);
  for (size_t i = 0; i < list->n; i++) {
    mpq_div(list->at[i].value, list->at[i].value, common);
    terms[i] = (ir_term){list->at[i].value, list->at[i].node};
  }
  const ir_expr *sum = ir_intern(c, &(ir_expr){.kind = IR_SUM, .n = (int)list->n, .terms = terms});
  const ir_expr *e = ir_scale(c, common, sum);
  mpq_clear(common);
  return e;
}

const ir_expr *ir_add(ir_context *c, int n, const ir_expr *const nodes[])
{
  items list = {0};
  mpq_t one;
  mpq_init(one);
  mpq_set_ui(one, 1, 1);
  for (int i = 0; i < n; i++) {
    flatten_sum(c, &list, nodes[i], one);
  }
  mpq_clear(one);
  items_collect(&list);
  const ir_expr *e = make_sum(c, &list);
  items_clear(&list);
  return e;
}

/* ---- products ---- */

/* Adds node^exponent to the list; rational factors go to *coefficient.  Exponents multiply where that
 * is an identity on the reals: (x^a)^n for integer n. */
static void flatten_product(ir_context *c, items *list, mpq_ptr coefficient, const ir_expr *node,
                            mpq_srcptr exponent)
{
  if (is_integer(exponent) && node->kind == IR_PRODUCT) {
    mpq_t q;
    mpq_init(q);
    for (int i = 0; i < node->n; i++) {
      mpq_mul(q, exponent, node->factors[i].exponent);
      flatten_product(c, list, coefficient, node->factors[i].base, q);
    }
    mpq_clear(q);
  } else if (is_integer(exponent) &&
             (node->kind == IR_NUMBER || (node->kind == IR_SUM && node->n == 1))) {
    mpq_srcptr base = node->kind == IR_NUMBER ? node->value : node->terms[0].coefficient;
    long power = mpz_get_si(mpq_numref(exponent));
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
    if (node->kind == IR_SUM) {
      flatten_product(c, list, coefficient, node->terms[0].node, exponent);
    }
  } else {
    items_push(c, list, node, exponent);
  }
}

/* After collecting, a factor may have become flattenable: (xy)^(1/2) twice is xy. */
static int flatten_again(ir_context *c, items *list, mpq_ptr coefficient)
{
  items next = {0};
  int changed = 0;
  for (size_t i = 0; i < list->n; i++) {
    const ir_expr *base = list->at[i].node;
    int composite = base->kind == IR_PRODUCT || base->kind == IR_NUMBER ||
                    (base->kind == IR_SUM && base->n == 1);
    changed |= composite && is_integer(list->at[i].value);
    flatten_product(c, &next, coefficient, base, list->at[i].value);
  }
  items_clear(list);
  *list = next;
  items_collect(list);
  return changed;
}

static const ir_expr *make_product(ir_context *c, const items *list)
{
  if (list->n == 0) {
    return ir_integer(c, 1);
  }
  if (list->n == 1 && mpq_cmp_ui(list->at[0].value, 1, 1) == 0) {
    return list->at[0].node;
  }
  ir_factor *factors = ARENA_ARRAY(ir_context_arena(c), list->n, ir_factor);
  for (size_t i = 0; i < list->n; i++) {
    factors[i] = (ir_factor){list->at[i].node, list->at[i].value};
  }
  return ir_intern(c, &(ir_expr){.kind = IR_PRODUCT, .n = (int)list->n, .factors = factors});
}

const ir_expr *ir_mul(ir_context *c, int n, const ir_expr *const nodes[])
{
  items list = {0};
  mpq_t one;
  mpq_t coefficient;
  mpq_init(one);
  mpq_init(coefficient);
  mpq_set_ui(one, 1, 1);
  mpq_set(coefficient, one);
  for (int i = 0; i < n; i++) {
    flatten_product(c, &list, coefficient, nodes[i], one);
  }
  items_collect(&list);
  while (mpq_sgn(coefficient) != 0 && flatten_again(c, &list, coefficient)) {
  }
  const ir_expr *e = ir_scale(c, coefficient, make_product(c, &list));
  items_clear(&list);
  mpq_clear(one);
  mpq_clear(coefficient);
  return e;
}

/* ---- powers ---- */

/* base^(a/b) for a positive rational base where the root is exact; else 0. */
static int exact_root(mpq_ptr result, mpq_srcptr base, mpq_srcptr exponent)
{
  unsigned long root = mpz_get_ui(mpq_denref(exponent));
  return mpz_fits_ulong_p(mpq_denref(exponent)) &&
         mpz_root(mpq_numref(result), mpq_numref(base), root) &&
         mpz_root(mpq_denref(result), mpq_denref(base), root);
}

/* A positive number to a power that is no integer: 8^(1/2) stays, 4^(3/2) is 8, 2^(5/2) is
 * 4 * 2^(1/2). */
static const ir_expr *number_power(ir_context *c, const ir_expr *base, mpq_srcptr exponent)
{
  mpq_t root;
  mpq_t whole;
  mpq_t rest;
  mpq_init(root);
  mpq_init(whole);
  mpq_init(rest);
  const ir_expr *e = NULL;
  if (exact_root(root, base->value, exponent)) {
    mpq_set_z(whole, mpq_numref(exponent));
    e = ir_pow(c, ir_number(c, root), whole);
  } else {
    mpz_fdiv_q(mpq_numref(whole), mpq_numref(exponent), mpq_denref(exponent));
    mpq_sub(rest, exponent, whole);
    ir_factor factor = {base, rest};
    const ir_expr *parts[2] = {
        ir_pow(c, base, whole),
        ir_intern(c, &(ir_expr){.kind = IR_PRODUCT, .n = 1, .factors = &factor}),
    };
    e = ir_scale(c, parts[0]->value, parts[1]);
  }
  mpq_clear(root);
  mpq_clear(whole);
  mpq_clear(rest);
  return e;
}

const ir_expr *ir_pow(ir_context *c, const ir_expr *base, mpq_srcptr exponent)
{
  if (mpq_sgn(exponent) == 0) {
    return ir_integer(c, 1);
  }
  if (mpq_cmp_ui(exponent, 1, 1) == 0) {
    return base;
  }
  if (!is_integer(exponent)) {
    if (base->kind == IR_NUMBER && mpq_sgn(base->value) > 0) {
      return number_power(c, base, exponent);
    }
    /* (c x)^e = c^e x^e holds for c > 0 whatever the sign of x. */
    if (base->kind == IR_SUM && base->n == 1 && mpq_sgn(base->terms[0].coefficient) > 0) {
      const ir_expr *parts[2] = {ir_pow(c, ir_number(c, base->terms[0].coefficient), exponent),
                                 ir_pow(c, base->terms[0].node, exponent)};
      return ir_mul(c, 2, parts);
    }
  }
  /* |x|^(2n) = x^(2n). */
  if (base->kind == IR_CALL && base->call == IR_ABS && is_integer(exponent) &&
      mpz_even_p(mpq_numref(exponent))) {
    return ir_pow(c, base->arguments[0], exponent);
  }
  items list = {0};
  mpq_t coefficient;
  mpq_init(coefficient);
  mpq_set_ui(coefficient, 1, 1);
  flatten_product(c, &list, coefficient, base, exponent);
  items_collect(&list);
  const ir_expr *e = ir_scale(c, coefficient, make_product(c, &list));
  items_clear(&list);
  mpq_clear(coefficient);
  return e;
}

/* ---- calls ---- */

static int leading_sign(const ir_expr *e)
{
  if (e->kind == IR_NUMBER) {
    return mpq_sgn(e->value);
  }
  return e->kind == IR_SUM ? mpq_sgn(e->terms[0].coefficient) : 1;
}

static const ir_expr *negate(ir_context *c, const ir_expr *e)
{
  mpq_t minus;
  mpq_init(minus);
  mpq_set_si(minus, -1, 1);
  const ir_expr *r = ir_scale(c, minus, e);
  mpq_clear(minus);
  return r;
}

const ir_expr *ir_apply(ir_context *c, ir_call call, const ir_expr *a, const ir_expr *b)
{
  int odd = call == IR_SIN || call == IR_TAN || call == IR_ASIN || call == IR_ATAN ||
            call == IR_SINH || call == IR_TANH;
  int even = call == IR_COS || call == IR_COSH || call == IR_ABS;
  if ((odd || even) && leading_sign(a) < 0) {
    const ir_expr *e = ir_apply(c, call, negate(c, a), NULL);
    return odd ? negate(c, e) : e;
  }
  if (call == IR_ABS) {
    int positive =
        a->kind == IR_PI || (a->kind == IR_CALL && (a->call == IR_EXP || a->call == IR_COSH));
    if (positive || a->kind == IR_NUMBER || (a->kind == IR_CALL && a->call == IR_ABS)) {
      return a;
    }
    if (a->kind == IR_SUM && a->n == 1) { /* |c x| = c |x|, c > 0 by now */
      return ir_scale(c, a->terms[0].coefficient, ir_apply(c, IR_ABS, a->terms[0].node, NULL));
    }
  }
  ir_expr candidate = {.kind = IR_CALL, .call = call, .n = b ? 2 : 1, .arguments = {a, b}};
  return ir_intern(c, &candidate);
}
