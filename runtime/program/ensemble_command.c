/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command `ensemble`.  Functions that return an exit code return SW_EXIT_GOOD, or complain and
 * return another code.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/place.h"
#include "common/vectors.h"
#include "io/rows_file.h"
#include "program/ensemble_job.h"
#include "program/interrupt.h"
#include "program/run_summary.h"
#include "program/start.h"

static const double default_levels[] = {0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0};

static const char doc[] =
    "Integrate many trajectories and write their statistics over time.\v"
    "The output is an HDF5 file with the mean, the variance and the quantiles of each column at "
    "each row, and with the status, the initial state and the final state of each trajectory. The "
    "file is the same, byte for byte, for any number of threads and of processes under mpirun. A "
    "failed trajectory does not affect the others.\n"
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
    "Exit codes: 3 if a trajectory fails; otherwise as for run.";

/* ---- options ---- */

static int ensemble_check_states(const sw_invocation *call, const sw_settings *settings)
{
  const int from_file = settings->init_from != NULL;
  if (from_file == (settings->sample != NULL)) {
    return sw_complain(call, SW_EXIT_USAGE,
                       from_file ? "--init-from and --sample exclude each other"
                                 : "no initial states: give --init-from FILE, or --sample and "
                                   "--seed");
  }
  if (settings->sample != NULL && settings->seed < 0) {
    return sw_complain(call, SW_EXIT_USAGE, "--sample needs --seed S, so that it can be repeated");
  }
  if (settings->sample == NULL && settings->seed >= 0 && !sw_settings_have_noise(settings)) {
    return sw_complain(call, SW_EXIT_USAGE, "--seed needs --sample, or noise as of --method baoab");
  }
  if (settings->sample != NULL && settings->count == 0) {
    return sw_complain(call, SW_EXIT_USAGE, "--sample needs --count N, the number of trajectories");
  }
  return SW_EXIT_GOOD;
}

static int ensemble_check_options(const sw_invocation *call, const sw_settings *settings)
{
  static const char *const endings[] = {".h5", ".hdf5"};
  if (settings->out == NULL || sw_text_ending(settings->out, endings, 2) < 0) {
    return sw_complain(call, SW_EXIT_USAGE, "--out needs a file whose name ends in .h5");
  }
  if ((settings->index > 0) != (settings->of > 0) || settings->index > settings->of) {
    return sw_complain(call, SW_EXIT_USAGE, "--index I and --of N go together, with I <= N");
  }
  if (settings->every_seconds >= 0.0 && settings->checkpoint == NULL) {
    return sw_complain(call, SW_EXIT_USAGE, "--every-seconds needs --checkpoint FILE");
  }
  return ensemble_check_states(call, settings);
}

static int ensemble_check_files(const sw_invocation *call, const sw_settings *settings)
{
  sw_files files = {NULL, 0};
  const int added = sw_settings_add_files(settings, &files) &&
                    sw_files_add(&files, "--init-from", settings->init_from, SW_FILE_READ) &&
                    sw_files_add(&files, "--set-from", settings->set_from, SW_FILE_READ) &&
                    sw_files_add(&files, "--resume", settings->resume, SW_FILE_READ) &&
                    sw_files_add(&files, "--out", settings->out, SW_FILE_WRITTEN) &&
                    sw_files_add(&files, "--checkpoint", settings->checkpoint, SW_FILE_WRITTEN);
  return sw_files_finish(call, &files, added);
}

/* ---- initial states ---- */

/* Rows of --init-from and --set-from; both are optional. */
typedef struct given {
  sw_rows states;
  sw_rows parameters;
} given;

static int ensemble_read_rows(const sw_invocation *call, const char *option, const char *path,
                              const sw_rows_wanted *wanted, sw_rows *rows)
{
  char message[SW_TEXT_MESSAGE];
  if (path == NULL) {
    return SW_EXIT_GOOD;
  }
  sw_status status = sw_rows_read(path, wanted, rows, message);
  return sw_file_exit_code(call, option, message, status);
}

/* Checks that the file has one row for each trajectory. */
static int check_count(const sw_invocation *call, const char *option, const char *path,
                       const sw_rows *rows, long count)
{
  return path == NULL || rows->count == (size_t)count
             ? SW_EXIT_GOOD
             : sw_complain(
                   call, SW_EXIT_USAGE,
                   "--%s: %.160s has %zu row%s for %ld trajectories; one row for each is needed",
                   option, path, rows->count, rows->count == 1 ? "" : "s", count);
}

