/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/user_text.h"
#include "program/advise.h"
#include "program/start.h"

typedef struct advise_options {
  sw_settings settings;
  double error;
} advise_options;

static error_t read_error(struct argp_state *state, const char *arg, void *into)
{
  advise_options *advise = into;
  if (sw_text_real(arg, &advise->error) && advise->error >= 1e-12 && advise->error <= 0.1) {
    return 0;
  }
  argp_error(state, "--error: '%.100s' is not a number from 1e-12 to 0.1", arg);
  return EINVAL;
}

static const sw_option options[] = {
    {"error", "E",
     "Error of the positions at the end that is asked for, relative to their size (1e-6)",
     SW_VALUE_READ, .read = read_error},
    {0}};

static const char doc[] =
    "Propose method, composition and step for an error.\v"
    "Ways of all orders are tried in short runs from the initial state, and the one is proposed "
    "that reaches the error in the least time. It is assumed that errors grow like t, which they "
    "do not where neighbouring motions separate exponentially: see 'lyapunov' and 'converge'.\n"
    "\n"
    "Examples:\n"
    "  advise --error 1e-6 --t-end 100\n"
    "  advise --error 1e-9 --t-end 20 --init zc --set gravity=1.62 --project";

static void print_words(const sw_way *way)
{
  printf("--method %s --base %s", way->method, way->base);
  if (strcmp(way->compose, "none") != 0) {
    printf(" --compose %s", way->compose);
  }
}

/* The largest step that divides t_end and is at most `step`. */
static double dividing(double t_end, double step)
{
  return t_end / ceil(fabs(t_end) / step);
}

static int print_advice(const sw_invocation *call, const sw_advice *advice)
{
  if (advice->best < 0) {
    return sw_complain(call, SW_EXIT_FAILED,
                       "no way of taking steps has succeeded from the initial state; see what "
                       "'run --step %g' says",
                       advice->first);
  }
  const sw_way *best = &advice->way[advice->best];
  for (int i = 0; i < advice->n; i++) {
    const sw_way *way = &advice->way[i];
    printf("tried      ");
    print_words(way);
    if (way->step > 0.0) {
      printf(": step %.3g, %.3g s\n", way->step, way->seconds);
    } else {
      printf(": no step has succeeded\n");
    }
  }
  printf("pilots     %.3g s\n", advice->seconds);
  printf("because    of %d ways it takes the least time for an error of %g at t = %g\n", advice->n,
         advice->error, advice->t_end);
  printf("advice     ");
  print_words(best);
  printf(" --step %.17g --t-end %.17g\n", dividing(advice->t_end, best->step), advice->t_end);
  return SW_EXIT_GOOD;
}

static int advise_with(const sw_invocation *call, void *options_given)
{
  const advise_options *advise = options_given;
  const sw_settings *settings = &advise->settings;
  sw_sim *sim = NULL;
  sw_moved moved;
  int code = sw_start(call, settings, &sim, &moved);
  if (code != SW_EXIT_GOOD) {
    return code;
  }
  sw_advice advice = {.k = settings->k,
                      .z = sw_sim_state(sim),
                      .redundant = settings->options.redundant,
                      .t_end = settings->step * (double)settings->steps,
                      .error = advise->error,
                      .first = fabs(settings->step)};
  const sw_status status = sw_advise(settings->system, &advice);
  sw_moved_print(settings, &moved, stdout);
  code = status == SW_OK ? print_advice(call, &advice)
                         : sw_complain(call, SW_EXIT_FAILED, "%s", sw_status_text(status));
  sw_sim_free(&sim);
  return code;
}

int sw_command_advise(const sw_invocation *call)
{
  advise_options advise = {.error = 1e-6};
  return sw_settings_command(call, options, doc, &advise, advise_with);
}
