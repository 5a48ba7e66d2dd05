/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/plot_table.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/stated_digest.h"
#include "io/hdf5_file.h"
#include "io/npy.h"

enum {
  LONGEST_NAME = 1000,
  LONGEST_NUMBER = 100,
  MOST_NAMES = 10000000,
  MOST_VALUES = 50000000, /* limit on values in memory */
  NPY_PREFIX = 10,
  NPY_HEADER = 4096
};

static int refuse(const plot_table *table, const char *what)
{
  fprintf(stderr, "sidewinder: '%s' %s\n", table->path, what);
  return 0;
}

static FILE *open_regular(plot_table *table)
{
  struct stat about;
  int file = open(table->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file < 0 || fstat(file, &about) != 0) {
    fprintf(stderr, "sidewinder: cannot read '%s': %s\n", table->path, strerror(errno));
    table->is_unreadable = 1;
  } else if (!S_ISREG(about.st_mode)) {
    refuse(table, "is not a regular file");
  } else {
    return fdopen(file, "r");
  }
  if (file >= 0) {
    close(file);
  }
  return NULL;
}

/* ---- .csv ---- */

/* Reads one field into text, without quotes and surrounding blanks.  *end is the character after
 * it: ',', '\n' or EOF.  Returns 0 if the field does not fit. */
static int next_field(FILE *file, char text[], size_t room, int *end)
{
  size_t length = 0;
  int c = getc_unlocked(file);
  for (; c != ',' && c != '\n' && c != EOF; c = getc_unlocked(file)) {
    if (c == '"' || c == '\r' || (c == ' ' && length == 0)) {
      continue;
    }
    if (length + 1 == room) {
      return 0;
    }
    text[length++] = (char)c;
  }
  while (length > 0 && text[length - 1] == ' ') {
    length--;
  }
  text[length] = '\0';
  *end = c;
  return 1;
}

/* Skips leading lines that begin with '#', as other programs write them. */
static void skip_comments(FILE *file)
{
  int c = getc_unlocked(file);
  while (c == '#') {
    while (c != '\n' && c != EOF) {
      c = getc_unlocked(file);
    }
    c = getc_unlocked(file);
  }
  ungetc(c, file);
}

static int read_names(arena *a, FILE *file, plot_table *table)
{
  char text[LONGEST_NAME];
  size_t room = 0;
  int end = ',';
  skip_comments(file);
  while (end == ',') {
    if (!next_field(file, text, sizeof text, &end) || table->n_names == MOST_NAMES) {
      return refuse(table, "has no line of names at its beginning");
    }
    table->names = arena_grow(a, table->names, (size_t)table->n_names, &room, sizeof *table->names);
    table->names[table->n_names++] = arena_strdup(a, text);
  }
  return end == '\n' ? 1 : refuse(table, "has no line behind its names");
}

/* The value of a field; returns 0 if it is not a number.  Empty fields and "NA" are NaN. */
static int read_value(const char *text, double *value)
{
  char *end;
  *value = NAN;
  if (*text == '\0' || !strcmp(text, "NA")) {
    return 1;
  }
  *value = strtod(text, &end);
  return end != text && *end == '\0';
}

/* The destination of values that are read. */
typedef struct sink {
  int n;
  const int *to; /* for each column of the file, the index of its array in values, or -1 */
  double **values;
  size_t rows;
  size_t room;
} sink;

static int plot_table_grow(arena *a, const plot_table *table, sink *s)
{
  if (s->rows >= MOST_VALUES / (size_t)(s->n > 0 ? s->n : 1)) {
    return refuse(table, "has more rows than can be drawn; write fewer with --every");
  }
  size_t room = s->room;
  for (int i = 0; i < s->n; i++) {
    room = s->room;
    s->values[i] = arena_grow(a, s->values[i], s->rows, &room, sizeof **s->values);
  }
  s->room = room;
  return 1;
}

