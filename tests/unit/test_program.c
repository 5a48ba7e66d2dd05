/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_program.c -- the command line of a model program: exit codes, messages, output.
 *
 * Each case calls sw_program_main with standard output and standard error led into files.
 */
#include <locale.h>
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

#include "common/user_text.h"
#include "fixtures.h"
#include "near.h"
#include "program_call.h"
#include "sidewinder/program.h"
#include "sidewinder/version.h"

static void assert_says(const char *text, const char *part)
{
  if (strstr(text, part) == NULL)
    fail_msg("'%s' is not in:\n%s", part, text);
}

static void test_numbers(void **state)
{
  static const char *const bad[] = {"",    " 1",    "1 ",     "1x",  "0x10", "nan",
                                    "inf", "1e999", "1e-999", "1,5", "+",    "--1"};
  double x = 7.0;
  long n = 7;
  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    assert_int_equal(sw_text_real(bad[i], &x), 0);
    assert_int_equal(sw_text_integer(bad[i], 0, &n), 0);
  }
  assert_true(x == 7.0 && n == 7);
  assert_int_equal(sw_text_real("-1.5e-3", &x), 1);
  assert_true(x == -1.5e-3);
  assert_int_equal(sw_text_real("0", &x), 1);
  assert_int_equal(sw_text_integer("12", 0, &n), 1);
  assert_int_equal(n, 12);
  assert_int_equal(sw_text_integer("-1", 0, &n), 0);
  assert_int_equal(sw_text_integer("99999999999999999999", 0, &n), 0);
}

static void test_suggestions(void **state)
{
  static const char *const names[] = {"euler-a", "verlet", "midpoint"};
  char message[SW_TEXT_MESSAGE];
  char longest[2000];
  (void)state;
  sw_text_unknown("base method", "verlte", names, 3, message);
  assert_string_equal(message, "unknown base method 'verlte'; did you mean 'verlet'? known: "
                               "euler-a, verlet, midpoint");
  sw_text_unknown("base method", "gauss", names, 3, message);
  assert_string_equal(message, "unknown base method 'gauss'; known: euler-a, verlet, midpoint");
  memset(longest, 'x', sizeof longest - 1);
  longest[sizeof longest - 1] = '\0';
  sw_text_unknown("base method", longest, names, 3, message);
  assert_true(strlen(message) < SW_TEXT_MESSAGE);
}

static void test_wrong_usage(void **state)
{
  static const char *const lines[][2] = {
      {"prog", "no command"},
      {"prog rnu", "did you mean 'run'"},
      {"prog help rnu", "did you mean 'run'"},
      {"prog run --bogus", "unrecognized option"},
      {"prog run extra", "Too many arguments"},
      {"prog run --method ratle", "did you mean 'rattle'"},
      {"prog run --base verlt", "did you mean 'verlet'"},
      {"prog run --init begin", "known: start, hanging"},
      {"prog run --step nan", "not a finite decimal number"},
      {"prog run --step 0", "must not be zero"},
      {"prog run --steps -1", "not an integer"},
      {"prog run --steps 0", "'0' is not an integer of at least 1"},
      {"prog run --steps 9223372036854775808",
       "--steps: 9223372036854775808 is too large; the largest is 9223372036854775807"},
      {"prog ensemble --seed 99999999999999999999", "--seed: 99999999999999999999 is too large"},
      {"prog run --every -99999999999999999999", "is not an integer of at least 1"},
      {"prog run --steps 2 --t-end 1", "exclude each other"},
      {"prog run --every 0", "not an integer"},
      {"prog run --step 0.3 --t-end 1", "0.9 (3 steps) and 1.2 (4 steps)"},
      {"prog run --step 0.1 --t-end -1", "signs differ"},
      {"prog run --step 1e-300 --t-end 1", "more than 1e15 steps"},
      {"prog run --set gravty=1", "did you mean 'gravity'"},
      {"prog run --set gravity", "not of the form"},
      {"prog run --set length=0", "outside its bounds (0, inf)"},
      {"prog run --tolerance 2", "between 0 and 1"},
      {"prog converge --levels 1", "from 2 to 20"},
      {"prog converge --t-end 0", "cannot be halved"},
      {"prog verify --points 0", "from 1 to"},
      {"prog verify --init begin", "known: start, hanging"},
      {"prog verify --set gravty=1", "did you mean 'gravity'"},
      {"prog info extra", "Too many arguments"}};
  (void)state;
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    assert_int_equal(call(&sw_fixture_pendulum, lines[i][0]), 2);
    assert_says(err, lines[i][1]);
    assert_string_equal(out, "");
  }
}

