/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_io.c -- trajectories, and what they are about.
 */
#include <errno.h>
#include <gnu/libc-version.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_version.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "data_folder.h"
#include "fixtures.h"
#include "io/trajectory.h"
#include "sidewinder/version.h"

enum { TEXT = 16384, COLUMNS = 10 };

static const char *const pieces[] = {"model pendulum\n", "param length = 1 # [m]\n", NULL};
static const sw_comment comments[] = {
    {"length", "[m]"}, {"q", "where \"it\" is [m]"}, {NULL, NULL}};
static const sw_program program = {
    .model = &sw_fixture_pendulum, .text = pieces, .comments = comments};
static const double stage[] = {0.5};
static const double weight[] = {1.0};
static const sw_tableau own = {.name = "verlet", .stages = 1, .A = stage, .b = weight};

static const sw_options options = {
    .method = "rattle", .base = "verlet", .tableau = &own, .compose = "none"};

static const sw_trajectory_plan plan = {.path = "t.csv",
                                        .origin = {.program = &program,
                                                   .options = &options,
                                                   .init = "start\n\"line\xff",
                                                   .step = 0.1,
                                                   .every = 1}};

static sw_sim *create_pendulum(void)
{
  sw_sim *sim = NULL;
  assert_int_equal(sw_sim_create(&sw_fixture_pendulum, NULL, &sim), SW_OK);
  return sim;
}

static sw_trajectory *open_good(const sw_trajectory_plan *of, sw_sim *sim)
{
  char message[SW_TEXT_MESSAGE] = "";
  sw_trajectory *trajectory = NULL;
  if (sw_trajectory_open(of, sim, NULL, &trajectory, message) != SW_OK) {
    fail_msg("%s", message);
  }
  return trajectory;
}

static void finish_good(sw_trajectory **trajectory, const sw_sim *sim, long step, sw_ending ending)
{
  char message[SW_TEXT_MESSAGE] = "";
  if (sw_trajectory_finish(trajectory, sim, step, ending, message) != SW_OK) {
    fail_msg("%s", message);
  }
  assert_null(*trajectory);
}

/* Writes the start and two steps; the simulation is at the last one. */
static sw_sim *write_three(const sw_trajectory_plan *of)
{
  sw_sim *sim = create_pendulum();
  sw_trajectory *trajectory = open_good(of, sim);
  assert_int_equal(sw_trajectory_write(trajectory, sim, 0), SW_OK);
  for (long step = 1; step <= 2; step++) {
    assert_int_equal(sw_sim_step(sim, 0.1), SW_OK);
    assert_int_equal(sw_trajectory_write(trajectory, sim, step), SW_OK);
  }
  finish_good(&trajectory, sim, 2, SW_COMPLETE);
  return sim;
}

static size_t get_file(const char *path, char text[TEXT])
{
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  size_t size = fread(text, 1, TEXT - 1, file);
  assert_int_equal(fclose(file), 0);
  text[size] = '\0';
  return size;
}

/* The first line is the header, and the last one a row: nothing else is in the file. */
static void test_header_and_rows(void **state)
{
  char text[TEXT];
  int lines = 0;
  (void)state;
  sw_sim *sim = write_three(&plan);
  size_t size = get_file("t.csv", text);
  const char *header =
      "step,t,q.x,q.y,p.x,p.y,multiplier,tension,energy,residual_g,residual_hidden\n0,0,";
  assert_memory_equal(text, header, strlen(header));
  for (const char *at = text; *at != '\0'; at++) {
    lines += *at == '\n';
  }
  assert_int_equal(lines, 4);
  assert_int_equal(text[size - 1], '\n');
  assert_null(strchr(text, '#'));
  sw_sim_free(&sim);
}

/* CRC-32 of IEEE 802.3, by its definition. */
static unsigned long crc32_by_bits(const char *bytes, size_t size)
{
  unsigned long sum = 0xffffffffUL;
  for (size_t i = 0; i < 8 * size; i++) {
    const unsigned long bit = (unsigned char)bytes[i / 8] >> i % 8 & 1;
    sum = sum >> 1 ^ ((sum ^ bit) & 1 ? 0xedb88320UL : 0);
  }
  return sum ^ 0xffffffffUL;
}

