/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_legendre.c -- from L to H: H(q, L_v) + L = v.L_v and H_p = v, formulas, and what is refused
 * with loops.
 *
 * v and L are observables of these models, which go through H; L_v is taken by differences of the L
 * that the generator has read, so that nothing is compared with itself.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "expr/evaluate.h"
#include "report/page.h"
#include "unit/lowered_text.h"

enum { MOST = 24 };

static const ir_program *unroll(lowered *r, const char *text)
{
  r->memory = arena_create();
  r->errors = diagnostics_create(r->memory, "test.sw", text, strlen(text));
  r->model = model_check(r->memory, r->errors, "test.sw", text, strlen(text), 0, NULL);
  r->context = ir_context_create(r->memory);
  const ir_program *p =
      r->model ? symbolic_lower(r->memory, r->errors, r->model, r->context) : NULL;
  if (!p) {
    diagnostics_print(r->errors, stderr);
  }
  assert_non_null(p);
  return p;
}

static double value_of(const lowered *r, const ir_program *p, const ir_expr *e, const double z[])
{
  ir_evaluator *evaluator = ir_evaluator_create(r->context);
  const ir_values in = {{p->k_default, NULL, z}};
  ir_evaluator_begin(evaluator, &in);
  double value = ir_evaluator_value(evaluator, e);
  ir_evaluator_free(evaluator);
  return value;
}

/* L_v at w = (q,v), by a central difference, which is exact for a quadratic but for round-off. */
static double momentum(const lowered *r, const ir_program *p, const double w[], int i)
{
  const double h = 0.5;
  double moved[MOST];
  double sum = 0;
  for (int side = -1; side <= 1; side += 2) {
    memcpy(moved, w, sizeof moved);
    moved[p->nq + i] += side * h;
    sum += side * value_of(r, p, p->lagrangian, moved);
  }
  return sum / (2 * h);
}

/* The largest error of H + L = p.v, of v, and of the observed L where it is behind the
 * velocities. */
static double error_of(const char *text, int coupled)
{
  lowered r;
  const ir_program *p = unroll(&r, text);
  const int d = p->nq;
  double w[MOST] = {0};
  double z[MOST] = {0};
  double worst = 0;
  double sum = 0;
  assert_in_range(2 * d, 2, MOST);
  assert_int_equal(p->structure.coupled, coupled);
  for (int i = 0; i < 2 * d; i++) {
    w[i] = sin(1.7 * i + 0.4);
    z[i] = w[i];
  }
  for (int i = 0; i < d; i++) {
    z[d + i] = momentum(&r, p, w, i);
    sum += z[d + i] * w[d + i];
  }
  const double L = value_of(&r, p, p->lagrangian, w);
  const double H = value_of(&r, p, p->functions[IR_HAMILTONIAN].entries[0].value, z);
  worst = fabs(H + L - sum);
  for (int i = 0; i < d; i++) {
    const ir_entry *slope = &p->functions[IR_HAMILTONIAN_GRAD].entries[d + i];
    const ir_entry *seen = &p->functions[IR_OBSERVE].entries[i];
    worst = fmax(worst, fabs(value_of(&r, p, slope->value, z) - w[d + i]));
    worst = fmax(worst, fabs(value_of(&r, p, seen->value, z) - w[d + i]));
  }
  worst = fmax(worst, fabs(value_of(&r, p, p->functions[IR_OBSERVE].entries[d].value, z) - L));
  release(&r);
  return worst;
}

#define ARRAY(n)                                                                                   \
  "model e\nset s = 1 .. " #n "\nparam m[i in s] = 1 + i/7 in (0, inf)\ncoord q[s] velocity v\n"
#define SEEN "\nobserve seen[i in s] = v[i]\nobserve action = L\n"

static void H_is_the_transform_of_L(void **state)
{
  static const struct {
    const char *text;
    int coupled;
  } models[] = {
      {ARRAY(3) "lagrangian L = sum(i in s: m[i]*v[i]^2/2 - i*q[i]^2)" SEEN, 1},
      {ARRAY(3) "lagrangian L = sum(i in s: (v[i] + q[1]*q[i])^2*exp(q[i])/2) + 3" SEEN, 1},
      {ARRAY(4) "lagrangian L = sum(i in s, j in s: min(m[i], m[j])*cos(q[i] - q[j])*v[i]*v[j])/2"
                " + q[1]*q[2]*v[3] + sum(i in s: 3*v[i]^2 + cos(q[i]))" SEEN,
       4},
      {ARRAY(6) "lagrangian L = sum(i in s: m[i]*v[i]^2) + sum(i in s where i < 6: cos(q[i] - "
                "q[i+1])*v[i]*v[i+1]/2) - q[6]^4" SEEN,
       6},
      /* Blocks of two, of two without a mass of their own, and of one. */
      {ARRAY(5) "lagrangian L = m[1]*v[1]^2 + q[2]*v[1]*v[4]/3 + v[4]^2 + exp(q[1])*v[2]*v[5] - "
                "m[3]*v[3]^2/2 + q[5]*v[2] + q[1]" SEEN,
       2},
      /* Three that are coupled, none of which has a mass. */
      {ARRAY(3) "lagrangian L = v[1]*v[2] + m[1]*v[1]*v[3] + exp(q[1])*v[2]*v[3] + q[3]*v[1]" SEEN,
       3},
      /* Solved for at each state, some by other ones than the first. */
      {ARRAY(10) "lagrangian L = sum(i in s, j in s: min(m[i], m[j])*cos(q[i] - q[j])*v[i]*v[j])/2"
                 " + q[1]*q[2]*v[7] + sum(i in s: 3*v[i]^2 + cos(q[i]))" SEEN,
       10},
      {ARRAY(5) "lagrangian L = q[4]*v[1]*v[2] + exp(q[1])*v[2]*v[3] + sin(q[2])*v[3]^2 + v[3]*v[4]"
                " + m[1]*v[4]*v[5] + q[2]*v[5] - q[3]^2" SEEN,
       5},
      {ARRAY(8) "lagrangian L = sum(i in s: m[i]*v[i]^2) + sum(i in s, j in s where i < j: "
                "v[i]*v[j]/9) - sum(i in s: q[i]^2)" SEEN,
       8},
  };

  (void)state;
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    double error = error_of(models[i].text, models[i].coupled);
    print_message("  %d coupled: error %.2e\n", models[i].coupled, error);
    assert_true(error < 2e-14);
  }
}

