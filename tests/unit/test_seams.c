/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_seams.c -- which kinks, jumps and poles of formulas are named, and which are not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "examined.h"
#include "expression_text.h"

#define INIT "init x = 0.6\ninit y = 0.8\ninit u = 0.8\ninit v = -0.6\n"

/* The zero of a seam, and the derivative that is missing there. */
typedef struct expected {
  const char *zero;
  int order;
} expected;

static const struct {
  const char *H; /* added to the kinetic energy */
  const char *g;
  expected seams[3];
} kinks[] = {
    {"y", "abs(x) + abs(y) - 1", {{"x", 1}, {"y", 1}}},
    {"abs(x)", "x^2 + y^2 - 1", {{"x", 1}}},
    {"sqrt(x^2)", "x^2 + y^2 - 1", {{"x", 1}}},
    {"sqrt((x - y)^2) + y", "x^2 + y^2 - 1", {{"x - y", 1}}},
    {"(x^2 - 2*x*y + y^2)^(1/2)", "x^2 + y^2 - 1", {{"x - y", 1}}},
    {"min(x, y)", "x^2 + y^2 - 1", {{"x - y", 1}}},
    {"max(2*x, y^2)", "x^2 + y^2 - 1", {{"2*x - y^2", 1}}},
    {"x*abs(x)", "x^2 + y^2 - 1", {{"x", 2}}},
    {"abs(x)^3 + abs(y)", "x^2 + y^2 - 1", {{"y", 1}}},
    {"y", "x^2*abs(x) + y^2 - 1", {{NULL, 0}}},
    {"y", "abs(x)^1.5 + y^2 - 1", {{"x", 2}}},
    {"abs(x)^3 + (y^2)^(3/2)", "x^2 + y^2 - 1", {{NULL, 0}}},
    {"min(x, y) + max(x, y)", "x^2 + y^2 - 1", {{NULL, 0}}},
    {"abs(x)*x^2 + y", "x^2 + y^2 - 1", {{NULL, 0}}},
    {"abs(x - 3)", "x^2 + y^2 - 1", {{NULL, 0}}}, /* M does not go there */
    {"min(x, y - 5)", "x^2 + y^2 - 1", {{NULL, 0}}},
    {"abs(y^2 + 1)", "x^2 + y^2 - 1", {{NULL, 0}}},
    {"abs(sin(x))", "x^2 + y^2 - 1", {{"sin(x)", 1}}},
    {"1e10*abs(x - y) + y", "(x^2 + y^2)*1e-20 - 1e-20", {{"x - y", 1}}},
    {"abs(x - y)/1e10 + y*1e-10", "(x/1e-10)^2 + (y/1e-10)^2 - 1e20", {{"x - y", 1}}},
};

static void kinks_that_M_meets_are_named(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof kinks / sizeof *kinks; i++) {
    for (int with_init = 0; with_init < 2; with_init++) {
      char text[512];
      snprintf(text, sizeof text,
               PLANE "hamiltonian H = (u^2 + v^2)/2 + %s\nconstraint c: %s == 0\n%s", kinks[i].H,
               kinks[i].g, with_init ? INIT : "");
      examined r = examine(text);
      int n = 0;
      while (n < 3 && kinks[i].seams[n].zero) {
        n++;
      }
      if (r.found->n_seams != n) {
        print_error("%s\n%s", text, page_summary(&r.known));
      }
      assert_int_equal(r.found->n_seams, n);
      for (int j = 0; j < n; j++) {
        const record_seam *seam = &r.found->seams[j];
        const char *zero = expression_text(r.memory, r.program, seam->what);
        assert_string_equal(zero, kinks[i].seams[j].zero);
        assert_int_equal(seam->order, kinks[i].seams[j].order);
        assert_non_null(seam->at);
        assert_true(fabs(value(&r, seam->what, seam->at)) < 1e-14 * r.found->M.points);
        says(page_summary(&r.known),
             seam->order == 2 ? "has no second derivative where" : "has no derivative where");
      }
      release(&r);
    }
  }
}

static void a_proved_invariant_is_finite(void **state)
{
  (void)state;
  static const struct {
    const char *I;
    int proved;
    const char *pole;
  } cases[] = {
      {"x*v - y*u", 1, NULL},
      {"(x*v - y*u)/(x^2 + y^2)", 1, NULL},
      {"1/(1 + (x*v - y*u)^2)", 1, NULL},
      {"log(1 + (x*v - y*u)^2)", 1, NULL},
      {"1/(x*u + y*v)", 0, "x*u + y*v"}, /* rho = 2 (x u + y v) */
      {"1/(x*v - y*u)", 0, "x*v - y*u"},
      {"log(x*v - y*u)", 0, "x*v - y*u"},
      {"(x*v - y*u)^(-2)", 0, "x*v - y*u"},
      {"1/(x^2 + y^2 - 1)", 0, "x^2 + y^2 - 1"},
      {"sqrt(x*v - y*u)", 0, NULL}, /* no number at half of the points */
      {"asin(x*v - y*u)", 0, NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[512];
    snprintf(text, sizeof text,
             PLANE
             "hamiltonian H = (u^2 + v^2)/2\nconstraint c: x^2 + y^2 == 1\ninvariant I = %s\n",
             cases[i].I);
    examined r = examine(text);
    const fact *f = &r.found->invariants[0].conserved;
    if ((f->answer == FACT_YES && fact_proved(f)) != cases[i].proved) {
      print_error("%s\n%s", text, page_summary(&r.known));
    }
    assert_int_equal(f->answer == FACT_YES && fact_proved(f), cases[i].proved);
    assert_true(f->answer != FACT_NO);
    int poles = 0;
    for (int j = 0; j < r.found->n_seams; j++) {
      const record_seam *seam = &r.found->seams[j];
      if (seam->kind == SEAM_INFINITE) {
        poles++;
        assert_string_equal(expression_text(r.memory, r.program, seam->what), cases[i].pole);
        says(page_summary(&r.known), "is infinite where");
      }
    }
    assert_int_equal(poles, cases[i].pole != NULL);
    release(&r);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kinks_that_M_meets_are_named),
      cmocka_unit_test(a_proved_invariant_is_finite),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
