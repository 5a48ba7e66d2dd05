/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_target.c -- files that get their name when they are whole, and where paths lead.
 *
 * rename and fsync are this program's own: they fail when told to; and so is what names are drawn
 * by.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/place.h"
#include "common/target.h"
#include "data_folder.h"
#include "fixtures.h"
#include "io/trajectory.h"
#include "io/values_file.h"
#include "program_call.h"

static int rename_fails;                  /* the error of every rename, or 0 */
static const char *rename_fails_for = ""; /* only to names with this in them */
static int fsync_fails;

int rename(const char *from, const char *to)
{
  if (rename_fails != 0 && strstr(to, rename_fails_for) != NULL) {
    errno = rename_fails;
    return -1;
  }
  return (int)syscall(SYS_rename, from, to);
}

int fsync(int file)
{
  if (fsync_fails != 0) {
    errno = fsync_fails;
    return -1;
  }
  return (int)syscall(SYS_fsync, file);
}

static int drawn; /* how often a name has been drawn; the first ones are alike */

ssize_t getrandom(void *buffer, size_t size, unsigned flags)
{
  (void)flags;
  memset(buffer, drawn < 3 ? 0 : drawn, size);
  drawn++;
  return (ssize_t)size;
}

static void put_text(const char *path, const char *text)
{
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

static void assert_text(const char *path, const char *expected)
{
  char text[64] = "";
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  assert_string_equal(text, expected);
}

static mode_t mode_of(const char *path)
{
  struct stat about;
  assert_int_equal(lstat(path, &about), 0);
  return about.st_mode;
}

static void write_good(const char *path, sw_visibility how, const char *text)
{
  sw_target target;
  assert_int_equal(sw_target_open(path, how, &target), SW_OK);
  fputs(text, target.file);
  assert_int_equal(sw_target_commit(&target), SW_OK);
  assert_null(target.file);
  sw_target_clear(&target);
}

static void test_written(void **state)
{
  static const sw_visibility both[] = {SW_VISIBLE, SW_HIDDEN};
  (void)state;
  for (int i = 0; i < 2; i++) {
    const int files = count_files();
    write_good("new", both[i], "one");
    assert_text("new", "one");
    write_good("new", both[i], "two");
    assert_text("new", "two");
    assert_int_equal(count_files(), files + 1);
    assert_int_equal(unlink("new"), 0);
  }
}

/* The name is that of the older file until the new one is whole. */
static void test_older_file_stays(void **state)
{
  static const sw_visibility both[] = {SW_VISIBLE, SW_HIDDEN};
  (void)state;
  put_text("old", "old");
  for (int i = 0; i < 2; i++) {
    sw_target target;
    const int files = count_files();
    assert_int_equal(sw_target_open("old", both[i], &target), SW_OK);
    fputs("new", target.file);
    assert_int_equal(sw_target_sync(&target), SW_OK);
    assert_text("old", "old");
    assert_int_equal(count_files(), files + (i == 0));
    sw_target_discard(&target);
    sw_target_clear(&target);
    assert_text("old", "old");
    assert_int_equal(count_files(), files);
  }
}

/* Two at once have two names, and a user's own files of such names survive. */
static void test_names_are_unique(void **state)
{
  sw_target a;
  sw_target b;
  (void)state;
  put_text("F.part", "mine");
  put_text("F.part-aaaaaa", "mine, too");
  put_text("precious", "precious");
  assert_int_equal(symlink("precious", "F.1.part"), 0);
  assert_int_equal(sw_target_open("F", SW_VISIBLE, &a), SW_OK);
  assert_int_equal(sw_target_open("F", SW_VISIBLE, &b), SW_OK);
  assert_string_not_equal(a.temporary, b.temporary);
  assert_memory_equal(sw_place_name(a.temporary), "F.part-", 7);
  assert_int_equal(strlen(sw_place_name(a.temporary)), 13);
  fputs("a", a.file);
  fputs("b", b.file);
  assert_int_equal(sw_target_commit(&a), SW_OK);
  assert_int_equal(sw_target_commit(&b), SW_OK);
  sw_target_clear(&a);
  sw_target_clear(&b);
  assert_text("F", "b");
  assert_text("F.part", "mine");
  assert_text("F.part-aaaaaa", "mine, too");
  assert_text("precious", "precious");
}

/* A name that is taken is not used, whatever it is taken by: another one is drawn. */
static void test_taken_names(void **state)
{
  sw_target target;
  (void)state;
  put_text("D.part-aaaaaa", "mine");
  put_text("precious", "precious");
  assert_int_equal(symlink("precious", "E.part-aaaaaa"), 0);
  for (int i = 0; i < 2; i++) {
    drawn = 0;
    assert_int_equal(sw_target_open(i == 0 ? "D" : "E", SW_VISIBLE, &target), SW_OK);
    assert_int_equal(drawn, 4);
    fputs("new", target.file);
    assert_int_equal(sw_target_commit(&target), SW_OK);
    sw_target_clear(&target);
  }
  drawn = 0;
  write_good("D", SW_HIDDEN, "newer");
  assert_int_equal(drawn, 4);
  assert_text("D.part-aaaaaa", "mine");
  assert_text("precious", "precious");
  drawn = 0;
}

/* A name that is almost as long as names can be. */
static void test_long_name(void **state)
{
  char name[256];
  (void)state;
  memset(name, 'n', 255);
  name[255] = '\0';
  write_good(name, SW_VISIBLE, "long");
  assert_text(name, "long");
  unlink(name);
}

static void test_permissions(void **state)
{
  sw_target target;
  (void)state;
  const mode_t before = umask(027);
  write_good("fresh", SW_VISIBLE, "x");
  write_good("fresh2", SW_HIDDEN, "x");
  umask(before);
  assert_int_equal(mode_of("fresh") & 0777, 0640);
  assert_int_equal(mode_of("fresh2") & 0777, 0640);
  assert_int_equal(chmod("fresh", 0604), 0);
  write_good("fresh", SW_VISIBLE, "y");
  assert_int_equal(mode_of("fresh") & 0777, 0604);
  write_good("fresh", SW_HIDDEN, "y");
  assert_int_equal(mode_of("fresh") & 0777, 0604);
  /* A file that may not be written to is not replaced. */
  assert_int_equal(chmod("fresh", 0444), 0);
  if (geteuid() == 0) {
    print_message("not asked of root, who may write to everything: a file without permission\n");
  } else {
    assert_int_equal(sw_target_open("fresh", SW_VISIBLE, &target), SW_ERR_IO);
    assert_int_equal(errno, EACCES);
    sw_target_clear(&target);
  }
}

/* The target of a link is what is written, also where it is not there yet; the link stays. */
static void test_links(void **state)
{
  sw_target target;
  (void)state;
  assert_int_equal(mkdir("far", 0700), 0);
  assert_int_equal(symlink("far/there", "near"), 0);
  assert_int_equal(symlink("near", "nearer"), 0);
  for (int i = 0; i < 2; i++) {
    write_good("nearer", SW_VISIBLE, i == 0 ? "once" : "twice");
    assert_true(S_ISLNK(mode_of("near")));
    assert_true(S_ISREG(mode_of("far/there")));
    assert_text("far/there", i == 0 ? "once" : "twice");
  }
  assert_int_equal(symlink("round", "round"), 0);
  assert_int_equal(sw_target_open("round", SW_VISIBLE, &target), SW_ERR_IO);
  assert_int_equal(errno, ELOOP);
  sw_target_clear(&target);
  assert_int_equal(unlink("far/there"), 0);
  assert_int_equal(rmdir("far"), 0);
}

static void test_refused(void **state)
{
  static const struct {
    const char *path;
    int error;
  } cases[] = {
      {"none/x", ENOENT}, {".", EISDIR}, {"folder/", ENOENT}, {"", ENOENT}, {"old/x", ENOTDIR}};
  sw_target target;
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const int files = count_files();
    assert_int_equal(sw_target_open(cases[i].path, SW_VISIBLE, &target), SW_ERR_IO);
    assert_int_equal(errno, cases[i].error);
    sw_target_clear(&target);
    assert_int_equal(count_files(), files);
  }
}