/* Stores one row, given with all columns of the file. */
static int take_row(arena *a, const plot_table *table, sink *s, const double row[])
{
  if (!plot_table_grow(a, table, s)) {
    return 0;
  }
  for (int column = 0; column < table->n_names; column++) {
    if (s->to[column] >= 0) {
      s->values[s->to[column]][s->rows] = row[column];
    }
  }
  s->rows++;
  return 1;
}

/* Reads one row; sets *more to 0 at the end of the file. */
static int read_row(arena *a, FILE *file, const plot_table *table, sink *s, int *more)
{
  char text[LONGEST_NUMBER];
  int end = ',';
  int c = getc_unlocked(file);
  *more = c != EOF;
  if (!*more) {
    return 1;
  }
  ungetc(c, file);
  if (!plot_table_grow(a, table, s)) {
    return 0;
  }
  for (int column = 0; column < table->n_names; column++) {
    double value = NAN;
    int good = end == ',' && next_field(file, text, sizeof text, &end);
    if (good && s->to[column] >= 0) {
      good = read_value(text, &value);
      s->values[s->to[column]][s->rows] = value;
    }
    if (!good) {
      fprintf(stderr, "sidewinder: '%s': row %zu has no number in column '%.100s'\n", table->path,
              s->rows + 1, table->names[column]);
      return 0;
    }
  }
  if (end == ',') {
    fprintf(stderr, "sidewinder: '%s': row %zu has more columns than names\n", table->path,
            s->rows + 1);
    return 0;
  }
  s->rows++;
  return 1;
}

static int read_csv(arena *a, FILE *file, plot_table *table, sink *s)
{
  plot_table again = {.path = table->path};
  int more = 1;
  int good = read_names(a, file, &again);
  while (good && more) {
    good = read_row(a, file, table, s, &more);
  }
  table->rows = s->rows;
  return good;
}

/* ---- .npy, as `run` and NumPy write it ---- */

/* Parses "{'descr': '<f8', 'fortran_order': False, 'shape': (ROWS, COLUMNS), }"; returns 0 for
 * other headers. */
static int read_shape(const char *text, size_t *rows, size_t *columns)
{
  static const char before[] = "{'descr': '<f8', 'fortran_order': False, 'shape': (";
  static const char behind[] = "), }";
  if (strncmp(text, before, sizeof before - 1) != 0) {
    return 0;
  }
  char *end;
  *rows = strtoul(text + sizeof before - 1, &end, 10);
  if (strncmp(end, ", ", 2) != 0) {
    return 0;
  }
  *columns = strtoul(end + 2, &end, 10);
  return strncmp(end, behind, sizeof behind - 1) == 0;
}

/* Reads the header, after which the values begin.  Returns the number of columns; 0 after a
 * message. */
static size_t read_header(FILE *file, plot_table *table)
{
  unsigned char prefix[NPY_PREFIX];
  char text[NPY_HEADER + 1];
  size_t columns = 0;
  if (fread(prefix, 1, sizeof prefix, file) != sizeof prefix ||
      memcmp(prefix, "\x93NUMPY\x01", 8) != 0) {
    return (size_t)refuse(table, "is no .npy file of version 1.0");
  }
  const size_t length = (size_t)prefix[8] | (size_t)prefix[9] << 8;
  if (length > NPY_HEADER || fread(text, 1, length, file) != length) {
    return (size_t)refuse(table, "is cut short");
  }
  text[length] = '\0';
  if (!read_shape(text, &table->rows, &columns) || columns == 0) {
    return (size_t)refuse(table, "is no two-dimensional array of 64-bit floating-point numbers");
  }
  return columns;
}

static double decode(const unsigned char bytes[8])
{
  uint64_t bits = 0;
  double value;
  for (int i = 8; i > 0; i--) {
    bits = bits << 8 | bytes[i - 1];
  }
  memcpy(&value, &bits, sizeof value);
  return value;
}

