/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program/ensemble.h"
#include "program/interrupt.h"
#include "program/option_values.h"

static const double default_levels[] = {0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0};

static const char doc[] =
    "Integrate many trajectories, and write their statistics over time.\v"
    "Mean, variance and quantiles of the columns at each row, and of each trajectory its status, "
    "initial and final state go to an HDF5 file, which is the same, byte for byte, for any number "
    "of threads and of processes under mpirun. A trajectory that fails disturbs no other.\n"
    "\n"
    "Examples:\n"
    "  ensemble --count 1000 --sample 'q ~ normal(0, 0.01)' --seed 1 --step 0.01 --steps 1000 "
    "--threads 8 --out all.h5\n"
    "  ensemble --init-from starts.csv --set-from masses.csv --columns energy --out all.h5\n"
    "  mpirun -n 4 PROGRAM ensemble --count 1000 --sample 'p ~ normal(0, 1)' --seed 1 --out "
    "all.h5\n"
    "  ensemble --count 1000 --sample 'p ~ normal(0, 1)' --seed 1 --index 2 --of 10 --out 2.h5\n"
    "\n"
    "docs/ensembles.md describes the file.\n"
    "\n"
    "Exit codes: 3 where a trajectory has failed; else as for run.";

/* ---- options ---- */

static error_t read_sample(struct argp_state *state, const char *arg, void *into)
{
  sw_ensemble_request *request = into;
  const sw_system *system = request->settings.system;
  char message[SW_TEXT_MESSAGE];
  if (request->sample == NULL) {
    request->sample = calloc(2 * (size_t)system->nq + 1, sizeof *request->sample);
  }
  const sw_status status = request->sample == NULL
                               ? SW_ERR_MEMORY
                               : sw_sample_read(system, arg, request->sample, message);
  if (status == SW_ERR_ARGUMENT) {
    argp_error(state, "--sample: %s", message);
    return EINVAL;
  }
  return status == SW_OK ? 0 : ENOMEM;
}

static error_t read_quantiles(struct argp_state *state, const char *arg, void *into)
{
  sw_ensemble_request *request = into;
  char *list = strdup(arg);
  char *rest = list;
  if (list == NULL) {
    return ENOMEM;
  }
  request->n_levels = 0;
  while (rest != NULL) {
    const char *level = strsep(&rest, ",");
    double *to = &request->levels[request->n_levels];
    if (request->n_levels == SW_LEVELS_MOST || !sw_text_real(level, to) || *to < 0.0 || *to > 1.0) {
      argp_error(state, "--quantiles: '%.60s' is not one of at most %d numbers from 0 to 1", level,
                 SW_LEVELS_MOST);
      free(list);
      return EINVAL;
    }
    request->n_levels++;
  }
  free(list);
  return 0;
}

#define AT(member) offsetof(sw_ensemble_request, member)

static const sw_option options[] = {
    {"count", "N", "Number of trajectories (as many as --init-from has)", SW_VALUE_INTEGER,
     .at = AT(count), .lowest = 1, .highest = INT_MAX},
    {"init-from", "FILE",
     "Initial states, a row for each trajectory: .csv with the names of columns, .npy, or .h5",
     SW_VALUE_TEXT, .at = AT(settings.init_from)},
    {"sample", "LIST",
     "Initial states drawn around --init, such as 'q[x] ~ normal(0, 0.1), p ~ uniform(-1, 1)', and "
     "projected; repeatable",
     SW_VALUE_READ, .read = read_sample},
    {"seed", "S", "Of the random numbers of --sample", SW_VALUE_INTEGER, .at = AT(seed)},
    {"set-from", "FILE",
     "Parameters, a row for each trajectory; columns of .csv may be some parameters only",
     SW_VALUE_TEXT, .at = AT(set_from)},
    {"steps", "K", "Number of steps, instead of --t-end", SW_VALUE_INTEGER,
     .at = AT(settings.steps), .lowest = 1},
    {"every", "E", "Rows for the start, each E-th step and the last one", SW_VALUE_INTEGER,
     .at = AT(every), .lowest = 1},
    {"columns", "NAMES", "What statistics are of: columns of trajectories (all but step and t)",
     SW_VALUE_TEXT, .at = AT(columns)},
    {"quantiles", "LEVELS", "From 0 to 1 (0,0.05,0.25,0.5,0.75,0.95,1)", SW_VALUE_READ,
     .read = read_quantiles},
    {"trajectories", NULL, "Store the columns of every trajectory, too", SW_VALUE_FLAG,
     .at = AT(stored)},
    {"threads", "T", "Threads of this process (1)", SW_VALUE_INTEGER, .at = AT(threads),
     .lowest = 1, .highest = SW_THREADS_MOST},
    {"index", "I", "Compute part I, from 1, of --of N alone, for 'merge'", SW_VALUE_INTEGER,
     .at = AT(index), .lowest = 1, .highest = INT_MAX},
    {"of", "N", "Into how many parts the trajectories are divided", SW_VALUE_INTEGER, .at = AT(of),
     .lowest = 1, .highest = INT_MAX},
    {"out", "FILE.h5", "Where all of it goes", SW_VALUE_TEXT, .at = AT(out)},
    {"checkpoint", "FILE", "Write what is needed to go on to FILE, again and again", SW_VALUE_TEXT,
     .at = AT(checkpoint)},
    {"every-seconds", "S", "How often: S seconds after the last time (60)", SW_VALUE_SECONDS,
     .at = AT(every_seconds)},
    {"resume", "FILE",
     "Go on with the ensemble that FILE is a checkpoint of; all else is to be given as it was, but "
     "for --threads",
     SW_VALUE_TEXT, .at = AT(resume)},
    {"model-file", "FILE", NULL, SW_VALUE_TEXT, .at = AT(model_file), .flags = OPTION_HIDDEN},
    {"quiet", NULL, "No progress, no summary", SW_VALUE_FLAG, .at = AT(quiet)},
    {0}};

