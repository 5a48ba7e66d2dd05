/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/rows_file.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/sorted_names.h"
#include "io/columns.h"
#include "io/hdf5_file.h"
#include "io/npy.h"

sw_rows_wanted sw_rows_of_states(const sw_system *system)
{
  return (sw_rows_wanted){.entries = sw_entries_of_state(system),
                          .h5_values = {"trajectory", "final"},
                          .h5_names = {"columns", "coordinates"}};
}

sw_rows_wanted sw_rows_of_parameters(const sw_system *system)
{
  return (sw_rows_wanted){
      .entries = {.system = system, .parameter = "", .count = (size_t)system->nk},
      .h5_values = {"parameters", NULL},
      .h5_names = {"parameter_names", NULL}};
}

/* ---- columns by name ---- */

typedef struct reader {
  sw_source source;
  const sw_rows_wanted *wanted;
  const char **names; /* of the entries */
  sw_sorted_names sorted;
  sw_columns *others; /* all columns of a trajectory; NULL until needed */
  size_t width;       /* number of columns of the file */
  size_t *to;         /* for each column, its entry, or `count` if it is ignored */
} reader;

static int make_index(reader *in)
{
  const size_t count = in->wanted->entries.count;
  in->names = sw_names_create(count, sw_name_entry, &in->wanted->entries);
  if (in->names == NULL) {
    return 0;
  }
  in->sorted = sw_names_sort(in->names, count);
  return in->sorted.place != NULL;
}

/* Returns 1 if a trajectory can have this column and it is not an entry of the state. */
static int is_passed_over(reader *in, const char *name)
{
  char buffer[SW_NAME_BYTES];
  if (in->wanted->entries.parameter != NULL) {
    return 0;
  }
  if (in->others == NULL && sw_columns_create(in->wanted->entries.system, 0.0, NULL, &in->others,
                                              in->source.message) != SW_OK) {
    return 1;
  }
  for (size_t i = 0; i < sw_columns_count(in->others); i++) {
    if (strcmp(sw_columns_name(in->others, i, buffer), name) == 0) {
      return 1;
    }
  }
  return strncmp(name, "discrete.", 9) == 0 || strncmp(name, "multiplier.", 11) == 0;
}

static sw_status refuse_column(const reader *in, size_t column, const char *name)
{
  char why[SW_TEXT_MESSAGE];
  sw_text_unknown(in->wanted->entries.parameter != NULL ? "parameter" : "coordinate or momentum",
                  name, in->names, in->wanted->entries.count, why);
  return sw_source_refuse(&in->source, ": column %zu: %.300s", column + 1, why);
}

/* Looks up the entry of a column. */
static sw_status place_column(reader *in, size_t column, const char *name, sw_rows *rows)
{
  const size_t count = in->wanted->entries.count;
  const size_t number = sw_names_number(&in->sorted, name);
  in->to[column] = number;
  if (number == count) {
    return is_passed_over(in, name) ? SW_OK : refuse_column(in, column, name);
  }
  if (rows->given[number]) {
    return sw_source_refuse(&in->source, ": column %zu: '%.100s' for the second time", column + 1,
                            name);
  }
  rows->given[number] = 1;
  return SW_OK;
}

/* Checks that the file contains all entries of a state, or at least one parameter. */
static sw_status check_given(const reader *in, const sw_rows *rows)
{
  const size_t count = in->wanted->entries.count;
  size_t given = 0;
  for (size_t i = 0; i < count; i++) {
    given += (size_t)rows->given[i];
    if (!rows->given[i] && in->wanted->entries.parameter == NULL) {
      return sw_source_refuse(&in->source, " has no column '%.100s'", in->names[i]);
    }
  }
  return given > 0 ? SW_OK : sw_source_refuse(&in->source, " has no column of a parameter");
}