static int read_npy(arena *a, FILE *file, plot_table *table, sink *s)
{
  unsigned char bytes[8];
  if (read_header(file, table) == 0) {
    return 0;
  }
  double *row = ARENA_ARRAY(a, table->n_names, double);
  int good = 1;
  while (good && s->rows < table->rows) {
    for (int column = 0; column < table->n_names; column++) {
      if (fread(bytes, 1, sizeof bytes, file) != sizeof bytes) {
        return refuse(table, "is cut short");
      }
      row[column] = decode(bytes);
    }
    good = take_row(a, table, s, row);
  }
  return good;
}

/* ---- HDF5, as `run` writes it ---- */

static int refuse_hdf5(plot_table *table, sw_status status)
{
  char message[SW_TEXT_MESSAGE];
  if (status == SW_ERR_OPTION && sw_hdf5_find(message) != SW_OK) {
    fprintf(stderr, "sidewinder: %s\n", message);
    table->is_unreadable = 1;
    return 0;
  }
  return refuse(table, "is no HDF5 file of a trajectory");
}

/* Opens the file and reads the shape of the trajectory. */
static sw_h5 *open_hdf5(plot_table *table, sw_h5_shape *shape)
{
  sw_h5 *file = NULL;
  const sw_status status = sw_h5_open(table->path, &file);
  const int good = status == SW_OK && sw_h5_get_shape(file, "trajectory", shape) &&
                   shape->rank == 2 && shape->size[1] > 0 && shape->size[1] < MOST_NAMES;
  if (!good) {
    refuse_hdf5(table, status);
    sw_h5_close(&file);
  }
  return file;
}

static int name_hdf5(arena *a, plot_table *table)
{
  sw_h5_shape shape;
  size_t length = 0;
  size_t count = 0;
  sw_h5 *file = open_hdf5(table, &shape);
  if (!file) {
    return 0;
  }
  if (!sw_h5_is_whole(file)) {
    sw_h5_close(&file);
    return refuse(table, "is damaged: its data sets have other digests than its 'crc32' says");
  }
  char *texts = sw_h5_get_texts(file, "columns", &length, &count);
  const int good = texts && count == shape.size[1];
  table->rows = shape.size[0];
  table->names = ARENA_ARRAY(a, count + 1, const char *);
  for (size_t i = 0; good && i < count; i++) {
    table->names[table->n_names++] = arena_strdup(a, texts + i * length);
  }
  free(texts);
  sw_h5_close(&file);
  return good ? 1 : refuse(table, "has no names of its columns");
}

static int read_hdf5(arena *a, plot_table *table, sink *s)
{
  enum { BLOCK = 65536 /* values per read, unless a row is longer */ };
  sw_h5_shape shape;
  sw_h5 *file = open_hdf5(table, &shape);
  if (!file) {
    return 0;
  }
  const size_t columns = shape.size[1];
  const size_t most = columns < BLOCK ? BLOCK / columns : 1;
  double *values = ARENA_ARRAY(a, most * columns, double);
  int good = columns == (size_t)table->n_names || refuse(table, "has changed");
  for (size_t first = 0; good && first < shape.size[0]; first += most) {
    const size_t n = shape.size[0] - first < most ? shape.size[0] - first : most;
    good = sw_h5_get_rows(file, "trajectory", first, n, values) || refuse(table, "is cut short");
    for (size_t i = 0; good && i < n; i++) {
      good = take_row(a, table, s, values + i * columns);
    }
  }
  sw_h5_close(&file);
  return good;
}

/* ---- FILE.json ---- */

/* The strings of a JSON array; NULL if it is not an array of strings. */
static const char **texts_of(arena *a, const json_t *array, int *n)
{
  const size_t count = json_array_size(array);
  const char **texts = ARENA_ARRAY(a, count + 1, const char *);
  for (size_t i = 0; i < count && i < MOST_NAMES; i++) {
    const char *text = json_string_value(json_array_get(array, i));
    if (!text) {
      return NULL;
    }
    texts[i] = arena_strdup(a, text);
  }
  *n = (int)count;
  return json_is_array(array) && count < MOST_NAMES ? texts : NULL;
}

