/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_secant.c -- secant slopes of random formulas: between states that are apart they add up to
 * the difference of two values that are computed without them, between states that are near each
 * other they are the gradient.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "expr/derivative.h"
#include "expr/evaluate.h"
#include "expr/secant.h"
#include "random_trees.h"

/* Formulas of models have neither the functions of the fibre flow nor conditions of
 * simplifications. */
static int is_of_models(const tree *t)
{
  int good = t->kind != TREE_CALL || (ir_universal_order(t->call) < 0 && t->call != IR_INSIDE);
  for (int i = 0; i < t->n && good; i++) {
    good = is_of_models(t->part[i]);
  }
  return good;
}

/* Two states and the other inputs. */
typedef struct states {
  double k[tree_inputs];
  double lambda[tree_inputs];
  double z[tree_inputs];
  double next[tree_inputs];
} states;

static states random_states(uint64_t *seed, double apart)
{
  states s;
  for (int i = 0; i < tree_inputs; i++) {
    s.k[i] = 2 * sw_random(seed);
    s.lambda[i] = 2 * sw_random(seed);
    s.z[i] = 2 * sw_random(seed);
    s.next[i] = s.z[i] + apart * sw_random(seed);
  }
  return s;
}

/* The slopes of the formula, or where `exact` is 1 its gradient, as numbers. */
static void slopes(ir_context *c, const ir_expr *e, const states *s, int exact, double out[])
{
  const ir_expr *from[tree_inputs];
  const ir_expr *to[tree_inputs];
  const ir_expr *slope[tree_inputs];
  const ir_values values = {
      {[IR_K] = s->k, [IR_LAMBDA] = s->lambda, [IR_Z] = s->z, [IR_NEXT] = s->next}};
  ir_evaluator *evaluator = ir_evaluator_create(c);
  for (int i = 0; i < tree_inputs; i++) {
    from[i] = ir_input(c, IR_Z, i);
    to[i] = ir_input(c, IR_NEXT, i);
  }
  if (exact) {
    ir_gradient(c, tree_inputs, e, slope);
  } else {
    ir_secants(c, tree_inputs, from, to, e, slope);
  }
  ir_evaluator_begin(evaluator, &values);
  for (int i = 0; i < tree_inputs; i++) {
    out[i] = ir_evaluator_value(evaluator, slope[i]);
  }
  ir_evaluator_free(evaluator);
}

/* The largest error of the sum of slopes, in the sizes of the values and the slopes; -1 where a
 * value is none. */
static double error_apart(arena *a, uint64_t *seed, const tree *t)
{
  ir_context *c = ir_context_create(a);
  const ir_expr *e = tree_build(c, t, seed);
  const states s = random_states(seed, 1.0);
  const double *const first[IR_SPACES] = {s.k, s.lambda, s.z};
  const double *const last[IR_SPACES] = {s.k, s.lambda, s.next};
  const tree_result x = tree_value(t, first);
  const tree_result y = tree_value(t, last);
  double S[tree_inputs];
  long double sum = 0;
  long double size = x.size + y.size;
  slopes(c, e, &s, 0, S);
  for (int i = 0; i < tree_inputs; i++) {
    const long double w = (long double)s.next[i] - s.z[i];
    sum += S[i] * w;
    size += fabsl(S[i] * w);
  }
  ir_context_free(c);
  return isfinite(size) ? (double)(fabsl(sum - (y.value - x.value)) / (size > 0 ? size : 1)) : -1;
}

static void slopes_add_up(void **unused)
{
  uint64_t seed = 11;
  int compared = 0;
  double worst = 0;
  (void)unused;
  for (int i = 0; i < 3000; i++) {
    arena *a = arena_create();
    const tree *t = tree_random(a, &seed, 3);
    if (is_of_models(t)) {
      const double error = error_apart(a, &seed, t);
      compared += error >= 0;
      worst = fmax(worst, error);
    }
    arena_free(a);
  }
  print_message("  %d formulas, worst error %.1e\n", compared, worst);
  assert_true(compared > 1000);
  assert_true(worst < 1e-12);
}

/* The functions themselves, of one input, at states that are 1e-9 apart: f' in the middle, to the
 * square of that. */
static void slopes_of_near_states(void **unused)
{
  static const ir_call calls[] = {IR_SIN,  IR_COS,  IR_TAN,  IR_ASIN, IR_ACOS, IR_ATAN,
                                  IR_SINH, IR_COSH, IR_TANH, IR_EXP,  IR_LOG,  IR_ABS};
  static const long powers[][2] = {{2, 1},  {3, 1}, {7, 1},  {-1, 1},
                                   {-6, 1}, {1, 2}, {-3, 2}, {5, 3}};
  enum { CALLS = sizeof calls / sizeof *calls, POWERS = sizeof powers / sizeof *powers };
  (void)unused;
  for (int i = 0; i < CALLS + POWERS; i++) {
    arena *a = arena_create();
    ir_context *c = ir_context_create(a);
    const ir_expr *x = ir_input(c, IR_Z, 0);
    const ir_expr *e =
        i < CALLS ? ir_apply(c, calls[i], x, NULL)
                  : raised(c, x, powers[i - CALLS][0], (unsigned long)powers[i - CALLS][1]);
    for (int apart = 0; apart < 3; apart++) {
      const double w = apart == 0 ? 0.0 : apart == 1 ? 1e-9 : 1e-5;
      states s = {{0}, {0}, {0.6 - w / 2}, {0.6 + w / 2}};
      double S[tree_inputs];
      double D[tree_inputs];
      slopes(c, e, &s, 0, S);
      s.z[0] = 0.6;
      slopes(c, e, &s, 1, D);
      if (!(fabs(S[0] - D[0]) <= (1e-15 + 10 * w * w) * fabs(D[0]))) {
        fail_msg("function %d, %g apart: %.17g, derivative %.17g", i, w, S[0], D[0]);
      }
    }
    ir_context_free(c);
    arena_free(a);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(slopes_add_up),
                                     cmocka_unit_test(slopes_of_near_states)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
