/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_emit.c -- what is written reads back: numbers, strings, broken lines, comments and
 * expressions.
 */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_trees.h"

#include <cmocka.h>

#include "emit/writer.h"

static int open_arena(void **state)
{
  *state = arena_create();
  return 0;
}

static int close_arena(void **state)
{
  arena_free(*state);
  return 0;
}

/* ---- numbers ---- */

/* Digits from the first to the last that is not zero. */
static int significant_digits(const char *text)
{
  int n = 0;
  int last = 0;
  for (; *text && *text != 'e'; text++) {
    if (*text >= '0' && *text <= '9' && (n > 0 || *text != '0')) {
      n++;
      last = *text != '0' ? n : last;
    }
  }
  return last;
}

/* No decimal with fewer digits reads back as the same double. */
static void check_double(arena *a, double value)
{
  const char *text = writer_double(a, value);
  char other[400];
  assert_true(strtod(text, NULL) == value);
  assert_int_equal(signbit(strtod(text, NULL)) != 0, signbit(value) != 0);
  assert_non_null(strpbrk(text, ".e"));
  assert_int_equal(strspn(text, "-+.e0123456789"), strlen(text));
  for (int digits = 1; digits < significant_digits(text); digits++) {
    snprintf(other, sizeof other, "%.*g", digits, value);
    assert_true(strtod(other, NULL) != value);
  }
}

static void test_doubles_read_back(void **state)
{
  static const double edges[] = {0.0,     -0.0,    0.1,     -0.1,          1.0 / 3,   5e-324,
                                 DBL_MIN, DBL_MAX, 1e22,    1e23,          0x1p53,    0x1p-1074,
                                 1e-7,    -1e-5,   DBL_MAX, 123456789.125, 0x1.8p-53, 2.5};
  arena *a = *state;
  for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
    check_double(a, edges[i]);
  }
  for (uint64_t seed = 3, i = 0; i < 100000; i++) {
    uint64_t bits = sw_random_bits(&seed);
    double value = 0;
    memcpy(&value, &bits, sizeof value);
    value = isfinite(value) ? value : sw_random(&seed);
    value = i % 4 == 0 ? sw_random(&seed) : value;
    value = i % 4 == 1 ? (double)random_below(&seed, 100000) / 1000 : value;
    check_double(a, value);
    if (i % 1000 == 999) { /* the arena is not emptied, so that it is replaced */
      arena_free(a);
      *state = a = arena_create();
    }
  }
}

static void test_doubles_as_written(void **state)
{
  arena *a = *state;
  assert_string_equal(writer_double(a, 0.1), "0.1");
  assert_string_equal(writer_double(a, 2), "2.0");
  assert_string_equal(writer_double(a, 1e-7), "1e-07");
  assert_string_equal(writer_double(a, (double)NAN), "NAN");
  assert_string_equal(writer_double(a, (double)INFINITY), "INFINITY");
  assert_string_equal(writer_double(a, -(double)INFINITY), "-INFINITY");
}

/* 10.0 is shorter than 1e+01. */
static void test_whole_numbers_are_written_as_such(void **state)
{
  arena *a = *state;
  assert_string_equal(writer_double(a, 10), "10.0");
  assert_string_equal(writer_double(a, -1500), "-1500.0");
}

/* ---- strings ---- */

static size_t read_literal(const char *text, char *out)
{
  size_t n = 0;
  assert_int_equal(*text++, '"');
  while (*text != '"') {
    assert_in_range(*text, 32, 126);
    if (*text != '\\') {
      assert_true(*text != '?');
      out[n++] = *text++;
    } else if (text[1] >= '0' && text[1] <= '7') {
      char digits[4] = {text[1], text[2], text[3], 0};
      assert_int_equal(strspn(digits, "01234567"), 3);
      out[n++] = (char)strtol(digits, NULL, 8);
      text += 4;
    } else {
      const char *at = strchr("n\n\"\"\\\\??", text[1]);
      assert_non_null(at);
      out[n++] = at[1];
      text += 2;
    }
  }
  assert_int_equal(text[1], '\0');
  return n;
}

