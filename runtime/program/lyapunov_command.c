/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command `lyapunov`: computes the largest Lyapunov exponents of a trajectory.
 */
#include "checks/lyapunov_exponents.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "program/start.h"

enum { DEFAULT_EXPONENTS = 6 };

/* Largest defect of the sum, per step, that round-off explains. */
static const double sum_per_step = 1e-12;

/* The running estimates and their range in the second half of the run. */
typedef struct estimates {
  sw_lyapunov of;
  double *lowest;  /* n */
  double *highest; /* n */
} estimates;

static const char doc[] =
    "Compute the largest Lyapunov exponents from the exact derivative of every step.\v"
    "The tangent directions are orthonormalised after every step. The table shows the running "
    "estimates. The range covers the estimates in the second half of the run; it is not an error "
    "bound. If all 2(d-m) exponents are computed, their sum is checked: it must equal the change "
    "of the symplectic volume, to round-off (exit code 1 if it does not). The defect of the pairs "
    "+-lambda is also printed; it is zero in the limit. Forces keep neither.\n"
    "\n"
    "Examples:\n"
    "  lyapunov --step 0.01 --steps 100000\n"
    "  lyapunov --exponents 1 --rows 50 --init slow\n"
    "\n"
    "Exit codes: 1 if the sum is wrong; otherwise as for run.";

static void lyapunov_command_print_row(const estimates *found)
{
  printf("%12.6g", found->of.time);
  for (int i = 0; i < found->of.n; i++) {
    printf(" %12.5e", sw_lyapunov_exponent(&found->of, i));
  }
  printf("\n");
  fflush(stdout);
}

static void lyapunov_command_print_head(int n)
{
  printf("%12s", "t");
  for (int i = 0; i < n; i++) {
    char name[32];
    snprintf(name, sizeof name, "lambda_%d", i + 1);
    printf(" %12s", name);
  }
  printf("\n");
}

/* Takes all steps and prints the rows. */
static sw_status lyapunov_command_follow(const sw_settings *settings, estimates *found)
{
  const long steps = settings->steps;
  const long every = steps > settings->rows ? steps / settings->rows : 1;
  sw_status status = SW_OK;
  for (long n = 1; n <= steps && status == SW_OK; n++) {
    status = sw_lyapunov_step(&found->of, settings->step);
    for (int i = 0; i < found->of.n && status == SW_OK; i++) {
      const double now = sw_lyapunov_exponent(&found->of, i);
      const int first = n <= steps / 2 + 1;
      found->lowest[i] = first ? now : fmin(found->lowest[i], now);
      found->highest[i] = first ? now : fmax(found->highest[i], now);
    }
    if (status == SW_OK && (n % every == 0 || n == steps)) {
      lyapunov_command_print_row(found);
    }
  }
  return status;
}

/* Prints the result.  Returns the exit code. */
static int print_result(estimates *found, long steps)
{
  const double bound = sum_per_step * (double)steps / fabs(found->of.time);
  printf("\n%-10s %14s   %s\n", "exponent", "estimate", "range over the second half");
  for (int i = 0; i < found->of.n; i++) {
    printf("lambda_%-3d %14.7e   %.5e .. %.5e\n", i + 1, sw_lyapunov_exponent(&found->of, i),
           found->lowest[i], found->highest[i]);
  }
  if (found->of.n != found->of.all) {
    printf("\n%d of %d exponents: neither their sum nor their pairs can be checked\n", found->of.n,
           found->of.all);
    return SW_EXIT_GOOD;
  }
  double sum = 0.0;
  for (int i = 0; i < found->of.n; i++) {
    sum += sw_lyapunov_exponent(&found->of, i);
  }
  if (sw_sim_model(found->of.sim)->n_forces > 0) {
    printf("\nsum        %14.7e   steps with forces keep no symplectic volume\n", sum);
    return SW_EXIT_GOOD;
  }
  const double defect = fabs(sw_lyapunov_sum_defect(&found->of));
  printf("\nsum        %14.7e   less the change of the symplectic volume: %.2e, at most %.2e: %s\n",
         sum, defect, bound, defect <= bound ? "PASS" : "FAIL");
  printf("pairs      %14.7e   largest |lambda_i + lambda_{n+1-i}|, zero in the limit\n",
         sw_lyapunov_pairing(&found->of));
  return defect <= bound ? SW_EXIT_GOOD : SW_EXIT_NO;
}

static int lyapunov_command_estimate(const sw_invocation *call, const sw_settings *settings,
                                     sw_sim *sim, int n)
{
  estimates found = {.lowest = calloc((size_t)n, sizeof(double)),
                     .highest = calloc((size_t)n, sizeof(double))};
  sw_status status = SW_ERR_MEMORY;
  int code = SW_EXIT_GOOD;
  if (found.lowest != NULL && found.highest != NULL) {
    status = sw_lyapunov_open(sim, settings->step, n, &found.of);
  }
  if (status == SW_OK) {
    lyapunov_command_print_head(n);
    status = lyapunov_command_follow(settings, &found);
  }
  if (status == SW_OK) {
    code = print_result(&found, settings->steps);
  } else if (status == SW_ERR_SINGULAR && sw_sim_message(sim)[0] == '\0') {
    code = sw_complain(call, SW_EXIT_FAILED,
                       "the directions have become dependent; try a smaller step or fewer "
                       "exponents");
  } else {
    code = sw_program_refuse(call, sim, status);
  }
  sw_lyapunov_close(&found.of);
  free(found.lowest);
  free(found.highest);
  return code;
}

/* Returns the requested number of exponents, or the default number; 0 after a complaint. */
static int choose_count(const sw_invocation *call, const sw_settings *settings, sw_sim *sim,
                        int *code)
{
  const int all = sw_lyapunov_count(sim);
  const long n = settings->exponents > 0   ? settings->exponents
                 : all < DEFAULT_EXPONENTS ? all
                                           : DEFAULT_EXPONENTS;
  if (all < 0) {
    *code = sw_out_of_memory(call);
    return 0;
  }
  if (n < 1 || n > all) {
    *code = sw_complain(call, SW_EXIT_USAGE, "there are 2(d-m) = %d exponents, not %ld", all, n);
    return 0;
  }
  return (int)n;
}

static int lyapunov_with(const sw_invocation *call, sw_settings *settings)
{
  sw_sim *sim = NULL;
  sw_moved moved;
  int n = 0;
  if (settings->steps < 1) {
    return sw_complain(call, SW_EXIT_USAGE, "exponents need at least one step");
  }
  int code = sw_start(call, settings, &sim, &moved);
  if (code == SW_EXIT_GOOD && sw_sim_n_state(sim) != 2 * settings->system->nq) {
    code = sw_complain(call, SW_EXIT_USAGE,
                       "--method %s: exponents need a method that maps one state to the next",
                       settings->options.method);
  }
  if (code == SW_EXIT_GOOD) {
    n = choose_count(call, settings, sim, &code);
  }
  if (code == SW_EXIT_GOOD) {
    sw_settings_print_base(settings, stdout);
    sw_moved_print(settings, &moved, stdout);
    code = lyapunov_command_estimate(call, settings, sim, n);
  }
  sw_sim_free(&sim);
  return code;
}

const sw_command sw_command_lyapunov = {
    .command = SW_FOR_LYAPUNOV, .name = "lyapunov", .doc = doc, .run = lyapunov_with};
