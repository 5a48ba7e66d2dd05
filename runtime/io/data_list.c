/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/data_list.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

size_t sw_data_entries(const sw_data_array *array)
{
  size_t n = 1;
  for (int d = 0; d < array->n_dims; d++) {
    n *= array->size[d];
  }
  return n;
}

/* As sw_data_entries, but more than SW_DATA_ENTRIES if the product could overflow. */
static size_t data_list_count_entries(int n_dims, const size_t size[])
{
  size_t n = 1;
  for (int d = 0; d < n_dims; d++) {
    if (size[d] > SW_DATA_ENTRIES || n * size[d] > SW_DATA_ENTRIES) {
      return (size_t)SW_DATA_ENTRIES + 1;
    }
    n *= size[d];
  }
  return n;
}

static int make_room(sw_data_list *list)
{
  if (list->count < list->room) {
    return 1;
  }
  const size_t room = 2 * list->room + 16;
  sw_data_item *grown = realloc(list->item, room * sizeof *grown);
  if (grown != NULL) {
    list->item = grown;
    list->room = room;
  }
  return grown != NULL;
}

sw_data_item *sw_data_add(sw_data_list *list, const char *name, int n_dims, const size_t size[],
                          int may_have_labels)
{
  const size_t n = data_list_count_entries(n_dims, size);
  sw_data_item made = {.array = {.name = name, .n_dims = n_dims}, .path = list->path};
  if (n > SW_DATA_ENTRIES || list->count == SW_DATA_ARRAYS) {
    sw_data_wrong(list,
                  n > SW_DATA_ENTRIES ? "'%.100s' has more than %d entries"
                                      : "with '%.100s' there are more than %d arrays",
                  name, n > SW_DATA_ENTRIES ? SW_DATA_ENTRIES : SW_DATA_ARRAYS);
    return NULL;
  }
  made.values = calloc(n + 1, sizeof *made.values);
  made.labels = may_have_labels ? calloc(n + 1, sizeof *made.labels) : NULL;
  if (made.values == NULL || (may_have_labels && made.labels == NULL) || !make_room(list)) {
    free(made.values);
    free(made.labels);
    return NULL;
  }
  for (int d = 0; d < n_dims; d++) {
    made.array.size[d] = size[d];
  }
  made.array.values = made.values;
  made.array.labels = made.labels;
  list->item[list->count] = made;
  return &list->item[list->count++];
}

int sw_data_keep(sw_data_list *list, void *memory)
{
  const size_t n = list->n_kept;
  if (memory != NULL && (n & (n - 1)) == 0) { /* the capacity is 1, 2, 4, 8, ... */
    void **grown = realloc(list->kept, (n == 0 ? 1 : 2 * n) * sizeof *grown);
    if (grown == NULL) {
      free(memory);
      return 0;
    }
    list->kept = grown;
  }
  if (memory == NULL) {
    return 0;
  }
  list->kept[list->n_kept++] = memory;
  return 1;
}

char *sw_data_copy(sw_data_list *list, const char *text, size_t length)
{
  char *copy = strndup(text, length);
  return sw_data_keep(list, copy) ? copy : NULL;
}

/* ---- files ---- */

sw_status sw_data_reads(sw_data_list *list, const char *path)
{
  char *copy = strdup(path);
  char **grown =
      copy == NULL ? NULL : realloc(list->file, (list->n_files + 1) * sizeof *list->file);
  if (grown == NULL) {
    free(copy);
    return SW_ERR_MEMORY;
  }
  list->file = grown;
  list->file[list->n_files++] = copy;
  list->path = copy;
  return SW_OK;
}

/* Spreadsheets start UTF-8 text with it. */
static const char byte_order_mark[] = "\xef\xbb\xbf";

static sw_status data_list_read_all(sw_data_list *list, const sw_source *source, size_t most,
                                    char **text, size_t *bytes)
{
  struct stat about;
  if (fstat(fileno(source->stream), &about) != 0) {
    return sw_source_broken(source);
  }
  const size_t size = (size_t)about.st_size;
  if (about.st_size < 0 || size > most) {
    return sw_source_refuse(source, " has more than %zu MiB", most >> 20);
  }
  *text = malloc(size + 1);
  if (*text == NULL || !sw_data_keep(list, *text)) {
    return SW_ERR_MEMORY;
  }
  *bytes = fread(*text, 1, size, source->stream);
  (*text)[*bytes] = '\0';
  if (strncmp(*text, byte_order_mark, sizeof byte_order_mark - 1) == 0) {
    *text += sizeof byte_order_mark - 1;
    *bytes -= sizeof byte_order_mark - 1;
  }
  return ferror(source->stream) ? sw_source_broken(source) : SW_OK;
}

sw_status sw_data_slurp(sw_data_list *list, const char *path, size_t most, char **text,
                        size_t *bytes)
{
  sw_source source = {.path = path, .message = list->message};
  sw_status status = sw_data_reads(list, path);
  if (status == SW_OK) {
    status = sw_source_open(&source);
  }
  if (status == SW_OK) {
    status = data_list_read_all(list, &source, most, text, bytes);
    fclose(source.stream);
  }
  return status;
}

/* ---- messages ---- */

static sw_status data_list_refuse(const sw_data_list *list, const char *path, size_t line,
                                  const char *format, va_list arguments)
{
  char text[SW_TEXT_MESSAGE] = "";
  const sw_source source = {.path = path, .message = list->message};
  vsnprintf(text, sizeof text, format, arguments);
  return line > 0 ? sw_source_refuse(&source, ":%zu: %s", line, text)
                  : sw_source_refuse(&source, ": %s", text);
}

sw_status sw_data_wrong(const sw_data_list *list, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const sw_status status = data_list_refuse(list, list->path, 0, format, arguments);
  va_end(arguments);
  return status;
}

sw_status sw_data_wrong_at(const sw_data_list *list, const sw_data_item *item, size_t entry,
                           const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const sw_status status = data_list_refuse(
      list, item->path, item->line > 0 ? item->line + entry : 0, format, arguments);
  va_end(arguments);
  return status;
}

sw_status sw_data_not_made(const sw_data_list *list)
{
  return list->message[0] != '\0' ? SW_ERR_ARGUMENT : SW_ERR_MEMORY;
}

/* ---- sorting ---- */

static int data_list_by_name(const void *a, const void *b)
{
  return strcmp(((const sw_data_item *)a)->array.name, ((const sw_data_item *)b)->array.name);
}

sw_status sw_data_sort(sw_data_list *list)
{
  if (list->count > 0) {
    qsort(list->item, list->count, sizeof *list->item, data_list_by_name);
  }
  for (size_t i = 1; i < list->count; i++) {
    if (data_list_by_name(&list->item[i - 1], &list->item[i]) == 0) {
      return sw_data_wrong_at(list, &list->item[i], 0, "'%.100s' is there twice",
                              list->item[i].array.name);
    }
  }
  return SW_OK;
}

void sw_data_clear(sw_data_list *list)
{
  for (size_t i = 0; i < list->count; i++) {
    free(list->item[i].values);
    free(list->item[i].labels);
  }
  for (size_t i = 0; i < list->n_kept; i++) {
    free(list->kept[i]);
  }
  for (size_t i = 0; i < list->n_files; i++) {
    free(list->file[i]);
  }
  free(list->item);
  free(list->kept);
  free(list->file);
  *list = (sw_data_list){.model = list->model};
}
