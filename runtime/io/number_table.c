/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/number_table.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A format: how its names and its rows are read.  To add one, add it to the list below. */
typedef struct sw_number_format {
  const char *endings[4]; /* terminated by NULL */
  long digest_from;       /* first byte of the digest in FILE.json; -1: it has its own digests */
  sw_status (*open)(sw_number_table *table);
  sw_status (*read)(sw_number_table *table);
} sw_number_format;

/* ---- rows ---- */

/* Appends a row of zeros; *row is NULL on failure. */
static sw_status add_row(sw_number_table *table, double **row)
{
  *row = NULL;
  if (table->most_values > 0 && (table->rows + 1) * table->n > table->most_values) {
    return sw_source_refuse(&table->source,
                            " has more rows than can be drawn; write fewer with --every");
  }
  if (table->rows == table->room) {
    table->room = 2 * table->room + 16;
    double *grown = realloc(table->values, table->room * (table->n + 1) * sizeof *grown);
    if (grown == NULL) {
      return SW_ERR_MEMORY;
    }
    table->values = grown;
  }
  *row = table->values + table->rows++ * table->n;
  memset(*row, 0, table->n * sizeof **row);
  return SW_OK;
}

/* Appends a row, given with all columns of the file.  Column `inexact` is an integer without an
 * equal double. */
static sw_status add_values(sw_number_table *table, const double found[], size_t inexact)
{
  char where[40];
  double *row;
  const sw_status status = add_row(table, &row);
  for (size_t i = 0; status == SW_OK && i < table->width; i++) {
    if (table->to[i] >= table->n) {
      continue;
    }
    if (i == inexact || (table->is_strict && !isfinite(found[i]))) {
      snprintf(where, sizeof where, "row %zu: ", table->rows - 1);
      return sw_source_refuse_value(&table->source, where, table->names[i], found[i]);
    }
    row[table->to[i]] = found[i];
  }
  return status;
}

/* ---- comma-separated values ---- */

static sw_status refuse_quotes(const sw_number_table *table)
{
  return sw_source_refuse(&table->source, ": line %zu: a quoted field does not end where it should",
                          table->line_number);
}

static sw_status next_line(sw_number_table *table, char **line, size_t *room, int *more)
{
  return sw_source_line(&table->source, ++table->line_number, SIZE_MAX, line, room, more);
}

static sw_status open_csv(sw_number_table *table)
{
  size_t room = 0;
  int more = 1;
  sw_status status;
  do {
    status = next_line(table, &table->text, &room, &more);
  } while (status == SW_OK && more && table->text[0] == '#');
  if (status != SW_OK || !more) {
    return status != SW_OK ? status : sw_source_refuse(&table->source, " is empty");
  }
  table->width = 1;
  for (const char *c = table->text; *c != '\0'; c++) {
    table->width += *c == ',';
  }
  table->names = calloc(table->width, sizeof *table->names);
  if (table->names == NULL) {
    return SW_ERR_MEMORY;
  }
  const size_t most = table->width;
  table->width = sw_source_split(table->text, most, table->names);
  return table->width > 0 ? SW_OK : refuse_quotes(table);
}

/* Returns 0 if a field is not a number of the wanted kind.  Empty fields and "NA" are NaN. */
static int read_field(const sw_number_table *table, const char *field, double *value)
{
  if (table->is_strict) {
    return sw_text_real(field, value);
  }
  char *end;
  const int is_missing = *field == '\0' || strcmp(field, "NA") == 0;
  *value = is_missing ? NAN : strtod(field, &end);
  return is_missing || (end != field && *end == '\0');
}

static sw_status read_fields(sw_number_table *table, size_t names_line, char *line,
                             const char *field[])
{
  double *row;
  const size_t n = sw_source_split(line, table->width, field);
  if (n == 0) {
    return refuse_quotes(table);
  }
  if (n != table->width) {
    return sw_source_refuse(
        &table->source, ": line %zu has %s values than the %zu columns of line %zu",
        table->line_number, n < table->width ? "fewer" : "more", table->width, names_line);
  }
  const sw_status status = add_row(table, &row);
  for (size_t i = 0; status == SW_OK && i < n; i++) {
    if (table->to[i] < table->n && !read_field(table, field[i], &row[table->to[i]])) {
      return sw_source_refuse(&table->source,
                              ": line %zu, column %zu (%.60s): '%.60s' is not a %s number",
                              table->line_number, i + 1, table->names[i], field[i],
                              table->is_strict ? "finite decimal" : "decimal");
    }
  }
  return status;
}

