/* SPDX-License-Identifier: BSD-3-Clause */
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/vectors.h"
#include "program/command.h"
#include "program/option_values.h"
#include "program/start.h"

enum { MOST_LEVELS = 20, EXTRA_LEVELS = 2 };

typedef struct converge_options {
  sw_settings settings;
  long levels;
} converge_options;

static const sw_option options[] = {{"levels", "L", "Number of step sizes, 2 to 20 (5)",
                                     SW_VALUE_INTEGER, .at = offsetof(converge_options, levels),
                                     .lowest = 2, .highest = MOST_LEVELS},
                                    {0}};

static const char doc[] =
    "Halve the step and print errors and observed orders.\v"
    "The errors are those at t-end, largest entry of q and of p. They are measured against a "
    "reference that is extrapolated from two further halvings of the same method.\n"
    "\n"
    "Examples:\n"
    "  converge --step 0.1 --t-end 1\n"
    "  converge --base euler-a --step 0.05 --levels 6 --t-end 2 --project\n"
    "  converge --init-file state.npy --step 0.05 --t-end 1\n"
    "\n"
    "docs/programs.md describes the files.";

/* Runs with each step size, h / 2^level; the end point of level l goes to ends + l * 2d. */
static int run_levels(const sw_invocation *call, const converge_options *converge, sw_sim *sim,
                      double ends[])
{
  const sw_settings *settings = &converge->settings;
  size_t n = 2 * (size_t)settings->system->nq;
  double *start = ends + n * (size_t)(converge->levels + EXTRA_LEVELS);
  memcpy(start, sw_sim_state(sim), n * sizeof *start);
  for (long level = 0; level < converge->levels + EXTRA_LEVELS; level++) {
    double h = ldexp(settings->step, -(int)level);
    sw_status status = sw_sim_set_state(sim, 0.0, start);
    if (status == SW_OK) {
      status = sw_sim_run(sim, h, settings->steps << level, NULL, NULL);
    }
    if (status != SW_OK) {
      return sw_program_refuse(call, sim, status);
    }
    memcpy(ends + n * (size_t)level, sw_sim_state(sim), n * sizeof *ends);
  }
  return SW_EXIT_GOOD;
}

/* Overwrites the last end point with the reference, z + (z - z') / (2^order - 1) for the finest step
 * and the one before, and prints the table. */
static void print_table(const converge_options *converge, int order, double ends[])
{
  const sw_settings *settings = &converge->settings;
  int d = settings->system->nq;
  size_t n = 2 * (size_t)d;
  double *reference = ends + n * (size_t)(converge->levels + EXTRA_LEVELS - 1);
  const double *coarser = reference - n;
  double before = 0.0;
  for (size_t i = 0; i < n; i++) {
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): ends has been checked */
    reference[i] += (reference[i] - coarser[i]) / (ldexp(1.0, order) - 1.0);
  }
  printf("%-24s %10s %12s %12s %8s\n", "h", "steps", "error in q", "error in p", "order");
  for (long level = 0; level < converge->levels; level++) {
    const double *end = ends + n * (size_t)level;
    double in_q = sw_distance((size_t)d, end, reference);
    double in_p = sw_distance((size_t)d, end + d, reference + d);
    double error = fmax(in_q, in_p);
    printf("%-24.17g %10ld %12.4e %12.4e", ldexp(settings->step, -(int)level),
           settings->steps << level, in_q, in_p);
    if (level > 0 && before > 0.0 && error > 0.0) {
      printf(" %8.3f\n", log2(before / error));
    } else {
      printf(" %8s\n", "-");
    }
    before = error;
  }
}

static int converge_with(const sw_invocation *call, void *options_given)
{
  const converge_options *converge = options_given;
  const sw_settings *settings = &converge->settings;
  long levels = converge->levels + EXTRA_LEVELS;
  sw_sim *sim = NULL;
  sw_moved moved;
  if (settings->steps < 1 || settings->steps > LONG_MAX >> levels) {
    return sw_complain(call, SW_EXIT_USAGE, "%ld steps cannot be halved %ld times", settings->steps,
                       levels - 1);
  }
  int code = sw_start(call, settings, &sim, &moved);
  if (code != SW_EXIT_GOOD) {
    return code;
  }
  sw_settings_print_base(settings, stdout);
  sw_moved_print(settings, &moved, stdout);
  double *ends = calloc((size_t)(levels + 1) * 2 * (size_t)settings->system->nq, sizeof *ends);
  code = ends == NULL ? sw_out_of_memory(call) : run_levels(call, converge, sim, ends);
  if (code == SW_EXIT_GOOD) {
    print_table(converge, sw_sim_order(sim), ends);
  }
  free(ends);
  sw_sim_free(&sim);
  return code;
}

int sw_command_converge(const sw_invocation *call)
{
  converge_options converge = {.levels = 5};
  return sw_settings_command(call, options, doc, &converge, converge_with);
}