/* What the trajectory is about; a name that is no text does not break it. */
static void test_metadata(void **state)
{
  static const char format[] =
      "{\n  \"sidewinder\": \"" SW_VERSION
      "\",\n  \"kind\": \"trajectory\",\n  \"format\": \"csv\",\n"
      "  \"model\": \"pendulum\",\n  \"title\": \"Planar pendulum in Cartesian coordinates\",\n"
      "  \"digest\": \"00000000\",\n  \"sizes\": {},\n  \"parameters\": {\n"
      "    \"gravity\": 1,\n    \"length\": 1\n  },\n"
      "  \"versions\": {\n    \"sundials\": \"%s\",\n    \"libc\": \"%s\"\n  },\n"
      "  \"text\": [\n    \"model pendulum\\n\",\n    \"param length = 1 # [m]\\n\"\n  ],\n"
      "  \"verdicts\": [\n    \"1 holonomic constraint, separable H\"\n  ],\n"
      "  \"comments\": {\n    \"length\": \"[m]\",\n    \"q\": \"where \\\"it\\\" is [m]\"\n  },\n"
      "  \"method\": \"rattle\",\n"
      "  \"base\": \"verlet\",\n  \"tableau\": {\n    \"A\": [\n      [\n        0.5\n      ]\n    "
      "],\n"
      "    \"b\": [\n      1\n    ]\n  },\n  \"compose\": \"none\",\n"
      "  \"solver\": \"kinsol\",\n  \"tolerance\": 1e-12,\n  \"redundant\": \"error\",\n  "
      "\"step\": "
      "0.1,\n  \"init\": "
      "\"start\\n\\\"line\\ufffd\",\n"
      "  \"projected\": false,\n  \"projected_rows\": false,\n  \"every\": 1,\n  \"end\": "
      "\"complete\",\n  \"steps\": 2,\n"
      "  \"t\": 0.2,\n  \"invariants\": [\n    \"energy\"\n  ],\n  \"rows\": 3,\n  \"crc32\": "
      "%lu,\n  "
      "\"columns\": "
      "[\n    \"step\",\n    \"t\",\n    \"q.x\",\n"
      "    \"q.y\",\n    \"p.x\",\n    \"p.y\",\n    \"multiplier\",\n    \"tension\",\n"
      "    \"energy\",\n    \"residual_g\",\n    \"residual_hidden\"\n  ]\n}\n";
  char text[TEXT];
  char expected[TEXT];
  char sundials[64];
  (void)state;
  SUNDIALSGetVersion(sundials, sizeof sundials);
  sw_sim *sim = write_three(&plan);
  const unsigned long digest = crc32_by_bits(text, get_file("t.csv", text));
  snprintf(expected, sizeof expected, format, sundials, gnu_get_libc_version(), digest);
  get_file("t.csv.json", text);
  assert_string_equal(text, expected);
  sw_sim_free(&sim);
}

/* Whose comment a column has. */
static void test_comments(void **state)
{
  static const char *const of_q[] = {"q", "q.x", "q.1.2", "state.q", "discrete.q.1"};
  static const char *const of_nothing[] = {"t", "qq", "p.q1", "length_q", "", "."};
  (void)state;
  for (size_t i = 0; i < sizeof of_q / sizeof *of_q; i++) {
    assert_string_equal(sw_metadata_comment(&program, of_q[i]), "where \"it\" is [m]");
  }
  for (size_t i = 0; i < sizeof of_nothing / sizeof *of_nothing; i++) {
    assert_string_equal(sw_metadata_comment(&program, of_nothing[i]), "");
  }
  assert_string_equal(sw_metadata_comment(NULL, "q"), "");
}

