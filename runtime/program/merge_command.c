/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command `merge`: merges the files of all parts of an ensemble (ensemble --index I --of N)
 * into one file.
 */
#include <stdlib.h>
#include <string.h>

#include "common/vectors.h"
#include "program/ensemble_file.h"
#include "program/settings.h"

/* An open file of one part. */
typedef struct part {
  const char *path;
  sw_h5 *file;
  long index;
  long of;
  size_t first;
  size_t all;
  size_t count;
  double *values; /* of one row: columns x count */
} part;

typedef struct merging {
  const sw_invocation *call;
  const char *out;
  char **paths;
  size_t parts;
  part *part;
  double *levels;
  double *steps; /* steps, then times, of all rows */
  /* of one row, for all trajectories: the columns, then 1 for living and 0 for failed
   * trajectories */
  double *matrix;
  sw_ensemble_about about;
  sw_ensemble_rows rows;
  sw_ensemble_finals finals;
  size_t n_rows;
} merging;

static int merge_command_refuse(const merging *m, const part *of, const char *what)
{
  return sw_complain(m->call, SW_EXIT_USAGE, "%.160s %s", of->path, what);
}

/* 1 if the data set has this shape. */
static int has_shape(const part *of, const char *name, int rank, size_t a, size_t b, size_t c)
{
  sw_h5_shape shape;
  return sw_h5_get_shape(of->file, name, &shape) && shape.rank == rank && shape.size[0] == a &&
         (rank < 2 || shape.size[1] == b) && (rank < 3 || shape.size[2] == c);
}

/* ---- files of the parts ---- */

static int by_index(const void *a, const void *b)
{
  const long left = ((const part *)a)->index;
  const long right = ((const part *)b)->index;
  return (left > right) - (left < right);
}

static int open_part(merging *m, part *of)
{
  double about[4];
  sw_h5_shape shape;
  char message[SW_TEXT_MESSAGE];
  if (sw_target_is_special(of->path)) {
    return merge_command_refuse(m, of, "is not a regular file");
  }
  const sw_status status = sw_h5_open(of->path, &of->file);
  if (status == SW_ERR_OPTION) {
    sw_hdf5_find(message);
    return sw_complain(m->call, SW_EXIT_USAGE, "%s", message);
  }
  if (status != SW_OK) {
    return status == SW_ERR_MEMORY ? sw_out_of_memory(m->call)
                                   : merge_command_refuse(m, of, "cannot be read as HDF5");
  }
  if (!has_shape(of, "part", 1, 4, 0, 0) || !sw_h5_get_rows(of->file, "part", 0, 4, about) ||
      !sw_h5_get_shape(of->file, "values", &shape) || shape.rank != 3) {
    return merge_command_refuse(m, of, "is no part of an ensemble (--index I --of N)");
  }
  if (!sw_h5_is_whole(of->file)) {
    return merge_command_refuse(
        m, of, "is damaged: its data sets have other digests than its 'crc32' says");
  }
  of->index = (long)about[0];
  of->of = (long)about[1];
  of->first = (size_t)about[2];
  of->all = (size_t)about[3];
  of->count = shape.size[2];
  of->values = calloc(shape.size[1] + 1, (of->count + 1) * sizeof *of->values);
  return of->values == NULL ? sw_out_of_memory(m->call) : SW_EXIT_GOOD;
}

