/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_files.c -- no two files of a run may be one: they are refused before any of them is opened.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "data_folder.h"
#include "fixtures.h"
#include "program_call.h"

static const char start[] = "name,value\nq.x,0\nq.y,-1\np.x,0.5\np.y,0\n";

static void put_text(const char *path, const char *text)
{
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

static void assert_text(const char *path, const char *expected)
{
  char text[512] = "";
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  assert_string_equal(text, expected);
}

/* Every pair of options that would make one file of two. */
static void test_refused(void **state)
{
  static const char *const cases[][2] = {
      {"--out a.csv --save-state a.csv", "--out 'a.csv' and --save-state 'a.csv'"},
      {"--out a.csv --save-state ./a.csv", "--out 'a.csv' and --save-state './a.csv'"},
      {"--out new.csv --save-state d/../new.csv", "--out 'new.csv' and --save-state"},
      {"--out soft.csv --save-state a.csv", "--out 'soft.csv' and --save-state 'a.csv'"},
      {"--out hard.csv --save-state a.csv", "--out 'hard.csv' and --save-state 'a.csv'"},
      {"--out dangling.csv --save-state d/later.csv", "--out 'dangling.csv' and --save-state"},
      {"--init-file a.csv --out a.csv", "--init-file 'a.csv' and --out 'a.csv'"},
      {"--init-file a.csv --out hard.csv", "--init-file 'a.csv' and --out 'hard.csv'"},
      {"--init-file soft.csv --save-state a.csv",
       "--init-file 'soft.csv' and --save-state 'a.csv'"},
      {"--set length=@l.csv --out l.csv", "--set 'l.csv' and --out 'l.csv'"},
      {"--set length=@l.csv --save-state l.csv", "--set 'l.csv' and --save-state 'l.csv'"},
      {"--set length=@l.csv --set gravity=@g.csv --checkpoint g.csv",
       "--set 'g.csv' and --checkpoint"},
      {"--checkpoint a.csv --out a.csv", "--out 'a.csv' and --checkpoint 'a.csv'"},
      {"--checkpoint a.csv --save-state a.csv", "--save-state 'a.csv' and --checkpoint 'a.csv'"},
      {"--checkpoint new.csv.json --out new.csv",
       "the metadata of --out 'new.csv.json' and --checkpoint 'new.csv.json'"},
      {"--resume a.csv --out a.csv", "--resume 'a.csv' and --out 'a.csv'"},
      {"--resume a.csv --save-state hard.csv", "--resume 'a.csv' and --save-state 'hard.csv'"},
      {"--model-file a.csv --out hard.csv", "the model 'a.csv' and --out 'hard.csv'"},
      {"--model-file a.csv --save-state soft.csv",
       "the model 'a.csv' and --save-state 'soft.csv'"}};
  char line[256];
  (void)state;
  put_text("a.csv", start);
  put_text("l.csv", "1\n");
  put_text("g.csv", "1\n");
  assert_int_equal(mkdir("d", 0700), 0);
  assert_int_equal(link("a.csv", "hard.csv"), 0);
  assert_int_equal(symlink("a.csv", "soft.csv"), 0);
  assert_int_equal(symlink("d/later.csv", "dangling.csv"), 0);
  const int files = count_files();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    snprintf(line, sizeof line, "prog run --steps 2 %s", cases[i][0]);
    if (call(&sw_fixture_pendulum, line) != 2 || strstr(err, cases[i][1]) == NULL ||
        strstr(err, "are the same file") == NULL) {
      fail_msg("%s: %s", line, err);
    }
    assert_text("a.csv", start);
    assert_int_equal(count_files(), files);
  }
  rmdir("d");
}

/* Where standard output or standard error has been led into the file that is to be written. */
static void test_streams(void **state)
{
  static const char *const lines[] = {"run --steps 2 --out s.csv",
                                      "run --steps 2 --save-state s.csv"};
  char expected[256];
  (void)state;
  for (int stream = STDOUT_FILENO; stream <= STDERR_FILENO; stream++) {
    for (int i = 0; i < 2; i++) {
      char line[64];
      char program[] = "prog";
      char *argv[8] = {program};
      int argc = 1;
      strcpy(line, lines[i]);
      for (char *word = strtok(line, " "); word != NULL; word = strtok(NULL, " ")) {
        argv[argc++] = word;
      }
      fflush(NULL);
      int kept[3] = {0, dup(STDOUT_FILENO), dup(STDERR_FILENO)};
      int into = open("s.csv", O_WRONLY | O_CREAT | O_TRUNC, 0600);
      int nothing = open("/dev/null", O_WRONLY);
      int said = open("said", O_WRONLY | O_CREAT | O_TRUNC, 0600);
      assert_true(into >= 0 && nothing >= 0 && said >= 0);
      dup2(nothing, STDOUT_FILENO);
      dup2(said, STDERR_FILENO);
      dup2(into, stream);
      int code = sw_program_main(&sw_fixture_pendulum, argc, argv);
      fflush(NULL);
      dup2(kept[1], STDOUT_FILENO);
      dup2(kept[2], STDERR_FILENO);
      for (int j = 1; j < 3; j++) {
        close(kept[j]);
      }
      close(into);
      close(nothing);
      close(said);
      assert_int_equal(code, 2);
      /* Where standard error is the file, what was said is in it. */
      snprintf(expected, sizeof expected,
               "prog run: %s 's.csv' and standard %s are the same file\nTry 'prog run --help' for "
               "more information.\n",
               i == 0 ? "--out" : "--save-state", stream == STDOUT_FILENO ? "output" : "error");
      assert_text(stream == STDOUT_FILENO ? "said" : "s.csv", expected);
    }
  }
}

/* What is not the same file is no reason to refuse. */
static void test_accepted(void **state)
{
  static const char *const lines[] = {
      "prog run --steps 2 --out b.csv --save-state c.csv",
      "prog run --steps 2 --set length=@l.csv --set gravity=@l.csv --out b.csv",
      "prog run --steps 2 --out /dev/null --quiet",
      "prog run --steps 2 --init-file a.csv --out b.csv",
      "prog run --steps 2 --out b.csv --checkpoint k",
      "prog run --steps 2 --out b.csv --checkpoint k --resume k"};
  (void)state;
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    if (call(&sw_fixture_pendulum, lines[i]) != 0) {
      fail_msg("%s: %s", lines[i], err);
    }
  }
  assert_text("a.csv", start);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_refused), cmocka_unit_test(test_streams),
                                     cmocka_unit_test(test_accepted)};
  return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
