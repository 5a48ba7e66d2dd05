/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/ensemble_job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/place.h"
#include "common/vectors.h"
#include "program/interrupt.h"

/* Interval at which the run checks signals, the terminal and the clock. */
static const double seconds_between_looks = 0.1;

/* ---- final data ---- */

long sw_share_first(long count, long i, long n)
{
  const long rest = count % n;
  return count / n * i + (i < rest ? i : rest);
}

static size_t finals_width(const sw_ensemble_job *job)
{
  const sw_system *system = job->settings->system;
  return 2 + SW_COURSE_NUMBERS + job->ensemble->stride + 2 * (size_t)system->nq +
         (job->ensemble->k != NULL ? (size_t)system->nk : 0);
}

/* The messages of this process's failed trajectories. */
static char *own_messages(const sw_ensemble *e, size_t *bytes)
{
  char *text = NULL;
  FILE *file = open_memstream(&text, bytes);
  if (file == NULL) {
    return NULL;
  }
  for (long i = 0; i < e->count; i++) {
    if (e->status[i] != SW_OK) {
      const char *message = sw_ensemble_message(e, i);
      fwrite(message, 1, strlen(message) + 1, file);
    }
  }
  return sw_text_written(file, &text);
}

static double *own_numbers(const sw_ensemble_job *job, size_t width)
{
  const sw_ensemble *e = job->ensemble;
  const size_t dim = 2 * (size_t)job->settings->system->nq;
  double *numbers = calloc((size_t)e->count, width * sizeof *numbers);
  for (long i = 0; numbers != NULL && i < e->count; i++) {
    double *to = numbers + (size_t)i * width;
    to[0] = (double)e->status[i];
    to[1] = (double)e->steps[i];
    sw_copy(to + 2, e->saved + (size_t)i * e->stride, e->stride);
    to += 2 + e->stride;
    sw_copy(to, job->initial + (size_t)i * dim, dim);
    const size_t nk = width - 2 - e->stride - dim - SW_COURSE_NUMBERS;
    sw_copy(to + dim, sw_ensemble_parameters(e, i), nk);
    sw_energy_course_save(&e->energy[i], to + dim + nk);
  }
  return numbers;
}

int sw_ensemble_collect(const sw_ensemble_job *job, sw_ensemble_finals *finals)
{
  const size_t width = finals_width(job);
  size_t own_bytes = 0;
  size_t bytes = 0;
  *finals =
      (sw_ensemble_finals){.count = job->part, .width = width, .stride = job->ensemble->stride};
  double *numbers = own_numbers(job, width);
  char *messages = own_messages(job->ensemble, &own_bytes);
  int good = numbers != NULL && messages != NULL;
  if (sw_ranks_largest(&job->ranks, !good) == 0) {
    finals->numbers = sw_ranks_gather(
        &job->ranks, numbers, (size_t)job->ensemble->count * width * sizeof *numbers, &bytes);
    finals->messages = sw_ranks_gather(&job->ranks, messages, own_bytes, &finals->bytes);
    good = job->ranks.rank > 0 || (finals->numbers != NULL && finals->messages != NULL);
  }
  free(numbers);
  free(messages);
  return good;
}

sw_stats sw_ensemble_cost(const sw_ensemble_job *job)
{
  sw_stats all = {0};
  const sw_stats own = sw_ensemble_stats(job->ensemble);
  size_t bytes = 0;
  sw_stats *of = sw_ranks_gather(&job->ranks, &own, sizeof own, &bytes);
  for (size_t r = 0; of != NULL && r < bytes / sizeof *of; r++) {
    sw_stats_add(&all, &of[r]);
  }
  free(of);
  return all;
}

/* ---- checkpoints ---- */

/* The numbers are the seconds used, the statistics of the steps, the final data of each
 * trajectory (sw_ensemble_finals), then the characters of the messages of failed trajectories. */
enum { HEAD = 1 + SW_STATS_NUMBERS };

