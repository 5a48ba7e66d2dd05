/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_balls.c -- rigorous values, ranks, signs and repeated factors: what the analysis decides
 * with.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/dependence_means.h"
#include "analysis/study.h"
#include "examined.h"
#include "expression_text.h"

/* A model whose observables are the expressions in question. */
static examined observing(const char *lines)
{
  char text[4096];
  snprintf(
      text, sizeof text,
      "model t\nparam a = 2 in (0, inf)\nparam b = 3\nparam c = 0\nparam tiny = 1e-30 in (0, 1)\n"
      "coord x momentum u\ncoord y momentum v\n"
      "hamiltonian H = u^2/2 + v^2/2 + y\nconstraint one: x^2 + y^2 == 1\n%s",
      lines);
  return examine(text);
}

static const ir_expr *observed(const examined *r, int i)
{
  return r->program->functions[IR_OBSERVE].entries[i].value;
}

/* Inputs in balls of no radius. */
static void begin(study *s, arb_ptr exact, const double z[], slong precision)
{
  for (int j = 0; j < s->n; j++) {
    arb_set_d(exact + j, z[j]);
  }
  const ball_inputs inputs = {s->settings[0].exact, exact, s->scale};
  ball_begin(s->balls, &inputs, precision);
}

static void values_contain_those_in_doubles(void **state)
{
  (void)state;
  static const double z[4] = {0.7, 0.4, 0.35, 0.9};
  examined r = observing(
      "observe o = sin(x)*cos(y) + tan(x/2) + asin(x*y) + acos(x/2) + atan(y) + atan2(y, 1 + x)\n"
      "observe p = sinh(x) + cosh(u) + tanh(v) + exp(x*v) + log(a + x^2) + abs(y - 3)\n"
      "observe q = (1 + x^2)^y + 1/(x^2 + y^2)^(3/2) + sqrt(x)*x^5/3 - pi*x^-2 + b*y\n");
  study *s = study_create(r.memory, r.context, r.program);
  arb_ptr exact = _arb_vec_init(4);
  for (int i = 0; i < 3; i++) {
    double theirs = value(&r, observed(&r, i), z);
    for (slong precision = 53; precision < 600; precision *= 2) {
      begin(s, exact, z, precision);
      arb_srcptr mine = ball_value(s->balls, observed(&r, i));
      assert_true(arb_is_finite(mine));
      assert_true(fabs(ball_double(mine) - theirs) < 1e-13 * fabs(theirs));
      /* As small as the precision says, and not smaller than the error. */
      assert_true(mag_get_d(arb_radref(mine)) < ldexp(300 * fabs(theirs), -(int)precision));
      assert_true(mag_get_d(arb_radref(mine)) > 0);
      assert_true(mag_get_d(ball_size(s->balls, observed(&r, i))) >= fabs(theirs));
    }
  }
  _arb_vec_clear(exact, 4);
  study_free(s);
  release(&r);
}

static void zeros_are_told_from_small_values(void **state)
{
  (void)state;
  static const struct {
    const char *line;
    ball_answer at_64;
    ball_answer at_256;
  } cases[] = {
      {"sin(x)^2 + cos(x)^2 - 1", BALL_UNDECIDED, BALL_ZERO},
      {"sin(x)^2 + cos(x)^2 - 1 + 1e-25", BALL_UNDECIDED, BALL_NOT_ZERO},
      {"sin(x)^2 + cos(x)^2 - 1 + 1e-40", BALL_UNDECIDED, BALL_NOT_ZERO},
      {"1e-300*x", BALL_NOT_ZERO, BALL_NOT_ZERO},
      {"1e-200*(exp(x)/2 - exp(-x)/2 - sinh(x))", BALL_UNDECIDED, BALL_ZERO},
      {"tan(x)*cos(x) - sin(x)", BALL_UNDECIDED, BALL_ZERO},
      {"c*x", BALL_ZERO, BALL_ZERO},
      {"tiny*x", BALL_NOT_ZERO, BALL_NOT_ZERO},
      {"log(-x)", BALL_UNDECIDED, BALL_UNDECIDED},
      {"1/(y - y*cos(x)^2 - y*sin(x)^2)", BALL_UNDECIDED, BALL_UNDECIDED},
  };
  static const double z[4] = {0.7, 0.4, 0.35, 0.9};
  arb_ptr exact = _arb_vec_init(4);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char line[128];
    snprintf(line, sizeof line, "observe o = %s\n", cases[i].line);
    examined r = observing(line);
    study *s = study_create(r.memory, r.context, r.program);
    begin(s, exact, z, 64);
    assert_int_equal(ball_decide(s->balls, observed(&r, 0)), cases[i].at_64);
    begin(s, exact, z, 256);
    assert_int_equal(ball_decide(s->balls, observed(&r, 0)), cases[i].at_256);
    study_free(s);
    release(&r);
  }
  _arb_vec_clear(exact, 4);
}

