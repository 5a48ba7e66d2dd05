/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/progress.h"
#include "io/trajectory.h"
#include "io/values_file.h"
#include "program/command.h"
#include "program/settings.h"
#include "program/summary.h"
#include "text.h"

enum { KEY_STEPS = 0x300, KEY_EVERY, KEY_OUT, KEY_SAVE_STATE, KEY_QUIET };

typedef struct run_options {
  sw_settings settings;
  long every;
  const char *out;        /* NULL: no trajectory */
  const char *save_state; /* NULL: the final state is not kept */
  int quiet;
} run_options;

/* What the observer needs, for one run. */
typedef struct recorder {
  const run_options *options;
  sw_trajectory *trajectory; /* NULL: none */
  sw_summary summary;
  sw_progress progress;
} recorder;

static const struct argp_option options[] = {
    {.name = "steps", .key = KEY_STEPS, .arg = "N", .doc = "Number of steps, instead of --t-end"},
    {.name = "every",
     .key = KEY_EVERY,
     .arg = "K",
     .doc = "Write the start, each K-th step and the last one"},
    {.name = "out",
     .key = KEY_OUT,
     .arg = "FILE",
     .doc = "Write the trajectory as CSV; '-' is standard output. Without it none is written"},
    {.name = "save-state",
     .key = KEY_SAVE_STATE,
     .arg = "FILE",
     .doc = "Write the final state as .npy or .csv; after a failed step the last good one"},
    {.name = "quiet", .key = KEY_QUIET, .doc = "No progress, no summary"},
    {0}};

static const char doc[] =
    "Integrate, write a trajectory, print a summary.\v" SW_METHODS_HELP "\n"
    "What is not given is taken from the model's run line; see 'info'.\n"
    "\n"
    "Examples:\n"
    "  run --step 0.01 --t-end 10 --out traj.csv\n"
    "  run --method shake --base midpoint --step 0.1 --steps 500 --out -\n"
    "  run --set gravity=1.62 --set m=0.5 --step 0.01 --steps 100 --project\n"
    "  run --set m=@masses.npy --init-file start.csv --save-state end.csv\n"
    "\n"
    "docs/programs.md describes the files.\n"
    "\n"
    "The summary goes to standard output, or to standard error where the trajectory goes to "
    "standard output.";