static int ensemble_command_check_states(const sw_invocation *call,
                                         const sw_ensemble_request *request)
{
  const int from_file = request->settings.init_from != NULL;
  if (from_file == (request->sample != NULL)) {
    return sw_complain(call, SW_EXIT_USAGE,
                       from_file ? "--init-from and --sample exclude each other"
                                 : "no initial states: give --init-from FILE, or --sample and "
                                   "--seed");
  }
  if (request->sample != NULL && request->seed < 0) {
    return sw_complain(call, SW_EXIT_USAGE, "--sample needs --seed S, so that it can be repeated");
  }
  if (request->sample == NULL && request->seed >= 0) {
    return sw_complain(call, SW_EXIT_USAGE, "--seed: of what? give --sample");
  }
  if (request->sample != NULL && request->count == 0) {
    return sw_complain(call, SW_EXIT_USAGE, "--sample needs --count N, the number of trajectories");
  }
  return SW_EXIT_GOOD;
}

static int ensemble_command_check_options(const sw_invocation *call,
                                          const sw_ensemble_request *request)
{
  static const char *const endings[] = {".h5", ".hdf5"};
  if (request->out == NULL || sw_text_ending(request->out, endings, 2) < 0) {
    return sw_complain(call, SW_EXIT_USAGE, "--out: give a file whose name ends in .h5");
  }
  if ((request->index > 0) != (request->of > 0) || request->index > request->of) {
    return sw_complain(call, SW_EXIT_USAGE, "--index I and --of N go together, with I <= N");
  }
  if (request->every_seconds >= 0.0 && request->checkpoint == NULL) {
    return sw_complain(call, SW_EXIT_USAGE, "--every-seconds: of what? give --checkpoint FILE");
  }
  return ensemble_command_check_states(call, request);
}

static int ensemble_command_check_files(const sw_invocation *call,
                                        const sw_ensemble_request *request)
{
  sw_files files = {NULL, 0};
  const int added =
      sw_settings_add_files(&request->settings, request->model_file, &files) &&
      sw_files_add(&files, "--init-from", request->settings.init_from, SW_FILE_READ) &&
      sw_files_add(&files, "--set-from", request->set_from, SW_FILE_READ) &&
      sw_files_add(&files, "--resume", request->resume, SW_FILE_READ) &&
      sw_files_add(&files, "--out", request->out, SW_FILE_WRITTEN) &&
      sw_files_add(&files, "--checkpoint", request->checkpoint, SW_FILE_WRITTEN);
  return sw_files_finish(call, &files, added);
}

/* ---- before the first step ---- */

static int resume(const sw_invocation *call, sw_ensemble_job *job, sw_reached *at)
{
  char message[SW_TEXT_MESSAGE];
  sw_status status = sw_ensemble_resume(job, at, message);
  if (status != SW_OK) {
    return sw_file_exit_code(call, "resume", message, status);
  }
  if (at->step > job->request->settings.steps) {
    return sw_complain(call, SW_EXIT_USAGE,
                       "--resume: %.160s is a checkpoint after %ld steps, and the run has %ld",
                       job->request->resume, at->step, job->request->settings.steps);
  }
  return SW_EXIT_GOOD;
}

