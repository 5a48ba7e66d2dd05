/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ensemble_kept.c -- checkpoints of an ensemble.
 *
 * The numbers are the seconds used, the statistics of the steps, the final data of each
 * trajectory (sw_ensemble_finals), then the characters of the messages of failed trajectories.
 */
#include <stdlib.h>
#include <string.h>

#include "common/place.h"
#include "common/vectors.h"
#include "program/ensemble.h"
#include "program/identity.h"

enum { HEAD = 1 + SW_STATS_NUMBERS };

/* Packs the data that rank 0 has gathered into one array, which the caller frees. */
static double *ensemble_kept_put_together(double seconds, const sw_stats *cost,
                                          const sw_ensemble_finals *finals)
{
  const size_t n = (size_t)finals->count * finals->width;
  double *all = calloc(HEAD + n + finals->bytes, sizeof *all);
  if (all != NULL) {
    all[0] = seconds;
    sw_stats_save(cost, all + 1);
    sw_copy(all + HEAD, finals->numbers, n);
    for (size_t i = 0; i < finals->bytes; i++) {
      all[HEAD + n + i] = (double)(unsigned char)finals->messages[i];
    }
  }
  return all;
}

static sw_status ensemble_kept_write_file(sw_ensemble_job *job, const double numbers[],
                                          size_t count)
{
  sw_reached at = {.step = job->ensemble->step};
  sw_target *rows = &job->rows.target;
  sw_status status = sw_target_sync(rows);
  at.mark = (sw_trajectory_mark){.unfinished = sw_place_name(job->rows.target.temporary),
                                 .bytes = ftell(job->rows.target.file),
                                 .rows = job->rows.count};
  if (status == SW_OK) {
    status = sw_target_digest(rows, 0, at.mark.bytes, &at.mark.digest);
  }
  if (status != SW_OK) {
    snprintf(job->message, sizeof job->message, "%.160s cannot be written: %s", rows->temporary,
             strerror(rows->cause));
    return status;
  }
  return sw_kept_write(job->request->checkpoint, job->identity, &at, numbers, count, job->message);
}

sw_status sw_ensemble_keep(sw_ensemble_job *job)
{
  sw_ensemble_finals finals;
  const sw_stats cost = sw_ensemble_cost(job);
  sw_status status = sw_ensemble_collect(job, &finals) ? SW_OK : SW_ERR_MEMORY;
  if (status == SW_OK && job->ranks.rank == 0) {
    const double seconds = job->earlier + sw_progress_seconds(&job->progress);
    double *all = ensemble_kept_put_together(seconds, &cost, &finals);
    const size_t count = HEAD + (size_t)finals.count * finals.width + finals.bytes;
    status = all == NULL ? SW_ERR_MEMORY : ensemble_kept_write_file(job, all, count);
    free(all);
  }
  sw_ensemble_finals_clear(&finals);
  return (sw_status)sw_ranks_largest(&job->ranks, (int)status);
}

/* Reads the messages of all failed trajectories and keeps those of this process.  Returns 0 if
 * they are damaged. */
static int take_messages(sw_ensemble_job *job, const double table[], size_t width,
                         const double characters[], size_t count)
{
  sw_ensemble *e = job->ensemble;
  size_t at = 0;
  for (long i = 0; i < job->part; i++) {
    const long own = i - job->first;
    char message[SW_MESSAGE_BYTES];
    size_t length = 0;
    if (table[(size_t)i * width] == (double)SW_OK) {
      continue;
    }
    do {
      if (at >= count || length >= sizeof message) {
        return 0;
      }
      message[length] = (char)(unsigned char)characters[at++];
    } while (message[length++] != '\0');
    if (own >= 0 && own < e->count) {
      e->message[own] = strdup(message);
    }
  }
  return at == count;
}

/* Reads the numbers of this process's trajectories.  Returns 0 if they cannot come from a
 * checkpoint. */
static int take_table(sw_ensemble_job *job, const double table[], size_t width)
{
  sw_ensemble *e = job->ensemble;
  const size_t dim = 2 * (size_t)job->request->settings.system->nq;
  for (long i = 0; i < e->count; i++) {
    const double *from = table + (size_t)(job->first + i) * width;
    if (!(from[0] >= 0.0 && from[0] < (double)SW_STATUS_COUNT)) {
      return 0;
    }
    e->status[i] = (sw_status)from[0];
    e->steps[i] = (long)from[1];
    sw_copy(e->saved + (size_t)i * e->stride, from + 2, e->stride);
    sw_copy(job->initial + (size_t)i * dim, from + 2 + e->stride, dim);
    if (e->k != NULL && sw_ensemble_set_parameters(e, i, from + 2 + e->stride + dim) != SW_OK) {
      return 0;
    }
    e->energy[i] = sw_energy_course_restore(from + width - SW_COURSE_NUMBERS);
  }
  return 1;
}

sw_status sw_ensemble_resume(sw_ensemble_job *job, sw_reached *at, char message[SW_TEXT_MESSAGE])
{
  const size_t width = sw_finals_width(job);
  const size_t n = (size_t)job->part * width;
  const size_t most = HEAD + n + (size_t)job->part * SW_MESSAGE_BYTES;
  double *numbers = NULL;
  size_t count = 0;
  sw_status status =
      sw_kept_read(job->request->resume, job->identity, most, at, &numbers, &count, message);
  if (status == SW_OK &&
      (count < HEAD + n || !take_table(job, numbers + HEAD, width) ||
       !take_messages(job, numbers + HEAD, width, numbers + HEAD + n, count - HEAD - n))) {
    status = sw_kept_refuse_damage(job->request->resume, message);
  }
  if (status == SW_OK) {
    job->earlier = numbers[0];
    job->ensemble->step = at->step;
    if (job->ranks.rank == 0) {
      job->ensemble->earlier = sw_stats_restore(numbers + 1);
    }
  }
  free(numbers);
  return status;
}

char *sw_ensemble_identity(const sw_ensemble_request *request)
{
  const sw_settings *settings = &request->settings;
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  if (file == NULL) {
    return NULL;
  }
  sw_identity_put(file, settings);
  for (int i = 0; i < settings->system->nk; i++) {
    fprintf(file, "parameter %d: %.17g\n", i + 1, settings->k[i]);
  }
  fprintf(file, "every: %ld\ncount: %ld\nindex: %ld of %ld\nseed: %ld\n", request->every,
          request->count, request->index, request->of, request->seed);
  for (int i = 0; request->sample != NULL && i < 2 * settings->system->nq; i++) {
    const sw_sample_entry *of = &request->sample[i];
    fprintf(file, "sample %d: %d %.17g %.17g\n", i + 1, (int)of->kind, of->a, of->b);
  }
  sw_identity_line(file, "set-from", request->set_from);
  for (int l = 0; l < request->n_levels; l++) {
    fprintf(file, "quantile: %.17g\n", request->levels[l]);
  }
  fprintf(file, "trajectories: %s\n", request->stored ? "yes" : "no");
  sw_identity_line(file, "columns", request->columns);
  sw_identity_line(file, "out", sw_place_name(request->out));
  return sw_text_written(file, &text);
}
