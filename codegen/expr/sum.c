/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sum.c -- numbers, inputs and sums in normal form.
 *
 * GiNaC extracts signs and contents of sums in the order of its hashes.  Here, every sum is
 * primitive under our own order, so that 8(x-y)^3 and -8(y-x)^3 become one node.
 */
#include "expr/items.h"

#include <stdlib.h>

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
