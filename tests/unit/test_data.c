/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_data.c -- states and parameters from files: what is read, and what is refused, and how.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "ball.h"
#include "data_folder.h"
#include "fixtures.h"
#include "io/npy.h"
#include "io/values_file.h"

enum { BYTES = 8192, MOST = 24 };

/* What is awkward to write down. */
static const double awkward[STATE] = {0.1,        -0.0, DBL_MAX, 4.9406564584124654e-324,
                                      -1.0 / 3.0, 1e22};

static void put_file(const char *path, const void *bytes, size_t size)
{
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

static size_t get_file(const char *path, unsigned char bytes[BYTES])
{
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  size_t size = fread(bytes, 1, BYTES, file);
  fclose(file);
  return size;
}

/* An .npy file of this version and header, and the doubles behind it. */
static size_t make_npy(unsigned char bytes[BYTES], int major, const char *header,
                       const double values[], size_t count)
{
  size_t length = strlen(header);
  size_t at = 6;
  memcpy(bytes, "\x93NUMPY", 6);
  bytes[at++] = (unsigned char)major;
  bytes[at++] = 0;
  for (int i = 0; i < (major == 1 ? 2 : 4); i++) {
    bytes[at++] = (unsigned char)(length >> 8 * i);
  }
  memcpy(bytes + at, header, length);
  at += length;
  memcpy(bytes + at, values, count * sizeof *values);
  return at + count * sizeof *values;
}

static void assert_refused(const char *path, const sw_entries *wanted, sw_status expected,
                           const char *part)
{
  double values[MOST];
  char message[SW_TEXT_MESSAGE] = "";
  sw_status status = sw_values_read(path, wanted, values, message);
  if (status != expected || strstr(message, part) == NULL) {
    fail_msg("status %d, and '%s' is not in: %s", (int)status, part, message);
  }
}

static void assert_read(const char *path, const sw_entries *wanted, const double expected[])
{
  double values[MOST];
  char message[SW_TEXT_MESSAGE] = "";
  sw_status status = sw_values_read(path, wanted, values, message);
  if (status != SW_OK) {
    fail_msg("%s", message);
  }
  assert_memory_equal(values, expected, wanted->count * sizeof *values);
}

/* The bytes that numpy.save writes for an array of two values, 1 and -2. */
static void test_npy_bytes(void **state)
{
  static const double values[] = {1.0, -2.0};
  static const unsigned char behind[] = {0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0xc0};
  unsigned char expected[144];
  unsigned char bytes[BYTES];
  (void)state;
  memset(expected, ' ', sizeof expected);
  memcpy(expected, "\x93NUMPY\x01\x00\x76\x00", 10);
  memcpy(expected + 10, "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", 57);
  expected[127] = '\n';
  memcpy(expected + 128, behind, sizeof behind);
  FILE *file = fopen("two.npy", "wb");
  assert_non_null(file);
  sw_npy_write_header(file, 2, 0);
  sw_npy_write_values(file, values, 2);
  fclose(file);
  assert_int_equal(get_file("two.npy", bytes), sizeof expected);
  assert_memory_equal(bytes, expected, sizeof expected);
}

/* More values than are converted at once. */
static void test_npy_blocks(void **state)
{
  enum { MANY = 1500 };
  static const int only[] = {0};
  static const sw_set sets[] = {{"all", NULL}};
  static const sw_array k[] = {{"k", 1, only}};
  static const sw_model model = {
      .abi = SW_MODEL_ABI, .name = "many", .sets = sets, .n_parameters = 1, .parameters = k};
  static int start[] = {0, MANY};
  static int count[] = {MANY};
  static long first[] = {0};
  static sw_plan plan = {.model = &model, .first = first, .count = count, .k_start = start};
  static const sw_system system = {.model = &model, .nk = MANY, .plan = &plan};
  static double values[MANY];
  static double back[MANY];
  const sw_entries wanted = {.system = &system, .parameter = "m", .count = MANY};
  char message[SW_TEXT_MESSAGE];
  (void)state;
  for (int i = 0; i < MANY; i++) {
    values[i] = sqrt((double)i);
  }
  FILE *file = fopen("many.npy", "wb");
  assert_non_null(file);
  sw_npy_write_header(file, MANY, 0);
  sw_npy_write_values(file, values, MANY);
  fclose(file);
  assert_int_equal(sw_values_read("many.npy", &wanted, back, message), SW_OK);
  assert_memory_equal(back, values, sizeof values);
}

static void test_state_round_trip(void **state)
{
  static const char *const paths[] = {"saved.npy", "saved.csv"};
  char message[SW_TEXT_MESSAGE] = "";
  unsigned char text[BYTES + 1];
  sw_system *system = NULL;
  sw_sim *sim = NULL;
  (void)state;
  assert_int_equal(sw_system_create(&sw_fixture_two, 0, NULL, &system, NULL), SW_OK);
  assert_int_equal(sw_sim_create(&sw_fixture_two, NULL, &sim), SW_OK);
  assert_int_equal(sw_sim_set_state(sim, 0.5, awkward), SW_OK);
  const sw_entries wanted = sw_entries_of_state(system);
  const int files = count_files();
  for (int i = 0; i < 2; i++) {
    assert_int_equal(sw_values_try(paths[i], message), SW_OK);
    assert_int_equal(count_files(), files + 2 * i);
    assert_int_equal(sw_values_write(paths[i], sim, message), SW_OK);
    assert_read(paths[i], &wanted, awkward);
    assert_int_equal(count_files(), files + 2 * (i + 1));
  }
  text[get_file("saved.csv", text)] = '\0';
  assert_memory_equal(text, "name,value\nq.1,0.1", 18);
  text[get_file("saved.csv.json", text)] = '\0';
  assert_non_null(strstr((char *)text, "\"kind\": \"state\",\n  \"format\": \"csv\",\n  "
                                       "\"model\": \"two\",\n"));
  assert_non_null(strstr((char *)text, "\n  \"t\": 0.5\n}\n"));
  assert_int_equal(sw_values_write("no-such-folder/a.npy", sim, message), SW_ERR_IO);
  assert_non_null(strstr(message, "no-such-folder/a.npy cannot be written: No such file"));
  assert_int_equal(sw_values_try("no-such-folder/a.npy", message), SW_ERR_IO);
  assert_int_equal(sw_values_try("a.txt", message), SW_ERR_ARGUMENT);
  assert_int_equal(sw_values_write("a.txt", sim, message), SW_ERR_ARGUMENT);
  put_file("other.csv.json", "{}", 2);
  assert_int_equal(sw_values_write("other.csv", sim, message), SW_ERR_ARGUMENT);
  assert_non_null(strstr(message, "other.csv.json is in the way"));
  assert_int_not_equal(access("other.csv", F_OK), 0);
  sw_sim_free(&sim);
  sw_system_free(&system);
}

/* A disk that is full is noticed, and the older file stays, with what was said about it. */
static void test_full_disk(void **state)
{
  const struct rlimit few = {20, RLIM_INFINITY};
  const struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
  char message[SW_TEXT_MESSAGE] = "";
  unsigned char bytes[BYTES];
  sw_sim *sim = NULL;
  (void)state;
  put_file("old.csv", "old", 3);
  put_file("old.csv.json", "{\n  \"sidewinder\": ", 18);
  const int files = count_files();
  assert_int_equal(sw_sim_create(&sw_fixture_two, NULL, &sim), SW_OK);
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &few), 0);
  sw_status status = sw_values_write("old.csv", sim, message);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &all), 0);
  assert_int_equal(status, SW_ERR_IO);
  assert_string_equal(message, "old.csv cannot be written: File too large");
  assert_int_equal(get_file("old.csv", bytes), 3);
  assert_int_equal(get_file("old.csv.json", bytes), 18);
  assert_int_equal(count_files(), files);
  sw_sim_free(&sim);
}

