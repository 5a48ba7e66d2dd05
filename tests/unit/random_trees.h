/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * random_trees.h -- random formulas of the tests' own, built as IR in any order and evaluated
 * without it.
 *
 * A tree is what a model could say.  tree_build turns it into IR in a way that a seed chooses:
 * operands shuffled and grouped at random, signs and factors moved across sums, powers as
 * repeated products, odd and even functions of the negated argument.  tree_value evaluates the
 * tree itself in long double.  Arguments are bounded so that every function is used inside of its
 * domain.
 */
#ifndef RANDOM_TREES_H
#define RANDOM_TREES_H

#include <math.h>
#include <stdint.h>

#include "common/random.h"
#include "expr/expr.h"

enum { tree_inputs = 3, tree_parts = 3 };

/* Functions up to this one; those from IR_G0 on have no name in the language of models. */
#ifndef TREE_CALLS
#define TREE_CALLS IR_CALLS
#endif

typedef enum tree_kind {
  TREE_NUMBER,
  TREE_INPUT,
  TREE_SUM,
  TREE_PRODUCT,
  TREE_POWER,
  TREE_CALL
} tree_kind;

typedef struct tree {
  tree_kind kind;
  long numerator; /* NUMBER: the value; POWER: the exponent */
  unsigned long denominator;
  ir_space space;
  int index;
  ir_call call;
  int n;
  const struct tree *part[tree_parts];
} tree;

/* A value and the size of the terms it was computed from: its error is a small multiple of u *
 * size. */
typedef struct tree_result {
  long double value;
  long double size;
} tree_result;

/* ---- random numbers ---- */

static inline int random_below(uint64_t *seed, int n)
{
  return (int)(sw_random_bits(seed) % (unsigned)n);
}

/* ---- trees ---- */

static inline tree *tree_node(arena *a, tree_kind kind, int n, const tree *x, const tree *y)
{
  tree *t = ARENA_NEW(a, tree);
  *t = (tree){.kind = kind, .denominator = 1, .n = n, .part = {x, y, NULL}};
  return t;
}

static inline tree *tree_number(arena *a, long numerator, unsigned long denominator)
{
  tree *t = tree_node(a, TREE_NUMBER, 0, NULL, NULL);
  t->numerator = numerator;
  t->denominator = denominator;
  return t;
}

static inline tree *tree_call(arena *a, ir_call call, const tree *x, const tree *y)
{
  tree *t = tree_node(a, TREE_CALL, y ? 2 : 1, x, y);
  t->call = call;
  return t;
}

static inline tree *tree_power(arena *a, const tree *base, long numerator,
                               unsigned long denominator)
{
  tree *t = tree_node(a, TREE_POWER, 1, base, NULL);
  t->numerator = numerator;
  t->denominator = denominator;
  return t;
}

static inline tree *tree_leaf(arena *a, uint64_t *seed)
{
  static const unsigned long denominators[] = {1, 1, 2, 3, 5, 10, 7};
  tree *t = tree_node(a, TREE_INPUT, 0, NULL, NULL);
  t->space = (ir_space)random_below(seed, IR_NEXT); /* k, lambda or z */
  t->index = random_below(seed, tree_inputs);
  if (random_below(seed, 4) == 0) {
    long size = 1 + random_below(seed, 9);
    t = tree_number(a, random_below(seed, 2) ? size : -size, denominators[random_below(seed, 7)]);
  }
  return t;
}

static inline const tree *tree_random(arena *a, uint64_t *seed, int depth);

/* In [1, 3] or, for the power, at least 1. */
static inline const tree *tree_positive(arena *a, uint64_t *seed, int depth)
{
  const tree *x = tree_random(a, seed, depth);
  switch (random_below(seed, 3)) {
  case 0:
    return tree_node(a, TREE_SUM, 2, tree_number(a, 2, 1), tree_call(a, IR_COS, x, NULL));
  case 1:
    return tree_node(a, TREE_SUM, 2, tree_number(a, 1, 1), tree_power(a, x, 2, 1));
  default:
    return tree_call(a, IR_EXP, tree_call(a, IR_SIN, x, NULL), NULL);
  }
}