static int read_given(const sw_invocation *call, sw_ensemble_job *job, given *from, long *count)
{
  const sw_settings *settings = job->settings;
  const sw_rows_wanted states = sw_rows_of_states(settings->system);
  const sw_rows_wanted parameters = sw_rows_of_parameters(settings->system);
  int code = ensemble_read_rows(call, "init-from", settings->init_from, &states, &from->states);
  if (code == SW_EXIT_GOOD) {
    code = ensemble_read_rows(call, "set-from", settings->set_from, &parameters, &from->parameters);
  }
  *count = settings->count > 0 ? settings->count : (long)from->states.count;
  if (code == SW_EXIT_GOOD) {
    code = check_count(call, "init-from", settings->init_from, &from->states, *count);
  }
  return code == SW_EXIT_GOOD
             ? check_count(call, "set-from", settings->set_from, &from->parameters, *count)
             : code;
}

static void share(sw_ensemble_job *job, long count)
{
  const sw_settings *settings = job->settings;
  const long of = settings->index > 0 ? settings->of : 1;
  const long index = settings->index > 0 ? settings->index - 1 : 0;
  job->part_first = sw_share_first(count, index, of);
  job->part = sw_share_first(count, index + 1, of) - job->part_first;
  job->first = sw_share_first(job->part, job->ranks.rank, job->ranks.size);
}

/* ---- the ensemble ---- */

static void ensemble_measure(sw_sim *sim, long step, int worker, double values[], void *user)
{
  const sw_ensemble_job *job = user;
  const double *row = sw_columns_values(job->columns[worker], sim, step);
  sw_copy(values, row, sw_columns_count(job->columns[worker]));
}

/* All columns of trajectories except the step and the time, as a list that the caller frees; NULL
 * if memory is short. */
static char *list_columns(const sw_columns *all)
{
  char *text = NULL;
  size_t size = 0;
  char name[SW_NAME_BYTES];
  FILE *file = open_memstream(&text, &size);
  for (size_t i = 2; file != NULL && i < sw_columns_count(all); i++) {
    fprintf(file, "%s%s", i > 2 ? "," : "", sw_columns_name(all, i, name));
  }
  return file == NULL ? NULL : sw_text_written(file, &text);
}

/* Creates the requested columns for the simulation's model. */
static sw_status make_columns(const sw_ensemble_job *job, const sw_sim *sim, sw_columns **columns,
                              char message[SW_TEXT_MESSAGE])
{
  const double h = job->settings->step;
  sw_columns *all = NULL;
  if (job->settings->columns != NULL) {
    const sw_status wanted = sw_columns_of(sim, h, job->settings->columns, columns, message);
    if (wanted == SW_OK && sw_columns_of_steps(*columns)) {
      snprintf(message, SW_TEXT_MESSAGE, SW_COLUMNS_NOT_OF_ENSEMBLES);
      sw_columns_free(columns);
      return SW_ERR_ARGUMENT;
    }
    return wanted;
  }
  sw_status status = sw_columns_of(sim, h, NULL, &all, message);
  char *list = status == SW_OK ? list_columns(all) : NULL;
  status = list == NULL ? SW_ERR_MEMORY : sw_columns_of(sim, h, list, columns, message);
  free(list);
  sw_columns_free(&all);
  return status;
}

static sw_status make_ensemble(sw_ensemble_job *job, char message[SW_TEXT_MESSAGE])
{
  const long rank = job->ranks.rank;
  sw_ensemble_options options;
  sw_ensemble_options_init(&options);
  job->columns = calloc((size_t)job->settings->threads, sizeof *job->columns);
  message[0] = '\0';
  if (job->columns == NULL) {
    return SW_ERR_MEMORY;
  }
  sw_status status = make_columns(job, job->like, &job->columns[0], message);
  if (status != SW_OK) {
    return status;
  }
  options.count = sw_share_first(job->part, rank + 1, job->ranks.size) - job->first;
  options.threads = (int)job->settings->threads;
  options.n_values = (long)sw_columns_count(job->columns[0]);
  options.measure = ensemble_measure;
  options.user = job;
  status = sw_ensemble_create(job->like, &options, &job->ensemble);
  for (int t = 1; status == SW_OK && t < options.threads; t++) {
    status = make_columns(job, job->ensemble->workers[t].sim, &job->columns[t], message);
  }
  return status;
}

