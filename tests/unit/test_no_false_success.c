/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_no_false_success.c -- a million solves of small systems with and without roots, from good
 * and from adversarial guesses: what the solver calls solved is solved, and what has no root never
 * is.
 */
#include <float.h>
#include <string.h>

#include "near.h"
#include "solve/solver.h"

enum { MOST = 3, SOLVES = 1000000 };

static const double tolerance = 1e-12;

/* f(u) = 0 for one unknown; `a` is a random number from 0.1 to 1.1. */
typedef enum {
  PARABOLA,       /* (u - a)(u - 2): two roots */
  DOUBLE_ROOT,    /* (u - a)^2: where Newton's method is slow */
  ABOVE_ZERO,     /* u^2 + a: none */
  ARCTANGENT,     /* atan(5 (u - a)): from far away Newton's method flies off */
  EXPONENTIAL,    /* exp(u) - a */
  NO_EXPONENTIAL, /* exp(u) + a: none */
  ROOT,           /* sqrt(u) - a: NaN for u < 0 */
  NO_ROOT,        /* sqrt(u) + a: none */
  LOGARITHM,      /* log(u) - a: infinite at 0, NaN for u < 0 */
  SINE,           /* sin u + 1 + a: none */
  STEP,           /* -1 or 1: jumps over 0, and has no derivative */
  WRONG,          /* u - a, with a derivative that is wrong */
  NOT_A_NUMBER,   /* NaN everywhere */
  KINDS
} kind;

static int has_no_root(kind of)
{
  return of == ABOVE_ZERO || of == NO_EXPONENTIAL || of == NO_ROOT || of == SINE || of == STEP ||
         of == NOT_A_NUMBER;
}

static double value(kind of, double a, double u)
{
  switch (of) {
  case PARABOLA:
    return (u - a) * (u - 2.0);
  case DOUBLE_ROOT:
    return (u - a) * (u - a);
  case ABOVE_ZERO:
    return u * u + a;
  case ARCTANGENT:
    return atan(5.0 * (u - a));
  case EXPONENTIAL:
    return exp(u) - a;
  case NO_EXPONENTIAL:
    return exp(u) + a;
  case ROOT:
    return sqrt(u) - a;
  case NO_ROOT:
    return sqrt(u) + a;
  case LOGARITHM:
    return log(u) - a;
  case SINE:
    return sin(u) + 1.0 + a;
  case STEP:
    return u < a ? -1.0 : 1.0;
  case WRONG:
    return u - a;
  default:
    return NAN;
  }
}

static double slope(kind of, double a, double u)
{
  switch (of) {
  case PARABOLA:
    return 2.0 * u - a - 2.0;
  case DOUBLE_ROOT:
    return 2.0 * (u - a);
  case ABOVE_ZERO:
    return 2.0 * u;
  case ARCTANGENT:
    return 5.0 / (1.0 + 25.0 * (u - a) * (u - a));
  case EXPONENTIAL:
  case NO_EXPONENTIAL:
    return exp(u);
  case ROOT:
  case NO_ROOT:
    return 0.5 / sqrt(u);
  case LOGARITHM:
    return 1.0 / u;
  case SINE:
    return cos(u);
  case STEP:
    return 0.0;
  case WRONG:
    return sin(1e3 * u);
  default:
    return 1.0;
  }
}

/* F = mix f(u), n equations. */
typedef struct {
  int n;
  kind of[MOST];
  double a[MOST];
  double mix[MOST][MOST];
} problem_data;

static void residual(void *context, const double u[], double F[])
{
  const problem_data *p = context;

  for (int i = 0; i < p->n; i++) {
    F[i] = 0.0;
    for (int j = 0; j < p->n; j++) {
      F[i] += p->mix[i][j] * value(p->of[j], p->a[j], u[j]);
    }
  }
}

static void jacobian(void *context, const double u[], double J[])
{
  const problem_data *p = context;

  for (int i = 0; i < p->n; i++) {
    for (int j = 0; j < p->n; j++) {
      J[i * p->n + j] = p->mix[i][j] * slope(p->of[j], p->a[j], u[j]);
    }
  }
}

/* Uniform in [0, 1). */
static double uniform(uint64_t *random)
{
  *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return ldexp((double)(*random >> 11), -53);
}

static double guess(uint64_t *random)
{
  static const double awkward[] = {0.0,    -0.0,   1.0,    -1.0,    1e9, -1e9,     1e-9,      1e150,
                                   -1e300, 1e-300, 5e-324, DBL_MAX, NAN, INFINITY, -INFINITY, 2.0};
  enum { AWKWARD = sizeof awkward / sizeof awkward[0] };
  const double choice = uniform(random);

  return choice < 0.2 ? awkward[(int)(uniform(random) * AWKWARD)] : 4.0 * uniform(random) - 1.0;
}

static void choose(problem_data *p, int n, uint64_t *random)
{
  p->n = n;
  for (int i = 0; i < n; i++) {
    p->of[i] = (kind)(uniform(random) * KINDS);
    p->a[i] = 0.1 + uniform(random);
    for (int j = 0; j < n; j++) {
      /* Diagonally dominant: F = 0 only where f = 0. */
      p->mix[i][j] = i == j ? 1.0 : 0.3 * (uniform(random) - 0.5);
    }
  }
}

static void what_is_called_solved_is_solved(void **state)
{
  static const int rows[] = {0, 0, 0, 1, 1, 1, 2, 2, 2};
  static const int one[] = {0};
  static const int two_rows[] = {0, 0, 1, 1};
  static const int two_cols[] = {0, 1, 0, 1};
  static const int cols[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
  const sw_pattern patterns[MOST] = {
      {1, 1, 1, one, one}, {2, 2, 4, two_rows, two_cols}, {3, 3, 9, rows, cols}};
  sw_solver *solvers[MOST] = {NULL};
  uint64_t random = 2026;
  long solved = 0;
  long hopeless = 0;

  (void)state;
  for (int i = 0; i < MOST; i++) {
    assert_int_equal(
        sw_solver_create(&patterns[i], (sw_multipliers){0}, tolerance, 30, &solvers[i]), SW_OK);
  }
  for (long trial = 0; trial < SOLVES; trial++) {
    const int n = 1 + (int)(trial % MOST);
    problem_data p;
    const sw_problem problem = {residual, jacobian, &p};
    sw_solve_report report;
    double u[MOST];
    double F[MOST];
    int none = 0;

    choose(&p, n, &random);
    for (int i = 0; i < n; i++) {
      u[i] = guess(&random);
      none |= has_no_root(p.of[i]);
    }
    const sw_status status = sw_solver_solve(solvers[n - 1], &problem, u, &report);
    hopeless += none;
    if (status == SW_OK) {
      residual(&p, u, F);
      for (int i = 0; i < n; i++) {
        if (none || !isfinite(u[i]) || !(fabs(F[i]) <= tolerance)) {
          fail_msg("trial %ld: n = %d, kind %d, u = %g, F = %g", trial, n, (int)p.of[i], u[i],
                   F[i]);
        }
      }
      solved++;
    } else {
      assert_true(status == SW_ERR_NOT_CONVERGED || status == SW_ERR_SINGULAR ||
                  status == SW_ERR_NOT_FINITE);
    }
  }
  /* Neither is it all refused, nor are there no problems without a root. */
  assert_true(solved > SOLVES / 10);
  assert_true(hopeless > SOLVES / 3);
  for (int i = 0; i < MOST; i++) {
    sw_solver_free(&solvers[i]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_called_solved_is_solved),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