/* Headers that are read, whatever their spelling. */
static void test_npy_accepted(void **state)
{
  static const struct {
    int major;
    const char *header;
    const sw_entries *wanted;
  } cases[] = {{1, "{'descr': '<f8', 'fortran_order': False, 'shape': (6,), }\n", &state6},
               {2, "{'descr': '<f8', 'fortran_order': False, 'shape': (6,), }   \n", &state6},
               {1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }", &state6},
               {1, "{\"shape\":(6,1),\"descr\":\"<f8\",\"fortran_order\":False}", &state6},
               {1, "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", &masses},
               {1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 3, 1,), }", &masses}};
  unsigned char bytes[BYTES];
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    put_file("a.npy", bytes,
             make_npy(bytes, cases[i].major, cases[i].header, awkward, cases[i].wanted->count));
    assert_read("a.npy", cases[i].wanted, awkward);
  }
  const sw_entries one = {.system = &system3, .parameter = "R", .count = 1};
  put_file(
      "a.npy", bytes,
      make_npy(bytes, 1, "{'descr': '<f8', 'fortran_order': False, 'shape': (), }", awkward, 1));
  assert_read("a.npy", &one, awkward);
}

static void test_npy_refused(void **state)
{
  static const struct {
    int major;
    const char *header;
    const char *part;
  } cases[] = {
      {3, "{'descr': '<f8', 'fortran_order': False, 'shape': (6,), }", "version=(1, 0)"},
      {1, "{'descr': '<c16', 'fortran_order': False, 'shape': (6,), }",
       "'<c16'; wanted are real numbers of 4 or 8 bytes, or integers: nump"},
      {1, "{'descr': '<f2', 'fortran_order': False, 'shape': (6,), }", "a.astype('<f8')"},
      {1, "{'descr': '|f8', 'fortran_order': False, 'shape': (6,), }", "values of type '|f8'"},
      {1, "{'descr': '<u1', 'fortran_order': False, 'shape': (6,), }", "values of type '<u1'"},
      {1, "{'descr': 'f8', 'fortran_order': False, 'shape': (6,), }", "values of type 'f8'"},
      {1, "{'descr': '', 'fortran_order': False, 'shape': (6,), }", "values of type ''"},
      {1, "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }", "ascontiguousarray"},
      {1, "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }",
       "a.npy has shape (3, 2); model 'ball' needs (6,), (2, 3) or (6, 1), q then p"},
      {1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2, 3), }", "has shape (1, 2, 3)"},
      {1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }",
       "a.npy has 1 value; model 'ball' needs 6 (q then p)"},
      {1, "{'descr': '<f8', 'fortran_order': False, 'shape': (6, 0), }", "has 0 values"},
      {1, "{'descr': '<f8', 'fortran_order': False, 'shape': (999999999999999999,), }",
       "has 999999999999999999 values"},
      {1, "{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296, 6), }",
       "has 18446744073709551615 values"},
      {1, "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,), }",
       "header is"},
      {1, "{'descr': '<f8', 'fortran_order': False, 'shape': (6), }", "the header is"},
      {1, "{'descr': '<f8', 'fortran_order': False, 'shape': (,), }", "the header is"},
      {1, "{'descr': '<f8', 'fortran_order': False, 'shape': (-6,), }", "the header is"},
      {1, "{'descr': '<f8', 'fortran_order': Maybe, 'shape': (6,), }", "the header is"},
      {1, "{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (6,), }", "the header is"},
      {1, "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (6,), }", "header is"},
      {1, "{'descr': '<f8', 'fortran_order': False, }", "the header is"},
      {1, "{'descr': '<f8', 'fortran_order': False, 'size': (6,), }", "the header is"},
      {1, "{'type': '<f8', 'fortran_order': False, 'shape': (6,), }", "the header is"},
      {1, "{'descr': '<f8', 'c_order': False, 'shape': (6,), }", "the header is"},
      {1, "{'descr': '<f8', 'fortran_order': False, 'shape': (6,), 'x': 1}", "the header is"},
      {1, "{'descr': '<f8' 'fortran_order': False, 'shape': (6,), }", "the header is"},
      {1, "{'descr': '<f8', 'fortran_order': False, 'shape': (6,), } x", "the header is"},
      {1, "", "the header is ''"}};
  unsigned char bytes[BYTES];
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    put_file("a.npy", bytes, make_npy(bytes, cases[i].major, cases[i].header, awkward, STATE));
    assert_refused("a.npy", &state6, SW_ERR_ARGUMENT, cases[i].part);
  }
}

