/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_expression.c -- operations written as C mean what the operations mean.
 *
 * The text is parsed back by a recursive descent of C's own precedences and evaluated in the
 * field of the integers modulo a prime, the operations beside it.  There, sums, products and
 * quotients are exact: no rounding hides a wrong parenthesis, and two different rational
 * functions agree at a random point only with probability of about 1e-18.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "random_trees.h"

#include <cmocka.h>

#include "emit/writer.h"

/* ---- arithmetic modulo 2^61 - 1 ---- */

static const uint64_t prime = (UINT64_C(1) << 61) - 1;

static uint64_t add(uint64_t a, uint64_t b)
{
  return (a + b) % prime;
}

/* By doubling, as C has no wider product. */
static uint64_t multiply(uint64_t a, uint64_t b)
{
  uint64_t r = 0;
  for (; b; b >>= 1) {
    r = b & 1 ? add(r, a) : r;
    a = add(a, a);
  }
  return r;
}

static uint64_t inverse(uint64_t a)
{
  uint64_t r = 1;
  for (uint64_t k = prime - 2; k; k >>= 1) {
    r = k & 1 ? multiply(r, a) : r;
    a = multiply(a, a);
  }
  return r;
}

/* A number of its own for every word and argument, in place of a function. */
static uint64_t word_value(const char *word, size_t length, uint64_t x, uint64_t y)
{
  uint64_t seed = x ^ (y << 1);
  for (size_t i = 0; i < length; i++) {
    seed = sw_random_bits(&seed) + (unsigned char)word[i];
  }
  return sw_random_bits(&seed) % prime;
}

/* Finite decimals only, as the tests use. */
static uint64_t literal_value(const char **text)
{
  uint64_t r = 0;
  uint64_t scale = 1;
  int fraction = 0;
  for (; strchr("0123456789.", **text) && **text; (*text)++) {
    if (**text == '.') {
      fraction = 1;
      continue;
    }
    r = add(multiply(r, 10), (uint64_t)(**text - '0'));
    scale = fraction ? multiply(scale, 10) : scale;
  }
  if (**text == 'e') {
    char *end = NULL;
    long exponent = strtol(*text + 1, &end, 10);
    *text = end;
    for (; exponent > 0; exponent--) {
      r = multiply(r, 10);
    }
    for (; exponent < 0; exponent++) {
      scale = multiply(scale, 10);
    }
  }
  return multiply(r, inverse(scale));
}

/* ---- the text as a number ---- */

static uint64_t parse_sum(const char **at);

static void expect_text(const char **at, const char *expected)
{
  assert_true(strncmp(*at, expected, strlen(expected)) == 0);
  *at += strlen(expected);
}

static uint64_t parse_word(const char **at)
{
  const char *word = *at;
  size_t length = strspn(word, "abcdefghijklmnopqrstuvwxyz_0123456789");
  uint64_t x = 0;
  uint64_t y = 0;
  assert_true(length > 0);
  *at += length;
  if (**at == '(') {
    ++*at;
    x = parse_sum(at);
    if (**at == ',') {
      expect_text(at, ", ");
      y = parse_sum(at);
    }
    expect_text(at, ")");
  }
  return word_value(word, length, x, y);
}

static uint64_t parse_unary(const char **at)
{
  uint64_t r = 0;
  if (**at == '-') {
    ++*at;
    assert_true(**at != '-'); /* "--x" is a decrement */
    return prime - parse_unary(at);
  }
  if (**at == '(') {
    ++*at;
    r = parse_sum(at);
    expect_text(at, ")");
    return r;
  }
  return **at >= '0' && **at <= '9' ? literal_value(at) : parse_word(at);
}

static uint64_t parse_product(const char **at)
{
  uint64_t r = parse_unary(at);
  while (strncmp(*at, " * ", 3) == 0 || strncmp(*at, " / ", 3) == 0) {
    int quotient = (*at)[1] == '/';
    *at += 3;
    uint64_t x = parse_unary(at);
    r = multiply(r, quotient ? inverse(x) : x);
  }
  return r;
}