static void test_no_step_no_end(void **state)
{
  sw_model model = sw_fixture_pendulum;
  (void)state;
  model.run = (sw_run_defaults){.step = NAN, .t_end = NAN, .steps = -1, .every = -1};
  assert_int_equal(call(&model, "prog run"), 2);
  assert_says(err, "no step");
  assert_int_equal(call(&model, "prog run --step 0.1"), 2);
  assert_says(err, "no end");
  assert_int_equal(call(&model, "prog run --step 0.1 --t-end 0.3"), 0);
  assert_says(out, "steps          3, to t = 0.3");
}

static void test_other_abi(void **state)
{
  sw_model model = sw_fixture_pendulum;
  (void)state;
  model.abi = SW_MODEL_ABI + 1;
  assert_int_equal(call(&model, "prog info"), 2);
  assert_says(err, "another version");
}

/* A run line of C that no generator has checked. */
static void test_unknown_method(void **state)
{
  (void)state;
  sw_model model = sw_fixture_pendulum;
  model.run.method = "spark";
  assert_int_equal(call(&model, "pendulum run --steps 3"), 2);
  assert_non_null(strstr(err, "there is no method of that name"));
  assert_int_equal(call(&model, "pendulum run --method rattle --steps 3 --quiet"), 0);
  model = sw_fixture_pendulum;
  model.run.compose = "suzuki-5";
  assert_int_equal(call(&model, "pendulum run --steps 3"), 2);
  assert_non_null(strstr(err, "there is no composition of that name"));
}

static void test_help(void **state)
{
  static const char *const lines[] = {"prog --help",
                                      "prog run --help",
                                      "prog converge --help",
                                      "prog verify --help",
                                      "prog info --help",
                                      "prog run --usage",
                                      "prog -h",
                                      "prog run -h",
                                      "prog verify -h",
                                      "prog converge -h",
                                      "prog lyapunov -h",
                                      "prog info -h",
                                      "prog ensemble -h",
                                      "prog merge -h",
                                      "prog help",
                                      "prog help run",
                                      "prog help lyapunov"};
  (void)state;
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    assert_int_equal(call(&sw_fixture_pendulum, lines[i]), 0);
    assert_says(out, "Usage: prog");
    assert_string_equal(err, "");
  }
  assert_int_equal(call(&sw_fixture_pendulum, "prog --version"), 0);
  assert_string_equal(out, "sidewinder " SW_VERSION "\n");
}

/* The rows of `out`, metadata and header not counted; *last is the first number of the last one. */
static int count_rows(long *last)
{
  int rows = 0;
  const char *line = out;
  while (line != NULL && *line != '\0') {
    if (*line >= '0' && *line <= '9') {
      rows++;
      *last = strtol(line, NULL, 10);
    }
    line = strchr(line, '\n');
    line = line == NULL ? NULL : line + 1;
  }
  return rows;
}

static void test_rows(void **state)
{
  long last = -1;
  (void)state;
  assert_int_equal(call(&sw_fixture_pendulum, "prog run --steps 10 --every 4 --out -"), 0);
  assert_int_equal(count_rows(&last), 4); /* 0, 4, 8, 10 */
  assert_int_equal(last, 10);
  assert_says(err, "steps          10");
  assert_int_equal(call(&sw_fixture_pendulum, "prog run --t-end 0 --out - --quiet"), 0);
  assert_int_equal(count_rows(&last), 1);
  assert_string_equal(err, "");
  assert_int_equal(call(&sw_fixture_pendulum, "prog run --step -0.1 --t-end -0.5 --out -"), 0);
  assert_int_equal(count_rows(&last), 6);
  assert_int_equal(call(&sw_fixture_pendulum, "prog run --quiet"), 0);
  assert_string_equal(out, "");
}

/* A decimal comma in the caller's locale does not reach the numbers. */
static void test_locale(void **state)
{
  (void)state;
  /* The build makes it, and the test's environment says where (LOCPATH). */
  assert_non_null(setlocale(LC_ALL, "de_DE.UTF-8"));
  assert_string_equal(localeconv()->decimal_point, ",");
  int code = call(&sw_fixture_pendulum, "prog run --step 0.5 --steps 1 --columns t --out -");
  setlocale(LC_ALL, "C");
  assert_int_equal(code, 0);
  assert_string_equal(out, "t\n0\n0.5\n");
}

