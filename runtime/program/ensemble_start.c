/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/vectors.h"
#include "io/rows_file.h"
#include "program/ensemble.h"
#include "program/start.h"

/* Rows of --init-from and --set-from; both are optional. */
typedef struct given {
  sw_rows states;
  sw_rows parameters;
} given;

static int ensemble_start_read_rows(const sw_invocation *call, const char *option, const char *path,
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
             : sw_complain(call, SW_EXIT_USAGE,
                           "--%s: %.160s has %zu row%s, and there are %ld trajectories; one is "
                           "wanted for each",
                           option, path, rows->count, rows->count == 1 ? "" : "s", count);
}

static int read_given(const sw_invocation *call, sw_ensemble_job *job, given *from, long *count)
{
  const sw_ensemble_request *request = job->request;
  const sw_settings *settings = &request->settings;
  const sw_rows_wanted states = sw_rows_of_states(settings->system);
  const sw_rows_wanted parameters = sw_rows_of_parameters(settings->system);
  int code =
      ensemble_start_read_rows(call, "init-from", settings->init_from, &states, &from->states);
  if (code == SW_EXIT_GOOD) {
    code = ensemble_start_read_rows(call, "set-from", request->set_from, &parameters,
                                    &from->parameters);
  }
  *count = request->count > 0 ? request->count : (long)from->states.count;
  if (code == SW_EXIT_GOOD) {
    code = check_count(call, "init-from", settings->init_from, &from->states, *count);
  }
  return code == SW_EXIT_GOOD
             ? check_count(call, "set-from", request->set_from, &from->parameters, *count)
             : code;
}

static void share(sw_ensemble_job *job, long count)
{
  const sw_ensemble_request *request = job->request;
  const long of = request->index > 0 ? request->of : 1;
  const long index = request->index > 0 ? request->index - 1 : 0;
  job->part_first = sw_share_first(count, index, of);
  job->part = sw_share_first(count, index + 1, of) - job->part_first;
  job->first = sw_share_first(job->part, job->ranks.rank, job->ranks.size);
}

/* ---- the ensemble ---- */

static void ensemble_start_measure(sw_sim *sim, long step, int worker, double values[], void *user)
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
  const double h = job->request->settings.step;
  sw_columns *all = NULL;
  if (job->request->columns != NULL) {
    return sw_columns_of(sim, h, job->request->columns, columns, message);
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
  job->columns = calloc((size_t)job->request->threads, sizeof *job->columns);
  message[0] = '\0';
  if (job->columns == NULL) {
    return SW_ERR_MEMORY;
  }
  sw_status status = make_columns(job, job->like, &job->columns[0], message);
  if (status != SW_OK) {
    return status;
  }
  options.count = sw_share_first(job->part, rank + 1, job->ranks.size) - job->first;
  options.threads = (int)job->request->threads;
  options.n_values = (long)sw_columns_count(job->columns[0]);
  options.measure = ensemble_start_measure;
  options.user = job;
  status = sw_ensemble_create(job->like, &options, &job->ensemble);
  for (int t = 1; status == SW_OK && t < options.threads; t++) {
    status = make_columns(job, job->ensemble->workers[t].sim, &job->columns[t], message);
  }
  return status;
}

/* ---- states ---- */

static int ensemble_start_set_parameters(const sw_invocation *call, sw_ensemble_job *job,
                                         const given *from, long i, double k[])
{
  const sw_system *system = job->request->settings.system;
  const size_t nk = (size_t)system->nk;
  const size_t row = (size_t)(job->part_first + job->first + i);
  sw_copy(k, job->request->settings.k, nk);
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
                           job->request->set_from, row + 1,
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
  const sw_settings *settings = &job->request->settings;
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
  sw_sample_draw(job->request->sample, (int)dim, (uint64_t)job->request->seed, number, z0, z);
}

static int set_states(const sw_invocation *call, sw_ensemble_job *job, const given *from)
{
  const sw_settings *settings = &job->request->settings;
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
    code = ensemble_start_set_parameters(call, job, from, i, k);
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
static int ensemble_start_project(const sw_invocation *call, sw_ensemble_job *job)
{
  const sw_settings *settings = &job->request->settings;
  const size_t dim = 2 * (size_t)settings->system->nq;
  sw_ensemble *e = job->ensemble;
  if ((settings->project || job->request->sample != NULL) &&
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
  const sw_settings *settings = &job->request->settings;
  char message[SW_TEXT_MESSAGE];
  int code = sw_start_create(call, settings, &job->like);
  if (code != SW_EXIT_GOOD) {
    return code;
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
  return code != SW_EXIT_GOOD || job->resumed ? code : ensemble_start_project(call, job);
}

int sw_ensemble_begin(const sw_invocation *call, sw_ensemble_job *job)
{
  given from = {.states = {.count = 0}};
  long count = 0;
  int code = read_given(call, job, &from, &count);
  if (code == SW_EXIT_GOOD) {
    share(job, count);
    job->count = count;
    if (job->part / job->ranks.size < 1) {
      code = sw_complain(call, SW_EXIT_USAGE,
                         "%ld trajectories cannot be shared by so many; --count has to be larger",
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
