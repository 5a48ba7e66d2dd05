/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "common/place.h"
#include "program/ensemble.h"
#include "program/run_summary.h"

enum { MOST_NAMED = 5 /* failed trajectories named in the summary */ };

static const char *name_parameter(const void *context, size_t i, char buffer[SW_NAME_BYTES])
{
  return sw_system_name(context, SW_K, (int)i, buffer);
}

static char *ensemble_finish_make_metadata(const sw_ensemble_job *job, sw_ending ending)
{
  const sw_ensemble_request *request = job->request;
  sw_origin origin = sw_settings_origin(&request->settings, request->every);
  origin.init = sw_place_name(origin.init);
  origin.projected = origin.projected || request->sample != NULL;
  const sw_many many = {.count = job->count,
                        .sample = request->sample,
                        .seed = request->seed,
                        .parameters =
                            request->set_from != NULL ? sw_place_name(request->set_from) : NULL,
                        .n_levels = request->n_levels,
                        .levels = request->levels,
                        .stored = request->stored};
  size_t size = 0;
  return sw_metadata_of_ensemble(job->like, &origin, &many, job->columns[0], job->rows.count,
                                 job->ensemble->step, ending, &size);
}

/* Writes the file, at rank 0. */
static sw_status ensemble_finish_write_file(sw_ensemble_job *job, const sw_ensemble_finals *finals,
                                            sw_ending ending)
{
  const sw_system *system = job->request->settings.system;
  const sw_entries entries = sw_entries_of_state(system);
  const long part[4] = {job->request->index, job->request->of, job->part_first, job->count};
  const int own = job->ensemble->k != NULL;
  sw_ensemble_about about = {.dim = entries.count,
                             .nk = own ? (size_t)system->nk : 0,
                             .levels = job->request->levels,
                             .part = job->request->index > 0 ? part : NULL};
  about.metadata = ensemble_finish_make_metadata(job, ending);
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
  if (!job->request->quiet) {
    printf("trajectories   %ld, of which %ld failed; %ld rows of %zu columns\n", finals->count,
           failed, job->rows.count, job->rows.columns);
    print_failed(job, finals, failed);
    printf("steps          %ld, in %.3g s\n", cost->steps, seconds);
    sw_summary_print_stats(cost, stdout);
    sw_settings_print_hint(&job->request->settings, cost, stdout);
  }
  return failed;
}

int sw_ensemble_conclude(const sw_invocation *call, sw_ensemble_job *job, sw_status status,
                         const sw_ensemble_finals *finals, const sw_stats *cost, double seconds)
{
  const sw_ensemble_request *request = job->request;
  const int goes_on = request->checkpoint != NULL && status != SW_OK;
  const long failed = print_summary(job, finals, cost, seconds);
  const int printed = sw_output_flush(call);
  if (!job->is_whole && !goes_on && (status == SW_OK || status == SW_ERR_STOPPED)) {
    const sw_status written =
        ensemble_finish_write_file(job, finals, status == SW_OK ? SW_COMPLETE : SW_INTERRUPTED);
    if (written != SW_OK) {
      return sw_file_exit_code(call, "out", job->message, written);
    }
  }
  if (status == SW_ERR_STOPPED) {
    return sw_complain(call, 128 + job->signal, "interrupted after %ld of %ld steps; %s%.200s%s",
                       job->ensemble->step, request->settings.steps,
                       goes_on ? "go on with --resume " : "",
                       goes_on ? request->checkpoint : request->out, goes_on ? "" : " ends there");
  }
  if (status != SW_OK) {
    return sw_complain(call, SW_EXIT_FAILED, "%s",
                       job->message[0] != '\0' ? job->message : sw_status_text(status));
  }
  return failed == 0 ? printed
                     : sw_complain(call, SW_EXIT_FAILED, "%ld of %ld trajectories have failed",
                                   failed, finals->count);
}