/* Appends a row of zeros.  Returns NULL if memory is short. */
static double *rows_file_next_row(const reader *in, sw_rows *rows, size_t *room)
{
  const size_t count = in->wanted->entries.count;
  if (rows->count == *room) {
    *room = 2 * *room + 16;
    double *grown = realloc(rows->values, *room * (count + 1) * sizeof *grown);
    if (grown == NULL) {
      return NULL;
    }
    rows->values = grown;
  }
  double *row = rows->values + rows->count++ * count;
  memset(row, 0, count * sizeof *row);
  return row;
}

/* ---- comma-separated values ---- */

static sw_status rows_file_read_header(reader *in, char *line, sw_rows *rows)
{
  in->width = 1;
  for (const char *c = line; *c != '\0'; c++) {
    in->width += *c == ',';
  }
  in->to = calloc(in->width, sizeof *in->to);
  sw_status status = in->to == NULL ? SW_ERR_MEMORY : SW_OK;
  for (size_t column = 0; status == SW_OK && column < in->width; column++) {
    status = place_column(in, column, strsep(&line, ","), rows);
  }
  return status == SW_OK ? check_given(in, rows) : status;
}

static sw_status rows_file_read_row(reader *in, char *line, size_t number, double row[])
{
  const size_t count = in->wanted->entries.count;
  size_t column = 0;
  for (; line != NULL && column < in->width; column++) {
    const char *cell = strsep(&line, ",");
    const size_t to = in->to[column];
    if (to < count && !sw_text_real(cell, &row[to])) {
      return sw_source_refuse(&in->source,
                              ": line %zu, column %zu (%.60s): '%.60s' is not a finite decimal "
                              "number",
                              number, column + 1, in->names[to], cell);
    }
  }
  return line == NULL && column == in->width
             ? SW_OK
             : sw_source_refuse(&in->source,
                                ": line %zu has %s values than the %zu columns of line 1", number,
                                line == NULL ? "fewer" : "more", in->width);
}

static sw_status read_csv(reader *in, sw_rows *rows)
{
  char *line = NULL;
  size_t line_room = 0;
  size_t room = 0;
  int more = 1;
  sw_status status = sw_source_line(&in->source, 1, SIZE_MAX, &line, &line_room, &more);
  if (status == SW_OK) {
    status =
        more ? rows_file_read_header(in, line, rows) : sw_source_refuse(&in->source, " is empty");
  }
  for (size_t number = 2; status == SW_OK; number++) {
    status = sw_source_line(&in->source, number, SIZE_MAX, &line, &line_room, &more);
    if (status != SW_OK || !more) {
      break;
    }
    double *row = rows_file_next_row(in, rows, &room);
    status = row == NULL ? SW_ERR_MEMORY : rows_file_read_row(in, line, number, row);
  }
  free(line);
  return status;
}

/* ---- other formats ---- */

static sw_status read_npy(reader *in, sw_rows *rows)
{
  memset(rows->given, 1, in->wanted->entries.count);
  return sw_npy_read_rows(&in->source, &rows->values, &rows->count);
}

/* Copies the wanted columns from rows in the order of the file. */
static sw_status sort_columns(const reader *in, const double found[], sw_rows *rows)
{
  const size_t count = in->wanted->entries.count;
  for (size_t i = 0; i < rows->count; i++) {
    for (size_t column = 0; column < in->width; column++) {
      const double value = found[i * in->width + column];
      if (in->to[column] < count && !isfinite(value)) {
        return sw_source_refuse(&in->source, ": row %zu: %.100s is %s; wanted are finite numbers",
                                i, in->names[in->to[column]], isnan(value) ? "nan" : "infinite");
      }
      if (in->to[column] < count) {
        rows->values[i * count + in->to[column]] = value;
      }
    }
  }
  return SW_OK;
}