/* A failing step keeps the rows before it. */
static void test_step_fails(void **state)
{
  long last = -1;
  (void)state;
  assert_int_equal(call(&sw_fixture_pendulum, "prog run --step 100 --steps 3 --out -"), 3);
  assert_int_equal(count_rows(&last), 1);
  assert_says(err, "step failed at t = 0");
}

static void test_off_m(void **state)
{
  const char *path = "test_program-off-m.csv";
  char line[256];
  (void)state;
  unlink(path);
  snprintf(line, sizeof line, "prog run --set l=0.2 --out %s", path);
  assert_int_equal(call(&sw_fixture_two, line), 2);
  assert_says(err, "not on M");
  assert_int_not_equal(access(path, F_OK), 0); /* refused before the file is touched */
  assert_int_equal(call(&sw_fixture_two, "prog run --set l=0.2 --project=inf"), 0);
  assert_says(out, "projection     moves positions by ");
}

static void test_files(void **state)
{
  (void)state;
  assert_int_equal(call(&sw_fixture_pendulum, "prog run --out no-such-folder/a.csv"), 3);
  assert_says(err, "No such file");
  assert_int_equal(call(&sw_fixture_pendulum, "prog run --out /dev/full"), 3);
  assert_says(err, "No space left");
}

static void bad_hidden(const long n[], const double z[], const double k[], double rho[])
{
  sw_fixture_pendulum.hidden(n, z, k, rho);
  rho[0] *= 1.0 + 1e-6;
}

static void test_verify(void **state)
{
  sw_model broken = sw_fixture_pendulum;
  (void)state;
  assert_int_equal(call(&sw_fixture_pendulum, "prog verify --seed 3 --points 2"), 0);
  assert_says(out, " 0 failed");
  broken.hidden = bad_hidden;
  assert_int_equal(call(&broken, "prog verify"), 1);
  assert_says(out, "FAIL");
}

/* A model is verified at the parameters and the initial state that are asked for. */
static void test_verify_changed(void **state)
{
  (void)state;
  assert_int_equal(call(&sw_fixture_pendulum,
                        "prog verify --points 2 --set gravity=2.5 --set length=0.5 --init hanging"),
                   0);
  assert_says(out,
              "changed parameters: gravity = 2.5, length = 0.5; initial state: hanging\ncheck ");
  assert_int_equal(call(&sw_fixture_pendulum, "prog verify --points 2"), 0);
  assert_true(strncmp(out, "check ", 6) == 0);
}

static void start_not_finite(const long n[], const double k[], double z[])
{
  sw_fixture_pendulum.init[0].state(n, k, z);
  z[3] = 0.0 * k[0] / (k[0] - 2.5);
}

/* With gravity = 2.5, 0/0 in the second initial state. */
static void test_verify_not_finite(void **state)
{
  sw_initial_state states[] = {sw_fixture_pendulum.init[0], {"broken", start_not_finite}};
  sw_model model = sw_fixture_pendulum;
  (void)state;
  model.init = states;
  model.n_init = 2;
  assert_int_equal(call(&model, "prog verify --points 2"), 0);
  assert_int_equal(call(&model, "prog verify --points 2 --set gravity=2.5 --init start"), 0);
  assert_int_equal(call(&model, "prog verify --set gravity=2.5"), 2);
  assert_says(err, "p.y is not finite in the initial state 'broken' with these parameters");
  assert_string_equal(out, "");
}

static void energy_not_finite(const long n[], const double z[], const double k[],
                              double out_energy[])
{
  (void)n;
  (void)z;
  (void)k;
  out_energy[0] = NAN;
}

static void test_energy_not_finite(void **state)
{
  static const char *const lines[] = {"prog run --steps 1", "prog converge",
                                      "prog lyapunov --steps 1"};
  sw_model model = sw_fixture_pendulum;
  (void)state;
  model.hamiltonian = energy_not_finite;
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    assert_int_equal(call(&model, lines[i]), 2);
    assert_says(err, "H is nan in the initial state 'start' with these parameters; the largest "
                     "|q| is 0.8 and the largest |p| is 0.4");
    assert_string_equal(out, "");
  }
  assert_int_equal(call(&model, "prog verify"), 2);
  assert_says(err, "H is not finite in the initial state 'start' with these parameters");
  model = sw_fixture_pendulum;
  model.n_invariant = 1;
  model.invariant = energy_not_finite;
  assert_int_equal(call(&model, "prog run --step 0.1 --steps 2"), 0);
  assert_says(out, "not finite everywhere\n");
}

