/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_code.c -- straight-line code computes what its formulas say, shares what is used twice,
 * and is the same whatever order the formulas were built in.
 */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "random_trees.h"

#include <cmocka.h>

#include "emit/writer.h"
#include "expr/builders.h"
#include "expr/code.h"
#include "expr/evaluate.h"
#include "expr/magnitude.h"

enum { outputs = 4 };

static const int sizes[IR_SPACES] = {tree_inputs, tree_inputs, tree_inputs};
static const double unit_roundoff = DBL_EPSILON / 2;

/* Formulas that share parts: two random trees, their product and the root of a sum of squares. */
static void random_outputs(arena *a, ir_context *c, uint64_t shape, uint64_t seed,
                           const ir_expr *e[outputs])
{
  const tree *t[outputs];
  t[0] = tree_random(a, &shape, 1 + (int)(shape % 4));
  t[1] = tree_random(a, &shape, 3);
  t[2] = tree_node(a, TREE_PRODUCT, 2, t[0], t[1]);
  const tree *squares = tree_node(a, TREE_SUM, 2, tree_power(a, t[0], 2, 1), tree_number(a, 3, 7));
  t[3] = tree_power(a, squares, shape % 2 ? 5 : -3, 2);
  for (int i = 0; i < outputs; i++) {
    e[i] = tree_build(c, t[i], &seed);
  }
}

/* ---- the code as text ---- */

static const char *code_text(arena *a, const ir_code *code)
{
  static const char *const name[IR_SPACES][tree_inputs] = {
      {"a", "b", "c"}, {"u", "v", "w"}, {"x", "y", "z"}};
  const emit_names names = {{name[0], name[1], name[2]}};
  char *text = arena_strdup(a, "");
  for (int i = 0; i < code->n_temporaries; i++) {
    text = arena_printf(a, "%st%d = %s\n", text, i,
                        emit_expression(a, &names, code->temporaries[i], 1));
  }
  for (int i = 0; i < code->n_outputs; i++) {
    text = arena_printf(a, "%s%s\n", text, emit_expression(a, &names, code->outputs[i], 0));
  }
  return text;
}

/* ---- the code as numbers ---- */

static double op_value(const ir_op *op, const double temporaries[], const ir_values *values,
                       int define)
{
  double v[2] = {0, 0};
  if (op->temporary >= 0 && !define) {
    return temporaries[op->temporary];
  }
  if (op->kind == OP_ADD || op->kind == OP_MUL) {
    double r = op_value(op->arg[0], temporaries, values, 0);
    for (int i = 1; i < op->n; i++) {
      double x = op_value(op->arg[i], temporaries, values, 0);
      r = op->kind == OP_ADD ? r + x : r * x;
    }
    return r;
  }
  for (int i = 0; i < op->n; i++) {
    v[i] = op_value(op->arg[i], temporaries, values, 0);
  }
  switch (op->kind) {
  case OP_LITERAL:
    return op->value;
  case OP_PI:
    return 3.14159265358979323846;
  case OP_INPUT:
    return values->in[op->space][op->index];
  case OP_DIV:
    return v[0] / v[1];
  case OP_NEG:
    return -v[0];
  case OP_SQRT:
    return sqrt(v[0]);
  case OP_CALL:
    return (double)call_value(op->call, v[0], v[1]);
  case OP_ADD:
  case OP_MUL:
    break;
  }
  return (double)NAN;
}

static void code_values(arena *a, const ir_code *code, const ir_values *values, double out[])
{
  double *temporaries = ARENA_ARRAY(a, code->n_temporaries + 1, double);
  for (int i = 0; i < code->n_temporaries; i++) {
    temporaries[i] = (double)NAN;
  }
  for (int i = 0; i < code->n_temporaries; i++) {
    temporaries[i] = op_value(code->temporaries[i], temporaries, values, 1);
  }
  for (int i = 0; i < code->n_outputs; i++) {
    out[i] = op_value(code->outputs[i], temporaries, values, 0);
  }
}

/* Code and interpreter each err by at most 64 u mag(e), as in test_evaluate.c. */
static void compare_values(arena *a, ir_context *c, const ir_code *code, int n,
                           const ir_expr *const e[], uint64_t *random)
{
  double in[IR_SPACES][tree_inputs];
  double out[outputs];
  const ir_expr *mag[outputs];
  ir_values values = {{in[0], in[1], in[2]}};
  for (int i = 0; i < IR_SPACES * tree_inputs; i++) {
    in[i / tree_inputs][i % tree_inputs] = 2 * sw_random(random);
  }
  ir_magnitudes(c, n, e, mag);
  code_values(a, code, &values, out);
  ir_evaluator *evaluator = ir_evaluator_create(c);
  ir_evaluator_begin(evaluator, &values);
  for (int i = 0; i < n; i++) {
    double expected = ir_evaluator_value(evaluator, e[i]);
    double size = ir_evaluator_value(evaluator, mag[i]);
    if (isfinite(size) && !(fabs(out[i] - expected) <= 128 * unit_roundoff * size)) {
      fail_msg("code gives %.17g, the interpreter %.17g", out[i], expected);
    }
  }
  ir_evaluator_free(evaluator);
}