/* The values themselves, and how many bytes there are. */
static void test_npy_refused_values(void **state)
{
  static const char header[] = "{'descr': '<f8', 'fortran_order': False, 'shape': (6,), }";
  double values[STATE + 1] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0};
  unsigned char bytes[BYTES];
  (void)state;
  size_t size = make_npy(bytes, 1, header, values, STATE);
  put_file("a.npy", bytes, size - 7);
  assert_refused("a.npy", &state6, SW_ERR_ARGUMENT, "is truncated: 41 of 48 bytes of values");
  put_file("a.npy", bytes, 20);
  assert_refused("a.npy", &state6, SW_ERR_ARGUMENT, "is truncated: it ends in its header");
  put_file("a.npy", bytes, 7);
  assert_refused("a.npy", &state6, SW_ERR_ARGUMENT, "is truncated: it ends in its first 8 bytes");
  put_file("a.npy", bytes, 0);
  assert_refused("a.npy", &state6, SW_ERR_ARGUMENT, "a.npy is empty");
  put_file("a.npy", bytes, size + 1);
  assert_refused("a.npy", &state6, SW_ERR_ARGUMENT, "goes on behind its 6 values");
  bytes[9] = 0x20; /* a header of 8 KiB */
  put_file("a.npy", bytes, size);
  assert_refused("a.npy", &state6, SW_ERR_ARGUMENT, "bytes, more than 4096");
  put_file("a.npy", "name,value\n", 11);
  assert_refused("a.npy", &state6, SW_ERR_ARGUMENT, "is no NumPy file");
  values[4] = NAN;
  put_file("a.npy", bytes, make_npy(bytes, 1, header, values, STATE));
  assert_refused("a.npy", &state6, SW_ERR_ARGUMENT, "a.npy: p.y is nan");
  values[0] = -INFINITY;
  put_file("a.npy", bytes, make_npy(bytes, 1, header, values, STATE));
  assert_refused("a.npy", &state6, SW_ERR_ARGUMENT, "a.npy: q.x is infinite");
}

