/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_certify.c -- derivatives, printing and exact certificates of our own expressions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/certify.h"
#include "examined.h"
#include "expr/builders.h"
#include "expr/derivative.h"
#include "expression_text.h"

static void derivatives_agree_with_those_of_the_symbolic_stage(void **state)
{
  (void)state;
  static const double z[4] = {0.7, 0.4, 0.35, 0.9};
  examined r = examine(
      PLANE "param a = 2 in (0, inf)\nlet r = sqrt(x^2 + y^2)\n"
            "hamiltonian H = u^2/(2*(1 + x^2)) + v^2/2 + sin(x)*cos(y) + tan(x/2) + asin(x*y)\n"
            "  + acos(x/2) + atan(y) + atan2(y, 1 + x) + sinh(x) + cosh(u) + tanh(v) + exp(x*v)\n"
            "  + log(a + r) + abs(y - 3) + (1 + x^2)^y + 1/r^3\n"
            "constraint c: x + y == 1\n");
  const ir_function *H = &r.program->functions[IR_HAMILTONIAN];
  const ir_function *H_z = &r.program->functions[IR_HAMILTONIAN_GRAD];
  const ir_expr *slopes[4];
  ir_gradient(r.context, 4, H->entries[0].value, slopes);
  for (int i = 0; i < 4; i++) {
    double mine = value(&r, slopes[i], z);
    double theirs = value(&r, H_z->entries[i].value, z);
    assert_true(fabs(mine - theirs) < 1e-13 * (1 + fabs(theirs)));
    assert_true(fabs(theirs) > 1e-3);
  }
  const ir_expr *rho = r.program->functions[IR_HIDDEN].entries[0].value;
  const ir_expr *g_z[4];
  ir_gradient(r.context, 4, r.program->functions[IR_CONSTRAINT].entries[0].value, g_z);
  const ir_expr *bracket = ir_bracket(r.context, 2, g_z, slopes);
  assert_true(fabs(value(&r, bracket, z) - value(&r, rho, z)) < 1e-13);
  release(&r);
}

static void formulas_are_written_as_a_reader_would(void **state)
{
  (void)state;
  static const struct {
    const char *formula;
    const char *text;
  } cases[] = {
      {"2*x^2 - y/3 - 1", "2*x^2 - y/3 - 1"},
      {"(x + y)*u", "u*(x + y)"},
      {"(x + y)^2*u/a", "u*(x + y)^2/a"},
      {"sqrt(x)*sin(x - y)", "sqrt(x)*sin(x - y)"},
      {"-x*y", "-x*y"},
      {"1/x^2", "1/x^2"},
      {"abs(x)^(2/3)", "abs(x)^(2/3)"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[256];
    snprintf(text, sizeof text,
             PLANE "param a = 2 in (0, inf)\nhamiltonian H = u^2 + v^2\nobserve f = %s\n",
             cases[i].formula);
    examined r = examine(text);
    const ir_expr *f = r.program->functions[IR_OBSERVE].entries[0].value;
    const char *printed = expression_text(r.memory, r.program, f);
    assert_string_equal(printed, cases[i].text);
    release(&r);
  }
}

/* A certificate must not be found for what does not vanish on M. */
static void certificates_are_not_found_where_there_is_none(void **state)
{
  (void)state;
  examined r = examine(PLANE KINETIC "constraint c: x^2 + y^2 == 1\n");
  certifier k = certifier_create(r.context);
  const certify_generator g = {0, 0, r.program->functions[IR_CONSTRAINT].entries[0].value};
  const ir_expr *x = ir_input(r.context, IR_Z, 0);
  const ir_expr *u = ir_input(r.context, IR_Z, 2);
  assert_null(certify(&k, x, 1, &g, 0));
  assert_null(certify(&k, ir_integer(r.context, 3), 1, &g, 0));
  assert_null(certify(&k, x, 1, &g, 1));
  const ir_expr *multiple = ir_times(r.context, ir_minus(r.context, u, x), g.value);
  const record_certificate *zero = certify(&k, multiple, 1, &g, 0);
  assert_non_null(zero);
  assert_true(defect(&r, zero) < 1e-15);
  const ir_expr *more = ir_minus(r.context, multiple, ir_integer(r.context, 3));
  assert_null(certify(&k, more, 1, &g, 0));
  const record_certificate *rest = certify(&k, more, 1, &g, 1);
  assert_non_null(rest);
  assert_ptr_equal(rest->rest, ir_integer(r.context, -3));
  /* x^2 (x - v) by x - y, y - u and u - v: the terms of the second are not in the sum. */
  const ir_expr *y = ir_input(r.context, IR_Z, 1);
  const ir_expr *v = ir_input(r.context, IR_Z, 3);
  const certify_generator links[3] = {{0, 0, ir_minus(r.context, x, y)},
                                      {0, 1, ir_minus(r.context, y, u)},
                                      {0, 2, ir_minus(r.context, u, v)}};
  const ir_expr *square = ir_times(r.context, x, x);
  const ir_expr *sum = ir_times(r.context, square, ir_minus(r.context, x, v));
  const record_certificate *telescope = certify(&k, sum, 3, links, 0);
  assert_non_null(telescope);
  assert_int_equal(telescope->n, 3);
  assert_true(defect(&r, telescope) < 1e-15);
  assert_null(certify(&k, sum, 2, links, 0));
  assert_ptr_equal(reduced_modulo(r.context, square, 3, links), ir_times(r.context, v, v));
  k.limit = 0;
  assert_null(certify(&k, multiple, 1, &g, 0));
  certifier_free(&k);
  release(&r);
}

/* Relations that hold for all arguments take part in certificates. */
static void identities_of_functions_are_known(void **state)
{
  (void)state;
  static const char *const zeros[] = {
      "sin(x)^2 + cos(x)^2 - 1",
      "cosh(u*y)^2*a - sinh(u*y)^2*a - a",
      "x^2/sqrt(x^2 + y^2) + y^2/sqrt(x^2 + y^2) - sqrt(x^2 + y^2)",
      "(x + y)*(x - y)/(1 + x^2) + (1 + y^2)/(1 + x^2) - 1",
      "sqrt(a)*(x/a)*sqrt(a) - x",
      "exp(x*u/2)*exp(x*u/3) - exp(x*u)/exp(x*u/6)",
      "(exp(x) + exp(-x/3))^2 - exp(2*x) - 2*exp(x)^(2/3) - exp(-2*x/3)",
  };
  for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++) {
    char text[512];
    snprintf(text, sizeof text,
             PLANE "param a = 2 in (0, inf)\n" KINETIC "observe f = %s\nobserve h = x*y + %s\n",
             zeros[i], zeros[i]);
    examined r = examine(text);
    const ir_function *f = &r.program->functions[IR_OBSERVE];
    certifier k = certifier_create(r.context);
    const record_certificate *found = certify(&k, f->entries[0].value, 0, NULL, 0);
    assert_true(found || ir_is_zero(f->entries[0].value));
    assert_true(!found || defect(&r, found) < 1e-14);
    assert_null(certify(&k, f->entries[1].value, 0, NULL, 0));
    certifier_free(&k);
    release(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_agree_with_those_of_the_symbolic_stage),
      cmocka_unit_test(formulas_are_written_as_a_reader_would),
      cmocka_unit_test(certificates_are_not_found_where_there_is_none),
      cmocka_unit_test(identities_of_functions_are_known),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