static inline const tree *tree_random_call(arena *a, uint64_t *seed, int depth)
{
  const tree *x = tree_random(a, seed, depth);
  const tree *bounded = tree_call(a, IR_SIN, x, NULL);
  ir_call call = (ir_call)random_below(seed, TREE_CALLS);
  switch (call) {
  case IR_INSIDE:
    return tree_call(a, call, tree_positive(a, seed, depth), NULL);
  case IR_G0:
  case IR_G1:
  case IR_G2:
  case IR_G3:
    return tree_call(a, call, bounded, tree_call(a, IR_COS, tree_random(a, seed, depth), NULL));
  case IR_ASIN:
  case IR_ACOS:
    return tree_call(a, call, tree_node(a, TREE_PRODUCT, 2, tree_number(a, 1, 2), bounded), NULL);
  case IR_ATAN2:
  case IR_MIN:
  case IR_MAX:
    return tree_call(a, call, x, tree_positive(a, seed, depth));
  case IR_HOLD:
    break;
  case IR_SIGN: /* nowhere near its jump */
    return tree_call(a, call, tree_positive(a, seed, depth), NULL);
  case IR_POW:
    return tree_call(a, call, tree_positive(a, seed, depth), bounded);
  case IR_LOG:
    return tree_call(a, call, tree_positive(a, seed, depth), NULL);
  case IR_TAN:
  case IR_SINH:
  case IR_COSH:
  case IR_EXP:
    return tree_call(a, call, bounded, NULL);
  case IR_SIN:
  case IR_COS:
  case IR_ATAN:
  case IR_TANH:
  case IR_CALLS:
    return tree_call(a, call, x, NULL);
  case IR_ABS: /* in a sum, as |x|^3 and x^2 |x| are two nodes */
    break;
  }
  return tree_node(a, TREE_SUM, 2, tree_number(a, 1, 1), tree_call(a, IR_ABS, x, NULL));
}

static inline const tree *tree_random(arena *a, uint64_t *seed, int depth)
{
  static const long halves[] = {1, -1, 3, -3, 5};
  static const long wholes[] = {2, 3, 4, 7, 2};
  if (depth == 0) {
    return tree_leaf(a, seed);
  }
  int choice = random_below(seed, 10);
  if (choice < 7) {
    tree *t =
        tree_node(a, choice < 4 ? TREE_SUM : TREE_PRODUCT, 2 + random_below(seed, 2), NULL, NULL);
    for (int i = 0; i < t->n; i++) {
      t->part[i] = tree_random(a, seed, depth - 1);
    }
    return t;
  }
  if (choice == 7) {
    return tree_random_call(a, seed, depth - 1);
  }
  if (choice == 8) {
    return tree_power(a, tree_random(a, seed, depth - 1), wholes[random_below(seed, 5)], 1);
  }
  const tree *base = tree_positive(a, seed, depth - 1);
  return random_below(seed, 3) ? tree_power(a, base, halves[random_below(seed, 5)], 2)
                               : tree_power(a, base, -1 - random_below(seed, 4), 1);
}

/* ---- as IR ---- */

static inline const ir_expr *scaled(ir_context *c, long numerator, unsigned long denominator,
                                    const ir_expr *e)
{
  mpq_t q;
  mpq_init(q);
  mpq_set_si(q, numerator, denominator);
  mpq_canonicalize(q);
  const ir_expr *r = ir_scale(c, q, e);
  mpq_clear(q);
  return r;
}

static inline const ir_expr *raised(ir_context *c, const ir_expr *e, long numerator,
                                    unsigned long denominator)
{
  mpq_t q;
  mpq_init(q);
  mpq_set_si(q, numerator, denominator);
  mpq_canonicalize(q);
  const ir_expr *r = ir_pow(c, e, q);
  mpq_clear(q);
  return r;
}