static void test_code_computes_the_formulas(void **state)
{
  (void)state;
  arena *a = arena_create();
  ir_context *c = ir_context_create(a);
  for (uint64_t seed = 1; seed <= 1000; seed++) {
    const ir_expr *e[outputs];
    uint64_t random = seed;
    random_outputs(a, c, seed, seed, e);
    const ir_code *code = ir_code_create(c, outputs, e, sizes, NULL);
    for (int k = 0; k < 3; k++) {
      compare_values(a, c, code, outputs, e, &random);
    }
  }
  ir_context_free(c);
  arena_free(a);
}

/* x^(n/2) for n = -40 to 40, (2x/3)^(n/2), x^(n/3), and the powers of a sum, all positive. */
static void test_code_computes_powers(void **state)
{
  (void)state;
  arena *a = arena_create();
  ir_context *c = ir_context_create(a);
  double z[tree_inputs] = {1.25, 0.75, 0.5};
  ir_values values = {{NULL, NULL, z}};
  const ir_expr *x = ir_input(c, IR_Z, 0);
  const ir_expr *two[2] = {x, ir_input(c, IR_Z, 1)};
  for (long n = -40; n <= 40; n++) {
    const ir_expr *e[outputs] = {raised(c, x, n, 2), raised(c, scaled(c, 2, 3, x), n, 2),
                                 raised(c, x, n, 3), raised(c, ir_add(c, 2, two), n, 2)};
    double h = (double)n / 2;
    double expected[outputs] = {pow(1.25, h), pow(2.5 / 3, h), pow(1.25, (double)n / 3), pow(2, h)};
    double out[outputs];
    code_values(a, ir_code_create(c, outputs, e, sizes, NULL), &values, out);
    for (int i = 0; i < outputs; i++) {
      assert_true(fabs(out[i] - expected[i]) <= 64 * unit_roundoff * expected[i]);
    }
  }
  ir_context_free(c);
  arena_free(a);
}

/* ---- the code as a structure, counted again from scratch ---- */

typedef struct census {
  const ir_op **seen;
  int *uses;
  size_t n;
  size_t capacity;
  int additions;
  int products;
  int quotients;
  int calls;
  unsigned char used[IR_SPACES][tree_inputs];
} census;

static void visit(arena *a, census *s, const ir_op *op)
{
  for (size_t i = 0; i < s->n; i++) {
    if (s->seen[i] == op) {
      s->uses[i]++;
      return;
    }
  }
  if (s->n == s->capacity) {
    size_t capacity = s->capacity ? 2 * s->capacity : 64;
    const ir_op **seen = ARENA_ARRAY(a, capacity, const ir_op *);
    int *uses = ARENA_ARRAY(a, capacity, int);
    for (size_t i = 0; i < s->n; i++) {
      seen[i] = s->seen[i];
      uses[i] = s->uses[i];
    }
    s->seen = seen;
    s->uses = uses;
    s->capacity = capacity;
  }
  s->seen[s->n] = op;
  s->uses[s->n++] = 1;
  s->additions += op->kind == OP_ADD ? op->n - 1 : 0;
  s->products += op->kind == OP_MUL ? op->n - 1 : 0;
  s->quotients += op->kind == OP_DIV;
  s->calls += op->kind == OP_CALL || op->kind == OP_SQRT;
  if (op->kind == OP_INPUT) {
    s->used[op->space][op->index] = 1;
  }
  for (int i = 0; i < op->n; i++) {
    visit(a, s, op->arg[i]);
  }
}

static int is_trivial(const ir_op *op)
{
  return op->n == 0 || (op->kind == OP_NEG && is_trivial(op->arg[0]));
}

/* The largest number of a temporary that the definition of op reads, -1 without one. */
static int latest(const ir_op *op)
{
  int most = -1;
  for (int i = 0; i < op->n; i++) {
    int k = op->arg[i]->temporary >= 0 ? op->arg[i]->temporary : latest(op->arg[i]);
    most = k > most ? k : most;
  }
  return most;
}

static void check_structure(arena *a, const ir_code *code)
{
  census s = {0};
  int shared = 0;
  for (int i = 0; i < code->n_outputs; i++) {
    visit(a, &s, code->outputs[i]);
  }
  for (size_t i = 0; i < s.n; i++) {
    const ir_op *op = s.seen[i];
    int expected = s.uses[i] > 1 && !is_trivial(op);
    assert_int_equal(op->uses, s.uses[i]);
    assert_int_equal(op->temporary >= 0, expected);
    shared += expected;
    assert_true((op->kind != OP_ADD && op->kind != OP_MUL) || op->n >= 2);
    assert_true(op->kind != OP_LITERAL || (op->value >= 0 && isfinite(op->value)));
  }
  assert_int_equal(code->n_temporaries, shared);
  for (int i = 0; i < code->n_temporaries; i++) {
    assert_int_equal(code->temporaries[i]->temporary, i);
    assert_true(latest(code->temporaries[i]) < i);
  }
  assert_int_equal(code->additions, s.additions);
  assert_int_equal(code->products, s.products);
  assert_int_equal(code->quotients, s.quotients);
  assert_int_equal(code->calls, s.calls);
  for (int k = 0; k < IR_SPACES; k++) {
    assert_memory_equal(code->used[k], s.used[k], tree_inputs);
  }
}