static void test_table_accepted(void **state)
{
  static const double expected[] = {1.5, -2e-3, 3.0};
  static const char *const texts[] = {
      "name,value\nm.1,1.5\nm.2,-2e-3\nm.3,3\n",
      "# t: 7\n\n# anything, at all\nname,value\nm.3,3.0\n# between\nm.1,1.5\nm.2,-0.002\n\n \n",
      "name,value\r\nm.2, -0.2e-2\r\n m.3 ,+3\r\nm.1\t,\t1.5 \r\n"};
  (void)state;
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    put_file("m.csv", texts[i], strlen(texts[i]));
    assert_read("m.csv", &masses, expected);
  }
}

static void test_table_refused(void **state)
{
  static const char *const cases[][2] = {
      {"", "m.csv is empty"},
      {"# only\n", "m.csv is empty; wanted is the header 'name,value'"},
      {"m.1,1\nm.2,2\nm.3,3\n", "m.csv: line 1: 'm.1,1' is not the header 'name,value'"},
      {"# c\nname;value\nm.1;1\n", "m.csv: line 3: 'm.1;1' is not a finite decimal number"},
      {"name,value\nm.1,1\nm.9,1\n",
       "m.csv: line 3: 'm.9' is no entry of parameter 'm' (m.1 ... m.3)"},
      {"name,value\nm.1,1\nm.3,1\n", "m.csv has 2 values; parameter 'm' needs 3: 'm.2' is missing"},
      {"name,value\n", "m.csv has 0 values; parameter 'm' needs 3: 'm.1' is missing"},
      {"name,value\nm.1,1\nm.1,1\n", "line 3: 'm.1' for the second time; it stands on line 2"},
      {"name,value\nm.1,1\nm.2,1\nm.3,1\nm.4,1\n", "line 5: 'm.4' is no entry"},
      {"name,value\nm.1\n", "line 2: 'm.1' is not of the form name,value"},
      {"name,value\nm.1,1,5\n", "line 2: 'm.1,1,5' is not of the form"},
      {"name,value\nm.1,nan\n", "line 2: 'nan' for 'm.1' is not a finite decimal number"},
      {"name,value\nm.1,1e999\n", "'1e999' for 'm.1' is not a finite"},
      {"name,value\nm.1,0x10\n", "'0x10' for 'm.1' is not a finite"},
      {"name,value\nm.1,\n", "'' for 'm.1' is not a finite"},
      {"name,value\n\x1b[2Jm,1\n", "line 2: '?[2Jm' is no entry"},
      {"name,value\nm.1,1\nm.2,2\nm.3,3", "line 4 does not end: the file is truncated"}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    put_file("m.csv", cases[i][0], strlen(cases[i][0]));
    assert_refused("m.csv", &masses, SW_ERR_ARGUMENT, cases[i][1]);
  }
  put_file("m.csv", "name,value\nm.1\0,1\n", 18);
  assert_refused("m.csv", &masses, SW_ERR_ARGUMENT, "line 2 has a zero byte");
  put_file("s.csv", "name,value\nq.w,1\n", 17);
  assert_refused("s.csv", &state6, SW_ERR_ARGUMENT,
                 "'q.w' is no entry of model 'ball' (q.x ... p.z)");
}