/* ---- states ---- */

static int ensemble_set_parameters(const sw_invocation *call, sw_ensemble_job *job,
                                   const given *from, long i, double k[])
{
  const sw_system *system = job->settings->system;
  const size_t nk = (size_t)system->nk;
  const size_t row = (size_t)(job->part_first + job->first + i);
  sw_copy(k, job->settings->k, nk);
  if (from->parameters.count == 0) {
    return SW_EXIT_GOOD;
  }
  for (size_t p = 0; p < nk; p++) {
    if (from->parameters.given[p]) {
      const double value = from->parameters.values[row * nk + p];
      if (!sw_system_allows(system, (int)p, value)) {
        char name[SW_NAME_BYTES];
        char bounds[64];
        sw_bounds_text(sw_system_bounds(system, (int)p), bounds);
        return sw_complain(call, SW_EXIT_USAGE,
                           "--set-from: %.160s: row %zu: %.100s = %.17g is outside its bounds %s",
                           job->settings->set_from, row + 1,
                           sw_system_name(system, SW_K, (int)p, name), value, bounds);
      }
      k[p] = value;
    }
  }
  sw_status status = sw_ensemble_set_parameters(job->ensemble, i, k);
  return status == SW_OK ? SW_EXIT_GOOD
                         : sw_complain(call, sw_exit_code(status), "%s", sw_status_text(status));
}

/* Writes the state of trajectory i to z.  z0: the centre of random samples. */
static void find_state(const sw_ensemble_job *job, const given *from, long i, const double k[],
                       double z0[], double z[])
{
  const sw_settings *settings = job->settings;
  sw_system *system = settings->system;
  const size_t dim = 2 * (size_t)system->nq;
  const size_t number = (size_t)(job->part_first + job->first + i);
  if (settings->init_from != NULL) {
    sw_copy(z, from->states.values + number * dim, dim);
    return;
  }
  if (settings->init_file == NULL) {
    sw_system_init(system, settings->init, k, z0);
  }
  sw_sample_draw(job->settings->sample, (int)dim, (uint64_t)job->settings->seed, number, z0, z);
}

static int set_states(const sw_invocation *call, sw_ensemble_job *job, const given *from)
{
  const sw_settings *settings = job->settings;
  const size_t dim = 2 * (size_t)settings->system->nq;
  double *room = calloc(2 * dim + (size_t)settings->system->nk, sizeof *room);
  if (room == NULL) {
    return sw_out_of_memory(call);
  }
  double *z0 = room;
  double *z = room + dim;
  double *k = z + dim;
  int code = settings->init_from == NULL ? sw_start_state(call, settings, z0) : SW_EXIT_GOOD;
  for (long i = 0; code == SW_EXIT_GOOD && i < job->ensemble->count; i++) {
    code = ensemble_set_parameters(call, job, from, i, k);
    if (code == SW_EXIT_GOOD) {
      find_state(job, from, i, k, z0, z);
      const sw_status status = sw_ensemble_set_state(job->ensemble, i, 0.0, z);
      if (status != SW_OK) {
        code = sw_complain(call, SW_EXIT_USAGE, "the initial state of trajectory %ld is not finite",
                           job->part_first + job->first + i);
      }
    }
  }
  free(room);
  return code;
}

/* Projects samples always, regardless of the distance, and states of a file with --project. */
static int project_states(const sw_invocation *call, sw_ensemble_job *job)
{
  const sw_settings *settings = job->settings;
  const size_t dim = 2 * (size_t)settings->system->nq;
  sw_ensemble *e = job->ensemble;
  if ((settings->project || job->settings->sample != NULL) &&
      sw_ensemble_project(e, settings->project ? settings->most_moved : INFINITY) != SW_OK) {
    return sw_out_of_memory(call);
  }
  for (long i = 0; i < e->count; i++) {
    sw_copy(job->initial + (size_t)i * dim, sw_ensemble_state(e, i), dim);
  }
  return SW_EXIT_GOOD;
}

