/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_acceptance.c -- the acceptance test of a step has one answer at the bound, above it and
 * below it, for the worst residual, for all residuals by parts of their scales, and in the macro of
 * generated steps (sidewinder/acceptance.h).
 */
#include <float.h>
#include <math.h>

#include "checks/residuals.h"
#include "common/shared_vectors.h"
#include "near.h"

enum { ROWS = 5 };

/* Accepted by the worst of all rows; by parts of the scales, of which one is nothing; and row by
 * row. */
static void expect(const double value[], const double scale[], double floor, int expected)
{
  double values[ROWS];
  double scales[ROWS];
  double nothing[ROWS] = {0};
  int each = 1;

  for (int i = 0; i < ROWS; i++) {
    values[i] = value[i];
    scales[i] = scale[i];
    each &= SW_ACCEPTS(value[i], scale[i], floor);
  }
  const sw_residual_scratch scratch = {.value = values, .scale = scales};
  const sw_residual worst = sw_residual_of(ROWS, 1, &scratch);
  const sw_size_limits first = {value, scale, nothing, floor, floor};
  const sw_size_limits second = {value, nothing, scale, floor, floor};
  assert_int_equal(sw_residual_accepted(&worst, floor), expected);
  assert_int_equal(sw_share_within(NULL, ROWS, &first), expected);
  assert_int_equal(sw_share_within(NULL, ROWS, &second), expected);
  assert_int_equal(each, expected);
}

static void one_answer_in_all_forms(void **state)
{
  const double floor = 0x1p-40;
  const double scale[ROWS] = {1.0, 1e-30, 1e30, 3.0, 7e-3};

  (void)state;
  for (int row = 0; row < ROWS; row++) {
    double value[ROWS] = {0};
    for (int sign = -1; sign <= 1; sign += 2) {
      value[row] = sign * floor * scale[row];
      expect(value, scale, floor, 1);
      value[row] *= 1.0 + 4.0 * DBL_EPSILON;
      expect(value, scale, floor, 0);
      value[row] = sign * 0.5 * floor * scale[row];
      expect(value, scale, floor, 1);
    }
    value[row] = INFINITY;
    expect(value, scale, floor, 0);
    value[row] = NAN;
    expect(value, scale, floor, 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_answer_in_all_forms)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
