/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_checkpoint.c -- runs that are interrupted, and go on.
 *
 * The model raises a signal, or takes a folder away, when one of its functions has been called
 * often enough.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "data_folder.h"
#include "fixtures.h"
#include "program_call.h"

enum { TEXT = 1 << 18 };

static int calls;     /* of the model's invariant */
static int signal_at; /* the call that raises the signal; 0: none */
static int signal_number;
static int folder_goes_at; /* the call after which the folder "away" is not there */

static void count_call(const long n[], const double z[], const double k[], double invariant[])
{
  calls++;
  if (calls == signal_at) {
    raise(signal_number);
  }
  if (calls == folder_goes_at) {
    rename("away", "gone");
  }
  sw_fixture_pendulum.invariant(n, z, k, invariant);
}

static int run(int at, int number, const char *line)
{
  sw_model model = sw_fixture_pendulum;
  model.invariant = count_call;
  calls = 0;
  signal_at = at;
  signal_number = number;
  return call(&model, line);
}

static void expect(int expected, const char *part, const char *line)
{
  int code = run(0, 0, line);
  if (code != expected || (strstr(out, part) == NULL && strstr(err, part) == NULL)) {
    fail_msg("%s: code %d, expected %d with '%s':\n%s%s", line, code, expected, part, out, err);
  }
}

static size_t get_file(const char *path, char text[TEXT])
{
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    fail_msg("there is no %s", path);
  }
  size_t size = fread(text, 1, TEXT - 1, file);
  fclose(file);
  text[size] = '\0';
  return size;
}