/* A file that does not get its name keeps the one it has, and says why. */
static void test_rename_fails(void **state)
{
  static const sw_visibility both[] = {SW_VISIBLE, SW_HIDDEN};
  (void)state;
  for (int i = 0; i < 2; i++) {
    sw_target target;
    const int files = count_files();
    assert_int_equal(sw_target_open("old", both[i], &target), SW_OK);
    fputs("new", target.file);
    rename_fails = EIO;
    sw_status status = sw_target_commit(&target);
    rename_fails = 0;
    assert_int_equal(status, SW_ERR_IO);
    assert_int_equal(target.cause, EIO);
    assert_text("old", "old");
    assert_text(target.temporary, "new");
    sw_target_discard(&target);
    sw_target_clear(&target);
    assert_int_equal(count_files(), files);
  }
}

static void test_fsync_fails(void **state)
{
  sw_target target;
  const int files = count_files();
  (void)state;
  assert_int_equal(sw_target_open("old", SW_VISIBLE, &target), SW_OK);
  fputs("new", target.file);
  fsync_fails = EIO;
  sw_status status = sw_target_commit(&target);
  fsync_fails = 0;
  assert_int_equal(status, SW_ERR_IO);
  assert_int_equal(target.cause, EIO);
  assert_text("old", "old");
  sw_target_discard(&target);
  sw_target_clear(&target);
  assert_int_equal(count_files(), files);
}