static void test_no_such_file(void **state)
{
  (void)state;
  assert_refused("none.npy", &state6, SW_ERR_IO, "none.npy cannot be read: No such file");
  assert_refused("state.txt", &state6, SW_ERR_ARGUMENT, "ends in neither .npy nor .csv");
  assert_refused("", &state6, SW_ERR_ARGUMENT, "ends in neither");
  assert_int_equal(mkdir("d.csv", 0700), 0);
  assert_refused("d.csv", &state6, SW_ERR_ARGUMENT, "d.csv is not a regular file");
  assert_int_equal(mkfifo("f.csv", 0600), 0); /* would wait for a writer */
  assert_refused("f.csv", &state6, SW_ERR_ARGUMENT, "is not a regular file");
  assert_int_equal(symlink("/dev/zero", "z.npy"), 0);
  assert_refused("z.npy", &state6, SW_ERR_ARGUMENT, "is not a regular file");
  char longest[1100];
  memset(longest, 'x', sizeof longest);
  strcpy(longest + sizeof longest - 10, "/last.csv");
  assert_refused(longest, &state6, SW_ERR_IO, "xx/last.csv cannot be read: ");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_npy_bytes),          cmocka_unit_test(test_npy_blocks),
      cmocka_unit_test(test_state_round_trip),   cmocka_unit_test(test_full_disk),
      cmocka_unit_test(test_npy_accepted),       cmocka_unit_test(test_npy_refused),
      cmocka_unit_test(test_npy_refused_values), cmocka_unit_test(test_table_accepted),
      cmocka_unit_test(test_table_refused),      cmocka_unit_test(test_no_such_file)};
  return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
