/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_diagnostics.c -- what errors look like, what is suggested, and the arena.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/arena.h"
#include "common/diagnostics.h"
#include "common/user_text.h"
#include "common/utf8.h"

static void expect(arena *a, const diagnostics *d, const char *expected)
{
  char *printed = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&printed, &length);
  assert_non_null(out);
  assert_int_equal(diagnostics_print(d, out), diagnostics_count(d));
  assert_int_equal(fclose(out), 0);
  assert_string_equal(printed, expected);
  free(printed);
  arena_free(a);
}

static diagnostics *about(arena *a, const char *text)
{
  return diagnostics_create(a, "x.sw", text, strlen(text));
}

static void nothing(void **state)
{
  (void)state;
  arena *a = arena_create();
  expect(a, about(a, "text"), "");
}

static void empty_file(void **state)
{
  (void)state;
  arena *a = arena_create();
  diagnostics *d = about(a, "");
  diagnostics_error(d, (span){0, 0}, "no %s", "model");
  expect(a, d, "x.sw:1:1: error: no model\n    1 | \n      | ^\n1 error\n");
}

/* By place, a note behind its error, and equal places in the order of recording. */
static void order(void **state)
{
  (void)state;
  arena *a = arena_create();
  diagnostics *d = about(a, "first line\nsecond line\r\nthird");
  diagnostics_error(d, (span){24, 29}, "c");
  diagnostics_note(d, (span){0, 5}, "see");
  diagnostics_error(d, (span){11, 17}, "b");
  diagnostics_error(d, (span){11, 12}, "b again");
  diagnostics_error(d, (span){6, 20}, "a");
  assert_int_equal(diagnostics_line(d, (span){24, 29}), 3);
  assert_int_equal(diagnostics_line(d, (span){23, 23}), 2);
  expect(a, d,
         "x.sw:1:7: error: a\n    1 | first line\n      |       ^~~~\n"
         "x.sw:2:1: error: b\n    2 | second line\n      | ^~~~~~\n"
         "x.sw:2:1: error: b again\n    2 | second line\n      | ^\n"
         "x.sw:3:1: error: c\n    3 | third\n      | ^~~~~\n"
         "x.sw:1:1: note: see\n    1 | first line\n      | ^~~~~\n"
         "4 errors\n");
}

/* Columns count bytes, carets count characters; what a terminal would act on is shown as '?'. */
static void characters(void **state)
{
  (void)state;
  arena *a = arena_create();
  diagnostics *d = diagnostics_create(a, "a\x1B.sw", "\t\xC3\xA9\xFF\x1B theta\x00!", 12);
  diagnostics_error(d, (span){6, 11}, "bad \x07\xC3\xA9");
  diagnostics_error(d, (span){1, 4}, "wide");
  expect(a, d,
         "a?.sw:1:2: error: wide\n    1 |  \xC3\xA9?? theta?\n      |  ^~\n"
         "a?.sw:1:7: error: bad ?\xC3\xA9\n    1 |  \xC3\xA9?? theta?\n      |      ^~~~~\n"
         "2 errors\n");
}

/* A long line is shown around the caret, cut between characters. */
static void long_line(void **state)
{
  (void)state;
  arena *a = arena_create();
  char text[2 * 400 + 2];
  for (int i = 0; i < 400; i++) {
    memcpy(text + 2 * (ptrdiff_t)i, "\xC3\xA9", 2);
  }
  text[401] = 'x'; /* from here on characters begin at odd bytes */
  for (int i = 402; i < 800; i += 2) {
    memcpy(text + i, "\xC3\xA9", 2);
  }
  text[400] = 'y';
  text[800] = '\n';
  diagnostics *d = diagnostics_create(a, "x.sw", text, 801);
  diagnostics_error(d, (span){401, 402}, "here");
  char e[1024] = "x.sw:1:402: error: here\n    1 | ...";
  for (int i = 320; i < 400; i += 2) {
    strcat(e, "\xC3\xA9");
  }
  strcat(e, "yx");
  for (int i = 402; i < 480; i += 2) {
    strcat(e, "\xC3\xA9");
  }
  strcat(e, "...\n      |    ");
  memset(e + strlen(e), ' ', 41);
  strcat(e, "^\n1 error\n");
  expect(a, d, e);
}

static void places_out_of_range(void **state)
{
  (void)state;
  arena *a = arena_create();
  diagnostics *d = about(a, "ab\ncd");
  diagnostics_error(d, (span){100, 200}, "far");
  diagnostics_error(d, (span){-5, -1}, "before");
  diagnostics_error(d, (span){1, 0}, "backwards");
  expect(a, d,
         "x.sw:1:1: error: before\n    1 | ab\n      | ^\n"
         "x.sw:1:2: error: backwards\n    1 | ab\n      |  ^\n"
         "x.sw:2:3: error: far\n    2 | cd\n      |   ^\n"
         "3 errors\n");
}