/* Every number is read back as the same bits. */
static void test_rows_round_trip(void **state)
{
  char text[TEXT];
  double row[COLUMNS + 1];
  double lambda = NAN;
  (void)state;
  sw_sim *sim = write_three(&plan);
  get_file("t.csv", text);
  char *next = strstr(text, "\n2,");
  assert_non_null(next);
  for (int i = 0; i <= COLUMNS; i++) {
    row[i] = strtod(next + 1, &next);
    assert_int_equal(*next, i < COLUMNS ? ',' : '\n');
  }
  const double *z = sw_sim_state(sim);
  double energy;
  double g;
  sw_fixture_pendulum.hamiltonian(NULL, z, sw_sim_parameters(sim), &energy);
  sw_fixture_pendulum.constraint(NULL, z, sw_sim_parameters(sim), &g);
  assert_true(row[1] == sw_sim_time(sim));
  assert_memory_equal(row + 2, z, 4 * sizeof *z);
  assert_int_equal(sw_sim_multipliers(sim, &lambda), SW_OK);
  assert_true(row[6] == lambda);
  assert_true(row[8] == energy);
  assert_true(row[9] == fabs(g));
  sw_sim_free(&sim);
}

/* The multiplier is a function of the state: row 0 has one. */
static void test_start_has_a_multiplier(void **state)
{
  char text[TEXT];
  double lambda = NAN;
  (void)state;
  sw_sim *sim = write_three(&plan);
  get_file("t.csv", text);
  char *at = strstr(text, "\n0,") + 1;
  *strchr(at, '\n') = '\0';
  assert_null(strstr(at, "NaN"));
  for (int commas = 0; commas < 6; commas++) {
    at = strchr(at, ',') + 1;
  }
  double z[4];
  sw_sim_init_state(sim, 0, z);
  assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
  assert_int_equal(sw_sim_multipliers(sim, &lambda), SW_OK);
  assert_true(strtod(at, NULL) == lambda);
  sw_sim_free(&sim);
}

static void infinite(const long n[], const double z[], const double k[], double out[])
{
  (void)n;
  (void)k;
  out[0] = z[0] > 0.0 ? INFINITY : -INFINITY;
}

/* Words that NumPy, pandas and R read as numbers. */
static void test_infinite(void **state)
{
  const sw_trajectory_plan one = {.path = "t.csv", .columns = "energy", .origin = plan.origin};
  const double z[] = {-0.6, -0.8, 0.0, 0.0};
  sw_model model = sw_fixture_pendulum;
  sw_sim *sim = NULL;
  char text[TEXT];
  (void)state;
  model.invariant = infinite;
  assert_int_equal(sw_sim_create(&model, NULL, &sim), SW_OK);
  sw_trajectory *trajectory = open_good(&one, sim);
  assert_int_equal(sw_trajectory_write(trajectory, sim, 0), SW_OK);
  assert_int_equal(sw_sim_set_state(sim, 0.0, z), SW_OK);
  assert_int_equal(sw_trajectory_write(trajectory, sim, 0), SW_OK);
  finish_good(&trajectory, sim, 0, SW_STEP_FAILED);
  get_file("t.csv", text);
  assert_string_equal(text, "energy\nInf\n-Inf\n");
  get_file("t.csv.json", text);
  assert_non_null(strstr(text, "\"end\": \"step failed\""));
  sw_sim_free(&sim);
}

/* Columns in the order that was asked for; an array's name stands for all of its entries. */
static void test_columns(void **state)
{
  static const struct {
    const char *wanted;
    const char *part; /* of the header, or of the message */
    sw_status status;
  } cases[] = {{"energy,t", "energy,t\n", SW_OK},
               {"t,q", "t,q.x,q.y\n", SW_OK},
               {"p,q.y", "p.x,p.y,q.y\n", SW_OK},
               {"energi", "unknown column 'energi'; did you mean 'energy'?", SW_ERR_ARGUMENT},
               {"q.z", "unknown column 'q.z'; did you mean 'q.x'?", SW_ERR_ARGUMENT},
               {"t,,q", "unknown column ''", SW_ERR_ARGUMENT},
               {"", "unknown column ''", SW_ERR_ARGUMENT},
               {"t,q,t", "column 't' is given twice", SW_ERR_ARGUMENT},
               {"q.x,q", "column 'q.x' is given twice", SW_ERR_ARGUMENT}};
  char text[TEXT];
  sw_sim *sim = create_pendulum();
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const sw_trajectory_plan some = {
        .path = "c.csv", .columns = cases[i].wanted, .origin = plan.origin};
    sw_trajectory *trajectory = NULL;
    remove("c.csv");
    assert_int_equal(sw_trajectory_open(&some, sim, NULL, &trajectory, text), cases[i].status);
    if (cases[i].status == SW_OK) {
      finish_good(&trajectory, sim, 0, SW_COMPLETE);
      get_file("c.csv", text);
      assert_memory_equal(text, cases[i].part, strlen(cases[i].part));
    } else {
      assert_memory_equal(text, cases[i].part, strlen(cases[i].part));
      assert_int_not_equal(access("c.csv", F_OK), 0);
    }
  }
  sw_sim_free(&sim);
}