static int begin_with(const sw_invocation *call, sw_ensemble_job *job, const given *from)
{
  const sw_settings *settings = job->settings;
  char message[SW_TEXT_MESSAGE];
  int code = sw_start_create(call, settings, &job->like);
  if (code != SW_EXIT_GOOD) {
    return code;
  }
  if (sw_settings_have_noise(settings)) {
    (void)sw_sim_set_seed(job->like, sw_settings_seed(settings), job->part_first + job->first);
  }
  sw_status status = make_ensemble(job, message);
  if (status != SW_OK) {
    return sw_file_exit_code(call, "columns", message, status);
  }
  job->ensemble->words = sw_program_message;
  job->initial =
      calloc((size_t)job->ensemble->count, 2 * (size_t)settings->system->nq * sizeof(double));
  if (job->initial == NULL) {
    return sw_out_of_memory(call);
  }
  code = set_states(call, job, from);
  return code != SW_EXIT_GOOD || job->resumed ? code : project_states(call, job);
}

/* Creates the simulation, the ensemble and its initial states. */
static int ensemble_begin(const sw_invocation *call, sw_ensemble_job *job)
{
  given from = {.states = {.count = 0}};
  long count = 0;
  int code = read_given(call, job, &from, &count);
  if (code == SW_EXIT_GOOD) {
    share(job, count);
    job->count = count;
    if (job->part / job->ranks.size < 1) {
      code = sw_complain(
          call, SW_EXIT_USAGE,
          "%ld trajectories are too few for these parts and processes; use a larger --count",
          count);
    }
  }
  if (code == SW_EXIT_GOOD) {
    code = begin_with(call, job, &from);
  }
  sw_rows_clear(&from.states);
  sw_rows_clear(&from.parameters);
  return code;
}

/* ---- files ---- */

static int resume(const sw_invocation *call, sw_ensemble_job *job, sw_reached *at)
{
  char message[SW_TEXT_MESSAGE];
  sw_status status = sw_ensemble_resume(job, at, message);
  if (status != SW_OK) {
    return sw_file_exit_code(call, "resume", message, status);
  }
  if (at->step > job->settings->steps) {
    return sw_complain(call, SW_EXIT_USAGE,
                       "--resume: %.160s is a checkpoint after %ld steps, and the run has %ld",
                       job->settings->resume, at->step, job->settings->steps);
  }
  return SW_EXIT_GOOD;
}

/* Rank 0 opens the files; all ranks get its exit code. */
static int open_files(const sw_invocation *call, sw_ensemble_job *job, const sw_reached *at)
{
  const sw_settings *settings = job->settings;
  char message[SW_TEXT_MESSAGE] = "";
  int code = SW_EXIT_GOOD;
  const sw_trajectory_plan plan = {.path = settings->out};
  job->is_whole =
      job->resumed && at->step == settings->steps && sw_trajectory_is_whole(&plan, &at->mark);
  sw_ranks_share(&job->ranks, &job->is_whole, sizeof job->is_whole);
  if (job->ranks.rank == 0) {
    job->rows.columns = (size_t)job->ensemble->n_values;
    job->rows.levels = settings->n_levels;
    job->rows.stored = settings->stored || settings->index > 0 ? (size_t)job->part : 0;
    sw_status status =
        settings->checkpoint != NULL ? sw_kept_try(settings->checkpoint, message) : SW_OK;
    job->rows.count = at->mark.rows;
    if (status != SW_OK) {
      code = sw_file_exit_code(call, "checkpoint", message, status);
    } else if (!job->is_whole) {
      status = sw_rows_open(settings->out, job->resumed ? &at->mark : NULL, &job->rows, message);
      code = sw_file_exit_code(call, "out", message, status);
      if (code == SW_EXIT_GOOD && !job->resumed && !settings->quiet) {
        sw_name_left_over(call, settings->out);
      }
    }
  }
  return sw_ranks_largest(&job->ranks, code);
}

/* ---- the end ---- */

enum { MOST_NAMED = 5 /* failed trajectories named in the summary */ };

static const char *name_parameter(const void *context, size_t i, char buffer[SW_NAME_BYTES])
{
  return sw_system_name(context, SW_K, (int)i, buffer);
}