/* Checks that the parts are all parts of one ensemble of this model, each once and contiguous. */
static int check_parts(merging *m)
{
  size_t next = 0;
  for (size_t i = 0; i < m->parts; i++) {
    const part *of = &m->part[i];
    size_t length = 0;
    size_t count = 0;
    char *metadata = sw_h5_get_texts(of->file, "metadata", &length, &count);
    const int same = metadata != NULL && (i == 0 || strcmp(metadata, m->about.metadata) == 0);
    if (i == 0) {
      m->about.metadata = metadata;
    } else {
      free(metadata);
    }
    if (!same || of->of != m->part[0].of || of->all != m->part[0].all) {
      return merge_command_refuse(
          m, of, "is of another ensemble than the first part, or ends at another row");
    }
    if (of->index != (long)i + 1 || of->of != (long)m->parts || of->first != next) {
      return sw_complain(m->call, SW_EXIT_USAGE,
                         "wanted are parts 1 to %ld, each once; %.160s is part %ld", of->of,
                         of->path, of->index);
    }
    next += of->count;
  }
  if (next != m->part[0].all) {
    return merge_command_refuse(m, &m->part[m->parts - 1], "does not end where the ensemble does");
  }
  return strstr(m->about.metadata, m->call->model->digest) != NULL
             ? SW_EXIT_GOOD
             : merge_command_refuse(m, &m->part[0],
                                    "is an ensemble of another model, or at other sizes");
}

static int open_parts(merging *m)
{
  int code = SW_EXIT_GOOD;
  m->part = calloc(m->parts, sizeof *m->part);
  if (m->part == NULL) {
    return sw_out_of_memory(m->call);
  }
  for (size_t i = 0; code == SW_EXIT_GOOD && i < m->parts; i++) {
    m->part[i].path = m->paths[i];
    code = open_part(m, &m->part[i]);
  }
  if (code == SW_EXIT_GOOD) {
    qsort(m->part, m->parts, sizeof *m->part, by_index);
    code = check_parts(m);
  }
  return code;
}

/* Removes the additional zero after each text that sw_h5_get_texts appends. */
static void pack(char *texts, size_t count, size_t *bytes)
{
  for (size_t i = 1; texts != NULL && i < count; i++) {
    memmove(texts + i * (*bytes - 1), texts + i * *bytes, *bytes - 1);
  }
  *bytes -= texts != NULL;
}

/* Reads the data that all parts share from the first part.  Other functions compare the other
 * parts with it. */
static int read_common(merging *m)
{
  const part *first = &m->part[0];
  sw_h5_shape values;
  sw_h5_shape levels = {0, {0}};
  size_t columns = 0;
  sw_ensemble_about *about = &m->about;
  sw_h5_get_shape(first->file, "values", &values);
  sw_h5_get_shape(first->file, "levels", &levels);
  m->n_rows = values.size[0];
  about->columns = sw_h5_get_texts(first->file, "columns", &about->column_bytes, &columns);
  about->coordinates =
      sw_h5_get_texts(first->file, "coordinates", &about->coordinate_bytes, &about->dim);
  about->parameters =
      sw_h5_get_texts(first->file, "parameter_names", &about->parameter_bytes, &about->nk);
  m->levels = calloc(levels.size[0] + 1, sizeof *m->levels);
  m->steps = calloc(m->n_rows + 1, 2 * sizeof *m->steps);
  m->matrix = calloc(first->all, (values.size[1] + 1) * sizeof *m->matrix);
  if (about->columns == NULL || about->coordinates == NULL || columns != values.size[1] ||
      levels.rank != 1 || levels.size[0] > SW_LEVELS_MOST) {
    return merge_command_refuse(m, first, "has no columns, coordinates or levels");
  }
  if (m->levels == NULL || m->steps == NULL || m->matrix == NULL) {
    return sw_out_of_memory(m->call);
  }
  if (!has_shape(first, "step", 1, m->n_rows, 0, 0) || !has_shape(first, "t", 1, m->n_rows, 0, 0) ||
      !sw_h5_get_rows(first->file, "levels", 0, levels.size[0], m->levels) ||
      !sw_h5_get_rows(first->file, "step", 0, m->n_rows, m->steps) ||
      !sw_h5_get_rows(first->file, "t", 0, m->n_rows, m->steps + m->n_rows)) {
    return merge_command_refuse(m, first, "has no levels, steps or times");
  }
  pack(about->columns, columns, &about->column_bytes);
  pack(about->coordinates, about->dim, &about->coordinate_bytes);
  pack(about->parameters, about->nk, &about->parameter_bytes);
  m->rows.columns = columns;
  m->rows.levels = (int)levels.size[0];
  m->rows.stored = strstr(about->metadata, "\"trajectories\": true") != NULL ? first->all : 0;
  return SW_EXIT_GOOD;
}