static sw_status read_csv(sw_number_table *table)
{
  const size_t names_line = table->line_number;
  const char **field = calloc(table->width, sizeof *field);
  size_t room = 0;
  int more = 1;
  sw_status status = field == NULL ? SW_ERR_MEMORY : SW_OK;
  while (status == SW_OK) {
    status = next_line(table, &table->line, &room, &more);
    if (status != SW_OK || !more) {
      break;
    }
    status = read_fields(table, names_line, table->line, field);
  }
  free(field);
  return status;
}

/* ---- NumPy ---- */

/* Takes the names in FILE.json. */
static sw_status take_stated_names(sw_number_table *table)
{
  const json_t *columns = json_object_get(table->about, "columns");
  table->width = json_array_size(columns);
  table->names = calloc(table->width + 1, sizeof *table->names);
  if (table->names == NULL) {
    return SW_ERR_MEMORY;
  }
  int good = table->width > 0;
  for (size_t i = 0; i < table->width; i++) {
    table->names[i] = json_string_value(json_array_get(columns, i));
    good = good && table->names[i] != NULL;
  }
  return good ? SW_OK
              : sw_source_refuse(&table->source,
                                 ": the names of its columns are to be in its .json, which cannot "
                                 "be read or has none");
}

static sw_status open_npy(sw_number_table *table)
{
  sw_status status = SW_OK;
  if (table->of_array == NULL) {
    status = take_stated_names(table);
  } else {
    table->width = table->n_of_array;
    table->names = calloc(table->width + 1, sizeof *table->names);
    status = table->names == NULL ? SW_ERR_MEMORY : SW_OK;
    for (size_t i = 0; status == SW_OK && i < table->width; i++) {
      table->names[i] = table->of_array[i];
    }
  }
  status = status == SW_OK ? sw_npy_open(&table->source, &table->array) : status;
  if (status == SW_OK && (table->array.dimensions != 2 || table->array.shape[1] != table->width)) {
    return sw_source_refuse(
        &table->source, " has shape %s; wanted are rows of %zu values, which %s names",
        table->array.shape_text, table->width, table->of_array == NULL ? "its .json" : "the model");
  }
  return status;
}

static sw_status read_npy(sw_number_table *table)
{
  double *row = calloc(table->width + 1, sizeof *row);
  size_t inexact = 0;
  sw_status status = row == NULL ? SW_ERR_MEMORY : SW_OK;
  for (size_t i = 0; status == SW_OK && i < table->array.shape[0]; i++) {
    status = sw_npy_take(&table->source, &table->array, table->width, row, &inexact);
    status = status == SW_OK ? add_values(table, row, inexact) : status;
  }
  free(row);
  return status == SW_OK ? sw_npy_close(&table->source, &table->array) : status;
}

/* ---- HDF5 ---- */

static sw_status open_hdf5(sw_number_table *table)
{
  const sw_number_sets *sets = table->sets;
  sw_h5_shape shape;
  size_t length = 0;
  const sw_status status = sw_h5_open(table->source.path, &table->file);
  if (status != SW_OK) {
    return status == SW_ERR_OPTION ? sw_hdf5_find(table->source.message)
           : status == SW_ERR_IO   ? sw_source_refuse(&table->source, " cannot be read as HDF5")
                                   : status;
  }
  if (!sw_h5_is_whole(table->file)) {
    return sw_source_refuse(&table->source, " is damaged: its data sets have other digests than "
                                            "its 'crc32' says");
  }
  const char *other = sets[1].values;
  const sw_number_sets *found = sw_h5_get_shape(table->file, sets[0].values, &shape) ? &sets[0]
                                : other != NULL && sw_h5_get_shape(table->file, other, &shape)
                                    ? &sets[1]
                                    : NULL;
  if (found == NULL) {
    return sw_source_refuse(&table->source, " has no data set '%s'%s%s%s", sets[0].values,
                            other != NULL ? " or '" : "", other != NULL ? other : "",
                            other != NULL ? "'" : "");
  }
  table->set = found->values;
  table->text = sw_h5_get_texts(table->file, found->names, &length, &table->width);
  if (table->text == NULL || shape.rank != 2 || shape.size[1] != table->width ||
      table->width == 0) {
    return sw_source_refuse(&table->source, ": its data sets '%s' and '%s' do not belong together",
                            found->values, found->names);
  }
  table->names = calloc(table->width, sizeof *table->names);
  for (size_t i = 0; table->names != NULL && i < table->width; i++) {
    table->names[i] = table->text + i * length;
  }
  return table->names == NULL ? SW_ERR_MEMORY : SW_OK;
}

