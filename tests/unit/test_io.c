/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_io.c -- the trajectory writer and the progress line.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "fixtures.h"
#include "io/progress.h"
#include "io/trajectory.h"
#include "vectors.h"

enum { LINE = 4096 };

typedef struct fixture {
  char path[64];
  sw_sim *sim;
} fixture;

static int set_up(void **state)
{
  fixture *made = calloc(1, sizeof *made);
  if (made == NULL)
    return -1;
  strcpy(made->path, "test_io-XXXXXX");
  int file = mkstemp(made->path);
  if (file < 0)
    return -1;
  close(file);
  *state = made;
  return sw_sim_create(&sw_fixture_pendulum, NULL, &made->sim) == SW_OK ? 0 : -1;
}

static int tear_down(void **state)
{
  fixture *made = *state;
  sw_sim_free(&made->sim);
  unlink(made->path);
  free(made);
  return 0;
}

static const sw_trajectory_origin origin = {
    .method = "rattle", .base = "verlet", .init = "start\nline", .step = 0.1};

/* Writes the start and two steps. */
static void write_three(fixture *made)
{
  sw_trajectory *trajectory;
  int cause;
  assert_int_equal(sw_trajectory_open(made->path, made->sim, &origin, &trajectory), SW_OK);
  assert_int_equal(sw_trajectory_write(trajectory, made->sim, 0), SW_OK);
  for (long step = 1; step <= 2; step++) {
    assert_int_equal(sw_sim_step(made->sim, 0.1), SW_OK);
    assert_int_equal(sw_trajectory_write(trajectory, made->sim, step), SW_OK);
  }
  assert_int_equal(sw_trajectory_close(&trajectory, &cause), SW_OK);
  assert_null(trajectory);
  assert_int_equal(cause, 0);
}

/* Reads the file's next line without its line break. */
static void next_line(FILE *file, char line[LINE])
{
  assert_non_null(fgets(line, LINE, file));
  size_t length = strcspn(line, "\n");
  assert_int_equal(line[length], '\n');
  line[length] = '\0';
}

static void test_metadata_and_header(void **state)
{
  static const char *const expected[] = {
      "# model: pendulum",
      "# title: Planar pendulum in Cartesian coordinates",
      "# digest: 00000000",
      "# method: rattle",
      "# base: verlet",
      "# step: 0.10000000000000001",
      "# init: start line", /* a line break in a name does not end the line */
      "# projected: no",
      "# parameter gravity: 1",
      "# parameter length: 1",
      "step,t,q.x,q.y,p.x,p.y,multiplier,tension,energy,residual_g,residual_hidden"};
  fixture *made = *state;
  char line[LINE];
  write_three(made);
  FILE *file = fopen(made->path, "r");
  assert_non_null(file);
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
    next_line(file, line);
    assert_string_equal(line, expected[i]);
  }
  fclose(file);
}

/* Every number is read back as the same bits. */
static void test_rows_round_trip(void **state)
{
  fixture *made = *state;
  char line[LINE];
  double row[11];
  write_three(made);
  FILE *file = fopen(made->path, "r");
  assert_non_null(file);
  do
    next_line(file, line);
  while (strncmp(line, "2,", 2) != 0);
  char *next = line;
  for (int i = 0; i < 11; i++) {
    row[i] = strtod(next, &next);
    assert_int_equal(*next, i < 10 ? ',' : '\0');
    next++;
  }
  fclose(file);
  const double *z = sw_sim_state(made->sim);
  double energy;
  double g;
  sw_fixture_pendulum.hamiltonian(z, sw_sim_parameters(made->sim), &energy);
  sw_fixture_pendulum.constraint(z, sw_sim_parameters(made->sim), &g);
  assert_true(row[1] == sw_sim_time(made->sim));
  assert_memory_equal(row + 2, z, 4 * sizeof *z);
  assert_true(row[6] == sw_sim_lambda(made->sim)[0]);
  assert_true(row[8] == energy);
  assert_true(row[9] == fabs(g));
}

/* Before the first step there is no multiplier: what uses it is nan, and nothing else. */
static void test_start_has_no_multiplier(void **state)
{
  fixture *made = *state;
  char line[LINE];
  int commas = 0;
  write_three(made);
  FILE *file = fopen(made->path, "r");
  assert_non_null(file);
  do
    next_line(file, line);
  while (strncmp(line, "0,", 2) != 0);
  fclose(file);
  for (const char *at = line; *at != '\0'; at++) {
    commas += *at == ',';
    if (*at == ',')
      assert_int_equal(strncmp(at + 1, "nan", 3) == 0, commas == 6 || commas == 7);
  }
  assert_int_equal(commas, 10);
}

static void test_cannot_open(void **state)
{
  fixture *made = *state;
  sw_trajectory *trajectory;
  errno = 0;
  assert_int_equal(sw_trajectory_open("no-such-folder/file.csv", made->sim, &origin, &trajectory),
                   SW_ERR_IO);
  assert_int_equal(errno, ENOENT);
  assert_null(trajectory);
}

/* A full disk is seen at the latest when the file is closed. */
static void test_full_disk(void **state)
{
  fixture *made = *state;
  sw_trajectory *trajectory;
  int cause = 0;
  if (access("/dev/full", W_OK) != 0)
    skip();
  assert_int_equal(sw_trajectory_open("/dev/full", made->sim, &origin, &trajectory), SW_OK);
  assert_int_equal(sw_trajectory_write(trajectory, made->sim, 0), SW_OK); /* still in the buffer */
  assert_int_equal(sw_trajectory_close(&trajectory, &cause), SW_ERR_IO);
  assert_int_equal(cause, ENOSPC);

  assert_int_equal(sw_trajectory_open("/dev/full", made->sim, &origin, &trajectory), SW_OK);
  sw_status status = SW_OK;
  for (long step = 0; step < 10000 && status == SW_OK; step++)
    status = sw_trajectory_write(trajectory, made->sim, step);
  assert_int_equal(status, SW_ERR_IO);
  assert_int_equal(sw_trajectory_close(&trajectory, &cause), SW_ERR_IO);
  assert_int_equal(cause, ENOSPC);
}

static void test_close_nothing(void **state)
{
  sw_trajectory *none = NULL;
  int cause = 1;
  (void)state;
  assert_int_equal(sw_trajectory_close(&none, &cause), SW_OK);
  assert_int_equal(cause, 0);
}

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
  sw_progress_start(&progress, stream, 200);
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

  sw_progress_start(&progress, NULL, 200);
  nanosleep(&pause, NULL);
  sw_progress_update(&progress, 50); /* silent */
  assert_int_equal(progress.shown, 0);
  sw_progress_finish(&progress);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_metadata_and_header, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_rows_round_trip, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_start_has_no_multiplier, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_cannot_open, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_full_disk, set_up, tear_down),
      cmocka_unit_test(test_close_nothing),
      cmocka_unit_test(test_largest),
      cmocka_unit_test(test_progress)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