/* Rank 0 opens the files; all ranks get its exit code. */
static int open_files(const sw_invocation *call, sw_ensemble_job *job, const sw_reached *at)
{
  const sw_ensemble_request *request = job->request;
  char message[SW_TEXT_MESSAGE] = "";
  int code = SW_EXIT_GOOD;
  const sw_trajectory_plan plan = {.path = request->out};
  job->is_whole = job->resumed && at->step == request->settings.steps &&
                  sw_trajectory_is_whole(&plan, &at->mark);
  sw_ranks_share(&job->ranks, &job->is_whole, sizeof job->is_whole);
  if (job->ranks.rank == 0) {
    job->rows.columns = (size_t)job->ensemble->n_values;
    job->rows.levels = request->n_levels;
    job->rows.stored = request->stored || request->index > 0 ? (size_t)job->part : 0;
    sw_status status =
        request->checkpoint != NULL ? sw_kept_try(request->checkpoint, message) : SW_OK;
    job->rows.count = at->mark.rows;
    if (status != SW_OK) {
      code = sw_file_exit_code(call, "checkpoint", message, status);
    } else if (!job->is_whole) {
      status = sw_rows_open(request->out, job->resumed ? &at->mark : NULL, &job->rows, message);
      code = sw_file_exit_code(call, "out", message, status);
      if (code == SW_EXIT_GOOD && !job->resumed && !request->quiet) {
        sw_name_left_over(call, request->out);
      }
    }
  }
  return sw_ranks_largest(&job->ranks, code);
}

/* ---- the whole command ---- */

static int ensemble_command_integrate(const sw_invocation *call, sw_ensemble_job *job)
{
  const int shown = !job->request->quiet && job->ranks.rank == 0 && isatty(STDERR_FILENO);
  sw_interrupts kept;
  sw_ensemble_finals finals;
  sw_interrupts_catch(&kept);
  sw_progress_start(&job->progress, shown ? stderr : NULL, job->ensemble->step,
                    job->request->settings.steps);
  const sw_status status = job->is_whole ? SW_OK : sw_ensemble_integrate(job);
  const double seconds = job->earlier + sw_progress_finish(&job->progress);
  const sw_stats cost = sw_ensemble_cost(job);
  int code = SW_EXIT_GOOD;
  if (!sw_ensemble_collect(job, &finals)) {
    code = sw_out_of_memory(call);
  } else if (job->ranks.rank == 0) {
    code = sw_ensemble_conclude(call, job, status, &finals, &cost, seconds);
  }
  sw_ensemble_finals_clear(&finals);
  sw_interrupts_release(&kept);
  return sw_ranks_largest(&job->ranks, code);
}

static int run_job(const sw_invocation *call, sw_ensemble_job *job)
{
  sw_reached at = {.step = 0};
  job->identity = sw_ensemble_identity(job->request);
  job->resumed = job->request->resume != NULL;
  int code = job->identity == NULL ? sw_out_of_memory(call) : sw_ensemble_begin(call, job);
  if (code == SW_EXIT_GOOD && job->resumed) {
    code = resume(call, job, &at);
  }
  code = sw_ranks_largest(&job->ranks, code);
  if (code == SW_EXIT_GOOD) {
    code = open_files(call, job, &at);
  }
  if (code == SW_EXIT_GOOD) {
    code = ensemble_command_integrate(call, job);
  }
  sw_target_clear(&job->rows.target);
  for (long t = 0; job->columns != NULL && t < job->request->threads; t++) {
    sw_columns_free(&job->columns[t]);
  }
  sw_ensemble_free(&job->ensemble);
  sw_sim_free(&job->like);
  free(job->columns);
  free(job->initial);
  free(job->identity);
  return code;
}

static int ensemble_with(const sw_invocation *call, void *options_given)
{
  const sw_ensemble_request *request = options_given;
  sw_ensemble_job job = {.request = request};
  char message[SW_TEXT_MESSAGE];
  int code = ensemble_command_check_options(call, request);
  if (code == SW_EXIT_GOOD) {
    code = ensemble_command_check_files(call, request);
  }
  if (code == SW_EXIT_GOOD) {
    const sw_status status = sw_ranks_open(&job.ranks, message);
    code = status == SW_OK ? run_job(call, &job) : sw_complain(call, SW_EXIT_FAILED, "%s", message);
    sw_ranks_close(&job.ranks);
  }
  return code;
}

int sw_command_ensemble(const sw_invocation *call)
{
  sw_ensemble_request request = {.seed = -1, .threads = 1, .every_seconds = -1.0};
  request.every = call->model->run.every > 0 ? call->model->run.every : 1;
  request.n_levels = sizeof default_levels / sizeof default_levels[0];
  memcpy(request.levels, default_levels, sizeof default_levels);
  const int code = sw_settings_command(call, options, doc, &request, ensemble_with);
  free(request.sample);
  return code;
}