/* Shuffles the operands and combines neighbours until one is left. */
static inline const ir_expr *combine(ir_context *c, uint64_t *seed, int product, int n,
                                     const ir_expr *e[])
{
  for (int i = n - 1; i > 0; i--) {
    int j = random_below(seed, i + 1);
    const ir_expr *t = e[i];
    e[i] = e[j];
    e[j] = t;
  }
  while (n > 1) {
    int width = 2 + random_below(seed, n - 1);
    int first = random_below(seed, n - width + 1);
    e[first] = product ? ir_mul(c, width, e + first) : ir_add(c, width, e + first);
    for (int i = first + width; i < n; i++) {
      e[i - width + 1] = e[i];
    }
    n -= width - 1;
  }
  return e[0];
}

static inline const ir_expr *tree_build(ir_context *c, const tree *t, uint64_t *seed);

/* A sum of scaled parts divided by the scale, a product with the scale moved from part to part. */
static inline const ir_expr *build_many(ir_context *c, const tree *t, uint64_t *seed)
{
  const ir_expr *e[tree_parts] = {NULL};
  long scale = (1 + random_below(seed, 6)) * (random_below(seed, 2) ? 1 : -1);
  int product = t->kind == TREE_PRODUCT;
  for (int i = 0; i < t->n; i++) {
    e[i] = tree_build(c, t->part[i], seed);
    e[i] = !product || i == 0 ? scaled(c, scale, 1, e[i]) : e[i];
  }
  const ir_expr *r = combine(c, seed, product, t->n, e);
  return scaled(c, scale < 0 ? -1 : 1, (unsigned long)labs(scale), r);
}

/* b^n as it stands, as (-b)^n, as (3 b)^n / 3^n, or as a product of |n| factors; b^(n/2) also
 * as the n-th power of the root. */
static inline const ir_expr *build_power(ir_context *c, const tree *t, uint64_t *seed)
{
  const ir_expr *base = tree_build(c, t->part[0], seed);
  const ir_expr *factors[8];
  long n = labs(t->numerator);
  int way = random_below(seed, 4);
  if (t->denominator != 1) {
    return way < 2 ? raised(c, base, t->numerator, t->denominator)
                   : raised(c, raised(c, base, 1, t->denominator), t->numerator, 1);
  }
  switch (way) {
  case 0:
    return raised(c, base, t->numerator, 1);
  case 1:
    return scaled(c, n % 2 ? -1 : 1, 1, raised(c, scaled(c, -1, 1, base), t->numerator, 1));
  case 2:
    factors[0] = raised(c, scaled(c, 3, 1, base), t->numerator, 1);
    factors[1] = raised(c, ir_integer(c, 3), -t->numerator, 1);
    return ir_mul(c, 2, factors);
  default:
    for (int i = 0; i < n; i++) {
      factors[i] = t->numerator < 0 ? raised(c, base, -1, 1) : base;
    }
    return combine(c, seed, 1, (int)n, factors);
  }
}

static inline int call_parity(ir_call call)
{
  switch (call) {
  case IR_SIN:
  case IR_TAN:
  case IR_ASIN:
  case IR_ATAN:
  case IR_SINH:
  case IR_TANH:
  case IR_SIGN:
    return -1;
  case IR_COS:
  case IR_COSH:
  case IR_ABS:
    return 1;
  case IR_G0:
  case IR_G1:
  case IR_G2:
  case IR_G3:
  case IR_INSIDE:
  case IR_ACOS:
  case IR_ATAN2:
  case IR_EXP:
  case IR_LOG:
  case IR_MIN:
  case IR_MAX:
  case IR_HOLD:
  case IR_POW:
  case IR_CALLS:
    break;
  }
  return 0;
}

