/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_domains.c -- simplification does not enlarge the domain of a formula: not in single cases,
 * nor in random formulas, by either lowering; and a constraint that no real number satisfies is
 * found to have no point.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/analysis.h"
#include "expr/evaluate.h"
#include "expression_text.h"
#include "symbolic/symbolic.h"

#include "loop_values.h"
#include "random_trees.h"

typedef struct lowered {
  arena *memory;
  diagnostics *errors;
  const model *model;
  ir_context *c;
  const ir_program *program;
  const ir_loops *loops;
} lowered;

/* program and loops are NULL where the model is refused. */
static lowered lower_text(const char *text)
{
  lowered r = {.memory = arena_create()};
  r.errors = diagnostics_create(r.memory, "test.sw", text, strlen(text));
  r.model = model_check(r.memory, r.errors, "test.sw", text, strlen(text), 0, NULL);
  r.c = ir_context_create(r.memory);
  if (r.model) {
    r.program = symbolic_lower(r.memory, r.errors, r.model, r.c);
    r.loops = r.program ? symbolic_loop(r.memory, r.errors, r.model, r.c) : NULL;
  }
  return r;
}

static void release(lowered *r)
{
  ir_context_free(r->c);
  arena_free(r->memory);
}

#define HEAD                                                                                       \
  "model t\ncoord x momentum u\ncoord y momentum v\ncoord w momentum s\nparam n = 2.5\n"           \
  "param a = 1 in (0, inf)\nparam b = 1\nhamiltonian H = u^2/2 + v^2/2\n"

static const char *observed(arena *a, const char *value)
{
  return arena_printf(a, HEAD "observe o = %s\n", value);
}

/* ---- single cases ---- */

