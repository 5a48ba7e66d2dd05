/* SPDX-License-Identifier: BSD-3-Clause */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "methods/methods.h"
#include "program/interrupt.h"
#include "program/option_values.h"
#include "program/run_command.h"

#define AT(member) offsetof(sw_run_options, member)

static const sw_option options[] = {
    {"steps", "N", "Number of steps, instead of --t-end", SW_VALUE_INTEGER,
     .at = AT(settings.steps), .lowest = 1},
    {"every", "K", "Write the start, each K-th step and the last one", SW_VALUE_INTEGER,
     .at = AT(every), .lowest = 1},
    {"out", "FILE",
     "Write the trajectory, as .npy, .h5, .xyz, .extxyz or .trr where the name ends so, else as "
     "CSV; '-' is standard output. Without it none is written",
     SW_VALUE_TEXT, .at = AT(out)},
    {"columns", "NAMES",
     "The columns of the trajectory, such as t,q,energy: an array's name stands for all of "
     "its entries (all columns)",
     SW_VALUE_TEXT, .at = AT(columns)},
    {"project-output", NULL,
     "Write rows that are projected along their fibres onto M^H; the run goes on from the states "
     "themselves. For methods that leave M^H, such as shake",
     SW_VALUE_FLAG, .at = AT(project_output)},
    {"save-state", "FILE",
     "Write the final state as .npy or .csv; after a failed step the last good one", SW_VALUE_TEXT,
     .at = AT(save_state)},
    {"checkpoint", "FILE", "Write what is needed to go on with the run to FILE, again and again",
     SW_VALUE_TEXT, .at = AT(checkpoint)},
    {"every-seconds", "S", "How often: S seconds after the last time (60)", SW_VALUE_SECONDS,
     .at = AT(every_seconds)},
    {"resume", "FILE",
     "Go on with the run that FILE is a checkpoint of; all else is to be given as it was, but for "
     "--threads",
     SW_VALUE_TEXT, .at = AT(resume)},
    {"threads", "T",
     "Threads that share the loops of each step (1); for systems with thousands of constraints. "
     "The results are the same, bit for bit",
     SW_VALUE_SMALL, .at = AT(settings.options.threads), .lowest = 1, .highest = SW_THREADS_MOST},
    {"model-file", "FILE", NULL, SW_VALUE_TEXT, .at = AT(model_file), .flags = OPTION_HIDDEN},
    {"json", NULL, "The summary as a JSON object", SW_VALUE_FLAG, .at = AT(json)},
    {"quiet", NULL, "No progress, no summary", SW_VALUE_FLAG, .at = AT(quiet)},
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
    "standard output.  SIGINT, SIGTERM and SIGHUP end a run behind the step that is under way.";

/* Rejects incompatible options. */
static int run_command_check_options(const sw_invocation *call, const sw_run_options *run)
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

/* Takes one step and restores the state.  So a start off the constraint manifold is rejected
 * before a file is written.  Other errors are left to the run, which keeps the rows before
 * them. */
static int try_start(const sw_invocation *call, const sw_settings *settings, sw_sim *sim)
{
  double *start = calloc(sw_sim_saved_count(sim), sizeof *start);
  int code = SW_EXIT_GOOD;
  if (start == NULL) {
    return sw_out_of_memory(call);
  }
  sw_sim_save(sim, start);
  sw_status status = sw_sim_step(sim, settings->step);
  if (status != SW_OK && sw_exit_code(status) == SW_EXIT_USAGE) {
    code = settings->project ? SW_EXIT_FAILED : sw_exit_code(status);
    sw_program_refuse(call, sim, status);
  } else {
    status = sw_sim_restore(sim, start);
    if (status != SW_OK) {
      code = sw_program_refuse(call, sim, status);
    }
  }
  free(start);
  return code;
}

/* Integrates from the record's current state and finishes the files.  If a step fails, the
 * summary and the saved state describe the last good state. */
static int run_command_integrate(const sw_invocation *call, const sw_run_options *run,
                                 sw_record *record)
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

/* Creates the simulation and the identity of the run. */
static int start(const sw_invocation *call, sw_run_options *run, sw_record *record, char **identity)
{
  const sw_settings *settings = &run->settings;
  int code = SW_EXIT_GOOD;
  *identity = sw_run_identity(run);
  if (*identity == NULL || !sw_summary_init(settings->system, &record->summary)) {
    return sw_out_of_memory(call);
  }
  record->run = *identity;
  if (run->resume != NULL) {
    code = sw_start_create(call, settings, &record->sim);
    return code == SW_EXIT_GOOD ? sw_run_resume(call, run, record) : code;
  }
  code = sw_start(call, settings, &record->sim, &run->moved);
  return code == SW_EXIT_GOOD ? try_start(call, settings, record->sim) : code;
}

/* Creates the simulation whose state the rows show, if --project-output is given. */
static int make_shown(const sw_invocation *call, const sw_run_options *run, sw_record *record)
{
  if (!run->project_output) {
    return SW_EXIT_GOOD;
  }
  record->point = calloc(2 * (size_t)run->settings.system->nq, sizeof *record->point);
  return record->point != NULL && sw_sim_create_like(record->sim, &record->shown) == SW_OK
             ? SW_EXIT_GOOD
             : sw_out_of_memory(call);
}

static int run_with(const sw_invocation *call, void *options_given)
{
  sw_run_options *run = options_given;
  sw_record record = {.h = run->settings.step,
                      .steps = run->settings.steps,
                      .every = run->every,
                      /* A quiet run with a checkpoint may be continued without --quiet. */
                      .observed = !run->quiet || run->checkpoint != NULL,
                      .checkpoint = run->checkpoint,
                      .every_seconds = run->every_seconds < 0.0 ? 60.0 : run->every_seconds};
  char *identity = NULL;
  int code = run_command_check_options(call, run);
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
    code = run_command_integrate(call, run, &record);
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
  return sw_settings_command(call, options, doc, &run, run_with);
}
