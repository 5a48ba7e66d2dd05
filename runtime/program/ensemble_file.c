/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/ensemble_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/vectors.h"
#include "io/npy.h"
#include "sidewinder/ensemble.h"
#include "sim/sim_internal.h"

/* ---- one row ---- */

/* The number of values of a row; below, the indices of its parts. */
static size_t sw_rows_width(const sw_ensemble_rows *rows)
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
  snprintf(message + used, SW_TEXT_MESSAGE - used, "; the rows so far are in %.200s%s",
           rows->target.temporary,
           rows->target.cause != 0 ? ", in which the last row may be incomplete" : "");
}

/* ---- the file of the rows ---- */

/* Errors: as of sw_target_reopen; EBADMSG if the bytes differ from those of the mark. */
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
                     cause == EINVAL        ? "it is shorter than it was, or is not a regular file"
                     : cause == EBADMSG     ? "it has changed"
                     : cause == EWOULDBLOCK ? "another process is writing it"
                                            : strerror(cause));
  }
  return status;
}

/* ---- the final file ---- */

void sw_ensemble_finals_clear(sw_ensemble_finals *finals)
{
  free(finals->numbers);
  free(finals->messages);
  *finals = (sw_ensemble_finals){.count = 0};
}

/* A slice of each row, or of each trajectory's final data. */
typedef struct section {
  const sw_ensemble_rows *rows;
  const sw_ensemble_finals *finals;
  size_t first;
  size_t width;
} section;

static int take_of_rows(void *context, size_t first, size_t count, double values[])
{
  const section *of = context;
  FILE *file = of->rows->target.file;
  const size_t all = sw_rows_width(of->rows);
  for (size_t i = 0; i < count; i++) {
    const size_t at = ((first + i) * all + of->first) * sizeof *values;
    if (fseek(file, (long)at, SEEK_SET) != 0 ||
        fread(values + i * of->width, sizeof *values, of->width, file) != of->width) {
      return 0;
    }
  }
  return 1;
}

static int take_of_finals(void *context, size_t first, size_t count, double values[])
{
  const section *of = context;
  for (size_t i = 0; i < count; i++) {
    sw_copy(values + i * of->width,
            of->finals->numbers + (first + i) * of->finals->width + of->first, of->width);
  }
  return 1;
}

static int put_integers(sw_h5 *to, const char *name, size_t count, sw_h5_source *source,
                        section *of)
{
  long *numbers = calloc(count + 1, sizeof *numbers);
  double value = 0.0;
  int good = numbers != NULL;
  for (size_t i = 0; good && i < count; i++) {
    good = source(of, i, 1, &value);
    numbers[i] = (long)value;
  }
  good = good && sw_h5_put_integers(to, name, count, numbers);
  free(numbers);
  return good;
}

/* ---- datasets with one entry per row ---- */

static int ensemble_file_put_rows(sw_h5 *to, const sw_ensemble_rows *rows,
                                  const sw_ensemble_about *about)
{
  const size_t n = (size_t)rows->count;
  const size_t levels = (size_t)rows->levels;
  const size_t columns = rows->columns;
  section step = {.rows = rows, .first = SW_ROW_STEP, .width = 1};
  section time = {.rows = rows, .first = SW_ROW_TIME, .width = 1};
  section living = {.rows = rows, .first = SW_ROW_LIVING, .width = 1};
  section means = {.rows = rows, .first = SW_ROW_MEANS, .width = columns};
  section variances = {.rows = rows, .first = SW_ROW_MEANS + columns, .width = columns};
  section quantiles = {
      .rows = rows, .first = SW_ROW_MEANS + 2 * columns, .width = columns * levels};
  section values = {
      .rows = rows, .first = quantiles.first + quantiles.width, .width = columns * rows->stored};
  return put_integers(to, "step", n, take_of_rows, &step) &&
         sw_h5_put_rows(to, "t", &(sw_h5_shape){1, {n}}, take_of_rows, &time) &&
         put_integers(to, "living", n, take_of_rows, &living) &&
         sw_h5_put_texts(to, "columns", about->columns, about->column_bytes, columns) &&
         sw_h5_put_rows(to, "mean", &(sw_h5_shape){2, {n, columns}}, take_of_rows, &means) &&
         sw_h5_put_rows(to, "variance", &(sw_h5_shape){2, {n, columns}}, take_of_rows,
                        &variances) &&
         sw_h5_put_reals(to, "levels", &(sw_h5_shape){1, {levels}}, about->levels) &&
         sw_h5_put_rows(to, "quantiles", &(sw_h5_shape){3, {n, columns, levels}}, take_of_rows,
                        &quantiles) &&
         (rows->stored == 0 ||
          sw_h5_put_rows(to, "values", &(sw_h5_shape){3, {n, columns, rows->stored}}, take_of_rows,
                         &values));
}

