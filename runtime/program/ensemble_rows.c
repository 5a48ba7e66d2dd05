/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/place.h"
#include "common/vectors.h"
#include "io/npy.h"
#include "program/ensemble.h"
#include "program/interrupt.h"

/* Interval at which the run checks signals, the terminal and the clock. */
static const double seconds_between_looks = 0.1;

/* ---- one row ---- */

size_t sw_rows_width(const sw_ensemble_rows *rows)
{
  return SW_ROW_MEANS + rows->columns * (2 + (size_t)rows->levels) + rows->columns * rows->stored;
}

/* The statistics of all columns; shared by the workers. */
typedef struct summing {
  const sw_ensemble_rows *rows;
  const double *levels;
  const double *values;
  size_t count;
  double *row;
  double *room; /* scratch of each worker: count values and the statistics of a column */
} summing;

static void sum_column(void *context, long column, int worker)
{
  const summing *of = context;
  const size_t levels = (size_t)of->rows->levels;
  const size_t columns = of->rows->columns;
  const size_t c = (size_t)column;
  double *kept = of->room + (size_t)worker * (of->count + 2 + levels);
  double *found = kept + of->count;
  const double *living = of->values + columns * of->count;
  const double *values = of->values + c * of->count;
  long n = 0;
  for (size_t i = 0; i < of->count; i++) {
    if (living[i] != 0.0) {
      kept[n++] = values[i];
    }
  }
  sw_statistics(n, kept, (int)levels, of->levels, kept, found);
  of->row[SW_ROW_MEANS + c] = found[0];
  of->row[SW_ROW_MEANS + columns + c] = found[1];
  sw_copy(of->row + SW_ROW_MEANS + 2 * columns + c * levels, found + 2, levels);
}

sw_status sw_rows_add(sw_ensemble_rows *rows, sw_team *team, int threads, const double levels[],
                      long step, double t, const double values[], size_t count)
{
  const size_t of_statistics = sw_rows_width(rows) - rows->columns * rows->stored;
  summing of = {.rows = rows, .levels = levels, .values = values, .count = count};
  double living = 0.0;
  of.row = calloc(of_statistics, sizeof *of.row);
  of.room = calloc((size_t)threads, (count + 2 + (size_t)rows->levels) * sizeof *of.room);
  sw_status status = of.row == NULL || of.room == NULL ? SW_ERR_MEMORY : SW_OK;
  if (status == SW_OK) {
    for (size_t i = 0; i < count; i++) {
      living += values[rows->columns * count + i];
    }
    of.row[SW_ROW_STEP] = (double)step;
    of.row[SW_ROW_TIME] = t;
    of.row[SW_ROW_LIVING] = living;
    sw_team_run(team, sum_column, &of, (long)rows->columns);
    errno = 0;
    sw_npy_write_values(rows->target.file, of.row, of_statistics);
    if (rows->stored > 0) {
      sw_npy_write_values(rows->target.file, values, rows->columns * count);
    }
    rows->count++;
    status = sw_target_check(&rows->target);
  }
  free(of.row);
  free(of.room);
  return status;
}

sw_status sw_rows_refuse(const sw_ensemble_rows *rows, char message[SW_TEXT_MESSAGE])
{
  const sw_source source = {.path = rows->target.path, .message = message};
  return sw_source_refuse_target(&source, rows->target.cause);
}

