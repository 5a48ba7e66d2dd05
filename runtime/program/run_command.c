/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "methods/methods.h"
#include "program/interrupt.h"
#include "program/option_values.h"
#include "program/run_command.h"

enum {
  KEY_STEPS = 0x300,
  KEY_EVERY,
  KEY_OUT,
  KEY_COLUMNS,
  KEY_SAVE_STATE,
  KEY_CHECKPOINT,
  KEY_EVERY_SECONDS,
  KEY_RESUME,
  KEY_THREADS,
  KEY_MODEL_FILE,
  KEY_PROJECT_OUTPUT,
  KEY_JSON,
  KEY_QUIET
};

static const struct argp_option options[] = {
    {"steps", KEY_STEPS, "N", 0, "Number of steps, instead of --t-end", 0},
    {"every", KEY_EVERY, "K", 0, "Write the start, each K-th step and the last one", 0},
    {"out", KEY_OUT, "FILE", 0,
     "Write the trajectory, as .npy, .h5, .xyz or .trr where the name ends so, else as CSV; '-' is "
     "standard output. Without it none is written",
     0},
    {"columns", KEY_COLUMNS, "NAMES", 0,
     "The columns of the trajectory, such as t,q,energy: an array's name stands for all of "
     "its entries (all columns)",
     0},
    {"project-output", KEY_PROJECT_OUTPUT, NULL, 0,
     "Write rows that are projected along their fibres onto M^H; the run goes on from the states "
     "themselves. For methods that leave M^H, such as shake",
     0},
    {"save-state", KEY_SAVE_STATE, "FILE", 0,
     "Write the final state as .npy or .csv; after a failed step the last good one", 0},
    {"checkpoint", KEY_CHECKPOINT, "FILE", 0,
     "Write what is needed to go on with the run to FILE, again and again", 0},
    {"every-seconds", KEY_EVERY_SECONDS, "S", 0, "How often: S seconds after the last time (60)",
     0},
    {"resume", KEY_RESUME, "FILE", 0,
     "Go on with the run that FILE is a checkpoint of; all else is to be given as it was, but for "
     "--threads",
     0},
    {"threads", KEY_THREADS, "T", 0,
     "Threads that share the loops of each step (1); for systems with thousands of constraints. "
     "The results are the same, bit for bit",
     0},
    {"model-file", KEY_MODEL_FILE, "FILE", OPTION_HIDDEN, NULL, 0},
    {"json", KEY_JSON, NULL, 0, "The summary as a JSON object", 0},
    {"quiet", KEY_QUIET, NULL, 0, "No progress, no summary", 0},
    {0}};

static const char doc[] =
    "Integrate, write a trajectory, print a summary.\v"
    "What is not given is taken from the model's run line; see 'info'.\n"
    "\n"
    "Examples:\n"
    "  run --step 0.01 --t-end 10 --out traj.csv\n"
    "  run --method shake --base midpoint --step 0.1 --steps 500 --columns t,energy --out -\n"
    "  run --set gravity=1.62 --set m=0.5 --step 0.01 --steps 100 --project\n"
    "  run --set m=@masses.npy --init-file start.csv --save-state end.csv\n"
    "  run --steps 100000000 --every 1000 --out long.npy --checkpoint long.ckpt\n"
    "  run --steps 100000000 --every 1000 --out long.npy --checkpoint long.ckpt --resume "
    "long.ckpt\n"
    "\n"
    "docs/output.md describes the files.\n"
    "\n"
    "The summary goes to standard output, or to standard error where the trajectory goes to "
    "standard output.  SIGINT and SIGTERM end a run behind the step that is under way.";

/* Options that are names of files or of columns. */
static int take_name(sw_run_options *run, int key, const char *arg)
{
  const char **member = key == KEY_OUT          ? &run->out
                        : key == KEY_COLUMNS    ? &run->columns
                        : key == KEY_SAVE_STATE ? &run->save_state
                        : key == KEY_CHECKPOINT ? &run->checkpoint
                        : key == KEY_RESUME     ? &run->resume
                        : key == KEY_MODEL_FILE ? &run->model_file
                                                : NULL;
  if (member != NULL) {
    *member = arg;
  }
  return member != NULL;
}