/* Without an initial state of its own a model is not started from zero. */
static void test_no_initial_state(void **state)
{
  static const char *const lines[] = {"prog run --steps 1", "prog converge"};
  sw_model model = sw_fixture_pendulum;
  (void)state;
  model.init = NULL;
  model.n_init = 0;
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    assert_int_equal(call(&model, lines[i]), 2);
    assert_says(err, "model 'pendulum' has no initial state; use --init-file FILE, or add an "
                     "'init' to the model\n");
    assert_string_equal(out, "");
  }
  assert_int_equal(call(&model, "prog run --init start"), 2);
  assert_says(err, "--init: model 'pendulum' has no initial state");
  assert_int_equal(call(&model, "prog info"), 0);
  assert_says(out, "initial states\n  none\n");
}

/* The summary says what was measured. */
static void test_summary(void **state)
{
  (void)state;
  assert_int_equal(call(&sw_fixture_pendulum, "prog run --t-end 0"), 0);
  assert_says(out, "steps          0");
  assert_says(out, "energy         -0.675 at the start\n");
  assert_null(strstr(out, "residuals"));
  assert_null(strstr(out, "at the end"));
  assert_int_equal(call(&sw_fixture_free, "prog run --step 0.5 --steps 4"), 0);
  assert_says(out, "change within [0, 0], relative 0\n");
}

/* Number `column` of the last row. */
static double in_last_row(int column)
{
  const char *at = out + strlen(out) - 1;
  while (at > out && at[-1] != '\n') {
    at--;
  }
  for (int i = 0; i < column; i++) {
    at += strspn(at, " ");
    at += strcspn(at, " ");
  }
  return strtod(at, NULL);
}

/* The observed orders of the finest printed pair: of states, and of multipliers at the end of a
 * step and in its middle.  Those of RATTLE are means over a step; those of BDF2 and of curves that
 * are exact enough belong to its end. */
static void test_converge(void **state)
{
  static const struct {
    const char *line;
    double state;
    double lambda;
    double middle;
  } cases[] = {{"prog converge --base verlet --step 0.1 --t-end 1", 2.0, 1.0, 2.0},
               {"prog converge --base midpoint --step 0.1 --t-end 1", 2.0, 1.0, 2.0},
               {"prog converge --base euler-a --step 0.02 --t-end 1", 1.0, 1.0, 1.0},
               {"prog converge --method lobatto --step 0.1 --t-end 1 --levels 4", 4.0, 1.0, 2.0},
               {"prog converge --method bdf2 --step 0.02 --t-end 1", 2.0, 2.0, 1.0}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_int_equal(call(&sw_fixture_pendulum, cases[i].line), 0);
    assert_says(out, "order of max    in lambda     order  in mid-step     order\n");
    assert_near(in_last_row(4), cases[i].state, 0.05);
    assert_near(in_last_row(6), cases[i].lambda, 0.05);
    assert_near(in_last_row(8), cases[i].middle, 0.05);
  }
  /* Without multipliers, and with those of forces half a step before. */
  assert_int_equal(call(&sw_fixture_free, "prog converge --step 0.1 --t-end 1"), 0);
  assert_null(strstr(out, "lambda"));
  assert_int_equal(
      call(&sw_fixture_pendulum, "prog converge --method leapfrog --step 0.1 --t-end 1"), 0);
  assert_null(strstr(out, "lambda"));
  /* an error at the level of round-off has no order */
  assert_int_equal(
      call(&sw_fixture_pendulum, "prog converge --compose kahan-li-8 --step 0.05 --t-end 1"), 0);
  assert_says(out, " round-off ");
}

/* The states of SHAKE, and the momenta of leapfrog, have order 1; the points of M^H on the fibres
 * of SHAKE's states have order 2.  The errors of the momenta at h = 0.025 come from an integration
 * of the angle of the pendulum, a'' = -sin a, and steps of SHAKE with its multiplier in closed
 * form.  SHAKE's agree in all printed digits.  The momenta of leapfrog are extrapolated with order
 * 1, so that a part of order 2 remains: 3e-4 of the error with three levels. */