static void test_literals_read_back(void **state)
{
  arena *a = *state;
  static const char *const texts[] = {"",      "plain", "\"",         "\\",
                                      "a\\",   "\\\"",  "\?\?/\n",    "\t\r\v\b01",
                                      "\1777", "\001",  "\xc3\xa9 9", "%d%s"};
  char out[300];
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    size_t n = read_literal(writer_literal(a, texts[i]), out);
    assert_int_equal(n, strlen(texts[i]));
    assert_memory_equal(out, texts[i], n);
  }
  for (uint64_t seed = 11, i = 0; i < 2000; i++) {
    char text[256] = {0};
    int length = random_below(&seed, 255);
    for (int k = 0; k < length; k++) {
      text[k] = (char)(1 + random_below(&seed, 255));
    }
    assert_int_equal(read_literal(writer_literal(a, text), out), length);
    assert_memory_equal(out, text, (size_t)length);
  }
}

/* ---- statements ---- */

/* Where a line may end: in[i] is a blank outside of strings, after a comma or before an
 * operator. */
static int may_break(const char *text, size_t i)
{
  int quoted = 0;
  for (size_t k = 0; k < i; k++) {
    k += quoted && text[k] == '\\';
    quoted ^= text[k] == '"';
  }
  return !quoted && i > 0 && text[i] == ' ' &&
         (text[i - 1] == ',' || (text[i + 1] && strchr("+-*/", text[i + 1]) && text[i + 2] == ' '));
}

/* Every line starts where the text goes on, ends where it may break, and is too long only
 * where it could not be broken. */
static void check_statement(arena *a, int indent, const char *text)
{
  writer *w = writer_create(a);
  writer_statement(w, indent, "%s", text);
  const char *line = writer_text(w);
  size_t at = 0;
  for (int count = 0; *line; count++) {
    size_t length = strcspn(line, "\n");
    size_t blanks = (size_t)(count ? indent + 4 : indent);
    assert_int_equal(line[length], '\n');
    assert_true(length >= blanks && strspn(line, " ") >= blanks);
    size_t shown = length - blanks;
    assert_memory_equal(line + blanks, text + at, shown);
    for (size_t i = 1; length > WRITER_COLUMNS && i < shown; i++) {
      if (may_break(text, at + i)) {
        fail_msg("a line of %zu columns could be broken: %.*s", length, (int)length, line);
      }
    }
    at += shown;
    if (text[at]) {
      assert_true(may_break(text, at));
      at++;
    }
    line += length + 1;
  }
  assert_int_equal(at, strlen(text));
}

static void test_statements_are_broken_between_tokens(void **state)
{
  static const char *const words[] = {"alpha", "beta_2",       "sin(x + y)",        "3.25e-07",
                                      "t17",   "\"a, b + c\"", "\"\\\" - , \\\"\"", "(z)"};
  static const char *const joints[] = {" + ", " - ", " * ", " / ", ", ", ", "};
  for (uint64_t seed = 21, i = 0; i < 2000; i++) {
    arena *a = *state;
    char *text = arena_strdup(a, words[random_below(&seed, 8)]);
    for (int k = random_below(&seed, 60); k > 0; k--) {
      text = arena_printf(a, "%s%s%s", text, joints[random_below(&seed, 6)],
                          words[random_below(&seed, 8)]);
    }
    check_statement(a, 2 * random_below(&seed, 5), text);
  }
}

static void test_statements_at_the_edge(void **state)
{
  arena *a = *state;
  for (int n = 80; n <= 98; n++) {
    check_statement(a, 0, arena_printf(a, "%0*d, %0*d", n, 1, n - 85, 1));
    check_statement(a, 2, arena_printf(a, "x = %0*d;", n + 5, 1));
    check_statement(a, 4, arena_printf(a, "%0*d - 1 + %0*d;", n - 10, 1, 170 - n, 1));
  }
  check_statement(a, 0, "");
}