static void put_file(const char *path, const char *bytes, size_t size)
{
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

static void assert_same(const char *a, const char *b)
{
  static char first[TEXT];
  static char second[TEXT];
  const size_t size = get_file(a, first);
  assert_int_equal(get_file(b, second), size);
  assert_memory_equal(first, second, size);
}

/* The file that a message names behind `before`. */
static void get_name(const char *before, char name[256])
{
  const char *at = strstr(err, before);
  assert_non_null(at);
  at += strlen(before);
  size_t length = strcspn(at, "\n,");
  assert_true(length > 0 && length < 256);
  memcpy(name, at, length);
  name[length] = '\0';
}

/* Without a checkpoint an interrupted trajectory is whole rows, under its name. */
static void test_signals(void **state)
{
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  char text[TEXT];
  struct sigaction before;
  struct sigaction after;
  (void)state;
  expect(0, "", "prog run --steps 5 --out whole.csv --save-state whole.npy");
  for (int i = 0; i < 3; i++) {
    sigaction(numbers[i], NULL, &before);
    /* The summary and the trajectory ask once for each state: in the first call of step 5. */
    assert_int_equal(run(11, numbers[i], "prog run --steps 1000 --out s.csv --save-state s.npy"),
                     128 + numbers[i]);
    sigaction(numbers[i], NULL, &after);
    assert_true(before.sa_handler == after.sa_handler);
    assert_non_null(
        strstr(err, "interrupted at t = 0.5, after 5 of 1000 steps; s.csv ends there\n"));
    assert_non_null(strstr(out, "steps          5, to t = 0.5"));
    assert_same("s.csv", "whole.csv");
    assert_same("s.npy", "whole.npy");
    get_file("s.csv.json", text);
    assert_non_null(strstr(text, "\"end\": \"interrupted\",\n  \"steps\": 5,"));
  }
  assert_int_equal(run(11, SIGTERM, "prog run --steps 1000 --json --out s.npy"), 143);
  assert_non_null(
      strstr(out, "\"end\": \"interrupted\",\n  \"message\": \"interrupted at t = 0.5"));
  assert_int_equal(run(11, SIGTERM, "prog run --steps 1000 --columns t,energy --out -"), 143);
  assert_non_null(strstr(out, "\n0.5,"));
  assert_null(strstr(out, "\n0.6"));
  /* A signal in the last step is too late. */
  assert_int_equal(run(11, SIGTERM, "prog run --steps 5 --out s.csv"), 0);
}

/* Who ignores a signal goes on doing so: a job in the background. */
static void test_ignored_signal(void **state)
{
  (void)state;
  signal(SIGINT, SIG_IGN);
  assert_int_equal(run(5, SIGINT, "prog run --steps 10 --quiet --out i.csv"), 0);
  signal(SIGINT, SIG_DFL);
}

/* Interrupted again and again, and gone on with: the files are those of the run that was not. */
static void test_resume(void **state)
{
  static const char *const endings[] = {"csv", "npy", "h5"};
  char whole[256];
  char first[256];
  char again[300];
  char path[64];
  char other[64];
  (void)state;
  for (int i = 0; i < 3; i++) {
    const char *options = "--steps 23 --every 3 --columns t,q,z-,sigma,multiplier,energy";
    int at = 3;
    int lives = 1;
    snprintf(whole, sizeof whole, "prog run %s --out one/w.%s --save-state one/e.npy", options,
             endings[i]);
    snprintf(first, sizeof first,
             "prog run %s --out two/w.%s --save-state two/e.npy --checkpoint c --every-seconds 0",
             options, endings[i]);
    snprintf(again, sizeof again, "%s --resume c", first);
    assert_int_equal(system("rm -rf one two c && mkdir one two"), 0);
    int code = run(0, 0, whole);
    if (i == 2 && strstr(err, "HDF5 was not there") != NULL) {
      continue; /* it is refused, which test_hdf5 looks at */
    }
    assert_int_equal(code, 0);
    code = run(at, SIGTERM, first);
    for (; code == 143 && lives < 100; lives++) {
      snprintf(path, sizeof path, "two/w.%s", endings[i]);
      assert_int_not_equal(access(path, F_OK), 0);
      assert_non_null(strstr(err, "; continue with --resume c; until then the rows are in two/w."));
      at = at % 5 + 1;
      code = run(at, SIGTERM, again);
    }
    if (code != 0) {
      fail_msg("code %d: %s", code, err);
    }
    assert_in_range(lives, 5, 40);
    for (int j = 0; j < 2; j++) {
      snprintf(path, sizeof path, "one/w.%s%s", endings[i], j == 0 ? "" : ".json");
      snprintf(other, sizeof other, "two/w.%s%s", endings[i], j == 0 ? "" : ".json");
      assert_same(path, other);
    }
    assert_same("one/e.npy", "two/e.npy");
    assert_non_null(strstr(out, "steps          23, to t = 2.3"));
    assert_non_null(strstr(out, "energy         -0.675 at the start"));
    assert_non_null(strstr(out, "invariant      energy: the same values as the energy\n"));

    /* Once it is finished there is nothing to do but what may be missing. */
    assert_int_equal(unlink(other), 0);
    assert_int_equal(run(0, 0, again), 0);
    assert_same(path, other);
    assert_int_equal(system("ls two | wc -l | grep -qx 4"), 0);
  }
  assert_int_equal(system("rm -rf one two"), 0);
}

/* Makes c, a checkpoint after 2 steps of a run of 1000, and the beginning of c.csv; *rows is its
 * name. */
static void interrupt(char rows[256])
{
  assert_int_equal(run(5, SIGTERM, "prog run --steps 1000 --out c.csv --checkpoint c"), 143);
  get_name("the rows are in ", rows);
}

/* It is a checkpoint of that run alone. */
static void test_other_runs(void **state)
{
  static const char *const cases[][2] = {
      {"--base midpoint", "c is of another run: base is 'verlet' there and 'midpoint' here"},
      {"--method shake", "method is 'rattle' there and 'shake' here"},
      {"--step 0.05", "step is '0.10000000000000001' there and '0.050000000000000003' here"},
      {"--set gravity=2", "parameter gravity is 1 there and 2 here"},
      {"--tolerance 1e-11", "tolerance is "},
      {"--compensated", "compensated is 'no' there and 'yes' here"},
      {"--redundant drop", "redundant is 'error' there and 'drop' here"},
      {"--check-reversible", "check-reversible is '0' there and '2e-08' here"},
      {"--init hanging", "init is 'start' there and 'hanging' here"},
      {"--project", "project is 'no' there and 'yes' here"},
      {"--every 2", "every is '1' there and '2' here"},
      {"--columns t", "columns is '' there and 't' here"},
      {"--out other.csv", "out is 'c.csv' there and 'other.csv' here"},
      {"--steps 1", "c is a checkpoint after 2 steps, and the run has 1"}};
  char line[256];
  char rows[256];
  (void)state;
  interrupt(rows);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    snprintf(line, sizeof line, "prog run --steps 1000 --out c.csv --resume c %s", cases[i][0]);
    expect(2, cases[i][1], line);
  }
  sw_model other = sw_fixture_pendulum;
  other.digest = "00000001";
  assert_int_equal(call(&other, "prog run --steps 1000 --out c.csv --resume c"), 2);
  assert_non_null(strstr(err, "digest is '00000000' there and '00000001' here"));
  assert_int_equal(call(&sw_fixture_hopf, "prog run --steps 1000 --out c.csv --resume c"), 2);
  assert_non_null(strstr(err, "model is 'pendulum' there and 'hopf' here"));
  expect(2, "out is 'c.csv' there and '' here", "prog run --steps 1000 --resume c");

  /* More steps than there were to be are fine, while it is not finished. */
  expect(0, "steps          1010", "prog run --steps 1010 --out c.csv --resume c");
  expect(0, "steps          1010", "prog run --steps 1010 --out once.csv");
  assert_same("c.csv", "once.csv");
}