static char *ensemble_make_metadata(const sw_ensemble_job *job, sw_ending ending)
{
  const sw_settings *settings = job->settings;
  sw_origin origin = sw_settings_origin(settings);
  origin.init = sw_place_name(origin.init);
  origin.projected = origin.projected || settings->sample != NULL;
  const sw_many many = {.count = job->count,
                        .sample = settings->sample,
                        .seed = settings->seed,
                        .parameters =
                            settings->set_from != NULL ? sw_place_name(settings->set_from) : NULL,
                        .n_levels = settings->n_levels,
                        .levels = settings->levels,
                        .stored = settings->stored};
  size_t size = 0;
  return sw_metadata_of_ensemble(job->like, &origin, &many, job->columns[0], job->rows.count,
                                 job->ensemble->step, ending, &size);
}

/* Writes the file, at rank 0. */
static sw_status ensemble_write_file(sw_ensemble_job *job, const sw_ensemble_finals *finals,
                                     sw_ending ending)
{
  const sw_system *system = job->settings->system;
  const sw_entries entries = sw_entries_of_state(system);
  const long part[4] = {job->settings->index, job->settings->of, job->part_first, job->count};
  const int own = job->ensemble->k != NULL;
  sw_ensemble_about about = {.dim = entries.count,
                             .nk = own ? (size_t)system->nk : 0,
                             .levels = job->settings->levels,
                             .part = job->settings->index > 0 ? part : NULL};
  about.metadata = ensemble_make_metadata(job, ending);
  about.columns = sw_hdf5_column_texts(job->columns[0], &about.column_bytes);
  about.coordinates =
      sw_hdf5_texts(sw_name_entry, &entries, entries.count, &about.coordinate_bytes);
  if (own) {
    about.parameters = sw_hdf5_texts(name_parameter, system, about.nk, &about.parameter_bytes);
  }
  const int made = about.metadata != NULL && about.columns != NULL && about.coordinates != NULL &&
                   (!own || about.parameters != NULL);
  const sw_status status =
      made ? sw_ensemble_write(&job->rows, finals, &about, job->message) : SW_ERR_MEMORY;
  if (status == SW_ERR_IO) {
    sw_rows_name_unfinished(&job->rows, job->message);
  }
  sw_ensemble_about_clear(&about);
  return status;
}

/* Prints the first failed trajectories. */
static void print_failed(const sw_ensemble_job *job, const sw_ensemble_finals *finals, long failed)
{
  const char *message = finals->messages;
  long named = 0;
  for (long i = 0; i < finals->count && named < MOST_NAMED; i++) {
    const double *of = finals->numbers + (size_t)i * finals->width;
    if (of[0] != (double)SW_OK) {
      printf("%-14s %ld after %ld steps: %s: %s\n", named == 0 ? "failed" : "", job->part_first + i,
             (long)of[1] < 0 ? 0 : (long)of[1], sw_status_name((sw_status)of[0]), message);
      message += strlen(message) + 1;
      named++;
    }
  }
  if (failed > named) {
    printf("%-14s and %ld more\n", "", failed - named);
  }
}

static long print_summary(const sw_ensemble_job *job, const sw_ensemble_finals *finals,
                          const sw_stats *cost, double seconds)
{
  long failed = 0;
  for (long i = 0; i < finals->count; i++) {
    failed += finals->numbers[(size_t)i * finals->width] != (double)SW_OK;
  }
  if (!job->settings->quiet) {
    printf("trajectories   %ld, of which %ld failed; %ld rows of %zu columns\n", finals->count,
           failed, job->rows.count, job->rows.columns);
    print_failed(job, finals, failed);
    printf("steps          %ld, in %.3g s\n", cost->steps, seconds);
    sw_summary_print_stats(cost, stdout);
    sw_summary_print_bath(job->like, cost, stdout);
    sw_settings_print_hint(job->settings, cost, stdout);
  }
  return failed;
}

