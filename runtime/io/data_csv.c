/* SPDX-License-Identifier: BSD-3-Clause */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/utf8.h"
#include "io/data_list.h"

enum { MOST_BYTES = 1 << 30, MOST_COLUMNS = 1000 };

static const char ending[] = ".csv";
static const char scalars[] = "parameters";
static const char label_column[] = "name";

/* A file, read line by line. */
typedef struct reader {
  sw_data_list *list;
  char *next; /* the unread rest */
  char *end;
  size_t line; /* number of the current line, from 1 */
  const char *field[MOST_COLUMNS];
  size_t fields;
} reader;

static sw_status wrong_line(const reader *in, const char *what)
{
  const sw_data_item here = {.path = in->list->path, .line = in->line};
  return sw_data_wrong_at(in->list, &here, 0, "%s", what);
}

static int is_text(const char *text, size_t length)
{
  for (size_t i = 0; i < length;) {
    unsigned code = 0;
    const size_t bytes = utf8_decode(text + i, length - i, &code);
    if (bytes == 0 || (utf8_is_control(code) && code != '\t')) {
      return 0;
    }
    i += bytes;
  }
  return 1;
}

/* The next line without its line break, or NULL after the last line. */
static char *data_csv_next_line(reader *in, size_t *length)
{
  char *start = in->next;
  if (start >= in->end) {
    return NULL;
  }
  char *stop = memchr(start, '\n', (size_t)(in->end - start));
  stop = stop == NULL ? in->end : stop;
  in->next = stop + 1;
  in->line++;
  *length = (size_t)(stop - start);
  *length -= *length > 0 && start[*length - 1] == '\r';
  start[*length] = '\0';
  return start;
}

static sw_status data_csv_split(reader *in, char *line)
{
  in->fields = sw_source_split(line, MOST_COLUMNS, in->field);
  return in->fields == 0             ? wrong_line(in, "a quoted field does not end where it should")
         : in->fields > MOST_COLUMNS ? wrong_line(in, "there are more than 1000 columns")
                                     : SW_OK;
}

/* Reads the next line into the fields; *more is 0 after the last one.  Skips empty lines and lines
 * that begin with # before the header, and empty lines at the end of the file. */
static sw_status data_csv_next_row(reader *in, int at_head, int *more)
{
  size_t length = 0;
  char *line = data_csv_next_line(in, &length);
  while (line != NULL && at_head && (length == 0 || line[0] == '#')) {
    line = data_csv_next_line(in, &length);
  }
  *more = line != NULL;
  if (line == NULL) {
    return SW_OK;
  }
  if (!is_text(line, length)) {
    return wrong_line(in, "this is no text in UTF-8");
  }
  if (length == 0) {
    while (line != NULL && length == 0) {
      line = data_csv_next_line(in, &length);
    }
    *more = 0;
    return line == NULL ? SW_OK : wrong_line(in, "an empty line stands before this one");
  }
  return data_csv_split(in, line);
}

static sw_status refuse_fields(const reader *in, size_t columns)
{
  const sw_data_item here = {.path = in->list->path, .line = in->line};
  return sw_data_wrong_at(in->list, &here, 0, "%zu field%s, where the header has %zu", in->fields,
                          in->fields == 1 ? "" : "s", columns);
}

/* ---- files of sets ---- */

/* Adds an array for each column of the header.  The column `name` contains the labels of the
 * set. */
static sw_status data_csv_add_columns(reader *in, const char *set, size_t rows, size_t first[1])
{
  sw_data_list *list = in->list;
  *first = list->count;
  for (size_t c = 0; c < in->fields; c++) {
    const int is_label = strcmp(in->field[c], label_column) == 0;
    const char *name = is_label ? set : in->field[c];
    int n = 0;
    if (!is_label && sw_data_find(list->model, name).kind == SW_DATA_UNKNOWN) {
      return sw_data_unknown(list, name);
    }
    const int *sets = sw_data_sets(list->model, name, &n);
    if (!is_label && (n < 1 || strcmp(list->model->sets[sets[0]].name, set) != 0)) {
      return sw_data_wrong(list, "'%.60s' is no array over '%.60s' alone: give it in another file",
                           name, set);
    }
    if (!is_label && n > 1) {
      return sw_data_wrong(list,
                           "'%.60s' has %d indices: give a column for each element of the other "
                           "sets, such as '%.60s.x'",
                           name, n, name);
    }
    sw_data_item *item = sw_data_add(list, name, 1, &rows, 1);
    if (item == NULL) {
      return sw_data_not_made(list);
    }
    item->line = in->line + 1;
    item->is_text = sw_data_find(list->model, name).kind == SW_DATA_INDICES;
  }
  return SW_OK;
}

static void take_field(sw_data_item *item, int is_label, size_t row, const char *field)
{
  const int is_number = !is_label && sw_text_real(field, &item->values[row]);
  if (item->is_text && !is_number) {
    item->values[row] = NAN;
  }
  if (item->is_text || !is_number) {
    item->labels[row] = field;
  }
}

