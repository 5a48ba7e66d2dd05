/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * apply.c -- calls of elementary functions in normal form.
 */
#include "expr/builders.h"

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

/* sign(a) for an argument without a leading minus sign; sign(c x) = sign(x) for c > 0. */
static const ir_expr *apply_sign_of(ir_context *c, const ir_expr *a)
{
  if (a->kind == IR_NUMBER) {
    return ir_integer(c, mpq_sgn(a->value));
  }
  if (a->kind == IR_SUM && a->n == 1) {
    return ir_apply(c, IR_SIGN, a->terms[0].node, NULL);
  }
  return ir_plain_call(c, IR_SIGN, a, NULL);
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
  if (call == IR_SIGN) {
    return apply_sign_of(c, a);
  }
  if (call == IR_HOLD && a->kind != IR_SUM) {
    return a;
  }
  if (call == IR_MIN || call == IR_MAX) {
    return apply_extreme(c, call, a, b);
  }
  return ir_plain_call(c, call, a, b);
}
