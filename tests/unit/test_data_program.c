/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_data_program.c -- the options of a model program that read and write states and parameters.
 */
#include <math.h>
#include <setjmp.h>
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
#include "io/values_file.h"
#include "program_call.h"

/* Calls the program with the words of `line`, checks the exit code, and that `part` is in what it
 * prints on either stream. */
static void expect(const sw_model *model, int expected, const char *part, const char *line)
{
  int code = call(model, line);
  if (code != expected || (strstr(out, part) == NULL && strstr(err, part) == NULL)) {
    fail_msg("%s: code %d, expected %d with '%s':\n%s%s", line, code, expected, part, out, err);
  }
}

/* The run is good, and `part` is in what it says its trajectory is about. */
static void expect_metadata(const sw_model *model, const char *part, const char *line)
{
  char text[8192];
  char with_out[512];
  snprintf(with_out, sizeof with_out, "%s --out about.csv", line);
  expect(model, 0, "", with_out);
  FILE *file = fopen("about.csv.json", "r");
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  if (strstr(text, part) == NULL) {
    fail_msg("%s: '%s' is not in:\n%s", line, part, text);
  }
}

static void put_text(const char *path, const char *text)
{
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

static void get_state(const sw_model *model, const char *path, double z[])
{
  sw_system *system = NULL;
  char message[SW_TEXT_MESSAGE];
  assert_int_equal(sw_system_create(model, 0, NULL, &system, NULL), SW_OK);
  const sw_entries wanted = sw_entries_of_state(system);
  if (sw_values_read(path, &wanted, z, message) != SW_OK) {
    fail_msg("%s", message);
  }
  sw_system_free(&system);
}

/* What is saved is what the library computes, and a run of no steps hands it on bit for bit. */
static void test_save_and_start(void **state)
{
  sw_sim *sim = NULL;
  double z[4];
  (void)state;
  assert_int_equal(sw_sim_create(&sw_fixture_pendulum, NULL, &sim), SW_OK);
  assert_int_equal(sw_sim_run(sim, 0.1, 7, NULL, NULL), SW_OK);
  expect(&sw_fixture_pendulum, 0, "steps          7",
         "prog run --step 0.1 --steps 7 --save-state a.npy");
  get_state(&sw_fixture_pendulum, "a.npy", z);
  assert_memory_equal(z, sw_sim_state(sim), sizeof z);
  expect(&sw_fixture_pendulum, 0, "",
         "prog run --init-file a.npy --t-end 0 --quiet --save-state b.csv");
  get_state(&sw_fixture_pendulum, "b.csv", z);
  assert_memory_equal(z, sw_sim_state(sim), sizeof z);
  expect_metadata(&sw_fixture_pendulum, "\"init\": \"b.csv\"",
                  "prog run --init-file b.csv --steps 1");
  expect(&sw_fixture_pendulum, 0, "\n0,0,", "prog run --init-file b.csv --steps 1 --out -");

  sw_sim_free(&sim);
}

static void test_converge(void **state)
{
  (void)state;
  put_text("rest.csv", "name,value\nq.x,0\nq.y,-1\np.x,0\np.y,0\n");
  /* Hanging at rest is an equilibrium: no step size makes an error. */
  expect(&sw_fixture_pendulum, 0, "   0.0000e+00   0.0000e+00    round-off   0.0000e+00 round-off",
         "prog converge --step 0.1 --t-end 1 --init-file rest.csv");
  expect(&sw_fixture_pendulum, 2, "--init and --init-file exclude each other",
         "prog converge --init start --init-file rest.csv");
  expect(&sw_fixture_pendulum, 3, "--init-file: none.csv cannot be read: No such file",
         "prog converge --step 0.1 --t-end 1 --init-file none.csv");
}

/* The last good state is written, and the exit code tells of the step. */
static void test_failed_step(void **state)
{
  double z[4];
  double start[4];
  (void)state;
  expect(&sw_fixture_pendulum, 3, "step failed at t = 0",
         "prog run --step 100 --steps 3 --quiet --save-state failed.npy");
  get_state(&sw_fixture_pendulum, "failed.npy", z);
  sw_fixture_pendulum.init[0].state(NULL, sw_fixture_defaults(&sw_fixture_pendulum), start);
  assert_memory_equal(z, start, sizeof z);
}

static void test_refused(void **state)
{
  (void)state;
  put_text("off.csv", "name,value\nq.x,0\nq.y,-2\np.x,0\np.y,0\n");
  put_text("short.csv", "name,value\nq.x,0\nq.y,-2\np.x,0\n");
  expect(&sw_fixture_pendulum, 2, "--init and --init-file exclude each other",
         "prog run --init-file off.csv --init start");
  expect(&sw_fixture_pendulum, 2, "not on M", "prog run --init-file off.csv --save-state new.npy");
  assert_int_not_equal(access("new.npy", F_OK), 0);
  expect(
      &sw_fixture_pendulum, 2,
      "the initial state 'off.csv' is far from the constraint manifold: its projection moves "
      "positions by 1 (50 % of 2), momenta by 0, more than 10 %; give a nearer state, or allow it "
      "with --project=0.55\n",
      "prog run --init-file off.csv --project --steps 1");
  expect(&sw_fixture_pendulum, 2, "more than 49 %",
         "prog run --init-file off.csv --project=0.49 --steps 1");
  expect_metadata(&sw_fixture_pendulum, "\"projected\": true",
                  "prog run --init-file off.csv --project=0.51 --steps 1");
  assert_non_null(strstr(out, "projection     moves positions by 1 (50 % of 2), momenta by 0\n"));
  expect(&sw_fixture_pendulum, 0, "projection     moves positions by 1 (50 % of 2), momenta by 0\n",
         "prog run --init-file off.csv --project=inf --steps 1");
  expect(&sw_fixture_pendulum, 0, "\"positions\": 0.5,\n    \"momenta\": 0\n",
         "prog run --init-file off.csv --project=inf --steps 1 --json");
  expect(&sw_fixture_pendulum, 0, "projection     moves positions by 0 (0 % of 1), momenta by 0\n",
         "prog run --init hanging --project=0 --steps 1");
  expect(&sw_fixture_pendulum, 2, "--project must not be negative",
         "prog run --init-file off.csv --project=-1 --steps 1");
  expect(
      &sw_fixture_pendulum, 2,
      "--init-file: short.csv has 3 values; model 'pendulum' needs 4 (q then p): 'p.y' is missing",
      "prog run --init-file short.csv");
  expect(&sw_fixture_pendulum, 3, "--init-file: none.npy cannot be read",
         "prog run --init-file none.npy");
  expect(&sw_fixture_pendulum, 2, "--save-state: a.txt: the name ends in neither",
         "prog run --save-state a.txt --out traj.csv");
  assert_int_not_equal(access("traj.csv", F_OK), 0); /* refused before the file is touched */
  expect(&sw_fixture_pendulum, 3, "--save-state: none/a.npy cannot be written: No such file",
         "prog run --save-state none/a.npy --out traj.csv");
  assert_int_not_equal(access("traj.csv", F_OK), 0);
}

/* An array's entries from a file, in any order, and a scalar. */
static void test_parameters(void **state)
{
  static const sw_array names[] = {{"m.1", 0, NULL}, {"m.2", 0, NULL}};
  static const sw_bounds bounds[] = {{-INFINITY, INFINITY, 0}, {-1.0, INFINITY, 0}};
  sw_model model = sw_fixture_hopf;
  (void)state;
  assert_int_equal(model.n_parameters, 2);
  model.parameters = names;
  put_text("m.csv", "name,value\nm.2,-0.9\nm.1,0.1\n");
  put_text("one.csv", "name,value\nm.2,-0.75\n");
  put_text("low.csv", "name,value\nm.1,5\nm.2,-1.5\n");
  expect_metadata(&model, "\"m.1\": 0.1,\n    \"m.2\": -0.9\n",
                  "prog run --set m=@m.csv --project=inf --steps 1");
  expect_metadata(&model, "\"m.1\": 0.1,\n    \"m.2\": -0.75\n",
                  "prog run --set m=@m.csv --set m.2=@one.csv --project=inf --steps 1");
  expect(&model, 2, "--set: one.csv has 1 value; parameter 'm' needs 2: 'm.1' is missing",
         "prog run --set m=@one.csv");
  expect(&model, 2, "--set: m.csv: line 3: 'm.1' is no entry of parameter 'm.2' (m.2 ... m.2)",
         "prog run --set m.2=@m.csv");
  expect(&model, 2, "unknown parameter 'n'; known: m", "prog run --set n=@m.csv");
  expect(&model, 3, "--set: none.csv cannot be read: No such file", "prog run --set m=@none.csv");
  expect(&model, 2, "ends in neither", "prog run --set m=@");
  model.bounds = bounds;
  expect(&model, 2, "low.csv: m.2 = -1.5 is outside its bounds (-1, inf)",
         "prog run --set m=@low.csv");
}

/* An entry has all its indices, and is written with dots. */
static void test_partial_index(void **state)
{
  static const sw_array names[] = {{"m.1.2", 0, NULL}, {"m.1.3", 0, NULL}};
  sw_model model = sw_fixture_hopf;
  (void)state;
  model.parameters = names;
  expect(&model, 2,
         "'m.1' has too few indices; name an entry, such as 'm.1.2', or the whole array 'm'",
         "prog run --set m.1=1");
  expect(&model, 2, "'m[1]' has too few indices; name an entry, such as 'm.1.2'",
         "prog run --set m[1]=1");
  expect(&model, 2, "'m[1,3]' is not the name of an entry; write it as 'm.1.3'",
         "prog run --set m[1,3]=1");
  expect(&model, 2, "unknown parameter 'm.1.4'", "prog run --set m.1.4=1");
  expect_metadata(&model, "\"m.1.2\": 0.1,\n    \"m.1.3\": -0.9\n",
                  "prog run --set m=0.1 --set m.1.3=-0.9 --project=inf --steps 1");
}

/* A model without an initial state runs from a file; `verify` takes parameters from one. */
static void test_files_alone(void **state)
{
  sw_model model = sw_fixture_pendulum;
  (void)state;
  put_text("begin.csv", "name,value\nq.x,0\nq.y,-1\np.x,0.5\np.y,0\n");
  put_text("length.csv", "name,value\nlength,0.5\n");
  model.init = NULL;
  model.n_init = 0;
  expect_metadata(&model, "\"init\": \"begin.csv\"", "prog run --init-file begin.csv --steps 1");
  expect(&model, 2, "has no initial state", "prog run --steps 1");
  expect(&sw_fixture_pendulum, 0, "changed parameters: length = 0.5\n",
         "prog verify --points 2 --set length=@length.csv");
  expect(&sw_fixture_pendulum, 3, "none.csv cannot be read", "prog verify --set length=@none.csv");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_save_and_start), cmocka_unit_test(test_converge),
      cmocka_unit_test(test_failed_step),    cmocka_unit_test(test_refused),
      cmocka_unit_test(test_parameters),     cmocka_unit_test(test_partial_index),
      cmocka_unit_test(test_files_alone)};
  return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