static void test_structure(void **state)
{
  (void)state;
  arena *a = arena_create();
  ir_context *c = ir_context_create(a);
  for (uint64_t seed = 1; seed <= 1000; seed++) {
    const ir_expr *e[outputs];
    random_outputs(a, c, seed, seed, e);
    check_structure(a, ir_code_create(c, outputs, e, sizes, NULL));
  }
  const ir_expr *x = ir_input(c, IR_Z, 1);
  const ir_expr *square = raised(c, x, 2, 1);
  const ir_expr *same[outputs] = {x, x, square, square};
  const ir_code *code = ir_code_create(c, outputs, same, sizes, NULL);
  check_structure(a, code);
  assert_int_equal(code->n_temporaries, 1);
  assert_int_equal(code->products, 1);
  assert_int_equal(ir_code_create(c, 0, NULL, sizes, NULL)->n_temporaries, 0);
  ir_context_free(c);
  arena_free(a);
}

/* What is computed once: 1/r^3 and 1/r share the root; x^8 takes three products. */
static void test_sharing(void **state)
{
  (void)state;
  arena *a = arena_create();
  ir_context *c = ir_context_create(a);
  const ir_expr *x = ir_input(c, IR_Z, 0);
  const ir_expr *squares[2] = {raised(c, x, 2, 1), raised(c, ir_input(c, IR_Z, 1), 2, 1)};
  const ir_expr *r2 = ir_add(c, 2, squares);
  const ir_expr *e[2] = {raised(c, r2, -3, 2), raised(c, r2, -1, 2)};
  const ir_code *code = ir_code_create(c, 2, e, sizes, NULL);
  assert_int_equal(code->calls, 1);
  assert_int_equal(code->additions, 1);
  const ir_expr *eighth = raised(c, x, 8, 1);
  assert_int_equal(ir_code_create(c, 1, &eighth, sizes, NULL)->products, 3);
  ir_context_free(c);
  arena_free(a);
}

/* A power of two stays in front of a sum where that saves products; what it is multiplied with
 * keeps its order and signs, so that no bit of a result changes.  Other factors would be rounded
 * with other numbers there. */
static void test_factors_of_sums(void **state)
{
  static const struct {
    long first;
    long second;
    const char *text;
  } sums[] = {{2, 2, "2.0 * (a * x + b * y)\n"},     {-2, -2, "-2.0 * (a * x + b * y)\n"},
              {2, -2, "2.0 * (a * x - b * y)\n"},    {-2, 2, "2.0 * (b * y - a * x)\n"},
              {2, 4, "2.0 * a * x + 4.0 * b * y\n"}, {3, 3, "3.0 * a * x + 3.0 * b * y\n"},
              {-8, 8, "8.0 * (b * y - a * x)\n"},    {1, 1, "a * x + b * y\n"}};
  (void)state;
  arena *a = arena_create();
  ir_context *c = ir_context_create(a);
  const ir_expr *x = ir_times(c, ir_input(c, 0, 0), ir_input(c, 2, 0));
  const ir_expr *y = ir_times(c, ir_input(c, 0, 1), ir_input(c, 2, 1));
  for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
    const ir_expr *sum = ir_plus(c, ir_scale(c, ir_integer(c, sums[i].first)->value, x),
                                 ir_scale(c, ir_integer(c, sums[i].second)->value, y));
    assert_string_equal(code_text(a, ir_code_create(c, 1, &sum, sizes, NULL)), sums[i].text);
  }
  ir_context_free(c);
  arena_free(a);
}

/* ---- determinism ---- */

/* The same formulas built in other orders, in a context that other formulas have filled before. */
static void test_text_does_not_depend_on_the_order(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 150; seed++) {
    const char *first = NULL;
    arena *a = arena_create();
    for (uint64_t k = 0; k < 4; k++) {
      const ir_expr *e[outputs];
      ir_context *c = ir_context_create(a);
      for (uint64_t i = 0; i < 3 * k; i++) {
        random_outputs(a, c, 7000 + i * k, i, e);
      }
      random_outputs(a, c, seed, 1000 * seed + k, e);
      const char *text = code_text(a, ir_code_create(c, outputs, e, sizes, NULL));
      first = first ? first : text;
      assert_string_equal(text, first);
      ir_context_free(c);
    }
    arena_free(a);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_code_computes_the_formulas),
      cmocka_unit_test(test_code_computes_powers),
      cmocka_unit_test(test_structure),
      cmocka_unit_test(test_sharing),
      cmocka_unit_test(test_factors_of_sums),
      cmocka_unit_test(test_text_does_not_depend_on_the_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