void sw_rows_name_unfinished(const sw_ensemble_rows *rows, char message[SW_TEXT_MESSAGE])
{
  const size_t used = strlen(message);
  snprintf(message + used, SW_TEXT_MESSAGE - used, "; what there is, is in %.200s%s",
           rows->target.temporary,
           rows->target.cause != 0 ? ", where the last row may be cut short" : "");
}

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
static sw_status ensemble_rows_add_row(sw_ensemble_job *job)
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
      const double t = e->step > 0 ? (double)e->step * job->request->settings.step : 0.0;
      status = sw_rows_add(&job->rows, e->team, e->threads, job->request->levels, e->step, t,
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
static plan ensemble_rows_make_plan(const sw_ensemble_job *job, long left, double rate)
{
  const double now = sw_progress_seconds(&job->progress);
  const double wanted = fmax(1.0, floor(rate * seconds_between_looks));
  plan next = {.steps = wanted < (double)left ? (long)wanted : left};
  next.keeps = job->request->checkpoint != NULL &&
               now - job->last_kept >=
                   (job->request->every_seconds < 0.0 ? 60.0 : job->request->every_seconds);
  sw_ranks_share(&job->ranks, &next, sizeof next);
  return next;
}

static sw_status ensemble_rows_keep(sw_ensemble_job *job)
{
  job->last_kept = sw_progress_seconds(&job->progress);
  return job->request->checkpoint != NULL ? sw_ensemble_keep(job) : SW_OK;
}

/* Takes steps up to the next row.  Returns SW_ERR_STOPPED after a signal. */
static sw_status reach(sw_ensemble_job *job, long goal, double *rate)
{
  sw_ensemble *e = job->ensemble;
  sw_status status = SW_OK;
  while (status == SW_OK && e->step < goal) {
    const plan next = ensemble_rows_make_plan(job, goal - e->step, *rate);
    job->signal = sw_ranks_largest(&job->ranks, sw_interrupted());
    if (job->signal != 0) {
      status = ensemble_rows_keep(job);
      return status == SW_OK ? SW_ERR_STOPPED : status;
    }
    if (next.keeps) {
      status = ensemble_rows_keep(job);
    }
    const double before = sw_progress_seconds(&job->progress);
    if (status == SW_OK) {
      status = sw_ensemble_move(e, job->request->settings.step, next.steps,
                                e->step + next.steps == goal);
    }
    const double taken = sw_progress_seconds(&job->progress) - before;
    *rate = (double)next.steps / fmax(taken, 1e-6);
    sw_progress_update(&job->progress, e->step);
  }
  return status;
}

sw_status sw_ensemble_integrate(sw_ensemble_job *job)
{
  const sw_ensemble_request *request = job->request;
  sw_ensemble *e = job->ensemble;
  const long steps = request->settings.steps;
  double rate = 0.0;
  sw_status status = SW_OK;
  job->last_kept = sw_progress_seconds(&job->progress);
  if (!job->resumed) {
    status = sw_ensemble_move(e, request->settings.step, 0, 1);
    status = status == SW_OK ? ensemble_rows_add_row(job) : status;
    status = status == SW_OK ? ensemble_rows_keep(job) : status;
  }
  while (status == SW_OK && e->step < steps) {
    const long next = (e->step / request->every + 1) * request->every;
    status = reach(job, next < steps && next > 0 ? next : steps, &rate);
    status = status == SW_OK ? ensemble_rows_add_row(job) : status;
  }
  return status == SW_OK ? ensemble_rows_keep(job) : status;
}

/* ---- the file of the rows ---- */

/* Errors: those of sw_target_reopen; EBADMSG if the bytes differ from those of the mark. */
static sw_status reopen(const char *path, const sw_trajectory_mark *mark, sw_target *target)
{
  uint32_t digest = 0;
  sw_status status = sw_target_reopen(path, mark->unfinished, mark->bytes, target);
  if (status == SW_OK) {
    status = sw_target_digest(target, 0, mark->bytes, &digest);
  }
  if (status == SW_OK && digest != mark->digest) {
    errno = EBADMSG;
    status = SW_ERR_IO;
  }
  return status;
}

sw_status sw_rows_open(const char *path, const sw_trajectory_mark *mark, sw_ensemble_rows *rows,
                       char message[SW_TEXT_MESSAGE])
{
  const sw_source source = {.path = path, .message = message};
  sw_status status = sw_hdf5_find(message);
  if (status == SW_OK && sw_target_is_special(path)) {
    return sw_source_refuse(&source, " is not a regular file");
  }
  if (status == SW_OK && mark != NULL) {
    rows->count = mark->rows;
    status = reopen(path, mark, &rows->target);
  } else if (status == SW_OK) {
    status = sw_target_open(path, SW_VISIBLE, &rows->target);
  }
  if (status == SW_OK && mark == NULL) {
    status = sw_target_lock(&rows->target);
  }
  if (status == SW_ERR_IO) {
    const int cause = errno;
    sw_source_refuse(&source,
                     mark == NULL ? " cannot be written: %s%s" : " cannot be continued: %s: %s",
                     mark == NULL ? "" : mark->unfinished,
                     cause == EINVAL        ? "it is shorter than it was, or no regular file"
                     : cause == EBADMSG     ? "it has other bytes than it had"
                     : cause == EWOULDBLOCK ? "another process is writing it"
                                            : strerror(cause));
  }
  return status;
}
