/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_newton_change.c -- the changes of unknowns that straight-line steps make are those of the
 * exact Jacobian: along a change F falls by itself, F(u + s change) = (1 - s) F(u) + O(s^2), here
 * by central differences, where unknowns and the state are anywhere.
 *
 * A Jacobian that is not exact leads to the same states with more iterations, which no comparison
 * of states would see.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/random.h"
#include "expr/evaluate.h"
#include "fused/step.h"
#include "pipeline.h"

static const struct {
  const char *path;
  const char *method;
  const char *base;
} steps[] = {
    {"models/pendulum.sw", "rattle", "gauss-6"},
    {"models/double_pendulum.sw", "bdf2", "none"},
    {"models/spherical.sw", "rattle", "gauss-4"},
    {"models/hopf.sw", "rattle", "midpoint"},
    {"models/pendulum.sw", "lobatto", "lobatto-6"},
    {"models/pendulum_angles.sw", "rattle", "gauss-4"},
    {"tests/models/spherical_discrete.sw", "energy-momentum", "none"},
    {"tests/models/cyclotron.sw", "variational", "kutta-3"},
    {"tests/models/curved.sw", "variational", "euler"},
    {"models/double_pendulum.sw", "variational", "euler"},
    {"models/charge_lagrangian.sw", "variational", "explicit-midpoint"},
    {"models/pendulum_angles.sw", "variational", "explicit-midpoint"},
    {"models/spherical_pendulum.sw", "variational", "kutta-3"},
};

/* Numbers for all values of a step. */
typedef struct numbers {
  const fused_step *step;
  ir_evaluator *evaluator;
  double *x;
} numbers;

static double number_of(const numbers *s, const ir_expr *node)
{
  return ir_evaluator_value(s->evaluator, node);
}

/* The number of a value that is given, but for unknowns; 0 where it is one of these. */
static int give(const numbers *s, const ir_program *p, int i, uint64_t *seed)
{
  const fused_step *step = s->step;
  const ir_expr *const *bias = step->bias;
  int is_known = i == step->h->index || i == step->size_q->index || i == step->size_p->index;

  s->x[i] = i == step->h->index ? 0.1 : 1.0; /* or a size */
  for (int j = 0; j < step->dim; j++) {
    if (step->z[j]->index == i) {
      s->x[i] = 0.5 + 0.2 * j + 0.3 * sw_random(seed);
      is_known = 1;
    }
  }
  for (int j = 0; j < step->nk; j++) {
    s->x[i] = step->k[j]->index == i ? p->k_default[j] : s->x[i];
    is_known |= step->k[j]->index == i;
  }
  for (int j = 0; j < 2 && bias[0]; j++) {
    s->x[i] = bias[j]->index == i ? (j ? 0.7 : -0.3) : s->x[i];
    is_known |= bias[j]->index == i;
  }
  return is_known;
}

/* All values, with unknowns somewhere near where Newton's method begins, and so much of a change
 * further on. */
static void compute(const numbers *s, const ir_program *p, double of_change, const double change[])
{
  const fused_step *step = s->step;
  const ir_values values = {{[IR_VALUE] = s->x}};
  uint64_t seed = 20261123;

  ir_evaluator_begin(s->evaluator, &values);
  for (int i = 0; i < step->values->n; i++) {
    if (step->values->at[i].formula) {
      s->x[i] = number_of(s, step->values->at[i].formula);
    } else if (!give(s, p, i, &seed)) {
      for (int n = 0; n < step->n_phases; n++) {
        for (int j = 0; j < step->phase[n].n; j++) {
          if (step->phase[n].unknown[j]->index == i) {
            s->x[i] = number_of(s, step->phase[n].guess[j]) + 0.1 * sw_random(&seed) +
                      of_change * change[i];
          }
        }
      }
    }
  }
}

/* How much of F the change leaves, to first order, relative to the largest entry of F. */
static double left(const numbers *s, const ir_program *p, const fused_phase *phase)
{
  const double by = 1e-5;
  double *change = test_calloc((size_t)s->step->values->n, sizeof *change);
  double slope[FUSED_UNKNOWNS_MOST] = {0.0};
  double size = 0.0;
  double most = 0.0;
  double longest = 0.0;

  compute(s, p, 0.0, change);
  for (int j = 0; j < phase->n; j++) {
    longest = fmax(longest, fabs(number_of(s, phase->change[j])));
  }
  for (int j = 0; j < phase->n; j++) {
    change[phase->unknown[j]->index] = number_of(s, phase->change[j]) / longest;
  }
  for (int way = 1; way >= -1; way -= 2) {
    compute(s, p, way * by, change);
    for (int j = 0; j < phase->n; j++) {
      slope[j] += way * number_of(s, phase->F[j]) / (2.0 * by) * longest;
    }
  }
  compute(s, p, 0.0, change);
  for (int j = 0; j < phase->n; j++) {
    size = fmax(size, fabs(number_of(s, phase->F[j])));
    most = fmax(most, fabs(slope[j] + number_of(s, phase->F[j])));
  }
  test_free(change);
  return most / size;
}

static void changes_are_those_of_the_exact_Jacobian(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
    arena *memory = arena_create();
    const compile_settings settings = {.discrete = 1, .variational = 1};
    const sw_method *method = sw_method_find(steps[i].method);
    const fused_base base = {.tableau = sw_method_tableau(method, steps[i].base)};
    const char *refusal = NULL;
    compilation c;
    assert_int_equal(compile_model(memory, steps[i].path, &settings, &c), OUTCOME_GOOD);
    numbers s = {.step = fused_step_compose(c.context, c.program, method, &base, 0, FUSED_AT_ONCE,
                                            &refusal)};
    assert_non_null(s.step);
    s.x = test_calloc((size_t)s.step->values->n, sizeof *s.x);
    s.evaluator = ir_evaluator_create(c.context);
    for (int n = 0; n < s.step->n_phases; n++) {
      const fused_phase *phase = &s.step->phase[n];
      const double rest = phase->n ? left(&s, c.program, phase) : 0.0;
      if (!(rest <= 1e-6)) {
        print_error("%s, %s over %s, solve %d of %d unknowns: %g of F is left\n", steps[i].path,
                    steps[i].method, steps[i].base, n + 1, phase->n, rest);
      }
      assert_true(rest <= 1e-6);
    }
    ir_evaluator_free(s.evaluator);
    test_free(s.x);
    compilation_free(&c);
    arena_free(memory);
  }
  compile_close();
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(changes_are_those_of_the_exact_Jacobian),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