static void simplified_formulas_keep_the_condition_that_they_lose(void **state)
{
  (void)state;
  static const struct {
    const char *formula;
    const char *simplified;
  } cases[] = {
      {"exp(log(x))", "x*[x >= 0]"},
      {"sqrt(x)^2", "x*[x >= 0]"},
      {"(x^(1/3))^3", "x*[x >= 0]"},
      {"x^0.5*x^1.5", "x^2*[x >= 0]"},
      {"sqrt(x)/sqrt(x)*y", "y*[x >= 0]"},
      {"sqrt(4*x - 4*y)^2", "4*[x - y >= 0]*(x - y)"},
      {"log(x) - log(x)", "[x >= 0] - 1"},
      {"log(x) - log(x) + y", "y*[x >= 0]"},
      {"log(x)^0*y", "y*[x >= 0]"},
      {"0*log(x) + y", "y*[x >= 0]"},
      {"sin(asin(x))", "x*[1 - x^2 >= 0]"},
      {"cos(acos(-x))", "-x*[1 - x^2 >= 0]"},
      {"x^n*x^(2 - n)", "x^2*[abs(x^n) >= 0]"},
      {"x^y/x^y", "[abs(x^y) >= 0]"},
      {"exp(log(x) + 0)*sqrt(y)^2", "x*y*[x >= 0]*[y >= 0]"},
      {"sqrt(b)^2", "b*[b >= 0]"},
      /* What is still there asks for itself, */
      {"exp(log(x)) + log(x)", "x + log(x)"},
      {"sqrt(x)^2 + sqrt(x)", "x + sqrt(x)"},
      {"sqrt(x)^3", "x^(3/2)"},
      {"sqrt(x^n)", "sqrt(x^n)"},
      {"sin(acos(x))", "sqrt(1 - x^2)"},
      {"x^n*x", "x^(n + 1)"},
      /* what holds always is no condition, */
      {"sqrt(x^2 + y^2)^2", "x^2 + y^2"},
      {"exp(log(x^2 + 1))", "x^2 + 1"},
      {"sqrt(1 + cos(x))^2", "cos(x) + 1"},
      {"sqrt(2*exp(x) + abs(y))^2", "2*exp(x) + abs(y)"},
      {"sqrt(3 - 2*sin(x)^2)^2", "3 - 2*sin(x)^2"},
      {"sqrt(a)^2", "a"},
      {"log(exp(x))", "x"},
      {"tan(atan(x))", "x"},
      /* and a point or a curve alone does not count. */
      {"x/x", "1"},
      {"log(x^2) - log(x^2) + y", "y"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    arena *a = arena_create();
    lowered r = lower_text(observed(a, cases[i].formula));
    assert_non_null(r.loops);
    const char *text =
        expression_text(a, r.program, r.program->functions[IR_OBSERVE].entries[0].value);
    if (strcmp(text, cases[i].simplified)) {
      print_error("%s became %s\n", cases[i].formula, text);
    }
    assert_string_equal(text, cases[i].simplified);
    release(&r);
    arena_free(a);
  }
}

/* H as a whole is defined where all of its terms are; what one of them shows need not be said
 * again. */
static void terms_of_the_hamiltonian_share_their_conditions(void **state)
{
  (void)state;
  static const struct {
    const char *H;
    const char *simplified;
  } cases[] = {
      {"u^2/2 + exp(log(x))", "x*[x >= 0] + u^2/2"},
      {"u^2/2 + exp(log(x)) + x*log(x)", "x*log(x) + u^2/2 + x"},
      {"u^2/2 + sqrt(x)^2 + sqrt(x)^4", "x*[x >= 0] + x^2 + u^2/2"},
      {"u^2/2 + log(x) - log(x)", "log(x)*[x >= 0] + u^2/2 - log(x)"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    arena *a = arena_create();
    lowered r = lower_text(
        arena_printf(a, "model t\ncoord x momentum u\nhamiltonian H = %s\n", cases[i].H));
    assert_non_null(r.loops);
    const ir_function *H = &r.program->functions[IR_HAMILTONIAN];
    const ir_function *slopes = &r.program->functions[IR_HAMILTONIAN_GRAD];
    ir_evaluator *evaluator = ir_evaluator_create(r.c);
    double z[2] = {0.5, 0.25};
    double values[2][3];
    for (int j = 0; j < 2; j++, z[0] = -0.5) {
      ir_evaluator_begin(evaluator, &(ir_values){{NULL, NULL, z}});
      values[j][0] = ir_evaluator_value(evaluator, H->entries[0].value);
      values[j][1] = ir_evaluator_value(evaluator, slopes->entries[0].value);
      values[j][2] = ir_evaluator_value(evaluator, slopes->entries[1].value);
    }
    ir_evaluator_free(evaluator);
    assert_true(isfinite(values[0][0]) && isnan(values[1][0]));
    /* The motion stops at the edge, too, and not only the energy, unless H is x log x, whose slope
     * is log x + 1. */
    assert_true(isfinite(values[0][1]) && isnan(values[1][1]));
    assert_true(values[0][2] == 0.25 && values[1][2] == 0.25);
    release(&r);
    arena_free(a);
  }
}

/* ---- no point ---- */

static void constraints_without_a_real_solution_have_no_point(void **state)
{
  (void)state;
  static const char *const constraints[] = {
      "exp(log(x)) == -1", "sqrt(x)^2 == -1",     "(x^(1/3))^3 + y^2 == -1",
      "sin(asin(x)) == 2", "x^n*x^(1 - n) == -1", "sqrt(x)*sqrt(x)*sqrt(y)*sqrt(y) + x == -3",
  };
  for (size_t i = 0; i < sizeof constraints / sizeof *constraints; i++) {
    arena *a = arena_create();
    lowered r = lower_text(arena_printf(a, HEAD "constraint c: %s\n", constraints[i]));
    assert_non_null(r.loops);
    const record *found = analyse(r.memory, r.c, r.program);
    if (found->M.points != 0) {
      print_error("%s has %d points\n", constraints[i], found->M.points);
    }
    assert_int_equal(found->M.points, 0);
    /* only some of them are proved to have none */
    const record_answer answer = record_conclusion(found, r.program->nc, r.program->n_states);
    assert_true(answer == ANSWER_NO || answer == ANSWER_UNEXAMINED);
    release(&r);
    arena_free(a);
  }
}

/* ---- constants ---- */

static void constants_outside_of_a_domain_are_refused_at_their_place(void **state)
{
  (void)state;
  static const struct {
    const char *formula;
    const char *error;
  } cases[] = {
      {"sqrt(x - x - 2)^2", "test.sw:9:13: error: a root of a negative number is not real"},
      {"exp(log(pi - 4))", "test.sw:9:17: error: the logarithm of a negative number is not real"},
      {"2*sin(asin(x - x + pi))", "test.sw:9:19: error: the inverse sine or cosine of a number"},
      {"x*(3 - pi)^pi", "test.sw:9:15: error: this power of a negative number is not real"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    arena *a = arena_create();
    lowered r = lower_text(observed(a, cases[i].formula));
    assert_null(r.program);
    char *said = ARENA_ARRAY(a, 4000, char);
    FILE *out = fmemopen(said, 3999, "w");
    assert_non_null(out);
    diagnostics_print(r.errors, out);
    fclose(out);
    if (!strstr(said, cases[i].error)) {
      print_error("%s\n", said);
    }
    assert_non_null(strstr(said, cases[i].error));
    release(&r);
    arena_free(a);
  }
}

/* ---- random formulas ---- */

enum { POOL = 9 };

/* A node of a formula, with a text and a value of its own. */
typedef struct piece {
  const char *text;
  double value[2]; /* at two points */
  double size;     /* of the largest value on the way to it, as far as it is finite */
} piece;

static double root_of(double x, double exponent)
{
  return x < 0 ? (double)NAN : pow(x, exponent);
}

static double applied(int kind, double x, double y, double n)
{
  switch (kind) {
  case 0:
    return log(x);
  case 1:
    return sqrt(x);
  case 2:
    return root_of(x, 1.0 / 3);
  case 3:
    return root_of(x, -1.5);
  case 4:
    return asin(x);
  case 5:
    return acos(x);
  case 6:
    return exp(x);
  case 7:
    return sin(x);
  case 8:
    return x * x;
  case 9:
    return x * x * x;
  case 10:
    return pow(x, n);
  case 11:
    return x + y;
  case 12:
    return x - y;
  case 13:
    return x * y;
  case 14:
    return x / y;
  case 15:
    return pow(x, 2 - n);
  default:
    return root_of(x, 1.5);
  }
}

/* One more piece, of earlier ones. */
static piece piece_of(arena *a, uint64_t *seed, const piece pool[], int have, double n)
{
  static const char *const forms[] = {
      "log(%s)",       "sqrt(%s)",    "(%s)^(1/3)",  "(%s)^(-3/2)",  "asin(%s)",  "acos(%s)",
      "exp(%s)",       "sin(%s)",     "(%s)^2",      "(%s)^3",       "(%s)^n",    "((%s) + (%s))",
      "((%s) - (%s))", "((%s)*(%s))", "((%s)/(%s))", "(%s)^(2 - n)", "(%s)^(3/2)"};
  int kind = random_below(seed, (int)(sizeof forms / sizeof *forms));
  const piece *x = &pool[random_below(seed, have)];
  if (x->value[0] == 0 &&
      x->value[1] == 0) { /* 0^n/0^n is no number anywhere: of no interest here */
    kind = 6;
  }
  const piece *y = random_below(seed, 3) ? &pool[random_below(seed, have)] : x;
  piece result = {0};
  char *text = ARENA_ARRAY(a, strlen(x->text) + strlen(y->text) + 20, char);
  int two = kind >= 11 && kind <= 14;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  if (two) {
    sprintf(text, forms[kind], x->text, y->text);
  } else {
    sprintf(text, forms[kind], x->text);
  }
#pragma GCC diagnostic pop
  result.text = text;
  result.size = fmax(x->size, two ? y->size : 0);
  for (int i = 0; i < 2; i++) {
    double v = applied(kind, x->value[i], y->value[i], n);
    /* NaN stays NaN: 1^NaN and NaN^0 are 1 in C. */
    result.value[i] = isnan(x->value[i]) || (two && isnan(y->value[i])) ? (double)NAN : v;
    result.size = fmax(result.size, isfinite(v) ? fabs(v) : 1e300);
  }
  return result;
}

typedef struct tally {
  int models;
  int compared;
  int outside;
} tally;

/* The two lowerings of a formula have a value where, and only where, the formula has one. */
static void compare_formula(const piece *p, const double z[2][6], double n, tally *t)
{
  arena *a = arena_create();
  lowered r = lower_text(observed(a, p->text));
  if (r.loops) {
    const double k[3] = {n, 1, 1};
    loop_point loop = loop_point_create(r.model, r.c, r.loops);
    ir_evaluator *evaluator = ir_evaluator_create(r.c);
    t->models++;
    for (int i = 0; i < 2; i++) {
      double values[2] = {0};
      ir_evaluator_begin(evaluator, &(ir_values){{k, NULL, z[i]}});
      values[0] = ir_evaluator_value(evaluator, r.program->functions[IR_OBSERVE].entries[0].value);
      loop.z = z[i];
      loop.k = k;
      loop_families(&loop, 1, r.loops->observe, &values[1], NULL, NULL);
      for (int j = 0; j < 2; j++) {
        int outside = isnan(p->value[i]);
        int good = outside ? !isfinite(values[j])
                           : p->size > 1e8 || fabs(values[j] - p->value[i]) <= 1e-6 * (1 + p->size);
        if (!good) {
          print_error("%s\nat %g, %g, n = %g is %g, and %s says %g\n", p->text, z[i][0], z[i][1], n,
                      p->value[i], j ? "the loop" : "the formula", values[j]);
        }
        assert_true(good);
        t->compared++;
        t->outside += outside;
      }
    }
    ir_evaluator_free(evaluator);
    loop_point_free(&loop);
  }
  release(&r);
  arena_free(a);
}

static void random_formulas_have_values_where_their_syntax_has_one(void **state)
{
  (void)state;
  static const double exponents[] = {3, 0.5, -1.5, 1, 2, 2.5, 4};
  tally t = {0};
  for (uint64_t round = 1; round <= 4000; round++) {
    arena *a = arena_create();
    uint64_t seed = round * 7919;
    double z[2][6];
    piece pool[POOL] = {
        {.text = "x", .size = 1}, {.text = "y", .size = 1}, {.text = "(x - 2*y)", .size = 3}};
    double n = exponents[random_below(&seed, 7)];
    for (int i = 0; i < 2; i++) {
      for (int j = 0; j < 6; j++) {
        z[i][j] = 1.5 * sw_random(&seed);
      }
      pool[0].value[i] = z[i][0];
      pool[1].value[i] = z[i][1];
      pool[2].value[i] = z[i][0] - 2 * z[i][1];
    }
    for (int have = 3; have < POOL; have++) {
      pool[have] = piece_of(a, &seed, pool, have, n);
    }
    if (strlen(pool[POOL - 1].text) < 2000) {
      compare_formula(&pool[POOL - 1], (const double(*)[6])z, n, &t);
    }
    arena_free(a);
  }
  print_message("%d formulas, %d values, %d of them outside of the domain\n", t.models, t.compared,
                t.outside);
  assert_true(t.models > 2000 && t.outside > 2000 && t.compared - t.outside > 2000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(simplified_formulas_keep_the_condition_that_they_lose),
      cmocka_unit_test(terms_of_the_hamiltonian_share_their_conditions),
      cmocka_unit_test(constraints_without_a_real_solution_have_no_point),
      cmocka_unit_test(constants_outside_of_a_domain_are_refused_at_their_place),
      cmocka_unit_test(random_formulas_have_values_where_their_syntax_has_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
