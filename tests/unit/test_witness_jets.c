/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_witness_jets.c -- Taylor arithmetic in balls: identities between functions hold in every
 * coefficient to the fourth order, within balls that are tiny.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "witness/jet.h"

/* Two variables, 0 and 1. */
typedef struct setting {
  jets arithmetic;
  jet *x;
  jet *y;
} setting;

static jet *variable(jets *arithmetic, int number, double value)
{
  arb_t at;
  arb_init(at);
  arb_set_d(at, value);
  jet *a = jet_variable(arithmetic, number, at);
  arb_clear(at);
  return a;
}

static jet *number(jets *arithmetic, double value)
{
  arb_t v;
  arb_init(v);
  arb_set_d(v, value);
  jet *a = jet_number(arithmetic, v);
  arb_clear(v);
  return a;
}

static void begin(setting *s, double x, double y, int order)
{
  jets_open(&s->arithmetic, 10000000);
  s->arithmetic.order = order;
  s->x = variable(&s->arithmetic, 0, x);
  s->y = variable(&s->arithmetic, 1, y);
}

static void end(setting *s)
{
  jets_close(&s->arithmetic);
  flint_cleanup();
}

/* Every coefficient of a is a ball around 0 with a radius below 2^-80. */
static void assert_nothing(setting *s, const jet *a)
{
  assert_null(s->arithmetic.trouble);
  assert_true(a->n > 0);
  for (long i = 0; i < a->n; i++) {
    arb_t value;
    mag_t largest;
    arb_init(value);
    mag_init(largest);
    arb_set(value, &a->terms[i].value);
    arb_get_mag(largest, value);
    assert_true(arb_contains_zero(value));
    assert_true(mag_cmp_2exp_si(largest, -80) < 0);
    assert_true(mag_cmp_2exp_si(&a->terms[i].size, 40) < 0);
    mag_clear(largest);
    arb_clear(value);
  }
}

static jet *call(setting *s, model_function f, const jet *a)
{
  return jet_call(&s->arithmetic, f, a, NULL);
}

static jet *times(setting *s, const jet *a, const jet *b)
{
  return jet_product(&s->arithmetic, a, b);
}

static void assert_same(setting *s, const jet *a, const jet *b)
{
  assert_nothing(s, jet_difference(&s->arithmetic, a, b));
}

/* u = x y + x/2, at points where it is of either sign. */
static void test_functions(void **state)
{
  static const double points[][2] = {{0.3, -1.7}, {-0.25, 0.5}, {0.75, 0.125}};
  (void)state;
  for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
    setting s;
    begin(&s, points[i][0], points[i][1], JET_MAX_ORDER);
    jets *a = &s.arithmetic;
    const jet *u = jet_sum(a, times(&s, s.x, s.y), times(&s, number(a, 0.5), s.x));
    const jet *one = number(a, 1.0);
    const jet *sine = call(&s, FUNCTION_SIN, u);
    const jet *cosine = call(&s, FUNCTION_COS, u);
    const jet *sinh_u = call(&s, FUNCTION_SINH, u);
    const jet *cosh_u = call(&s, FUNCTION_COSH, u);
    assert_same(&s, jet_sum(a, times(&s, sine, sine), times(&s, cosine, cosine)), one);
    assert_same(&s, jet_difference(a, times(&s, cosh_u, cosh_u), times(&s, sinh_u, sinh_u)), one);
    assert_same(&s, call(&s, FUNCTION_TAN, u), jet_quotient(a, sine, cosine));
    assert_same(&s, call(&s, FUNCTION_TANH, u), jet_quotient(a, sinh_u, cosh_u));
    assert_same(&s, call(&s, FUNCTION_ASIN, sine), u);
    assert_same(&s, call(&s, FUNCTION_ATAN, call(&s, FUNCTION_TAN, u)), u);
    assert_same(&s, call(&s, FUNCTION_SIN, call(&s, FUNCTION_ACOS, cosine)),
                call(&s, FUNCTION_ABS, sine));
    assert_same(&s, call(&s, FUNCTION_LOG, call(&s, FUNCTION_EXP, u)), u);
    assert_same(&s, jet_sum(a, cosh_u, sinh_u), call(&s, FUNCTION_EXP, u));
    end(&s);
  }
}

static void test_powers(void **state)
{
  setting s;
  (void)state;
  begin(&s, 0.3, -1.7, JET_MAX_ORDER);
  jets *a = &s.arithmetic;
  const jet *v = jet_sum(a, number(a, 2.5), times(&s, s.x, s.y));
  const jet *root = call(&s, FUNCTION_SQRT, v);
  assert_same(&s, times(&s, root, root), v);
  assert_same(&s, jet_power(a, v, number(a, 3.0)), times(&s, v, times(&s, v, v)));
  assert_same(&s, times(&s, jet_power(a, s.y, number(a, -2.0)), times(&s, s.y, s.y)),
              number(a, 1.0));
  assert_same(&s, jet_power(a, v, number(a, 2.5)), times(&s, times(&s, v, v), root));
  assert_same(&s, call(&s, FUNCTION_LOG, jet_power(a, v, s.x)),
              times(&s, s.x, call(&s, FUNCTION_LOG, v)));
  end(&s);
}