static void formula_is(const char *text, const char *expected)
{
  lowered r;
  const ir_program *p = unroll(&r, text);
  const compilation c = {.model = r.model, .context = r.context, .program = p};
  assert_string_equal(page_hamiltonian_text(&c), expected);
  release(&r);
}

static void formulas_are_those_of_books(void **state)
{
  (void)state;
  formula_is("model e\nparam m = 2 in (0, inf)\ncoord q velocity v\nlagrangian L = m*v^2/2 - q^2\n",
             "p_q^2/(2*m) + q^2");
  formula_is("model e\nparam A = 1\ncoord q velocity v momentum p\n"
             "lagrangian K hamiltonian E = v^2/2 + A*q*v - cos(q)\ninvariant energy = E\n",
             "cos(q) + (A*q - p)^2/2");
  formula_is("model e\ncoord r velocity v\ncoord phi velocity w\n"
             "lagrangian L = (v^2 + r^2*w^2)/2 + 1/r\n",
             "p_phi^2/(2*r^2) + p_r^2/2 - 1/r");
}

/* ---- with loops ---- */

#define LOOPED                                                                                     \
  "model e\nsize N = 3\nset s = 1 .. N\nset t = 1 .. N-1\nset ax = {x, y}\n"                       \
  "coord q[s, ax] velocity v\n"

static void looped(const char *text, const char *expected)
{
  lowered r = lower_text(text, 0);
  if (!r.loops) {
    diagnostics_print(r.errors, stderr);
  }
  assert_non_null(r.loops);
  const compilation c = {.model = r.model, .context = r.context, .loops = r.loops, .sibling = ""};
  assert_string_equal(page_hamiltonian_text(&c), expected);
  release(&r);
}

static void sums_stay_sums(void **state)
{
  (void)state;
  looped(LOOPED "lagrangian L = sum(i in s, k in ax: (i*v[i,k]^2 + q[i,k]^2)/2)\n",
         "sum(i in s, k in ax: p_q[i,k]^2/(2*i) - q[i,k]^2/2)");
  /* Labels apart where a sum has one of them alone. */
  looped(LOOPED "lagrangian L = sum(i in s, k in ax: v[i,k]^2/2) + sum(i in s: q[i,x]*v[i,y])\n",
         "sum(i in s: p_q[i,x]^2/2 + (q[i,x] - p_q[i,y])^2/2)");
  /* Two sums over the same set are one, and labels may be coupled. */
  looped(LOOPED "lagrangian L = sum(i in s: v[i,x]^2/2 + v[i,y]^2)"
                " + sum(j in 1 .. N: q[j,y]*v[j,x])\n",
         "sum(i in s: p_q[i,y]^2/4 + (q[i,y] - p_q[i,x])^2/2)");
}

static void refused(const char *text, const char *line, const char *part)
{
  lowered r = lower_text(text, 0);
  char *printed = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&printed, &size);
  assert_non_null(out);
  diagnostics_print(r.errors, out);
  fclose(out);
  if (r.loops || !strstr(printed, part) || !strstr(printed, line)) {
    fail_msg("'%s' at '%s' is expected, and not: %s", part, line, printed);
  }
  free(printed);
  release(&r);
}

static void what_has_no_kernel_is_refused(void **state)
{
#define ALL "sum(i in s, k in ax: v[i,k]^2/2)"
  (void)state;
  refused(LOOPED "lagrangian L = " ALL " + sum(i in s: v[N+1-i,x]^2)\n",
          ":7:", "has an index that is no variable of its sum");
  refused(LOOPED "lagrangian L = sum(i in s, k in ax where i > 1: v[i,k]^2)\n",
          ":7:", "cannot have a condition");
  refused(LOOPED "lagrangian L = " ALL " + v[1,x]^2\n", ":7:", "is one entry of a set of any size");
  refused(LOOPED "lagrangian L = sum(i in t, k in ax: v[i,k]^2/2)\n",
          ":7:", "runs over another set than that of the array");
  refused(LOOPED "lagrangian L = sum(i in s, j in s, k in ax: v[i,k]^2/2)\n",
          ":7:", "is added up in a sum over more than its own indices");
  refused(LOOPED "lagrangian L = " ALL " + sum(i in s where i == 1: q[i,x]*v[i,y])\n",
          ":7:", "no term is quadratic in the velocity 'v[i,y]' in the sums over the sets of this");
  refused(LOOPED "lagrangian L = sum(i in s: v[i,x]^2/2)\n",
          ":6:", "no term is quadratic in some entries of the velocity 'v'");
  refused(LOOPED "coord r velocity w\nlagrangian L = " ALL "\n",
          ":7:", "no term is quadratic in the velocity 'w'");
  refused(LOOPED "lagrangian L = sum(i in s, k in ax: v[i,k]^4)\n", ":7:", "it is not in 'v[i,k]'");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(H_is_the_transform_of_L),
      cmocka_unit_test(formulas_are_those_of_books),
      cmocka_unit_test(sums_stay_sums),
      cmocka_unit_test(what_has_no_kernel_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