static sw_status read_sets(reader *in, sw_h5 *file, const char *set, const char *names,
                           sw_rows *rows)
{
  sw_h5_shape shape;
  size_t length = 0;
  size_t columns = 0;
  char *texts = sw_h5_get_texts(file, names, &length, &columns);
  if (texts == NULL || !sw_h5_get_shape(file, set, &shape) || shape.rank != 2 ||
      shape.size[1] != columns || columns == 0) {
    free(texts);
    return sw_source_refuse(&in->source, ": its data sets '%s' and '%s' do not belong together",
                            set, names);
  }
  in->width = columns;
  in->to = calloc(columns, sizeof *in->to);
  rows->count = shape.size[0];
  double *found = calloc(rows->count + 1, columns * sizeof *found);
  rows->values = calloc(rows->count + 1, (in->wanted->entries.count + 1) * sizeof *rows->values);
  sw_status status =
      in->to == NULL || found == NULL || rows->values == NULL ? SW_ERR_MEMORY : SW_OK;
  for (size_t column = 0; status == SW_OK && column < columns; column++) {
    status = place_column(in, column, texts + column * length, rows);
  }
  status = status == SW_OK ? check_given(in, rows) : status;
  if (status == SW_OK && !sw_h5_get_rows(file, set, 0, rows->count, found)) {
    status = sw_source_refuse(&in->source, ": its data set '%s' cannot be read", set);
  }
  status = status == SW_OK ? sort_columns(in, found, rows) : status;
  free(found);
  free(texts);
  return status;
}

static sw_status read_hdf5(reader *in, sw_rows *rows)
{
  sw_h5 *file = NULL;
  sw_h5_shape shape;
  sw_status status = sw_h5_open(in->source.path, &file);
  if (status == SW_ERR_OPTION) {
    return sw_hdf5_find(in->source.message);
  }
  if (status == SW_ERR_IO) {
    return sw_source_refuse(&in->source, " cannot be read as HDF5");
  }
  if (status != SW_OK) {
    return status;
  }
  if (!sw_h5_is_whole(file)) {
    sw_h5_close(&file);
    return sw_source_refuse(&in->source,
                            " is damaged: its data sets have other digests than its 'crc32' says");
  }
  const char *const *sets = in->wanted->h5_values;
  const int which = sw_h5_get_shape(file, sets[0], &shape)                      ? 0
                    : sets[1] != NULL && sw_h5_get_shape(file, sets[1], &shape) ? 1
                                                                                : -1;
  status = which < 0 ? sw_source_refuse(&in->source, " has no data set '%s'%s%s%s", sets[0],
                                        sets[1] != NULL ? " or '" : "",
                                        sets[1] != NULL ? sets[1] : "", sets[1] != NULL ? "'" : "")
                     : read_sets(in, file, sets[which], in->wanted->h5_names[which], rows);
  sw_h5_close(&file);
  return status;
}

sw_status sw_rows_read(const char *path, const sw_rows_wanted *wanted, sw_rows *rows,
                       char message[SW_TEXT_MESSAGE])
{
  reader in = {.source = {.path = path, .wanted = &wanted->entries, .message = message},
               .wanted = wanted};
  static const char *const endings[] = {".csv", ".npy", ".h5", ".hdf5"};
  static sw_status (*const readers[])(reader *, sw_rows *) = {read_csv, read_npy, read_hdf5,
                                                              read_hdf5};
  const int format = sw_text_ending(path, endings, 4);
  message[0] = '\0';
  *rows = (sw_rows){.count = 0, .given = calloc(wanted->entries.count + 1, 1)};
  if (format < 0) {
    return sw_source_refuse(&in.source,
                            ": the name ends in none of .csv, .npy and .h5, so its format is not "
                            "known");
  }
  sw_status status =
      rows->given != NULL && make_index(&in) ? sw_source_open(&in.source) : SW_ERR_MEMORY;
  if (status == SW_OK) {
    const int is_whole = format < 2;
    status = is_whole ? sw_source_check_digest(&in.source, format == 1 ? SW_NPY_HEADER : 0) : SW_OK;
    status = status == SW_OK ? readers[format](&in, rows) : status;
    fclose(in.source.stream);
  }
  if (status == SW_OK && rows->count == 0) {
    status = sw_source_refuse(&in.source, " has no rows");
  }
  sw_columns_free(&in.others);
  free(in.to);
  free(in.names);
  free(in.sorted.place);
  return status;
}

void sw_rows_clear(sw_rows *rows)
{
  free(rows->values);
  free(rows->given);
  *rows = (sw_rows){.count = 0};
}