static uint64_t parse_sum(const char **at)
{
  uint64_t r = parse_product(at);
  while (strncmp(*at, " + ", 3) == 0 || strncmp(*at, " - ", 3) == 0) {
    int minus = (*at)[1] == '-';
    *at += 3;
    uint64_t x = parse_product(at);
    r = add(r, minus ? prime - x : x);
  }
  return r;
}

static uint64_t text_value(const char *text)
{
  uint64_t r = parse_sum(&text);
  assert_int_equal(*text, '\0');
  return r % prime;
}

/* ---- the operations as a number, and random ones ---- */

static const char *const inputs[] = {"a", "b", "c"};
static const emit_names names = {{inputs, inputs, inputs}};

static uint64_t op_value(arena *a, const ir_op *op, int define)
{
  uint64_t v[3] = {0, 0, 0};
  const char *word = "";
  if (op->temporary >= 0 && !define) {
    word = arena_printf(a, "t%d", op->temporary);
    return word_value(word, strlen(word), 0, 0);
  }
  for (int i = 0; i < op->n; i++) {
    v[i] = op_value(a, op->arg[i], 0);
  }
  switch (op->kind) {
  case OP_LITERAL: /* a multiple of 1/8 */
    return multiply((uint64_t)(8 * op->value), inverse(8));
  case OP_PI:
    word = "3.141592653589793";
    return literal_value(&word);
  case OP_INPUT:
    return word_value(inputs[op->index], 1, 0, 0);
  case OP_ADD:
    return add(add(v[0], v[1]), v[2]);
  case OP_MUL:
    return multiply(multiply(v[0], v[1]), op->n == 3 ? v[2] : 1);
  case OP_DIV:
    return multiply(v[0], inverse(v[1]));
  case OP_NEG:
    return (prime - v[0]) % prime;
  case OP_SQRT:
    return word_value("sqrt", 4, v[0], 0);
  case OP_CALL:
    return word_value(ir_call_name(op->call), strlen(ir_call_name(op->call)), v[0], v[1]);
  }
  return 0;
}

static ir_op *node(arena *a, ir_op_kind kind, ir_op *x, ir_op *y, ir_op *z)
{
  ir_op *op = ARENA_NEW(a, ir_op);
  op->kind = kind;
  op->temporary = -1;
  op->space = IR_Z;
  op->arg = ARENA_ARRAY(a, 3, ir_op *);
  op->arg[0] = x;
  op->arg[1] = y;
  op->arg[2] = z;
  op->n = (x != NULL) + (y != NULL) + (z != NULL);
  return op;
}

static ir_op *input(arena *a, int index)
{
  ir_op *op = node(a, OP_INPUT, NULL, NULL, NULL);
  op->index = index;
  return op;
}

static ir_op *random_op(arena *a, uint64_t *seed, int depth)
{
  static const ir_op_kind kinds[] = {OP_ADD, OP_ADD, OP_MUL, OP_MUL,  OP_DIV,
                                     OP_DIV, OP_NEG, OP_NEG, OP_SQRT, OP_CALL};
  if (depth == 0 || random_below(seed, 8) == 0) {
    ir_op *leaf = input(a, random_below(seed, 3));
    if (random_below(seed, 4) == 0) {
      leaf->kind = random_below(seed, 4) ? OP_LITERAL : OP_PI;
      leaf->value = random_below(seed, 4000) / 8.0;
    }
    return leaf;
  }
  ir_op_kind kind = kinds[random_below(seed, 10)];
  ir_op *arg[3] = {NULL, NULL, NULL};
  int n = kind == OP_ADD || kind == OP_MUL ? 2 + random_below(seed, 2) : kind == OP_DIV ? 2 : 1;
  ir_call f = (ir_call)random_below(seed, IR_CALLS);
  f = f == IR_HOLD ? IR_ABS : f; /* which has no name in C */
  n = kind == OP_CALL && (ir_call_arguments(f) == 2) ? 2 : n;
  for (int i = 0; i < n; i++) {
    arg[i] = random_op(a, seed, depth - 1);
    /* The builder never negates twice, and gives a temporary to what is used again. */
    arg[i] = kind == OP_NEG && arg[i]->kind == OP_NEG ? arg[i]->arg[0] : arg[i];
    arg[i]->temporary = random_below(seed, 12) ? -1 : random_below(seed, 100);
  }
  ir_op *op = node(a, kind, arg[0], arg[1], arg[2]);
  op->call = f;
  return op;
}