/* An observable that is called like a column of our own does not make two columns of one name. */
static void test_names_are_unique(void **state)
{
  static const sw_family observed[] = {{"t", 0, NULL, NULL, SW_FIBRE_FLOW},
                                       {"residual_g", 0, NULL, NULL, SW_FIBRE_FLOW}};
  static const sw_family kept[] = {{"step", 0, NULL, NULL, SW_FIBRE_FLOW}};
  sw_model model = sw_fixture_pendulum;
  sw_sim *sim = NULL;
  char text[TEXT];
  (void)state;
  model.observables = observed;
  model.invariants = kept;
  assert_int_equal(sw_sim_create(&model, NULL, &sim), SW_OK);
  sw_trajectory *trajectory = open_good(&plan, sim);
  finish_good(&trajectory, sim, 0, SW_INTERRUPTED);
  get_file("t.csv", text);
  assert_string_equal(text, "step,t,q.x,q.y,p.x,p.y,observe.t,observe.residual_g,invariant.step,"
                            "residual_g,residual_hidden\n");
  sw_sim_free(&sim);
}

/* Two dimensions, and how many rows there are. */
static void test_npy(void **state)
{
  const sw_trajectory_plan some = {.path = "t.npy", .columns = "t,q.y", .origin = plan.origin};
  static const char head[] = "\x93NUMPY\x01\0\x76\0"
                             "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), } ";
  char text[TEXT];
  double values[6];
  (void)state;
  sw_sim *sim = write_three(&some);
  assert_int_equal(get_file("t.npy", text), 128 + sizeof values);
  assert_memory_equal(text, head, sizeof head - 1);
  memcpy(values, text + 128, sizeof values);
  assert_true(values[0] == 0.0 && values[2] == 0.1 && values[4] == sw_sim_time(sim));
  assert_true(values[5] == sw_sim_state(sim)[1]);
  get_file("t.npy.json", text);
  assert_non_null(strstr(text, "\"format\": \"npy\""));
  assert_non_null(strstr(text, "\"columns\": [\n    \"t\",\n    \"q.y\"\n  ]"));
  sw_sim_free(&sim);
}

/* Until a trajectory is whole its name is that of the older file, and its rows are elsewhere. */
static void test_name_comes_last(void **state)
{
  char text[TEXT];
  sw_sim *sim = write_three(&plan);
  (void)state;
  const size_t old = get_file("t.csv", text);
  sw_trajectory *trajectory = open_good(&plan, sim);
  for (int i = 0; i < 100; i++) {
    assert_int_equal(sw_trajectory_write(trajectory, sim, i), SW_OK);
  }
  const char *unfinished = sw_trajectory_unfinished(trajectory);
  assert_memory_equal(strrchr(unfinished, '/') + 1, "t.csv.part-", 11);
  assert_int_equal(access(unfinished, F_OK), 0);
  assert_int_equal(get_file("t.csv", text), old);
  assert_int_equal(access("t.csv.json", F_OK), 0);
  char *kept = strdup(unfinished);
  sw_trajectory_leave(&trajectory);
  assert_null(trajectory);
  assert_int_equal(get_file("t.csv", text), old);
  assert_int_equal(unlink(kept), 0);
  free(kept);
  sw_sim_free(&sim);
}