/* In all quadrants, and on the axes. */
static void test_angle(void **state)
{
  static const double points[][2] = {{0.3, -1.7}, {-0.3, -1.7}, {-2.0, 0.25}, {1.0, 0.5},
                                     {0.0, 2.0},  {0.0, -2.0},  {-1.5, 0.0},  {1.5, 0.0}};
  (void)state;
  for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
    setting s;
    begin(&s, points[i][0], points[i][1], JET_MAX_ORDER);
    jets *a = &s.arithmetic;
    const jet *angle = jet_call(a, FUNCTION_ATAN2, s.y, s.x);
    const jet *r = call(&s, FUNCTION_SQRT, jet_sum(a, times(&s, s.x, s.x), times(&s, s.y, s.y)));
    assert_same(&s, times(&s, r, call(&s, FUNCTION_COS, angle)), s.x);
    assert_same(&s, times(&s, r, call(&s, FUNCTION_SIN, angle)), s.y);
    end(&s);
  }
}

/* {x, y} = 1; Leibniz; Jacobi. */
static void test_brackets(void **state)
{
  setting s;
  (void)state;
  begin(&s, 0.3, -1.7, 4);
  jets *a = &s.arithmetic;
  const jet *f = call(&s, FUNCTION_SIN, times(&s, s.x, s.y));
  const jet *g = times(&s, s.y, times(&s, s.y, s.x));
  const jet *h = call(&s, FUNCTION_EXP, s.x);
  const jet *f_times_g = times(&s, f, g);
  a->order = 3;
  assert_same(&s, jet_bracket(a, s.x, s.y, 1), number(a, 1.0));
  assert_same(
      &s, jet_bracket(a, f_times_g, h, 1),
      jet_sum(a, times(&s, f, jet_bracket(a, g, h, 1)), times(&s, g, jet_bracket(a, f, h, 1))));
  const jet *gh = jet_bracket(a, g, h, 1);
  const jet *hf = jet_bracket(a, h, f, 1);
  const jet *fg = jet_bracket(a, f, g, 1);
  a->order = 2;
  assert_nothing(&s, jet_sum(a, jet_bracket(a, f, gh, 1),
                             jet_sum(a, jet_bracket(a, g, hf, 1), jet_bracket(a, h, fg, 1))));
  end(&s);
}

static void assert_trouble(double x, double y, int order, model_function f)
{
  setting s;
  begin(&s, x, y, order);
  jet_call(&s.arithmetic, f, s.x, s.y);
  if (!s.arithmetic.trouble) {
    fail_msg("%s at (%g, %g) is defined to order %d", model_function_name(f), x, y, order);
  }
  end(&s);
}

static void test_domains(void **state)
{
  setting s;
  (void)state;
  assert_trouble(-1.0, 0.0, 0, FUNCTION_LOG);
  assert_trouble(-1.0, 0.0, 0, FUNCTION_SQRT);
  assert_trouble(0.0, 0.0, 1, FUNCTION_SQRT);
  assert_trouble(0.0, 0.0, 1, FUNCTION_ABS);
  assert_trouble(1.5, 0.0, 0, FUNCTION_ASIN);
  assert_trouble(0.0, 0.0, 1, FUNCTION_ATAN2);
  begin(&s, 0.0, 2.0, 1);
  jet_quotient(&s.arithmetic, s.y, s.x);
  assert_non_null(s.arithmetic.trouble);
  end(&s);
  /* They exist there, without a derivative. */
  begin(&s, 0.0, 2.0, 0);
  assert_non_null(call(&s, FUNCTION_SQRT, s.x));
  assert_non_null(call(&s, FUNCTION_ABS, s.x));
  assert_null(s.arithmetic.trouble);
  end(&s);
}

static void test_budget(void **state)
{
  setting s;
  (void)state;
  begin(&s, 0.3, 0.7, 2);
  s.arithmetic.budget = 1000;
  const jet *a = jet_sum(&s.arithmetic, s.x, s.y);
  for (int i = 0; i < 1000; i++) {
    a = times(&s, a, s.x);
  }
  assert_string_equal(s.arithmetic.trouble, "it takes too much work");
  assert_in_range(s.arithmetic.work, 1000, 2000);
  end(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_functions), cmocka_unit_test(test_powers),
      cmocka_unit_test(test_angle),     cmocka_unit_test(test_brackets),
      cmocka_unit_test(test_domains),   cmocka_unit_test(test_budget)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