/* Reads names from FILE.json: invariants, and for an .npy file also the columns, which it does not
 * name itself. */
static int read_beside(arena *a, FILE *file, plot_table *table)
{
  const char *path = arena_printf(a, "%s.json", table->path);
  json_t *about = json_load_file(path, 0, NULL);
  int n = 0;
  if (about) {
    table->invariants = texts_of(a, json_object_get(about, "invariants"), &n);
    table->n_invariants = table->invariants ? n : 0;
  }
  if (about && table->is_npy) {
    table->names = texts_of(a, json_object_get(about, "columns"), &n);
    table->n_names = table->names ? n : 0;
  }
  const int is_same =
      table->is_hdf5 ||
      sw_has_stated_digest(fileno(file), table->is_npy ? SW_NPY_HEADER : 0, table->path);
  json_decref(about);
  if (!is_same) {
    return refuse(table, "is not the file that its .json is about: its digest is another one");
  }
  if (table->is_npy && !table->names) {
    fprintf(stderr,
            "sidewinder: the names of the columns of '%s' are to be in '%s', which cannot be "
            "read\n",
            table->path, path);
    return 0;
  }
  return 1;
}

/* Rejects control characters in names.  Names appear in messages, where such bytes could control a
 * terminal. */
static int check_names(plot_table *table)
{
  for (int i = 0; i < table->n_names; i++) {
    for (const char *at = table->names[i]; *at; at++) {
      if (iscntrl((unsigned char)*at)) {
        fprintf(stderr, "sidewinder: '%s': the name of column %d has a control character\n",
                table->path, i + 1);
        return 0;
      }
    }
  }
  return 1;
}

int plot_table_open(arena *a, const char *path, plot_table *table)
{
  static const char *const endings[] = {".npy", ".h5", ".hdf5", ".xyz", ".extxyz", ".trr"};
  const int format = sw_text_ending(path, endings, 6);
  *table = (plot_table){.path = path, .is_npy = format == 0, .is_hdf5 = format == 1 || format == 2};
  if (format > 2) {
    return refuse(table,
                  "holds positions by atom, which plot does not read; write the run as .csv, "
                  ".npy or .h5");
  }
  FILE *file = open_regular(table);
  if (!file) {
    return 0;
  }
  int good = read_beside(a, file, table);
  if (good && table->is_npy) {
    const size_t columns = read_header(file, table);
    good = columns > 0;
    if (good && columns != (size_t)table->n_names) {
      good = refuse(table, "has another number of columns than its .json names");
    }
  } else if (good) {
    good = table->is_hdf5 ? name_hdf5(a, table) : read_names(a, file, table);
  }
  fclose(file);
  return good && check_names(table);
}

int plot_table_read(arena *a, plot_table *table, int n, const int columns[], double *values[])
{
  int *to = ARENA_ARRAY(a, table->n_names, int);
  for (int i = 0; i < table->n_names; i++) {
    to[i] = -1;
  }
  for (int i = 0; i < n; i++) {
    to[columns[i]] = i;
    values[i] = NULL;
  }
  sink s = {.n = n, .to = to, .values = values};
  FILE *file = open_regular(table);
  if (!file) {
    return 0;
  }
  int good = table->is_npy    ? read_npy(a, file, table, &s)
             : table->is_hdf5 ? read_hdf5(a, table, &s)
                              : read_csv(a, file, table, &s);
  if (ferror(file)) {
    table->is_unreadable = 1;
    good = refuse(table, "cannot be read");
  }
  fclose(file);
  return good && table->rows == 0 ? refuse(table, "has no rows") : good;
}