/* ---- datasets with one entry per trajectory ---- */

static const char *name_status(const void *context, size_t i, char buffer[SW_NAME_BYTES])
{
  const sw_ensemble_finals *finals = context;
  snprintf(buffer, SW_NAME_BYTES, "%s",
           sw_status_name((sw_status)finals->numbers[i * finals->width]));
  return buffer;
}

static int put_messages(sw_h5 *to, const sw_ensemble_finals *finals)
{
  const size_t n = (size_t)finals->count;
  const char *next = finals->messages;
  size_t bytes = 1;
  for (size_t at = 0; at < finals->bytes; at += strlen(finals->messages + at) + 1) {
    const size_t length = strlen(finals->messages + at) + 1;
    bytes = length > bytes ? length : bytes;
  }
  char *texts = calloc(n, bytes);
  for (size_t i = 0; texts != NULL && i < n; i++) {
    if (finals->numbers[i * finals->width] != (double)SW_OK) {
      snprintf(texts + i * bytes, bytes, "%s", next);
      next += strlen(next) + 1;
    }
  }
  const int good = texts != NULL && sw_h5_put_texts(to, "message", texts, bytes, n);
  free(texts);
  return good;
}

static int put_finals(sw_h5 *to, const sw_ensemble_finals *finals, const sw_ensemble_about *about)
{
  const size_t n = (size_t)finals->count;
  const size_t dim = about->dim;
  section steps = {.finals = finals, .first = 1, .width = 1};
  section final = {.finals = finals, .first = 2 + SW_SAVED_Z, .width = dim};
  section initial = {.finals = finals, .first = 2 + finals->stride, .width = dim};
  section own = {.finals = finals, .first = initial.first + dim, .width = about->nk};
  const sw_h5_shape states = {2, {n, dim}};
  const int good =
      sw_hdf5_put_names(to, "status", name_status, finals, n) && put_messages(to, finals) &&
      put_integers(to, "steps", n, take_of_finals, &steps) &&
      sw_h5_put_texts(to, "coordinates", about->coordinates, about->coordinate_bytes, dim) &&
      sw_h5_put_rows(to, "initial", &states, take_of_finals, &initial) &&
      sw_h5_put_rows(to, "final", &states, take_of_finals, &final);
  return good && (about->parameters == NULL ||
                  (sw_h5_put_texts(to, "parameter_names", about->parameters, about->parameter_bytes,
                                   about->nk) &&
                   sw_h5_put_rows(to, "parameters", &(sw_h5_shape){2, {n, about->nk}},
                                  take_of_finals, &own)));
}

static sw_status ensemble_file_put_all(const char *path, const sw_ensemble_rows *rows,
                                       const sw_ensemble_finals *finals,
                                       const sw_ensemble_about *about)
{
  sw_h5 *to = NULL;
  sw_status status = sw_h5_create(path, &to);
  if (status != SW_OK) {
    return status;
  }
  errno = 0;
  int good = ensemble_file_put_rows(to, rows, about) && put_finals(to, finals, about) &&
             (about->part == NULL || sw_h5_put_integers(to, "part", 4, about->part)) &&
             sw_h5_put_texts(to, "metadata", about->metadata, strlen(about->metadata) + 1, 0);
  return sw_h5_finish(&to, good);
}

void sw_ensemble_about_clear(sw_ensemble_about *about)
{
  free(about->metadata);
  free(about->columns);
  free(about->coordinates);
  free(about->parameters);
  *about = (sw_ensemble_about){.metadata = NULL};
}

sw_status sw_ensemble_write(sw_ensemble_rows *rows, const sw_ensemble_finals *finals,
                            const sw_ensemble_about *about, char message[SW_TEXT_MESSAGE])
{
  const sw_source source = {.path = rows->target.path, .message = message};
  sw_target made = {.file = NULL};
  message[0] = '\0';
  sw_status status = sw_target_sync(&rows->target);
  if (status == SW_OK) {
    status = sw_target_open_second(&rows->target, &made);
  }
  if (status == SW_OK) {
    status = ensemble_file_put_all(made.temporary, rows, finals, about);
  }
  int cause = rows->target.cause != 0 ? rows->target.cause : errno;
  if (status == SW_OK) {
    status = sw_target_commit(&made);
    cause = made.cause;
  }
  if (status == SW_OK) {
    sw_target_discard(&rows->target);
  } else {
    sw_source_refuse_target(&source, cause);
    sw_target_discard(&made);
  }
  sw_target_clear(&made);
  return status;
}