static inline const ir_expr *tree_build(ir_context *c, const tree *t, uint64_t *seed)
{
  switch (t->kind) {
  case TREE_NUMBER:
    return scaled(c, t->numerator, t->denominator, ir_integer(c, 1));
  case TREE_INPUT:
    return ir_input(c, t->space, t->index);
  case TREE_SUM:
  case TREE_PRODUCT:
    return build_many(c, t, seed);
  case TREE_POWER:
    return build_power(c, t, seed);
  case TREE_CALL:
    break;
  }
  const ir_expr *x = tree_build(c, t->part[0], seed);
  const ir_expr *y = t->n == 2 ? tree_build(c, t->part[1], seed) : NULL;
  int parity = call_parity(t->call);
  if (parity != 0 && random_below(seed, 2)) {
    return scaled(c, parity, 1, ir_apply(c, t->call, scaled(c, -1, 1, x), NULL));
  }
  int order = ir_universal_order(t->call);
  if (order >= 0 && random_below(seed, 2)) {
    return scaled(c, order % 2 ? -1 : 1, 1, ir_apply(c, t->call, x, scaled(c, -1, 1, y)));
  }
  return ir_apply(c, t->call, x, y);
}

/* ---- as numbers ---- */

/* G_k(c, t) by its series, for |c| t^2 <= 1. */
static inline long double universal_value(int k, long double c, long double t)
{
  long double sum = 1;
  for (int n = 26; n > 0; n -= 2) {
    sum = 1 + sum * c * t * t / ((long double)(n + k) * (long double)(n + k - 1));
  }
  for (int i = 1; i <= k; i++) {
    sum *= t / i;
  }
  return sum;
}

static inline long double call_value(ir_call call, long double x, long double y)
{
  if (ir_universal_order(call) >= 0) {
    return universal_value(ir_universal_order(call), x, y);
  }
  if (call == IR_INSIDE) {
    return 1;
  }
  static long double (*const unary[])(long double) = {
      [IR_SIN] = sinl,   [IR_COS] = cosl,   [IR_TAN] = tanl,   [IR_ASIN] = asinl,
      [IR_ACOS] = acosl, [IR_ATAN] = atanl, [IR_SINH] = sinhl, [IR_COSH] = coshl,
      [IR_TANH] = tanhl, [IR_EXP] = expl,   [IR_LOG] = logl,   [IR_ABS] = fabsl};
  if (call == IR_SIGN) {
    return x > 0 ? 1 : x < 0 ? -1 : 0;
  }
  if (call == IR_MIN || call == IR_MAX) {
    return call == IR_MIN ? fminl(x, y) : fmaxl(x, y);
  }
  if (call == IR_ATAN2 || call == IR_POW) {
    return call == IR_POW ? powl(x, y) : atan2l(x, y);
  }
  return unary[call](x);
}

/* Apart from pow, the slopes of the functions are at most 4 on the arguments that a tree gives
 * them. */
static inline tree_result tree_value(const tree *t, const double *const in[IR_SPACES])
{
  tree_result r = {0, 0};
  tree_result part[tree_parts] = {{0, 0}};
  long double exponent = 1;
  for (int i = 0; i < t->n; i++) {
    part[i] = tree_value(t->part[i], in);
  }
  switch (t->kind) {
  case TREE_NUMBER:
    r.value = (long double)t->numerator / (long double)t->denominator;
    r.size = fabsl(r.value);
    break;
  case TREE_INPUT:
    r.value = in[t->space][t->index];
    r.size = fabsl(r.value);
    break;
  case TREE_SUM:
    for (int i = 0; i < t->n; i++) {
      r.value += part[i].value;
      r.size += part[i].size;
    }
    break;
  case TREE_PRODUCT:
    r.value = r.size = 1;
    for (int i = 0; i < t->n; i++) {
      r.value *= part[i].value;
      r.size *= part[i].size;
    }
    break;
  case TREE_POWER:
    exponent = (long double)t->numerator / (long double)t->denominator;
    r.value = powl(part[0].value, exponent);
    r.size = t->denominator == 1 && exponent > 0
                 ? powl(part[0].size, exponent)
                 : fabsl(r.value) * (1 + fabsl(exponent) * part[0].size / part[0].value);
    break;
  case TREE_CALL:
    r.value = call_value(t->call, part[0].value, part[1].value);
    r.size = fabsl(r.value) + 4 * (part[0].size + part[1].size);
    if (t->call == IR_POW) {
      r.size = fabsl(r.value) * (1 + fabsl(part[1].value) * part[0].size / part[0].value +
                                 fabsl(logl(part[0].value)) * part[1].size);
    }
    break;
  }
  return r;
}

#endif
