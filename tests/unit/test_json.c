/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_json.c -- what the writer of JSON makes of text and of numbers.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "io/json_writer.h"

/* Text that is no UTF-8 becomes some, and what is stays as it is, at the ends of all ranges. */
static void test_json_text(void **state)
{
  static const char *const cases[][2] = {
      {"a\"b\\c/", "a\\\"b\\\\c/"},
      {"\x01\t\n\x1f\x7f", "\\u0001\\u0009\\n\\u001f\\u007f"},
      {"\xc2\x80\xdf\xbf", "\xc2\x80\xdf\xbf"},
      {"\xe0\xa0\x80\xed\x9f\xbf\xef\xbf\xbf", "\xe0\xa0\x80\xed\x9f\xbf\xef\xbf\xbf"},
      {"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"},
      {"\x80", "\\ufffd"},
      {"\xc1\xbf", "\\ufffd\\ufffd"},
      {"\xc2", "\\ufffd"},
      {"\xe0\x9f\xbf", "\\ufffd\\ufffd\\ufffd"},
      {"\xed\xa0\x80", "\\ufffd\\ufffd\\ufffd"},
      {"\xf0\x8f\xbf\xbf", "\\ufffd\\ufffd\\ufffd\\ufffd"},
      {"\xf4\x90\x80\x80", "\\ufffd\\ufffd\\ufffd\\ufffd"},
      {"\xf5\x80\x80\x80", "\\ufffd\\ufffd\\ufffd\\ufffd"}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char *text = NULL;
    size_t size = 0;
    char expected[128];
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    sw_json json = {.file = file};
    sw_json_text(&json, NULL, cases[i][0]);
    fclose(file);
    snprintf(expected, sizeof expected, "\"%s\"", cases[i][1]);
    assert_string_equal(text, expected);
    free(text);
  }
}

/* Numbers that are read back as the same bits, and no longer than that needs. */
static void test_json_numbers(void **state)
{
  static const struct {
    double x;
    const char *text;
  } cases[] = {{0.1, "0.1"},
               {-0.0, "-0"},
               {1e300, "1e+300"},
               {1.0 / 3.0, "0.3333333333333333"},
               {0.1 + 0.2, "0.30000000000000004"},
               {NAN, "null"},
               {INFINITY, "null"},
               {-INFINITY, "null"}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    sw_json json = {.file = file};
    sw_json_number(&json, NULL, cases[i].x);
    fclose(file);
    assert_string_equal(text, cases[i].text);
    free(text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_json_text),
                                     cmocka_unit_test(test_json_numbers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