static sw_status data_csv_read_rows(reader *in, const char *set, size_t first, size_t rows)
{
  sw_data_list *list = in->list;
  const size_t columns = in->fields;
  for (size_t row = 0; row < rows; row++) {
    int more = 0;
    sw_status status = data_csv_next_row(in, 0, &more);
    if (status == SW_OK && !more) {
      break;
    }
    if (status == SW_OK && in->fields != columns) {
      status = refuse_fields(in, columns);
    }
    if (status != SW_OK) {
      return status;
    }
    for (size_t c = 0; c < columns; c++) {
      sw_data_item *item = &list->item[first + c];
      take_field(item, strcmp(item->array.name, set) == 0, row, in->field[c]);
    }
  }
  return SW_OK;
}

/* The number of lines after the header, without empty lines at the end. */
static size_t data_csv_count_rows(const reader *in)
{
  const char *end = in->end;
  size_t rows = 0;
  while (end > in->next && (end[-1] == '\n' || end[-1] == '\r')) {
    end--;
  }
  for (const char *at = in->next; at < end; rows++) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    at = stop == NULL ? end : stop + 1;
  }
  return rows;
}

static sw_status read_set(reader *in, const char *set)
{
  const size_t rows = data_csv_count_rows(in);
  size_t first = 0;
  sw_status status = data_csv_add_columns(in, set, rows, &first);
  return status == SW_OK ? data_csv_read_rows(in, set, first, rows) : status;
}

/* ---- parameters.csv ---- */

static sw_status read_scalars(reader *in)
{
  sw_data_list *list = in->list;
  int more = 1;
  if (in->fields != 2 || strcmp(in->field[0], "name") != 0 || strcmp(in->field[1], "value") != 0) {
    return wrong_line(in, "this is not the header name,value");
  }
  sw_status status = data_csv_next_row(in, 0, &more);
  while (status == SW_OK && more) {
    if (in->fields != 2) {
      return refuse_fields(in, 2);
    }
    if (sw_data_find(list->model, in->field[0]).kind == SW_DATA_UNKNOWN) {
      return sw_data_unknown(list, in->field[0]);
    }
    sw_data_item *item = sw_data_add(list, in->field[0], 0, NULL, 1);
    if (item == NULL) {
      return sw_data_not_made(list);
    }
    item->line = in->line;
    take_field(item, 0, 0, in->field[1]);
    status = data_csv_next_row(in, 0, &more);
  }
  return status;
}

/* ---- the folder ---- */

/* The set whose name is the file's name; NULL, with a message, if there is none. */
static const char *find_set(const sw_data_list *list, const char *path, const char *name,
                            size_t length)
{
  const sw_model *model = list->model;
  char text[SW_TEXT_MESSAGE];
  char given[SW_NAME_BYTES];
  const char **known = calloc((size_t)model->n_sets + 1, sizeof *known);
  if (known == NULL) {
    return NULL;
  }
  snprintf(given, sizeof given, "%.*s", (int)(length < 300 ? length : 300), name);
  for (int i = 0; i < model->n_sets; i++) {
    known[i] = model->sets[i].name;
  }
  known[model->n_sets] = scalars;
  const int place = sw_text_place(given, known, (size_t)model->n_sets + 1);
  const char *found = place < 0 ? NULL : known[place];
  if (place < 0) {
    sw_text_unknown("set", given, known, (size_t)model->n_sets + 1, text);
    const sw_data_item here = {.path = path};
    sw_data_wrong_at(list, &here, 0, "%s", text);
  }
  free(known);
  return found;
}

static sw_status read_file(sw_data_list *list, const char *path, const char *name)
{
  reader in = {.list = list};
  size_t bytes = 0;
  int more = 0;
  const char *set = find_set(list, path, name, strlen(name) - (sizeof ending - 1));
  if (set == NULL) {
    return sw_data_not_made(list);
  }
  sw_status status = sw_data_slurp(list, path, MOST_BYTES, &in.next, &bytes);
  if (status != SW_OK) {
    return status;
  }
  in.end = in.next + bytes;
  status = data_csv_next_row(&in, 1, &more);
  if (status == SW_OK && !more) {
    return sw_data_wrong(list, "it is empty, and has not even a header");
  }
  if (status != SW_OK) {
    return status;
  }
  return strcmp(set, scalars) == 0 ? read_scalars(&in) : read_set(&in, set);
}

static int is_csv(const struct dirent *entry)
{
  const size_t length = strlen(entry->d_name);
  return entry->d_name[0] != '.' && length > sizeof ending - 1 &&
         strcasecmp(entry->d_name + length - (sizeof ending - 1), ending) == 0;
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
  return strcmp((*a)->d_name, (*b)->d_name);
}

sw_status sw_data_read_csv(sw_data_list *list)
{
  const char *folder = list->path;
  struct dirent **entries = NULL;
  sw_status status = SW_OK;
  const int n = scandir(folder, &entries, is_csv, by_bytes);
  if (n < 0) {
    const sw_source source = {.path = folder, .message = list->message};
    return sw_source_broken(&source);
  }
  if (n == 0) {
    status = sw_data_wrong(list, "there is no .csv file in this folder");
  }
  for (int i = 0; i < n; i++) {
    char *path = NULL;
    if (status == SW_OK && asprintf(&path, "%s/%s", folder, entries[i]->d_name) < 0) {
      path = NULL;
      status = SW_ERR_MEMORY;
    }
    if (status == SW_OK) {
      status = read_file(list, path, entries[i]->d_name);
    }
    free(path);
    free(entries[i]);
  }
  free(entries);
  return status;
}