/* A literal that ends in a backslash: its closing quote is no escaped one. */
static void test_backslashes_in_literals(void **state)
{
  arena *a = *state;
  for (int n = 0; n < 40; n++) {
    char *text = arena_printf(a, "f%0*d", n, 1);
    for (int i = 0; i < 12; i++) {
      text = arena_printf(a, "%s, %s", text, writer_literal(a, i % 3 ? "one, two \\" : "\\"));
    }
    check_statement(a, 0, text);
  }
}

/* What cannot be broken does not keep the rest from being broken. */
static void test_breaking_goes_on_after_a_long_token(void **state)
{
  arena *a = *state;
  char *text = arena_printf(a, "x = f(%0150d", 1);
  for (int i = 0; i < 30; i++) {
    text = arena_printf(a, "%s, %010d", text, i);
  }
  check_statement(a, 2, text);
}

/* ---- comments ---- */

static const char *comment(arena *a, const char *prefix, const char *text)
{
  writer *w = writer_create(a);
  writer_comment_lines(w, prefix, text);
  return writer_text(w);
}

static void test_comments_cannot_end(void **state)
{
  static const char alphabet[] = "*/?* /\\\na";
  arena *a = *state;
  assert_string_equal(comment(a, " * ", "a  \n\nb\r\n"), " * a\n *\n * b\n");
  for (uint64_t seed = 31, i = 0; i < 20000; i++) {
    char text[20] = {0};
    char kept[20];
    char shown[200];
    int n = random_below(&seed, 19);
    size_t m = 0;
    for (int k = 0; k < n; k++) {
      text[k] = alphabet[random_below(&seed, 9)];
    }
    const char *out = comment(a, " | ", text);
    assert_null(strstr(out, "*/"));
    assert_null(strstr(out, "/*"));
    assert_null(strstr(out, "?\?"));
    assert_null(strstr(out, " \n"));
    for (int k = 0; k < n; k++) { /* nothing is lost but blanks and line ends */
      kept[m] = text[k];
      m += text[k] != ' ' && text[k] != '\n';
    }
    kept[m] = 0;
    for (m = 0; *out; out++) {
      shown[m] = *out;
      m += !strchr(" \n|", *out);
    }
    shown[m] = 0;
    assert_string_equal(shown, kept);
  }
}

/* An empty line is the prefix without its trailing blanks, whatever the prefix. */
static void test_prefixes_of_empty_lines(void **state)
{
  arena *a = *state;
  assert_string_equal(comment(a, "* ", "\na"), "*\n* a\n");
  assert_string_equal(comment(a, " *     ", "\na"), " *\n *     a\n");
  assert_string_equal(comment(a, "", "\na"), "\na\n");
}

static void test_long_texts(void **state)
{
  arena *a = *state;
  writer *w = writer_create(a);
  assert_string_equal(writer_text(w), "");
  for (int i = 0; i < 10000; i++) {
    writer_printf(w, "%05d", i);
  }
  assert_int_equal(strlen(writer_text(w)), 50000);
  assert_memory_equal(writer_text(w) + 49990, "0999809999", 10);
}

int main(void)
{
#define WITH_ARENA(f) cmocka_unit_test_setup_teardown(f, open_arena, close_arena)
  const struct CMUnitTest tests[] = {
      WITH_ARENA(test_doubles_read_back),
      WITH_ARENA(test_doubles_as_written),
      WITH_ARENA(test_whole_numbers_are_written_as_such),
      WITH_ARENA(test_literals_read_back),
      WITH_ARENA(test_statements_are_broken_between_tokens),
      WITH_ARENA(test_statements_at_the_edge),
      WITH_ARENA(test_backslashes_in_literals),
      WITH_ARENA(test_breaking_goes_on_after_a_long_token),
      WITH_ARENA(test_comments_cannot_end),
      WITH_ARENA(test_prefixes_of_empty_lines),
      WITH_ARENA(test_long_texts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