/* A mark, and going on from there: what was behind it is forgotten. */
static void test_go_on(void **state)
{
  static const char *const paths[] = {"g.csv", "g.npy"};
  char once[TEXT];
  char twice[TEXT];
  char message[SW_TEXT_MESSAGE];
  (void)state;
  for (int i = 0; i < 2; i++) {
    const sw_trajectory_plan to = {.path = paths[i], .origin = plan.origin};
    sw_trajectory_mark mark;
    char name[64];
    sw_sim *sim = write_three(&to);
    const size_t size = get_file(paths[i], once);
    sw_sim_free(&sim);
    sim = create_pendulum();
    sw_trajectory *trajectory = open_good(&to, sim);
    assert_int_equal(sw_trajectory_write(trajectory, sim, 0), SW_OK);
    assert_int_equal(sw_trajectory_reach(trajectory, &mark), SW_OK);
    assert_int_equal(mark.rows, 1);
    strcpy(name, mark.unfinished);
    mark.unfinished = name;
    assert_int_equal(sw_trajectory_write(trajectory, sim, 99), SW_OK);
    sw_trajectory *second = NULL; /* while the first one holds it */
    assert_int_equal(sw_trajectory_open(&to, sim, &mark, &second, message), SW_ERR_IO);
    assert_non_null(strstr(message, "is being written by another process"));
    sw_trajectory_leave(&trajectory);

    assert_int_equal(sw_trajectory_open(&to, sim, &mark, &trajectory, message), SW_OK);
    for (long step = 1; step <= 2; step++) {
      assert_int_equal(sw_sim_step(sim, 0.1), SW_OK);
      assert_int_equal(sw_trajectory_write(trajectory, sim, step), SW_OK);
    }
    assert_int_equal(sw_trajectory_is_whole(&to, &mark), 0);
    assert_int_equal(sw_trajectory_reach(trajectory, &mark), SW_OK);
    mark.unfinished = name;
    finish_good(&trajectory, sim, 2, SW_COMPLETE);
    assert_int_equal(sw_trajectory_is_whole(&to, &mark), 1);
    assert_int_equal(get_file(paths[i], twice), size);
    assert_memory_equal(once, twice, size);

    assert_int_equal(sw_trajectory_open(&to, sim, &mark, &trajectory, message), SW_ERR_IO);
    assert_non_null(strstr(message, "cannot be opened: No such file"));
    FILE *file = fopen(name, "w"); /* shorter than it was */
    assert_non_null(file);
    fclose(file);
    assert_int_equal(sw_trajectory_open(&to, sim, &mark, &trajectory, message), SW_ERR_IO);
    assert_non_null(strstr(message, "is shorter than it was"));
    assert_int_equal(sw_trajectory_is_whole(&to, &mark), 0);
    unlink(name);
    mark.bytes++;
    assert_int_equal(sw_trajectory_is_whole(&to, &mark), 0);
    sw_sim_free(&sim);
  }
}

static void test_cannot_open(void **state)
{
  const sw_trajectory_plan to = {.path = "no-such-folder/file.csv", .origin = plan.origin};
  char message[SW_TEXT_MESSAGE];
  sw_trajectory *trajectory;
  sw_sim *sim = create_pendulum();
  (void)state;
  assert_int_equal(sw_trajectory_open(&to, sim, NULL, &trajectory, message), SW_ERR_IO);
  assert_string_equal(message, "no-such-folder/file.csv cannot be written: No such file or "
                               "directory");
  assert_null(trajectory);
  sw_sim_free(&sim);
}

/* FILE.json of somebody else is not replaced. */
static void test_metadata_in_the_way(void **state)
{
  const sw_trajectory_plan to = {.path = "way.csv", .origin = plan.origin};
  char message[SW_TEXT_MESSAGE];
  sw_trajectory *trajectory;
  sw_sim *sim = create_pendulum();
  (void)state;
  FILE *file = fopen("way.csv.json", "w");
  assert_non_null(file);
  fputs("{\"mine\": 1}\n", file);
  fclose(file);
  assert_int_equal(sw_trajectory_open(&to, sim, NULL, &trajectory, message), SW_ERR_ARGUMENT);
  assert_non_null(strstr(message, "way.csv.json is in the way"));
  assert_int_not_equal(access("way.csv", F_OK), 0);
  unlink("way.csv.json");
  sw_sim_free(&sim);
}