/* ---- trajectories ---- */

static double status_of(const char *name)
{
  for (int s = 0; s < SW_STATUS_COUNT; s++) {
    if (strcmp(sw_status_name((sw_status)s), name) == 0) {
      return s;
    }
  }
  return (double)SW_ERR_ARGUMENT;
}

/* Copies the rows of a data set to a slice of each trajectory's final data. */
static int take_section(const merging *m, const part *of, const char *name, size_t at, size_t width)
{
  double *rows = calloc(of->count + 1, (width + 1) * sizeof *rows);
  const int good = rows != NULL && has_shape(of, name, width == 1 ? 1 : 2, of->count, width, 0) &&
                   sw_h5_get_rows(of->file, name, 0, of->count, rows);
  for (size_t i = 0; good && i < of->count; i++) {
    sw_copy(m->finals.numbers + (of->first + i) * m->finals.width + at, rows + i * width, width);
  }
  free(rows);
  return good;
}

static int merge_command_take_texts(merging *m, const part *of, FILE *messages)
{
  size_t status_bytes = 0;
  size_t message_bytes = 0;
  size_t count[2] = {0, 0};
  char *statuses = sw_h5_get_texts(of->file, "status", &status_bytes, &count[0]);
  char *texts = sw_h5_get_texts(of->file, "message", &message_bytes, &count[1]);
  const int good =
      statuses != NULL && texts != NULL && count[0] == of->count && count[1] == of->count;
  for (size_t i = 0; good && i < of->count; i++) {
    const double status = status_of(statuses + i * status_bytes);
    const char *message = texts + i * message_bytes;
    m->finals.numbers[(of->first + i) * m->finals.width] = status;
    if (status != (double)SW_OK) {
      fwrite(message, 1, strlen(message) + 1, messages);
    }
  }
  free(statuses);
  free(texts);
  return good;
}

static int merge_command_take_part(merging *m, const part *of, FILE *messages)
{
  const size_t dim = m->about.dim;
  const size_t initial = 2 + m->finals.stride;
  const int good = merge_command_take_texts(m, of, messages) &&
                   take_section(m, of, "steps", 1, 1) &&
                   take_section(m, of, "final", 2 + SW_SAVED_Z, dim) &&
                   take_section(m, of, "initial", initial, dim) &&
                   (m->about.parameters == NULL ||
                    take_section(m, of, "parameters", initial + dim, m->about.nk));
  return good ? SW_EXIT_GOOD : merge_command_refuse(m, of, "does not have all that a part has");
}

static int read_finals(merging *m)
{
  sw_ensemble_finals *finals = &m->finals;
  const size_t all = m->part[0].all;
  int code = SW_EXIT_GOOD;
  finals->count = (long)all;
  finals->stride = SW_SAVED_Z + m->about.dim;
  finals->width =
      2 + finals->stride + m->about.dim + (m->about.parameters != NULL ? m->about.nk : 0);
  finals->numbers = calloc(all, finals->width * sizeof *finals->numbers);
  FILE *messages =
      finals->numbers != NULL ? open_memstream(&finals->messages, &finals->bytes) : NULL;
  if (messages == NULL) {
    return sw_out_of_memory(m->call);
  }
  for (size_t i = 0; code == SW_EXIT_GOOD && i < m->parts; i++) {
    code = merge_command_take_part(m, &m->part[i], messages);
  }
  return sw_text_written(messages, &finals->messages) == NULL ? sw_out_of_memory(m->call) : code;
}

/* ---- rows ---- */