/* The same seen from the command line: exit code 3, the reason, and where the rows are. */
static void test_program_rename_fails(void **state)
{
  static const char *const lines[] = {"prog run --steps 3 --out r.csv",
                                      "prog run --steps 3 --save-state r.npy"};
  char name[128];
  (void)state;
  for (int i = 0; i < 2; i++) {
    const int files = count_files();
    rename_fails = EROFS;
    int code = call(&sw_fixture_pendulum, lines[i]);
    rename_fails = 0;
    assert_int_equal(code, 3);
    assert_non_null(strstr(err, i == 0
                                    ? "--out: r.csv cannot be written: Read-only file system; the "
                                      "rows so far are in r.csv.part-"
                                    : "--save-state: r.npy cannot be written: Read-only file "
                                      "system\n"));
    assert_int_equal(count_files(), files + (i == 0));
    if (i == 0) {
      const char *at = strstr(err, "are in ") + 7;
      snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
      assert_int_equal(unlink(name), 0);
    }
  }
}

/* The rows are whole; what they are about is not there, and nothing older in its place. */
static void test_metadata_fails(void **state)
{
  (void)state;
  assert_int_equal(call(&sw_fixture_pendulum, "prog run --steps 3 --out m.csv"), 0);
  assert_int_equal(access("m.csv.json", F_OK), 0);
  const int files = count_files();
  rename_fails = EIO;
  rename_fails_for = ".json";
  int code = call(&sw_fixture_pendulum, "prog run --steps 4 --out m.csv");
  rename_fails = 0;
  rename_fails_for = "";
  assert_int_equal(code, 3);
  assert_non_null(strstr(err,
                         "--out: m.csv is whole, but not what it is about: m.csv.json cannot be "
                         "written: Input/output error"));
  assert_int_not_equal(access("m.csv.json", F_OK), 0);
  assert_int_equal(count_files(), files - 1);
}

static sw_place place_of(const char *path)
{
  sw_place place;
  assert_int_equal(sw_place_find(path, &place), SW_OK);
  return place;
}

static int same(const char *a, const char *b)
{
  sw_place first = place_of(a);
  sw_place second = place_of(b);
  const int found = sw_place_same(&first, &second);
  sw_place_clear(&first);
  sw_place_clear(&second);
  return found;
}

static void test_places(void **state)
{
  (void)state;
  assert_int_equal(mkdir("d", 0700), 0);
  put_text("here", "x");
  assert_int_equal(link("here", "hard"), 0);
  assert_int_equal(symlink("here", "soft"), 0);
  assert_int_equal(symlink("d/later", "dangling"), 0);
  assert_int_equal(symlink("d", "e"), 0);
  assert_true(same("here", "here") && same("here", "hard") && same("soft", "hard"));
  assert_true(same("here", "./d/../here"));
  assert_true(same("later", "./later") && same("later", "d/../later"));
  assert_true(same("d/later", "dangling") && same("d/later", "e/later"));
  assert_false(same("later", "d/later"));
  assert_false(same("later", "here"));
  assert_false(same("here", "old"));
  assert_false(same("/dev/null", "/dev/null")); /* is written to by many */
  unlink("e");
  rmdir("d");
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_written),
                                     cmocka_unit_test(test_older_file_stays),
                                     cmocka_unit_test(test_names_are_unique),
                                     cmocka_unit_test(test_taken_names),
                                     cmocka_unit_test(test_long_name),
                                     cmocka_unit_test(test_permissions),
                                     cmocka_unit_test(test_links),
                                     cmocka_unit_test(test_refused),
                                     cmocka_unit_test(test_rename_fails),
                                     cmocka_unit_test(test_fsync_fails),
                                     cmocka_unit_test(test_program_rename_fails),
                                     cmocka_unit_test(test_metadata_fails),
                                     cmocka_unit_test(test_places)};
  return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