/* A full disk is seen at the latest when the file is closed. */
static void test_full_disk(void **state)
{
  const sw_trajectory_plan full = {.path = "/dev/full", .origin = plan.origin};
  char message[SW_TEXT_MESSAGE];
  sw_sim *sim = create_pendulum();
  (void)state;
  sw_trajectory *trajectory = open_good(&full, sim);
  assert_int_equal(sw_trajectory_write(trajectory, sim, 0), SW_OK); /* still in the buffer */
  assert_int_equal(sw_trajectory_finish(&trajectory, sim, 0, SW_COMPLETE, message), SW_ERR_IO);
  assert_string_equal(message, "/dev/full cannot be written: No space left on device");

  trajectory = open_good(&full, sim);
  sw_status status = SW_OK;
  for (long step = 0; step < 10000 && status == SW_OK; step++) {
    status = sw_trajectory_write(trajectory, sim, step);
  }
  assert_int_equal(status, SW_ERR_IO);
  assert_int_equal(sw_trajectory_finish(&trajectory, sim, 0, SW_COMPLETE, message), SW_ERR_IO);
  assert_string_equal(message, "/dev/full cannot be written: No space left on device");
  assert_int_not_equal(access("/dev/full.json", F_OK), 0);
  sw_sim_free(&sim);
}

/* Files may have so many bytes. */
static void allow_bytes(rlim_t bytes)
{
  const struct rlimit limit = {bytes, RLIM_INFINITY};
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* A file that is cut short does not get the name; where it is, is said. */
static void test_cut_short(void **state)
{
  static const char *const paths[] = {"short.csv", "short.npy"};
  char message[SW_TEXT_MESSAGE];
  sw_sim *sim = create_pendulum();
  (void)state;
  for (int i = 0; i < 2; i++) {
    const sw_trajectory_plan to = {.path = paths[i], .origin = plan.origin};
    sw_trajectory *trajectory = open_good(&to, sim);
    sw_status status = SW_OK;
    allow_bytes(20000);
    for (long step = 0; step < 10000 && status == SW_OK; step++) {
      status = sw_trajectory_write(trajectory, sim, step);
    }
    const sw_status finished = sw_trajectory_finish(&trajectory, sim, 0, SW_INTERRUPTED, message);
    allow_bytes(RLIM_INFINITY);
    assert_int_equal(status, SW_ERR_IO);
    assert_int_equal(finished, SW_ERR_IO);
    assert_non_null(strstr(message, "cannot be written: File too large; the rows so far are in "));
    assert_int_equal(strstr(message, "may be incomplete") != NULL, i == 0);
    assert_int_not_equal(access(paths[i], F_OK), 0);
    char *name = strstr(message, "are in ") + 7;
    name[strcspn(name, ",")] = '\0';
    assert_int_equal(unlink(name), 0);
  }
  sw_sim_free(&sim);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_header_and_rows),
                                     cmocka_unit_test(test_metadata),
                                     cmocka_unit_test(test_comments),
                                     cmocka_unit_test(test_rows_round_trip),
                                     cmocka_unit_test(test_start_has_a_multiplier),
                                     cmocka_unit_test(test_infinite),
                                     cmocka_unit_test(test_columns),
                                     cmocka_unit_test(test_names_are_unique),
                                     cmocka_unit_test(test_npy),
                                     cmocka_unit_test(test_name_comes_last),
                                     cmocka_unit_test(test_go_on),
                                     cmocka_unit_test(test_cannot_open),
                                     cmocka_unit_test(test_metadata_in_the_way),
                                     cmocka_unit_test(test_full_disk),
                                     cmocka_unit_test(test_cut_short)};
  return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