/* Prints the summary and writes the file, at rank 0. */
static int ensemble_conclude(const sw_invocation *call, sw_ensemble_job *job, sw_status status,
                             const sw_ensemble_finals *finals, const sw_stats *cost, double seconds)
{
  const sw_settings *settings = job->settings;
  const int goes_on = settings->checkpoint != NULL && status != SW_OK;
  const long failed = print_summary(job, finals, cost, seconds);
  const int printed = sw_output_flush(call);
  if (!job->is_whole && !goes_on && (status == SW_OK || status == SW_ERR_STOPPED)) {
    const sw_status written =
        ensemble_write_file(job, finals, status == SW_OK ? SW_COMPLETE : SW_INTERRUPTED);
    if (written != SW_OK) {
      return sw_file_exit_code(call, "out", job->message, written);
    }
  }
  if (status == SW_ERR_STOPPED) {
    return sw_complain(
        call, 128 + job->signal, "interrupted after %ld of %ld steps; %s%.200s%s",
        job->ensemble->step, settings->steps, goes_on ? "continue with --resume " : "",
        goes_on ? settings->checkpoint : settings->out, goes_on ? "" : " ends there");
  }
  if (status != SW_OK) {
    return sw_complain(call, SW_EXIT_FAILED, "%s",
                       job->message[0] != '\0' ? job->message : sw_status_text(status));
  }
  return failed == 0 ? printed
                     : sw_complain(call, SW_EXIT_FAILED, "%ld of %ld trajectories have failed",
                                   failed, finals->count);
}

/* ---- the whole command ---- */

static int ensemble_integrate(const sw_invocation *call, sw_ensemble_job *job)
{
  const int shown = !job->settings->quiet && job->ranks.rank == 0 && isatty(STDERR_FILENO);
  sw_interrupts kept;
  sw_ensemble_finals finals;
  sw_interrupts_catch(&kept);
  sw_progress_start(&job->progress, shown ? stderr : NULL, job->ensemble->step,
                    job->settings->steps);
  const sw_status status = job->is_whole ? SW_OK : sw_ensemble_integrate(job);
  const double seconds = job->earlier + sw_progress_finish(&job->progress);
  const sw_stats cost = sw_ensemble_cost(job);
  int code = SW_EXIT_GOOD;
  if (!sw_ensemble_collect(job, &finals)) {
    code = sw_out_of_memory(call);
  } else if (job->ranks.rank == 0) {
    code = ensemble_conclude(call, job, status, &finals, &cost, seconds);
  }
  sw_ensemble_finals_clear(&finals);
  sw_interrupts_release(&kept);
  return sw_ranks_largest(&job->ranks, code);
}

static int run_job(const sw_invocation *call, sw_ensemble_job *job)
{
  sw_reached at = {.step = 0};
  job->identity = sw_ensemble_identity(job->settings);
  job->resumed = job->settings->resume != NULL;
  int code = job->identity == NULL ? sw_out_of_memory(call) : ensemble_begin(call, job);
  if (code == SW_EXIT_GOOD && job->resumed) {
    code = resume(call, job, &at);
  }
  code = sw_ranks_largest(&job->ranks, code);
  if (code == SW_EXIT_GOOD) {
    code = open_files(call, job, &at);
  }
  if (code == SW_EXIT_GOOD) {
    code = ensemble_integrate(call, job);
  }
  sw_target_clear(&job->rows.target);
  for (long t = 0; job->columns != NULL && t < job->settings->threads; t++) {
    sw_columns_free(&job->columns[t]);
  }
  sw_ensemble_free(&job->ensemble);
  sw_sim_free(&job->like);
  free(job->columns);
  free(job->initial);
  free(job->identity);
  return code;
}

static int ensemble_with(const sw_invocation *call, sw_settings *settings)
{
  if (settings->n_levels == 0) {
    settings->n_levels = sizeof default_levels / sizeof default_levels[0];
    memcpy(settings->levels, default_levels, sizeof default_levels);
  }
  sw_ensemble_job job = {.settings = settings};
  char message[SW_TEXT_MESSAGE];
  int code = ensemble_check_options(call, settings);
  if (code == SW_EXIT_GOOD) {
    code = ensemble_check_files(call, settings);
  }
  if (code == SW_EXIT_GOOD) {
    const sw_status status = sw_ranks_open(&job.ranks, message);
    code = status == SW_OK ? run_job(call, &job) : sw_complain(call, SW_EXIT_FAILED, "%s", message);
    sw_ranks_close(&job.ranks);
  }
  return code;
}

const sw_command sw_command_ensemble = {
    .command = SW_FOR_ENSEMBLE, .name = "ensemble", .doc = doc, .run = ensemble_with};
