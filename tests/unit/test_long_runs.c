/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_long_runs.c -- the rounding errors of the energy over 10^6 steps: of compensated ones they
 * have no sign, and stay as small as they were found; of plain ones both are seen not to be so.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "compensated_steppers.h"
#include "growth.h"
#include "pendulum.h"

static const growth_example pendulum = GROWTH_EXAMPLE(pendulum, 0.05);

static growth_mark last(int compensated)
{
  growth_mark marks[GROWTH_MARKS];
  double taken = 0.0;
  const int n = growth_measure(&pendulum, compensated, 1000000, marks, &taken);

  assert_int_equal(marks[n - 1].steps, 1000000);
  print_message("compensated %d: error %.2e, mean %.2e, |g| <= %.2e\n", compensated,
                marks[n - 1].error, marks[n - 1].mean, marks[n - 1].largest_g);
  return marks[n - 1];
}

/* Whether the mean over the trajectories is one of errors of any sign. */
static int has_no_sign(const growth_mark *m)
{
  return fabs(m->mean) <= 3.0 * m->error / sqrt((double)GROWTH_RUNS);
}

static void errors_of_compensated_steps_have_no_sign(void **state)
{
  const growth_mark m = last(1);

  (void)state;
  assert_true(has_no_sign(&m));
  assert_true(m.error <= 3.8e-15);
  assert_true(m.largest_g <= 1e-15);
}

static void those_of_plain_steps_are_seen_to_have_one(void **state)
{
  const growth_mark m = last(0);

  (void)state;
  assert_false(has_no_sign(&m));
  assert_true(m.error > 3.8e-15);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_of_compensated_steps_have_no_sign),
      cmocka_unit_test(those_of_plain_steps_are_seen_to_have_one),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
