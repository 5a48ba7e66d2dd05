/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_data_numbers.c -- arrays of other types than 64-bit floating point, and columns of numbers
 * without names.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ball.h"
#include "data_folder.h"
#include "io/values_file.h"

static void put_bytes(const char *path, const void *bytes, size_t size)
{
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

/* An .npy file of three values of this type, whose bytes are given. */
static void put_three(const char *type, const void *bytes, size_t size)
{
  char file[512];
  char text[128];
  int length = snprintf(text, sizeof text,
                        "{'descr': '%s', 'fortran_order': False, 'shape': (3,), }\n", type);
  memcpy(file, "\x93NUMPY\x01\0", 8);
  file[8] = (char)length;
  file[9] = 0;
  memcpy(file + 10, text, (size_t)length);
  memcpy(file + 10 + length, bytes, 3 * size);
  put_bytes("three.npy", file, 10 + (size_t)length + 3 * size);
}

static void assert_three(const char *path, double a, double b, double c)
{
  char message[SW_TEXT_MESSAGE] = "";
  double values[3];
  if (sw_values_read(path, &masses, values, message) != SW_OK) {
    fail_msg("%s", message);
  }
  assert_true(values[0] == a && values[1] == b && values[2] == c);
}

static void assert_refused(const char *path, const char *part)
{
  char message[SW_TEXT_MESSAGE] = "";
  double values[3];
  assert_int_equal(sw_values_read(path, &masses, values, message), SW_ERR_ARGUMENT);
  if (strstr(message, part) == NULL) {
    fail_msg("'%s' is not in: %s", part, message);
  }
}

/* Each type, in the order of bytes of this machine. */
static void test_types(void **state)
{
  static const float f4[] = {0.1f, -3.0f, 1e30f};
  static const double f8[] = {0.1, -3.0, 1e300};
  static const int8_t i1[] = {-128, 127, 1};
  static const uint8_t u1[] = {255, 0, 1};
  static const int16_t i2[] = {-32768, 32767, 1};
  static const uint16_t u2[] = {65535, 0, 1};
  static const int32_t i4[] = {INT32_MIN, INT32_MAX, -1};
  static const uint32_t u4[] = {UINT32_MAX, 0, 1};
  static const int64_t i8[] = {INT64_MIN, -9007199254740992, 3};
  static const uint64_t u8[] = {UINT64_C(0xfffffffffffff800), 9007199254740994, 3};
  (void)state;
  put_three("<f4", f4, 4);
  assert_three("three.npy", (double)0.1f, -3.0, (double)1e30f);
  put_three("<f8", f8, 8);
  assert_three("three.npy", 0.1, -3.0, 1e300);
  put_three("|i1", i1, 1);
  assert_three("three.npy", -128.0, 127.0, 1.0);
  put_three("|u1", u1, 1);
  assert_three("three.npy", 255.0, 0.0, 1.0);
  put_three("<i2", i2, 2);
  assert_three("three.npy", -32768.0, 32767.0, 1.0);
  put_three("<u2", u2, 2);
  assert_three("three.npy", 65535.0, 0.0, 1.0);
  put_three("<i4", i4, 4);
  assert_three("three.npy", -2147483648.0, 2147483647.0, -1.0);
  put_three("<u4", u4, 4);
  assert_three("three.npy", 4294967295.0, 0.0, 1.0);
  put_three("<i8", i8, 8);
  assert_three("three.npy", -0x1p63, -9007199254740992.0, 3.0);
  put_three("<u8", u8, 8);
  assert_three("three.npy", 0x1p64 - 2048.0, 9007199254740994.0, 3.0);
}

/* The most significant byte first. */
static void test_other_order(void **state)
{
  static const unsigned char f8[] = {0x3f, 0xf0, 0, 0, 0, 0, 0, 0, 0xc0, 0, 0, 0,
                                     0,    0,    0, 0, 0, 0, 0, 0, 0,    0, 0, 0};
  static const unsigned char f4[] = {0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0};
  static const unsigned char i4[] = {0, 0, 1, 2, 0xff, 0xff, 0xff, 0xfe, 0, 0, 0, 7};
  (void)state;
  put_three(">f8", f8, 8);
  assert_three("three.npy", 1.0, -2.0, 0.0);
  put_three(">f4", f4, 4);
  assert_three("three.npy", 1.0, -2.0, 0.0);
  put_three(">i4", i4, 4);
  assert_three("three.npy", 258.0, -2.0, 7.0);
}

/* An integer that would be rounded, and floats that are no numbers. */
static void test_inexact(void **state)
{
  static const int64_t odd[] = {1, 9007199254740993, 2};
  static const int64_t negative[] = {1, 2, -9007199254740993};
  static const uint64_t large[] = {UINT64_C(0xfffffffffffff801), 1, 2};
  static const float none[] = {1.0f, NAN, 2.0f};
  (void)state;
  put_three("<i8", odd, 8);
  assert_refused("three.npy",
                 "m.2 is an integer that no double is; the nearest is 9007199254740992");
  put_three("<i8", negative, 8);
  assert_refused("three.npy", "m.3 is an integer that no double is");
  put_three("<u8", large, 8);
  assert_refused("three.npy", "m.1 is an integer that no double is");
  put_three("<f4", none, 4);
  assert_refused("three.npy", "m.2 is nan");
  put_three("<f4", none, 3);
  assert_refused("three.npy", "is truncated: 9 of 12 bytes of values");
}

static void put_text(const char *text)
{
  put_bytes("column.csv", text, strlen(text));
}

/* What numpy.savetxt, pandas and R write for one column; integers, too. */
static void test_columns(void **state)
{
  static const char *const good[] = {
      "1.500000000000000000e+00\n-2.000000000000000042e-03\n3.000000000000000000e+00\n",
      "# from numpy\n1.5\n-0.002\n3\n", "mass\n1.5\n-2e-3\n3\n", "value\r\n 1.5\r\n-2e-3\r\n3\r\n"};
  (void)state;
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
    put_text(good[i]);
    assert_three("column.csv", 1.5, -2e-3, 3.0);
  }
}

static void test_columns_refused(void **state)
{
  static const char *const bad[][2] = {
      {"1\n2\n", "column.csv has 2 values; parameter 'm' needs 3"},
      {"1\n2\n3\n4\n", "has 4 values; parameter 'm' needs 3"},
      {"mass\n1\n2\n", "has 2 values; parameter 'm' needs 3"},
      {"mass\n", "has 0 values; parameter 'm' needs 3"},
      {"mass\nm\n1\n2\n", "line 2: 'm' is not a finite decimal number"},
      {"1\n2\nnan\n", "line 3: 'nan' is not a finite decimal number"},
      {"1\n2,3\n4\n", "line 2: '2,3' is not a finite decimal number"},
      {"1\n2\n3", "line 3 does not end"}};
  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    put_text(bad[i][0]);
    assert_refused("column.csv", bad[i][1]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_types),
                                     cmocka_unit_test(test_other_order),
                                     cmocka_unit_test(test_inexact), cmocka_unit_test(test_columns),
                                     cmocka_unit_test(test_columns_refused)};
  return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