static void test_wrong_usage(void **state)
{
  (void)state;
  expect(3, "--resume: none cannot be read: No such file", "prog run --steps 9 --resume none");
  put_file("text", "no checkpoint at all\n", 21);
  expect(2, "--resume: text is not a checkpoint", "prog run --steps 9 --resume text");
  put_file("text", "", 0);
  expect(2, "--resume: text is not a checkpoint", "prog run --steps 9 --resume text");
  expect(2, "--every-seconds needs --checkpoint FILE", "prog run --steps 9 --every-seconds 1");
  expect(2, "not a number of at least 0", "prog run --checkpoint c --every-seconds -1");
  expect(2, "not a number of at least 0", "prog run --checkpoint c --every-seconds x");
  expect(2, "--checkpoint needs --out FILE: rows on standard output cannot be continued",
         "prog run --steps 9 --checkpoint c --out -");
  expect(2, "/dev/null is not a regular file", "prog run --steps 9 --checkpoint c --out /dev/null");
  expect(2, "/dev/null is not a regular file", "prog run --steps 9 --checkpoint /dev/null");
  expect(3, "--checkpoint: none/c cannot be written: No such file",
         "prog run --steps 9 --checkpoint none/c --out w.csv");
  assert_int_not_equal(access("w.csv", F_OK), 0);
  expect(2, "--json and --quiet exclude each other", "prog run --json --quiet");
  expect(2, "--columns needs --out FILE", "prog run --columns t");
}

/* Every byte counts. */
static void test_damage(void **state)
{
  static char bytes[TEXT];
  char rows[256];
  (void)state;
  interrupt(rows);
  const size_t size = get_file("c", bytes);
  assert_true(size > 400);
  for (size_t i = 0; i < size; i++) {
    bytes[i] ^= 4;
    put_file("d", bytes, size);
    bytes[i] ^= 4;
    assert_int_equal(run(0, 0, "prog run --steps 1000 --out c.csv --resume d --quiet"), 2);
    assert_non_null(strstr(err, "--resume: d is "));
  }
  for (size_t end = 0; end < size; end += 7) {
    put_file("d", bytes, end);
    assert_int_equal(run(0, 0, "prog run --steps 1000 --out c.csv --resume d --quiet"), 2);
  }
  bytes[size] = 'x';
  put_file("d", bytes, size + 1);
  expect(2, "d is damaged", "prog run --steps 1000 --out c.csv --resume d --quiet");
  unlink("d");

  /* The rows are cut short, or gone. */
  get_file(rows, bytes);
  put_file(rows, bytes, 10);
  expect(3, "is shorter than it was", "prog run --steps 1000 --out c.csv --resume c");
  assert_int_equal(unlink(rows), 0);
  expect(3, "cannot be opened: No such file", "prog run --steps 1000 --out c.csv --resume c");
}

/* A checkpoint that cannot be written ends the run; the last one that could, goes on. */
static void test_checkpoint_fails(void **state)
{
  char rows[256];
  (void)state;
  assert_int_equal(system("rm -rf away gone && mkdir away"), 0);
  expect(0, "", "prog run --steps 30 --out once.csv");
  folder_goes_at = 21;
  int code = run(0, 0, "prog run --steps 30 --out f.csv --checkpoint away/c --every-seconds 0");
  folder_goes_at = 0;
  assert_int_equal(code, 3);
  assert_non_null(
      strstr(err, "--checkpoint: away/c cannot be written: No such file or directory; continue "
                  "with --resume away/c; until then the rows are in "));
  get_name("the rows are in ", rows);
  assert_int_equal(access(rows, F_OK), 0);
  assert_int_not_equal(access("f.csv", F_OK), 0);
  expect(0, "steps          30", "prog run --steps 30 --out f.csv --resume gone/c");
  assert_same("f.csv", "once.csv");
  assert_int_equal(system("rm -rf gone"), 0);
}

/* A run that is gone on with without further checkpoints can be interrupted, too: the old one still
 * holds. */
static void test_old_checkpoint(void **state)
{
  char rows[256];
  (void)state;
  interrupt(rows);
  assert_int_equal(run(9, SIGINT, "prog run --steps 1000 --out c.csv --resume c"), 130);
  assert_non_null(strstr(err, "continue with --resume c; until then the rows are in "));
  expect(0, "steps          1000", "prog run --steps 1000 --out c.csv --resume c");
  expect(0, "", "prog run --steps 1000 --out once.csv");
  assert_same("c.csv", "once.csv");
}

/* The name of the unfinished file in the checkpoint c. */
static void get_unfinished(char name[256])
{
  static char text[TEXT];
  get_file("c", text);
  const char *at = strstr(text, "\nunfinished: ");
  assert_non_null(at);
  at += strlen("\nunfinished: ");
  const size_t length = strcspn(at, "\n");
  assert_true(length > 0 && length < 200);
  snprintf(name, 256, "two/%.*s", (int)length, at);
}