static void test_text_means_the_operations(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 4000; seed++) {
    arena *a = arena_create();
    uint64_t random = seed;
    const ir_op *op = random_op(a, &random, 1 + (int)(seed % 5));
    const char *text = emit_expression(a, &names, op, 1);
    if (text_value(text) != op_value(a, op, 1)) {
      fail_msg("expression %lu does not mean its operations: %s", (unsigned long)seed, text);
    }
    arena_free(a);
  }
}

/* ---- as few parentheses as possible ---- */

static void test_parentheses(void **state)
{
  (void)state;
  arena *m = arena_create();
  ir_op *a = input(m, 0);
  ir_op *b = input(m, 1);
  ir_op *c = input(m, 2);
#define NEG(x)    node(m, OP_NEG, (x), NULL, NULL)
#define ADD(x, y) node(m, OP_ADD, (x), (y), NULL)
#define MUL(x, y) node(m, OP_MUL, (x), (y), NULL)
#define DIV(x, y) node(m, OP_DIV, (x), (y), NULL)
  const struct {
    const char *text;
    const ir_op *op;
  } cases[] = {
      {"a - (b + c)", ADD(a, NEG(ADD(b, c)))},
      {"a - (b - c)", ADD(a, NEG(ADD(b, NEG(c))))},
      {"a + b - c", ADD(ADD(a, b), NEG(c))},
      {"-a + b", ADD(NEG(a), b)},
      {"-(a + b)", NEG(ADD(a, b))},
      {"-(a + b) - c", ADD(NEG(ADD(a, b)), NEG(c))},
      {"a / (b * c)", DIV(a, MUL(b, c))},
      {"a / (b / c)", DIV(a, DIV(b, c))},
      {"a / b / c", DIV(DIV(a, b), c)},
      {"a * b / c", DIV(MUL(a, b), c)},
      {"a * (b / c)", MUL(a, DIV(b, c))},
      {"a / b * c", MUL(DIV(a, b), c)},
      {"(a + b) * c", MUL(ADD(a, b), c)},
      {"(-a) * b", MUL(NEG(a), b)},
      {"a * (-b)", MUL(a, NEG(b))},
      {"-a * b", NEG(MUL(a, b))},
      {"a - b * c", ADD(a, NEG(MUL(b, c)))},
      {"a / (-b)", DIV(a, NEG(b))},
      {"sqrt(a - b)", node(m, OP_SQRT, ADD(a, NEG(b)), NULL, NULL)},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_string_equal(emit_expression(m, &names, cases[i].op, 1), cases[i].text);
  }
  arena_free(m);
}

static void test_temporaries(void **state)
{
  (void)state;
  arena *m = arena_create();
  ir_op *shared = ADD(input(m, 0), input(m, 1));
  shared->temporary = 4;
  ir_op *minus = NEG(input(m, 2));
  minus->temporary = 5;
  assert_string_equal(emit_expression(m, &names, shared, 0), "t4");
  assert_string_equal(emit_expression(m, &names, shared, 1), "a + b");
  assert_string_equal(emit_expression(m, &names, MUL(shared, shared), 1), "t4 * t4");
  assert_string_equal(emit_expression(m, &names, ADD(shared, minus), 1), "t4 + t5");
  arena_free(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_text_means_the_operations),
      cmocka_unit_test(test_parentheses),
      cmocka_unit_test(test_temporaries),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