static void test_converge_of_shake(void **state)
{
  static const struct {
    const char *options;
    double error;
    double order;
    double tolerance; /* relative, of the error */
  } cases[] = {{"--method shake", 6.6020e-3, 0.997, 1e-5},
               {"--method leapfrog", 6.6020e-3, 0.997, 4e-4},
               {"--method shake --project-output", 1.5214e-5, 2.000, 1e-5}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char line[128];
    snprintf(line, sizeof line, "prog converge %s --step 0.1 --t-end 1 --levels 3",
             cases[i].options);
    assert_int_equal(call(&sw_fixture_pendulum, line), 0);
    assert_near(in_last_row(3), cases[i].error, cases[i].tolerance * cases[i].error);
    assert_near(in_last_row(4), cases[i].order, 0.0015);
  }
  assert_int_equal(call(&sw_fixture_pendulum, "prog converge --project-output"), 2);
  assert_says(err, "--project-output: rattle stays on M^H");
}

static void test_info(void **state)
{
  static const sw_model *const models[] = {&sw_fixture_pendulum, &sw_fixture_hopf,
                                           &sw_fixture_spherical, &sw_fixture_two,
                                           &sw_fixture_free};
  (void)state;
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    assert_int_equal(call(models[i], "prog info"), 0);
    assert_says(out, models[i]->title);
    assert_says(out, models[i]->analysis);
  }
}

/* --set with an array's name sets every entry; with an entry's name, that one. */
static void test_array_parameters(void **state)
{
  static const sw_array names[] = {{"m.1", 0, NULL}, {"m.2", 0, NULL}};
  sw_model model = sw_fixture_hopf;
  (void)state;
  assert_int_equal(model.n_parameters, 2);
  model.parameters = names;
  call(&model, "prog verify --points 1 --set m=0.1 --set m.2=-0.9");
  assert_says(out, "changed parameters: m.1 = 0.1, m.2 = -0.9");
  assert_int_equal(call(&model, "prog run --set m.3=1"), 2);
  assert_says(err, "did you mean 'm.1'");
}

/* The ends of an interval belong to it where it is closed there, and nothing outside of it does. */
static void test_bounds(void **state)
{
  static const struct {
    unsigned char closed;
    const char *text;
    int at_lower; /* exit codes at the two ends */
    int at_upper;
  } cases[] = {{0, "(1, 2)", 2, 2}, {1, "[1, 2)", 0, 2}, {2, "(1, 2]", 2, 0}, {3, "[1, 2]", 0, 0}};
  static const char *const outside[] = {"0.99999999999999989", "2.0000000000000004", "-1e300",
                                        "1e300"};
  sw_model model = sw_fixture_pendulum;
  char line[128];
  char message[128];
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const sw_bounds bounds[] = {{1.0, 2.0, cases[i].closed}, {0.0, INFINITY, 0}};
    model.bounds = bounds;
    snprintf(message, sizeof message, "is outside its bounds %s", cases[i].text);
    assert_int_equal(call(&model, "prog run --set gravity=1 --steps 1"), cases[i].at_lower);
    assert_true(cases[i].at_lower == 0 || strstr(err, message) != NULL);
    assert_int_equal(call(&model, "prog run --set gravity=2 --steps 1"), cases[i].at_upper);
    assert_true(cases[i].at_upper == 0 || strstr(err, message) != NULL);
    assert_int_equal(call(&model, "prog run --set gravity=1.0000000000000002 --steps 1"), 0);
    assert_int_equal(call(&model, "prog run --set gravity=1.9999999999999998 --steps 1"), 0);
    for (size_t j = 0; j < sizeof outside / sizeof outside[0]; j++) {
      snprintf(line, sizeof line, "prog run --set gravity=%s --steps 1", outside[j]);
      assert_int_equal(call(&model, line), 2);
      assert_says(err, message);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers),
                                     cmocka_unit_test(test_suggestions),
                                     cmocka_unit_test(test_wrong_usage),
                                     cmocka_unit_test(test_no_step_no_end),
                                     cmocka_unit_test(test_other_abi),
                                     cmocka_unit_test(test_unknown_method),
                                     cmocka_unit_test(test_help),
                                     cmocka_unit_test(test_rows),
                                     cmocka_unit_test(test_locale),
                                     cmocka_unit_test(test_step_fails),
                                     cmocka_unit_test(test_off_m),
                                     cmocka_unit_test(test_files),
                                     cmocka_unit_test(test_verify),
                                     cmocka_unit_test(test_verify_changed),
                                     cmocka_unit_test(test_verify_not_finite),
                                     cmocka_unit_test(test_energy_not_finite),
                                     cmocka_unit_test(test_no_initial_state),
                                     cmocka_unit_test(test_summary),
                                     cmocka_unit_test(test_converge),
                                     cmocka_unit_test(test_converge_of_shake),
                                     cmocka_unit_test(test_info),
                                     cmocka_unit_test(test_array_parameters),
                                     cmocka_unit_test(test_bounds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