static void limit(void **state)
{
  (void)state;
  arena *a = arena_create();
  diagnostics *d = about(a, "x");
  for (int i = 0; i < 23; i++) {
    diagnostics_error(d, (span){0, 1}, "error %d", i);
    diagnostics_note(d, (span){0, 1}, "note %d", i);
  }
  assert_int_equal(diagnostics_count(d), 23);
  char *printed = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&printed, &length);
  assert_non_null(out);
  diagnostics_print(d, out);
  assert_int_equal(fclose(out), 0);
  assert_non_null(strstr(printed, "error 19\n"));
  assert_non_null(strstr(printed, "note 19\n"));
  assert_null(strstr(printed, "error 20"));
  assert_null(strstr(printed, "note 20"));
  assert_non_null(strstr(printed, "\n20 errors; 3 more not shown\n"));
  free(printed);
  arena_free(a);
}

static void suggestions(void **state)
{
  (void)state;
  static const struct {
    const char *name;
    const char *nearest;
  } cases[] = {
      {"thetta", "theta"}, {"xzy", "xyz"},           {"tehta", "theta"}, {"Theta", "theta"},
      {"THETA", "theta"},  {"gravty", "gravity"},    {"Q", "q"},         {"r", NULL},
      {"foo", NULL},       {"theta", NULL},          {"xy", "xyz"},      {"ab", NULL},
      {"", NULL},          {"gravityandmore", NULL},
  };
  static const char *const names[] = {"q", "p", "theta", "gravity", "xyz"};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const char *found = sw_text_nearest(cases[i].name, names, 5);
    if (!cases[i].nearest) {
      assert_null(found);
    } else {
      assert_non_null(found);
      assert_string_equal(found, cases[i].nearest);
    }
  }
  char huge[1000];
  memset(huge, 'a', sizeof huge - 1);
  huge[sizeof huge - 1] = '\0';
  const char *const one[] = {huge};
  assert_null(sw_text_nearest(huge, names, 5));
  assert_null(sw_text_nearest("a", one, 1));
}

static void decoding(void **state)
{
  (void)state;
  static const struct {
    const char *bytes;
    size_t length;
    size_t used;
    unsigned code;
  } cases[] = {
      {"A", 1, 1, 'A'},
      {"", 0, 0, 0},
      {"\xC2\x80", 2, 2, 0x80},
      {"\xC1\xBF", 2, 0, 0},          /* overlong */
      {"\xE0\x9F\xBF", 3, 0, 0},      /* overlong */
      {"\xED\x9F\xBF", 3, 3, 0xD7FF}, /* the last before the surrogates */
      {"\xED\xA0\x80", 3, 0, 0},      /* a surrogate */
      {"\xF4\x8F\xBF\xBF", 4, 4, 0x10FFFF},
      {"\xF4\x90\x80\x80", 4, 0, 0}, /* beyond Unicode */
      {"\xF0\x8F\xBF\xBF", 4, 0, 0}, /* overlong */
      {"\xE2\x82", 2, 0, 0},         /* cut off */
      {"\xE2\x82x", 3, 0, 0},
      {"\x80", 1, 0, 0},
      {"\xFF", 1, 0, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    unsigned code = 0;
    assert_int_equal(utf8_decode(cases[i].bytes, cases[i].length, &code), cases[i].used);
    assert_int_equal(code, cases[i].code);
  }
}

static void arena_gives_zeroed_aligned_memory(void **state)
{
  (void)state;
  arena *a = arena_create();
  for (size_t size = 0; size < 300000; size = 3 * size + 1) {
    unsigned char *one = arena_alloc(a, 1, size);
    unsigned char *other = arena_alloc(a, size, 1);
    assert_int_equal((uintptr_t)one % _Alignof(max_align_t), 0);
    assert_int_equal((uintptr_t)other % _Alignof(max_align_t), 0);
    assert_ptr_not_equal(one, other);
    for (size_t i = 0; i < size; i++) {
      assert_int_equal(one[i] | other[i], 0);
    }
    memset(one, 0xFF, size);
    memset(other, 0xFF, size);
  }
  assert_string_equal(arena_printf(a, "%d-%s", 7, "x"), "7-x");
  assert_string_equal(arena_strndup(a, "abc", 2), "ab");
  int *items = NULL;
  size_t room = 0;
  for (size_t n = 0; n < 1000; n++) {
    items = arena_grow(a, items, n, &room, sizeof *items);
    assert_true(room > n);
    items[n] = (int)n;
  }
  for (int n = 0; n < 1000; n++) {
    assert_int_equal(items[n], n);
  }
  arena_free(a);
}

/* Too much memory ends the process with code 3: seen from outside. */
static void arena_gives_up(void **state)
{
  (void)state;
  const size_t counts[] = {SIZE_MAX, (size_t)1 << 40, SIZE_MAX / 8 + 2};
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
      if (!freopen("/dev/null", "w", stderr)) {
        _exit(9);
      }
      arena *a = arena_create();
      arena_alloc(a, counts[i], 8);
      _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 3);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing),        cmocka_unit_test(empty_file),
      cmocka_unit_test(order),          cmocka_unit_test(characters),
      cmocka_unit_test(long_line),      cmocka_unit_test(places_out_of_range),
      cmocka_unit_test(limit),          cmocka_unit_test(suggestions),
      cmocka_unit_test(decoding),       cmocka_unit_test(arena_gives_zeroed_aligned_memory),
      cmocka_unit_test(arena_gives_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