/* Packs the data that rank 0 has gathered into one array, which the caller frees. */
static double *job_put_together(double seconds, const sw_stats *cost,
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

static sw_status job_write_file(sw_ensemble_job *job, const double numbers[], size_t count)
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
  return sw_kept_write(job->settings->checkpoint, job->identity, &at, numbers, count, job->message);
}

/* Writes a checkpoint, at rank 0.  Errors: those of sw_kept_write. */
static sw_status ensemble_keep(sw_ensemble_job *job)
{
  sw_ensemble_finals finals;
  const sw_stats cost = sw_ensemble_cost(job);
  sw_status status = sw_ensemble_collect(job, &finals) ? SW_OK : SW_ERR_MEMORY;
  if (status == SW_OK && job->ranks.rank == 0) {
    const double seconds = job->earlier + sw_progress_seconds(&job->progress);
    double *all = job_put_together(seconds, &cost, &finals);
    const size_t count = HEAD + (size_t)finals.count * finals.width + finals.bytes;
    status = all == NULL ? SW_ERR_MEMORY : job_write_file(job, all, count);
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
  const size_t dim = 2 * (size_t)job->settings->system->nq;
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
  const size_t width = finals_width(job);
  const size_t n = (size_t)job->part * width;
  const size_t most = HEAD + n + (size_t)job->part * SW_MESSAGE_BYTES;
  double *numbers = NULL;
  size_t count = 0;
  sw_status status =
      sw_kept_read(job->settings->resume, job->identity, most, at, &numbers, &count, message);
  if (status == SW_OK &&
      (count < HEAD + n || !take_table(job, numbers + HEAD, width) ||
       !take_messages(job, numbers + HEAD, width, numbers + HEAD + n, count - HEAD - n))) {
    status = sw_kept_refuse_damage(job->settings->resume, message);
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

char *sw_ensemble_identity(const sw_settings *settings)
{
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
  fprintf(file, "every: %ld\ncount: %ld\nindex: %ld of %ld\nseed: %ld\n", settings->every,
          settings->count, settings->index, settings->of, settings->seed);
  for (int i = 0; settings->sample != NULL && i < 2 * settings->system->nq; i++) {
    const sw_sample_entry *of = &settings->sample[i];
    fprintf(file, "sample %d: %d %.17g %.17g\n", i + 1, (int)of->kind, of->a, of->b);
  }
  sw_identity_line(file, "set-from", settings->set_from);
  for (int l = 0; l < settings->n_levels; l++) {
    fprintf(file, "quantile: %.17g\n", settings->levels[l]);
  }
  fprintf(file, "trajectories: %s\n", settings->stored ? "yes" : "no");
  sw_identity_line(file, "columns", settings->columns);
  sw_identity_line(file, "out", sw_place_name(settings->out));
  return sw_text_written(file, &text);
}

/* ---- one row ---- */

/* Merges the blocks of several processes, each with all columns of its trajectories, into columns
 * of all trajectories. */
static void sort_blocks(const sw_ensemble_job *job, size_t columns, const double from[],
                        double to[])
{
  const size_t all = (size_t)job->part;
  for (int r = 0; r < job->ranks.size; r++) {
    const size_t first = (size_t)sw_share_first(job->part, r, job->ranks.size);
    const size_t n = (size_t)sw_share_first(job->part, r + 1, job->ranks.size) - first;
    for (size_t c = 0; c < columns; c++) {
      sw_copy(to + c * all + first, from + columns * first + c * n, n);
    }
  }
}

/* Adds a row for the current state of the ensemble. */
static sw_status job_add_row(sw_ensemble_job *job)
{
  sw_ensemble *e = job->ensemble;
  const size_t columns = (size_t)e->n_values;
  const size_t own = (columns + 1) * (size_t)e->count;
  double *block = calloc(own, sizeof *block);
  size_t bytes = 0;
  sw_status status = block == NULL ? SW_ERR_MEMORY : SW_OK;
  status = (sw_status)sw_ranks_largest(&job->ranks, (int)status);
  if (status != SW_OK) {
    free(block);
    return status;
  }
  sw_copy(block, e->values, columns * (size_t)e->count);
  for (long i = 0; i < e->count; i++) {
    block[columns * (size_t)e->count + (size_t)i] = e->status[i] == SW_OK;
  }
  double *all = sw_ranks_gather(&job->ranks, block, own * sizeof *block, &bytes);
  free(block);
  if (job->ranks.rank == 0) {
    double *sorted = job->ranks.size > 1 ? calloc(bytes / sizeof *sorted + 1, sizeof *sorted) : all;
    status = all == NULL || sorted == NULL ? SW_ERR_MEMORY : SW_OK;
    if (status == SW_OK && sorted != all) {
      sort_blocks(job, columns + 1, all, sorted);
    }
    if (status == SW_OK) {
      const double t = e->step > 0 ? (double)e->step * job->settings->step : 0.0;
      status = sw_rows_add(&job->rows, e->team, e->threads, job->settings->levels, e->step, t,
                           sorted, (size_t)job->part);
    }
    if (status == SW_ERR_IO) {
      sw_rows_refuse(&job->rows, job->message);
      sw_rows_name_unfinished(&job->rows, job->message);
    }
    if (sorted != all) {
      free(sorted);
    }
  }
  free(all);
  return (sw_status)sw_ranks_largest(&job->ranks, (int)status);
}

/* ---- all rows ---- */

/* The next actions of all processes; rank 0 decides. */
typedef struct plan {
  long steps;
  int keeps; /* 1 if a checkpoint is due */
} plan;

/* Plans as many steps as fit into the interval between two checks. */
static plan job_make_plan(const sw_ensemble_job *job, long left, double rate)
{
  const double now = sw_progress_seconds(&job->progress);
  const double wanted = fmax(1.0, floor(rate * seconds_between_looks));
  plan next = {.steps = wanted < (double)left ? (long)wanted : left};
  next.keeps = job->settings->checkpoint != NULL &&
               now - job->last_kept >=
                   (job->settings->every_seconds < 0.0 ? 60.0 : job->settings->every_seconds);
  sw_ranks_share(&job->ranks, &next, sizeof next);
  return next;
}

static sw_status job_keep(sw_ensemble_job *job)
{
  job->last_kept = sw_progress_seconds(&job->progress);
  return job->settings->checkpoint != NULL ? ensemble_keep(job) : SW_OK;
}

/* Takes steps up to the next row.  Returns SW_ERR_STOPPED after a signal. */
static sw_status reach(sw_ensemble_job *job, long goal, double *rate)
{
  sw_ensemble *e = job->ensemble;
  sw_status status = SW_OK;
  while (status == SW_OK && e->step < goal) {
    const plan next = job_make_plan(job, goal - e->step, *rate);
    job->signal = sw_ranks_largest(&job->ranks, sw_interrupted());
    if (job->signal != 0) {
      status = job_keep(job);
      return status == SW_OK ? SW_ERR_STOPPED : status;
    }
    if (next.keeps) {
      status = job_keep(job);
    }
    const double before = sw_progress_seconds(&job->progress);
    if (status == SW_OK) {
      status = sw_ensemble_move(e, job->settings->step, next.steps, e->step + next.steps == goal);
    }
    const double taken = sw_progress_seconds(&job->progress) - before;
    *rate = (double)next.steps / fmax(taken, 1e-6);
    sw_progress_update(&job->progress, e->step);
  }
  return status;
}

sw_status sw_ensemble_integrate(sw_ensemble_job *job)
{
  const sw_settings *settings = job->settings;
  sw_ensemble *e = job->ensemble;
  const long steps = settings->steps;
  double rate = 0.0;
  sw_status status = SW_OK;
  job->last_kept = sw_progress_seconds(&job->progress);
  if (!job->resumed) {
    status = sw_ensemble_move(e, settings->step, 0, 1);
    status = status == SW_OK ? job_add_row(job) : status;
    status = status == SW_OK ? job_keep(job) : status;
  }
  while (status == SW_OK && e->step < steps) {
    const long next = (e->step / settings->every + 1) * settings->every;
    status = reach(job, next < steps && next > 0 ? next : steps, &rate);
    status = status == SW_OK ? job_add_row(job) : status;
  }
  return status == SW_OK ? job_keep(job) : status;
}
