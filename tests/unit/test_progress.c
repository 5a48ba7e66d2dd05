/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_progress.c -- the progress line, and the largest of some numbers.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "common/vectors.h"
#include "io/progress.h"

static void test_largest(void **state)
{
  static const double x[] = {1.0, -3.0, 2.0};
  static const double y[] = {1.0, NAN, 2.0};
  (void)state;
  assert_true(sw_max_abs(3, x) == 3.0);
  assert_true(sw_max_abs(0, x) == 0.0);
  assert_true(isnan(sw_max_abs(3, y)));
}

static void test_progress(void **state)
{
  const struct timespec pause = {.tv_nsec = 120000000};
  char text[256] = "";
  sw_progress progress;
  FILE *stream = tmpfile();
  (void)state;
  assert_non_null(stream);
  sw_progress_start(&progress, stream, 0, 200);
  sw_progress_update(&progress, 1);
  assert_int_equal(ftell(stream), 0); /* too soon */
  nanosleep(&pause, NULL);
  sw_progress_update(&progress, 50);
  long once = ftell(stream);
  sw_progress_update(&progress, 51);
  assert_int_equal(ftell(stream), once);
  assert_true(sw_progress_finish(&progress) >= 0.12);
  rewind(stream);
  assert_true(fread(text, 1, sizeof text - 1, stream) > 0);
  assert_non_null(strstr(text, "step 50 of 200 (25 %)"));
  fclose(stream);

  sw_progress_start(&progress, NULL, 0, 200);
  nanosleep(&pause, NULL);
  sw_progress_update(&progress, 50); /* silent */
  assert_int_equal(progress.shown, 0);
  sw_progress_finish(&progress);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_largest),
                                     cmocka_unit_test(test_progress)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