static error_t read_count(struct argp_state *state, const char *option, const char *arg,
                          long lowest, long *value)
{
  if (sw_text_integer(arg, lowest, value)) {
    return 0;
  }
  argp_error(state, "--%s: '%.100s' is not an integer of at least %ld", option, arg, lowest);
  return EINVAL;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  run_options *run = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &run->settings;
    return 0;
  case KEY_STEPS:
    return read_count(state, "steps", arg, 1, &run->settings.steps);
  case KEY_EVERY:
    return read_count(state, "every", arg, 1, &run->every);
  case KEY_OUT:
    run->out = arg;
    return 0;
  case KEY_SAVE_STATE:
    run->save_state = arg;
    return 0;
  case KEY_QUIET:
    run->quiet = 1;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* The runtime's observer: called at the start and after every step. */
static int record(const sw_sim *sim, long step, void *user)
{
  recorder *to = user;
  const run_options *run = to->options;
  int stop = 0;
  if (!run->quiet) {
    sw_summary_observe(&to->summary, sim);
  }
  if (to->trajectory != NULL && (step % run->every == 0 || step == run->settings.steps)) {
    stop = sw_trajectory_write(to->trajectory, sim, step) != SW_OK;
  }
  sw_progress_update(&to->progress, step);
  return stop;
}

static int refuse_file(const sw_invocation *call, const char *path, int cause)
{
  if (strcmp(path, "-") == 0) {
    path = "standard output";
  }
  return sw_complain(call, SW_EXIT_FAILED, "cannot write '%s': %s", path, strerror(cause));
}

/* Takes one step and goes back, so that a start off the constraint manifold is refused before an
 * existing file is overwritten.  Other failures are left to the run, which keeps the rows before
 * them. */
static int try_start(const sw_invocation *call, const sw_settings *settings, sw_sim *sim)
{
  size_t size = 2 * (size_t)settings->system->nq * sizeof(double);
  double *start = malloc(size);
  int code = SW_EXIT_GOOD;
  if (start == NULL) {
    return sw_complain(call, SW_EXIT_FAILED, "out of memory");
  }
  memcpy(start, sw_sim_state(sim), size);
  sw_status status = sw_sim_step(sim, settings->step);
  if (status != SW_OK && sw_exit_code(status) == SW_EXIT_USAGE) {
    code = settings->project ? SW_EXIT_FAILED : sw_exit_code(status);
    sw_settings_refuse(call, sim, status);
  } else {
    status = sw_sim_set_state(sim, 0.0, start);
    if (status != SW_OK) {
      code = sw_settings_refuse(call, sim, status);
    }
  }
  free(start);
  return code;
}

static int open_trajectory(const sw_invocation *call, const run_options *run, const sw_sim *sim,
                           sw_trajectory **trajectory)
{
  const sw_settings *settings = &run->settings;
  *trajectory = NULL;
  if (run->out == NULL) {
    return SW_EXIT_GOOD;
  }
  sw_trajectory_origin origin = {.method = settings->options.method,
                                 .base = settings->options.base,
                                 .init = sw_settings_start(settings),
                                 .step = settings->step,
                                 .projected = settings->project};
  sw_status status = sw_trajectory_open(run->out, sim, &origin, trajectory);
  if (status == SW_ERR_IO) {
    return refuse_file(call, run->out, errno);
  }
  return status == SW_OK ? SW_EXIT_GOOD : sw_settings_refuse(call, NULL, status);
}

/* Writes the final state, where that was asked for. */
static int save_state(const sw_invocation *call, const run_options *run, const sw_sim *sim)
{
  char message[SW_TEXT_MESSAGE];
  if (run->save_state == NULL) {
    return SW_EXIT_GOOD;
  }
  sw_status status = sw_values_write(run->save_state, sim, message);
  return status == SW_OK ? SW_EXIT_GOOD
                         : sw_settings_refuse_file(call, "save-state", message, status);
}

/* Finds out before the first step whether the final state can be written. */
static int try_save_state(const sw_invocation *call, const run_options *run)
{
  char message[SW_TEXT_MESSAGE];
  if (run->save_state == NULL) {
    return SW_EXIT_GOOD;
  }
  if (run->out != NULL && strcmp(run->out, run->save_state) == 0) {
    return sw_complain(call, SW_EXIT_USAGE, "--out and --save-state name the same file");
  }
  sw_status status = sw_values_try(run->save_state, message);
  return status == SW_OK ? SW_EXIT_GOOD
                         : sw_settings_refuse_file(call, "save-state", message, status);
}

/* Integrates; the summary and the saved state tell what was reached even where a step fails. */
static int integrate(const sw_invocation *call, const run_options *run, sw_sim *sim, recorder *to)
{
  const sw_settings *settings = &run->settings;
  int observed = to->trajectory != NULL || !run->quiet;
  int cause = 0;
  sw_progress_start(&to->progress, !run->quiet && isatty(STDERR_FILENO) ? stderr : NULL,
                    settings->steps);
  sw_status status = sw_sim_run(sim, settings->step, settings->steps, observed ? record : NULL, to);
  double seconds = sw_progress_finish(&to->progress);
  sw_status closed = sw_trajectory_close(&to->trajectory, &cause);
  if (!run->quiet && to->summary.states > 0) {
    sw_summary_print(&to->summary, sim, seconds,
                     run->out != NULL && strcmp(run->out, "-") == 0 ? stderr : stdout);
  }
  int code = closed != SW_OK   ? refuse_file(call, run->out, cause)
             : status != SW_OK ? sw_settings_refuse(call, sim, status)
                               : SW_EXIT_GOOD;
  int saved = save_state(call, run, sim);
  return code == SW_EXIT_GOOD ? saved : code;
}

static int run_with(const sw_invocation *call, const run_options *run)
{
  recorder to = {.options = run};
  sw_sim *sim = NULL;
  int code = sw_settings_simulate(call, &run->settings, &sim);
  if (code != SW_EXIT_GOOD) {
    return code;
  }
  code = try_start(call, &run->settings, sim);
  if (code == SW_EXIT_GOOD) {
    code = try_save_state(call, run);
  }
  if (code == SW_EXIT_GOOD && !sw_summary_init(run->settings.system, &to.summary)) {
    code = sw_complain(call, SW_EXIT_FAILED, "out of memory");
  }
  if (code == SW_EXIT_GOOD) {
    code = open_trajectory(call, run, sim, &to.trajectory);
  }
  if (code == SW_EXIT_GOOD) {
    code = integrate(call, run, sim, &to);
  }
  sw_summary_clear(&to.summary);
  sw_sim_free(&sim);
  return code;
}

int sw_command_run(const sw_invocation *call)
{
  const struct argp_child children[] = {{.argp = &sw_settings_argp}, {0}};
  const struct argp argp = {.options = options, .parser = parse, .doc = doc, .children = children};
  run_options run = {.out = NULL};
  run.every = call->model->run.every > 0 ? call->model->run.every : 1;
  if (!sw_settings_init(call->system, &run.settings)) {
    return sw_complain(call, SW_EXIT_FAILED, "out of memory");
  }
  int code = sw_parse_arguments(call, &argp, 0, &run, &run.settings.helped);
  if (code < 0) {
    code = sw_settings_finish(call, &run.settings);
  }
  if (code == SW_EXIT_GOOD && !run.settings.helped) {
    code = run_with(call, &run);
  }
  sw_settings_clear(&run.settings);
  return code;
}