static int merge_row(merging *m, sw_team *team, size_t row)
{
  const size_t columns = m->rows.columns;
  const size_t all = m->part[0].all;
  const double step = m->steps[row];
  char message[SW_TEXT_MESSAGE];
  for (size_t i = 0; i < m->parts; i++) {
    const part *of = &m->part[i];
    if (!has_shape(of, "values", 3, m->n_rows, columns, of->count) ||
        !sw_h5_get_rows(of->file, "values", row, 1, of->values)) {
      return merge_command_refuse(m, of, "has other columns or rows than the first part");
    }
    for (size_t c = 0; c < columns; c++) {
      sw_copy(m->matrix + c * all + of->first, of->values + c * of->count, of->count);
    }
  }
  for (size_t i = 0; i < all; i++) {
    const double *numbers = m->finals.numbers + i * m->finals.width;
    m->matrix[columns * all + i] = numbers[0] == (double)SW_OK || numbers[1] >= step;
  }
  const sw_status status = sw_rows_add(&m->rows, team, 1, m->levels, (long)step,
                                       m->steps[m->n_rows + row], m->matrix, all);
  return status == SW_OK ? SW_EXIT_GOOD
         : status == SW_ERR_MEMORY
             ? sw_out_of_memory(m->call)
             : sw_file_exit_code(m->call, "out", message, sw_rows_refuse(&m->rows, message));
}

static int merge_rows(merging *m)
{
  char message[SW_TEXT_MESSAGE];
  sw_team *team = NULL;
  sw_status status = sw_rows_open(m->out, NULL, &m->rows, message);
  int code = sw_file_exit_code(m->call, "out", message, status);
  if (code == SW_EXIT_GOOD && sw_team_create(1, &team) != SW_OK) {
    code = sw_out_of_memory(m->call);
  }
  for (size_t row = 0; code == SW_EXIT_GOOD && row < m->n_rows; row++) {
    code = merge_row(m, team, row);
  }
  sw_team_free(&team);
  if (code == SW_EXIT_GOOD) {
    m->about.levels = m->levels;
    status = sw_ensemble_write(&m->rows, &m->finals, &m->about, message);
    code = sw_file_exit_code(m->call, "out", message, status);
  }
  sw_target_discard(&m->rows.target); /* the parts still hold all of its data */
  return code;
}

static int merge_command_merge(merging *m)
{
  int code = open_parts(m);
  code = code == SW_EXIT_GOOD ? read_common(m) : code;
  code = code == SW_EXIT_GOOD ? read_finals(m) : code;
  code = code == SW_EXIT_GOOD ? merge_rows(m) : code;
  sw_target_clear(&m->rows.target);
  for (size_t i = 0; m->part != NULL && i < m->parts; i++) {
    sw_h5_close(&m->part[i].file);
    free(m->part[i].values);
  }
  sw_ensemble_finals_clear(&m->finals);
  free(m->part);
  sw_ensemble_about_clear(&m->about);
  free(m->levels);
  free(m->steps);
  free(m->matrix);
  return code;
}

/* ---- the command ---- */

static const char doc[] =
    "Put the parts of an ensemble together, that 'ensemble --index I --of N' has computed.\v"
    "The file is the one that 'ensemble' without these options would have written, byte for byte.";

static int merge_command_check_files(const merging *m)
{
  sw_files files = {NULL, 0};
  int added = sw_files_add(&files, "--out", m->out, SW_FILE_WRITTEN);
  for (size_t i = 0; i < m->parts && added; i++) {
    added = sw_files_add(&files, "part", m->paths[i], SW_FILE_READ);
  }
  return sw_files_finish(m->call, &files, added);
}

static int merge_with(const sw_invocation *call, sw_settings *settings)
{
  merging m = {
      .call = call, .out = settings->out, .paths = settings->words, .parts = settings->n_words};
  if (m.out == NULL || m.parts == 0) {
    return sw_complain(call, SW_EXIT_USAGE, "give --out FILE.h5 and the files of all parts");
  }
  const int code = merge_command_check_files(&m);
  return code == SW_EXIT_GOOD ? merge_command_merge(&m) : code;
}

const sw_command sw_command_merge = {.command = SW_FOR_MERGE,
                                     .name = "merge",
                                     .args_doc = "PART.h5...",
                                     .doc = doc,
                                     .run = merge_with};