static sw_status read_hdf5(sw_number_table *table)
{
  enum { BLOCK = 65536 /* values per read, unless a row is longer */ };
  sw_h5_shape shape;
  const size_t width = table->width;
  const size_t most = width < BLOCK ? BLOCK / width : 1;
  double *found = calloc(most * width, sizeof *found);
  sw_status status = found == NULL ? SW_ERR_MEMORY : SW_OK;
  sw_h5_get_shape(table->file, table->set, &shape);
  for (size_t first = 0; status == SW_OK && first < shape.size[0]; first += most) {
    const size_t n = shape.size[0] - first < most ? shape.size[0] - first : most;
    if (!sw_h5_get_rows(table->file, table->set, first, n, found)) {
      status = sw_source_refuse(&table->source, ": its data set '%s' cannot be read", table->set);
    }
    for (size_t i = 0; status == SW_OK && i < n; i++) {
      status = add_values(table, found + i * width, width);
    }
  }
  free(found);
  return status;
}

/* ---- all formats ---- */

static sw_status refuse_points(sw_number_table *table)
{
  return sw_source_refuse(&table->source, " holds positions by atom, and is no table; write the "
                                          "run as .csv, .npy or .h5");
}

static const sw_number_format formats[] = {
    {{".csv"}, 0, open_csv, read_csv},
    {{".npy"}, SW_NPY_HEADER, open_npy, read_npy},
    {{".h5", ".hdf5"}, -1, open_hdf5, read_hdf5},
    {{".xyz", ".extxyz", ".trr"}, -1, refuse_points, NULL},
};

static const sw_number_format *find_format(const sw_number_table *table)
{
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    for (const char *const *ending = formats[i].endings; *ending != NULL; ending++) {
      if (sw_text_ending(table->source.path, ending, 1) == 0) {
        return &formats[i];
      }
    }
  }
  return table->is_strict ? NULL : &formats[0];
}

/* Refuses control characters in names: they appear in messages, where they could control a
 * terminal. */
static sw_status check_names(const sw_number_table *table)
{
  for (size_t i = 0; i < table->width; i++) {
    for (const char *at = table->names[i]; *at != '\0'; at++) {
      if (iscntrl((unsigned char)*at)) {
        return sw_source_refuse(&table->source, ": the name of column %zu has a control character",
                                i + 1);
      }
    }
  }
  return SW_OK;
}

sw_status sw_number_table_open(sw_number_table *table)
{
  char beside[4096 + sizeof ".json"];
  table->source.message[0] = '\0';
  table->source.may_lack_last_break = !table->is_strict;
  table->format = find_format(table);
  if (table->format == NULL) {
    return sw_source_refuse(&table->source,
                            ": the name ends in none of .csv, .npy and .h5, so its format is not "
                            "known");
  }
  sw_status status = sw_source_open(&table->source);
  if (status == SW_OK && table->format->digest_from >= 0) {
    status = sw_source_check_digest(&table->source, table->format->digest_from);
  }
  if (status == SW_OK) {
    snprintf(beside, sizeof beside, "%s.json", table->source.path);
    table->about = json_load_file(beside, 0, NULL);
    status = table->format->open(table);
  }
  return status == SW_OK ? check_names(table) : status;
}

sw_status sw_number_table_read(sw_number_table *table, size_t n, const size_t to[], double **values,
                               size_t *rows)
{
  table->n = n;
  table->to = to;
  sw_status status = table->format->read(table);
  if (status == SW_OK && table->rows == 0) {
    status = sw_source_refuse(&table->source, " has no rows");
  }
  if (status != SW_OK) {
    free(table->values);
    table->values = NULL;
  }
  *values = table->values;
  *rows = table->rows;
  return status;
}

const char *sw_number_table_place(const sw_number_table *table, size_t row,
                                  char text[SW_TABLE_PLACE])
{
  /* After the last row, line_number is that of the end of the file. */
  const int has_lines = table->line_number > 0;
  snprintf(text, SW_TABLE_PLACE, "%s %zu", has_lines ? "line" : "row",
           has_lines ? table->line_number - table->rows + row : row);
  return text;
}

void sw_number_table_close(sw_number_table *table)
{
  if (table->source.stream != NULL) {
    fclose(table->source.stream);
  }
  sw_h5_close(&table->file);
  json_decref(table->about);
  free(table->names);
  free(table->text);
  free(table->line);
  table->source.stream = NULL;
}