/* A finished run goes on with more steps, without the row that was written because it ended; so
 * does one that was killed before its file had its name. */
static void test_longer(void **state)
{
  static const char *const endings[] = {"csv", "npy", "xyz", "trr", "h5"};
  static const long first[] = {
      21, 23}; /* with --every 3, step 23 has a row because it is the last one */
  char line[256];
  char path[64];
  char other[64];
  char unfinished[256];
  (void)state;
  for (int i = 0; i < 20; i++) {
    const char *ending = endings[i / 4];
    const int killed = i % 2;
    const long steps = first[i / 2 % 2];
    assert_int_equal(system("rm -rf one two c && mkdir one two"), 0);
    snprintf(line, sizeof line, "prog run --steps 40 --every 3 --out one/w.%s", ending);
    const int code = run(0, 0, line);
    if (i / 4 == 4 && strstr(err, "HDF5 was not there") != NULL) {
      continue;
    }
    assert_int_equal(code, 0);
    snprintf(line, sizeof line, "prog run --steps %ld --every 3 --out two/w.%s --checkpoint c",
             steps, ending);
    expect(0, "", line);
    snprintf(path, sizeof path, "two/w.%s", ending);
    if (killed && i / 4 < 4) {
      get_unfinished(unfinished);
      assert_int_equal(rename(path, unfinished), 0);
    }
    snprintf(line, sizeof line, "prog run --steps 40 --every 3 --out two/w.%s --resume c", ending);
    expect(0, "steps          40, to t = 4,", line);
    assert_non_null(strstr(out, "energy         -0.675 at the start"));
    for (int j = 0; j < 2; j++) {
      snprintf(path, sizeof path, "one/w.%s%s", ending, j == 0 ? "" : ".json");
      snprintf(other, sizeof other, "two/w.%s%s", ending, j == 0 ? "" : ".json");
      assert_same(path, other);
    }
    assert_int_equal(system("ls two | wc -l | grep -qx 2"), 0);
  }
  /* The finished file is no longer what the checkpoint has. */
  expect(0, "", "prog run --steps 20 --out s.csv --checkpoint c");
  put_file("s.csv", "step\n", 5);
  expect(3, "cannot be opened: No such file", "prog run --steps 40 --out s.csv --resume c");
  assert_int_equal(system("rm -rf one two c"), 0);
}

/* What is not said at first is said in the end: of the whole run. */
static void test_quiet_at_first(void **state)
{
  char rows[256];
  (void)state;
  assert_int_equal(run(3, SIGTERM, "prog run --steps 50 --quiet --out q.csv --checkpoint c"), 143);
  get_name("the rows are in ", rows);
  expect(0, "steps          50, to t = 5,", "prog run --steps 50 --out q.csv --resume c");
  assert_non_null(strstr(out, "energy         -0.675 at the start"));
}

/* Where the rows are until the run has ended is no place for anything else. */
static void test_unfinished_is_a_file(void **state)
{
  char rows[256];
  char line[512];
  (void)state;
  interrupt(rows);
  assert_int_equal(symlink(rows, "u.npy"), 0);
  snprintf(line, sizeof line, "prog run --steps 1000 --out c.csv --resume c --checkpoint %s", rows);
  expect(2, "are the same file", line);
  assert_non_null(strstr(err, "the unfinished '"));
  expect(2, "and --save-state 'u.npy' are the same file",
         "prog run --steps 1000 --out c.csv --resume c --save-state u.npy");
}

/* A step that fails ends the trajectory, which is as far as the run can go. */
static void test_failed_step(void **state)
{
  char text[TEXT];
  (void)state;
  expect(3, "step failed at t = 0",
         "prog run --step 100 --steps 3 --out bad.csv --checkpoint c --every-seconds 0");
  get_file("bad.csv", text);
  assert_non_null(strstr(text, "\n0,0,"));
  get_file("bad.csv.json", text);
  assert_non_null(strstr(text, "\"end\": \"step failed\",\n  \"steps\": 0,"));
}

int main(void)
{
  /* A test that was started in the background is told to ignore it. */
  signal(SIGINT, SIG_DFL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_signals),          cmocka_unit_test(test_ignored_signal),
      cmocka_unit_test(test_resume),           cmocka_unit_test(test_other_runs),
      cmocka_unit_test(test_wrong_usage),      cmocka_unit_test(test_damage),
      cmocka_unit_test(test_checkpoint_fails), cmocka_unit_test(test_old_checkpoint),
      cmocka_unit_test(test_longer),           cmocka_unit_test(test_failed_step),
      cmocka_unit_test(test_quiet_at_first),   cmocka_unit_test(test_unfinished_is_a_file)};
  return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