/* ---- points ---- */

static void points_are_shown_where_they_exist(void **state)
{
  (void)state;
  static const struct {
    const char *constraint;
    double z[4]; /* where Newton's method has come to */
    int found;
    int exists;
  } cases[] = {
      {"x^2 + y^2 == 1", {0.6, 0.8, 0.3, 0.4}, 1, 1},
      {"x^2 + y^2 == 1", {0.6001, 0.7999, 0.3, 0.4}, 1, 1},
      {"(x + y + u + v + 1)^30 == 2", {0.02, 0.003, 0, 0}, 1, 1},
      {"x*y == 0", {1e-9, 1, 0, 0}, 1, 1},
      {"exp(x) == 1e100", {230.25, 0, 0, 0}, 1, 1},
      /* A double root is known to 200 bits, and not shown. */
      {"(x - y)^2 == 0", {0.50000001, 0.5, 0, 0}, 1, 0},
      {"cosh(x) == 1", {1e-8, 0.3, 0, 0}, 1, 0},
      /* There is no root, however close it looks. */
      {"(x - y)^2 + 1e-20 == 0", {0.5, 0.5, 0, 0}, 0, 0},
      {"cosh(x - y) == 1 - 1e-25", {0.5, 0.5, 0, 0}, 0, 0},
      {"x^2 + 1 == 0", {0.1, 0.5, 0, 0}, 0, 0},
      {"exp(x) == 0", {-300, 0.5, 0, 0}, 0, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[256];
    snprintf(text, sizeof text, PLANE KINETIC "constraint c: %s\n", cases[i].constraint);
    examined r = examine(text);
    study *s = study_create(r.memory, r.context, r.program);
    point *x = point_find(s, surface_M(s), &s->settings[0], cases[i].z);
    const ir_expr *g = r.program->functions[IR_CONSTRAINT].entries[0].value;
    assert_int_equal(x != NULL, cases[i].found);
    if (x) {
      assert_int_equal(x->exists, cases[i].exists);
      assert_int_equal(point_decide(s, x, g), BALL_ZERO);
    }
    study_free(s);
    release(&r);
  }
}

/* The balls of a point contain it, at any precision: sqrt(2) is known. */
static void points_are_refined(void **state)
{
  (void)state;
  static const double z[4] = {1.41, 0, 0, 0};
  examined r = examine(PLANE KINETIC "constraint c: x^2 == 2\nconstraint e: y == x^3\n");
  study *s = study_create(r.memory, r.context, r.program);
  point *x = point_find(s, surface_M(s), &s->settings[0], z);
  assert_non_null(x);
  assert_true(x->exists);
  arb_t root;
  arb_init(root);
  for (slong precision = 64; precision <= 2048; precision *= 2) {
    point_refine(s, x, precision);
    arb_sqrt_ui(root, 2, 4096);
    assert_true(arb_contains(x->exact, root));
    assert_true(mag_cmp_2exp_si(arb_radref(x->exact), -precision + 8) < 0);
    arb_mul_2exp_si(root, root, 1);
    assert_true(arb_contains(x->exact + 1, root));
  }
  arb_clear(root);
  study_free(s);
  release(&r);
}

/* ---- ranks ---- */

static void ranks_do_not_depend_on_units(void **state)
{
  (void)state;
  static const double z[4] = {0.6, 0.8, 0.3, 0.4};
  static const struct {
    const char *constraints; /* of which Dg has the rank; with a factor for each */
    int rank;
  } cases[] = {
      {"constraint c: %s*(x + 2*y) == 0\nconstraint e: %s*(x - y) == 0\n", 2},
      {"constraint c: %s*(x + 2*y) == 0\nconstraint e: %s*(2*x + 4*y) == 0\n", 1},
      {"constraint c: %s*(x + 2*y) == 0\nconstraint e: %s*(2*x + 4*y + 1e-35*x) == 0\n", 2},
      {"constraint c: %s*x*sin(y)^2 == 0\nconstraint e: %s*x*(1 - cos(y)^2) == 0\n", 1},
  };
  static const char *const units[] = {"1", "1e-60", "1e60"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (int u = 0; u < 9; u++) {
      char text[512];
      char constraints[256];
      snprintf(constraints, sizeof constraints, cases[i].constraints, units[u % 3], units[u / 3]);
      snprintf(text, sizeof text, PLANE KINETIC "%s", constraints);
      examined r = examine(text);
      study *s = study_create(r.memory, r.context, r.program);
      point x = {.at = &s->settings[0], .exact = _arb_vec_init(4)};
      for (int j = 0; j < 4; j++) {
        arb_set_d(x.exact + j, z[j]);
      }
      matrix_rank found = rank_at(s, &x, IR_CONSTRAINT_JAC);
      assert_true(found.decided);
      assert_int_equal(found.rank, cases[i].rank);
      _arb_vec_clear(x.exact, 4);
      study_free(s);
      release(&r);
    }
  }
}

/* ---- forms ---- */

static void signs_are_seen_from_the_form(void **state)
{
  (void)state;
  static const struct {
    const char *line;
    int sign;
    int may_vanish;
  } cases[] = {
      {"a*x^2 + exp(y)", 1, 0},
      {"-a*x^2 - 1/a", -1, 0},
      {"a*x^2", 0, 1},
      {"b*x^2 + 1", 0, 1},
      {"1 + abs(x)^3 + cosh(b)", 1, 0},
      {"a - tiny", 0, 1},
      {"1/x^2", 1, 0},
      {"1/x", 0, 0},
      {"sqrt(x) + 1", 1, 0},
      {"x^2*y^2 + u^4 + 1e-300", 1, 0},
      {"tanh(a) + atan(tiny)", 1, 0},
      {"x^3 + 1", 0, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char line[128];
    snprintf(line, sizeof line, "observe o = %s\n", cases[i].line);
    examined r = observing(line);
    study *s = study_create(r.memory, r.context, r.program);
    assert_int_equal(ir_sign(s->p, observed(&r, 0)), cases[i].sign);
    assert_int_equal(ir_may_vanish(s->p, observed(&r, 0)), cases[i].may_vanish);
    study_free(s);
    release(&r);
  }
}

static void repeated_factors_are_found(void **state)
{
  (void)state;
  static const struct {
    const char *line;
    int any;
    int all;
    const char *base;
  } cases[] = {
      {"(x - y)^2", 1, 1, "x - y"},
      {"x^2 - 2*x*y + y^2", 1, 1, "x - y"},
      {"a*exp(x)*(x - y)^2", 1, 1, "x - y"},
      {"(x - y)^2*(1 + x^2)", 1, 1, "x - y"},
      {"(x - y)^3*(x + y)^2", 1, 1, NULL},
      {"(x - y)^2*(x + y)", 1, 0, NULL},
      {"sin(x)^2 - 2*sin(x) + 1", 1, 1, "sin(x) - 1"},
      {"(x - y)^2/(x*y)", 1, 1, "x - y"},
      {"x - y", 0, 0, NULL},
      {"x^2 + y^2 - 1", 0, 0, NULL},
      {"x^(2/3)", 0, 0, NULL},
      {"x - 2*sqrt(x)*sqrt(y) + y", 0, 0, NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char line[128];
    snprintf(line, sizeof line, "observe o = %s\n", cases[i].line);
    examined r = observing(line);
    study *s = study_create(r.memory, r.context, r.program);
    repeated found = find_repeated(s, observed(&r, 0));
    assert_int_equal(found.base != NULL, cases[i].any);
    assert_int_equal(found.all, cases[i].all);
    if (cases[i].base) {
      assert_string_equal(expression_text(r.memory, r.program, found.base), cases[i].base);
    }
    study_free(s);
    release(&r);
  }
}

static void minors_are_determinants(void **state)
{
  (void)state;
  examined r = examine(SPACE "hamiltonian H = u^2/2 + v^2/2 + s^2/2\nconstraint one: x*y == 1\n"
                             "constraint two: y + w^2 == 2\n");
  study *s = study_create(r.memory, r.context, r.program);
  const ir_expr *minors[MINORS_MOST];
  /* Dg = (y, x, 0; 0, 1, 2 w). */
  assert_int_equal(gradient_minors(s, minors), 3);
  assert_string_equal(expression_text(r.memory, r.program, minors[0]), "y");
  assert_string_equal(expression_text(r.memory, r.program, minors[1]), "2*y*w");
  assert_string_equal(expression_text(r.memory, r.program, minors[2]), "2*x*w");
  study_free(s);
  release(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_contain_those_in_doubles),
      cmocka_unit_test(zeros_are_told_from_small_values),
      cmocka_unit_test(points_are_shown_where_they_exist),
      cmocka_unit_test(points_are_refined),
      cmocka_unit_test(ranks_do_not_depend_on_units),
      cmocka_unit_test(signs_are_seen_from_the_form),
      cmocka_unit_test(repeated_factors_are_found),
      cmocka_unit_test(minors_are_determinants),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
