/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_honest_program.c -- the command `lyapunov`, and `run --check-reversible`.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixtures.h"
#include "program_call.h"

static void the_command(void **state)
{
  const char *const refused[] = {"prog lyapunov --step 0.1 --steps 10 --exponents 3",
                                 "prog lyapunov --step 0.1 --steps 10 --exponents 0",
                                 "prog lyapunov --step 0.1 --steps 10 --rows x",
                                 "prog lyapunov --step 0.1 --steps 0", "prog lyapunov --nonsense"};

  (void)state;
  assert_int_equal(call(&sw_fixture_two, "prog lyapunov --step 0.05 --steps 200 --rows 4"), 0);
  assert_non_null(strstr(out, "           t     lambda_1     lambda_2\n"));
  assert_non_null(strstr(out, "\n          10 "));
  assert_non_null(strstr(out, ": PASS\n"));
  assert_non_null(strstr(out, "pairs "));
  assert_string_equal(err, "");
  assert_int_equal(call(&sw_fixture_two, "prog lyapunov --step 0.05 --steps 3 --exponents 1"), 0);
  assert_non_null(strstr(out, "1 of 2 exponents"));
  assert_int_equal(call(&sw_fixture_two, "prog lyapunov --help"), 0);
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    assert_int_equal(call(&sw_fixture_two, refused[i]), 2);
    assert_int_not_equal(strlen(err), 0);
  }
  /* A step that cannot be made ends it as it ends a run. */
  assert_int_equal(call(&sw_fixture_two, "prog lyapunov --step 100 --steps 3"), 3);
  assert_non_null(strstr(err, "at t = 0: "));
}

static void reversible_runs(void **state)
{
  (void)state;
  assert_int_equal(call(&sw_fixture_two, "prog run --step 0.05 --steps 9 --check-reversible"), 0);
  assert_int_equal(call(&sw_fixture_two, "prog run --step 0.05 --steps 9 --check-reversible=1e-12"),
                   0);
  assert_int_equal(call(&sw_fixture_two, "prog run --step 0.05 --steps 9 --check-reversible=1e-99"),
                   3);
  assert_non_null(strstr(err, "misses its start by"));
  assert_int_equal(call(&sw_fixture_two, "prog run --step 0.05 --steps 9 --check-reversible=2"), 2);
  assert_non_null(strstr(err, "--check-reversible must be between 0 and 1"));
  assert_int_equal(
      call(&sw_fixture_two, "prog run --method shake --step 0.05 --steps 9 --check-reversible"), 2);
  assert_non_null(strstr(err, "shake has no inverse; rattle has one"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_command),
      cmocka_unit_test(reversible_runs),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