static error_t read_threads(struct argp_state *state, const char *arg, sw_options *options_of)
{
  long threads = 1;
  const error_t error = sw_option_integer(state, "threads", arg, 1, SW_THREADS_MOST, &threads);
  options_of->threads = (int)threads;
  return error;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  sw_run_options *run = state->input;
  if (take_name(run, key, arg)) {
    return 0;
  }
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &run->settings;
    return 0;
  case KEY_STEPS:
    return sw_option_integer(state, "steps", arg, 1, LONG_MAX, &run->settings.steps);
  case KEY_EVERY:
    return sw_option_integer(state, "every", arg, 1, LONG_MAX, &run->every);
  case KEY_EVERY_SECONDS:
    return sw_option_seconds(state, "every-seconds", arg, &run->every_seconds);
  case KEY_THREADS:
    return read_threads(state, arg, &run->settings.options);
  case KEY_PROJECT_OUTPUT:
    run->project_output = 1;
    return 0;
  case KEY_JSON:
    run->json = 1;
    return 0;
  case KEY_QUIET:
    run->quiet = 1;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* Refuses options that do not go together. */
static int check_options(const sw_invocation *call, const sw_run_options *run)
{
  if (run->columns != NULL && run->out == NULL) {
    return sw_complain(call, SW_EXIT_USAGE, "--columns: of which file? give --out FILE");
  }
  if (run->project_output && run->out == NULL) {
    return sw_complain(call, SW_EXIT_USAGE, "--project-output: of which file? give --out FILE");
  }
  if (run->project_output && sw_method_find(run->settings.options.method)->on_hidden) {
    return sw_complain(call, SW_EXIT_USAGE,
                       "--project-output: %s stays on M^H, so that there is nothing to project",
                       run->settings.options.method);
  }
  if (run->every_seconds >= 0.0 && run->checkpoint == NULL) {
    return sw_complain(call, SW_EXIT_USAGE, "--every-seconds: of what? give --checkpoint FILE");
  }
  if (run->json && run->quiet) {
    return sw_complain(call, SW_EXIT_USAGE, "--json and --quiet exclude each other");
  }
  if ((run->checkpoint != NULL || run->resume != NULL) && run->out != NULL &&
      strcmp(run->out, "-") == 0) {
    return sw_complain(call, SW_EXIT_USAGE,
                       "--%s: what has gone to standard output cannot be continued; give "
                       "--out a file",
                       run->checkpoint != NULL ? "checkpoint" : "resume");
  }
  return SW_EXIT_GOOD;
}

/* Takes one step and goes back, so that a start off the constraint manifold is refused before a file is written.
 * Other failures are left to the run, which keeps the rows before them. */
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
    sw_program_refuse(call, sim, status);
  } else {
    status = sw_sim_set_state(sim, 0.0, start);
    if (status != SW_OK) {
      code = sw_program_refuse(call, sim, status);
    }
  }
  free(start);
  return code;
}

/* Integrates from where the record stands, and sees to the files; the summary and the saved state tell what was
 * reached even where a step fails. */
static int integrate(const sw_invocation *call, const sw_run_options *run, sw_record *record)
{
  sw_interrupts kept;
  const int shown = !run->quiet && isatty(STDERR_FILENO);
  sw_interrupts_catch(&kept);
  sw_progress_start(&record->progress, shown ? stderr : NULL, record->step, record->steps);
  sw_status status = sw_record_run(record);
  double seconds = sw_progress_finish(&record->progress);
  int code = sw_run_finish(call, run, record, status, seconds);
  sw_interrupts_release(&kept);
  return code;
}

/* Makes the simulation, and the text that says which run it is. */
static int start(const sw_invocation *call, sw_run_options *run, sw_record *record, char **identity)
{
  const sw_settings *settings = &run->settings;
  int code = SW_EXIT_GOOD;
  *identity = sw_run_identity(run);
  if (*identity == NULL || !sw_summary_init(settings->system, &record->summary)) {
    return sw_complain(call, SW_EXIT_FAILED, "out of memory");
  }
  record->run = *identity;
  if (run->resume != NULL) {
    code = sw_start_create(call, settings, &record->sim);
    return code == SW_EXIT_GOOD ? sw_run_resume(call, run, record) : code;
  }
  code = sw_start(call, settings, &record->sim, &run->moved);
  return code == SW_EXIT_GOOD ? try_start(call, settings, record->sim) : code;
}

/* What the rows show, where that is not the state itself. */
static int make_shown(const sw_invocation *call, const sw_run_options *run, sw_record *record)
{
  if (!run->project_output) {
    return SW_EXIT_GOOD;
  }
  record->point = calloc(2 * (size_t)run->settings.system->nq, sizeof *record->point);
  return record->point != NULL && sw_sim_create_like(record->sim, &record->shown) == SW_OK
             ? SW_EXIT_GOOD
             : sw_complain(call, SW_EXIT_FAILED, "out of memory");
}

static int run_with(const sw_invocation *call, void *options_given)
{
  sw_run_options *run = options_given;
  sw_record record = {.h = run->settings.step,
                      .steps = run->settings.steps,
                      .every = run->every,
                      /* A run may be quiet now, and not when it is continued. */
                      .observed = !run->quiet || run->checkpoint != NULL,
                      .checkpoint = run->checkpoint,
                      .every_seconds = run->every_seconds < 0.0 ? 60.0 : run->every_seconds};
  char *identity = NULL;
  int code = check_options(call, run);
  if (code == SW_EXIT_GOOD) {
    code = sw_run_check_files(call, run);
  }
  if (code == SW_EXIT_GOOD) {
    code = start(call, run, &record, &identity);
  }
  if (code == SW_EXIT_GOOD) {
    code = make_shown(call, run, &record);
  }
  if (code == SW_EXIT_GOOD) {
    code = sw_run_open(call, run, &record);
  }
  if (code == SW_EXIT_GOOD) {
    if (!run->quiet && !run->json) {
      sw_settings_print_base(&run->settings, sw_run_output(run));
      sw_moved_print(&run->settings, &run->moved, sw_run_output(run));
    }
    code = integrate(call, run, &record);
  }
  sw_trajectory_leave(&record.trajectory);
  sw_summary_clear(&record.summary);
  sw_sim_free(&record.shown);
  sw_sim_free(&record.sim);
  free(record.point);
  free(identity);
  return code;
}

int sw_command_run(const sw_invocation *call)
{
  sw_run_options run = {.every_seconds = -1.0};
  run.every = call->model->run.every > 0 ? call->model->run.every : 1;
  return sw_settings_command(call, options, parse, doc, &run, run_with);
}
