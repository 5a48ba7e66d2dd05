/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/given_sizes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/user_text.h"

/* prefix of the name of a size that counts the elements of a set */
static const char counts[] = "n_";

static sw_status given_sizes_fail(char message[], const char *format, ...)
{
  va_list arguments;

  va_start(arguments, format);
  (void)vsnprintf(message, SW_SYSTEM_MESSAGE, format, arguments);
  va_end(arguments);
  return SW_ERR_SIZE;
}

static int find_indices(const sw_model *model, const char *name)
{
  for (int i = 0; i < model->n_indices; i++) {
    if (strcmp(model->indices[i].name, name) == 0) {
      return i;
    }
  }
  return -1;
}

/* The last value given under this name; NULL if there is none. */
static const sw_size *find_given(const sw_given *given, const char *name)
{
  for (int i = given->n_sizes - 1; i >= 0; i--) {
    if (strcmp(given->sizes[i].name, name) == 0) {
      return &given->sizes[i];
    }
  }
  return NULL;
}

int sw_given_set(const sw_model *model, int i)
{
  const char *name = model->size_names[i];

  if (model->size_default[i] != SW_NO_DEFAULT || strncmp(name, counts, sizeof counts - 1) != 0) {
    return -1;
  }
  for (int s = 0; s < model->n_sets; s++) {
    if (strcmp(model->sets[s].name, name + sizeof counts - 1) == 0) {
      return s;
    }
  }
  return -1;
}

/* ---- names ---- */

static sw_status fail_unknown(const sw_model *model, const char *name, char message[])
{
  const size_t n = (size_t)model->n_sizes + (size_t)model->n_indices;
  const char **known = calloc(n + 1, sizeof *known);
  char text[SW_TEXT_MESSAGE];

  if (!known) {
    return SW_ERR_MEMORY;
  }
  for (int i = 0; i < model->n_sizes; i++) {
    known[i] = model->size_names[i];
  }
  for (int i = 0; i < model->n_indices; i++) {
    known[model->n_sizes + i] = model->indices[i].name;
  }
  sw_text_unknown("size", name, known, n, text);
  free(known);
  return given_sizes_fail(message, "%s", text);
}

static sw_status check_name(const sw_model *model, const sw_size *size, char message[])
{
  const int of_sizes = sw_text_place(size->name, model->size_names, (size_t)model->n_sizes) >= 0;
  const int of_indices = find_indices(model, size->name) >= 0;

  if (of_sizes && size->indices) {
    return given_sizes_fail(message, "'%.64s' is a size, one number, and no array", size->name);
  }
  if (of_indices && !size->indices && size->value != 0) {
    return given_sizes_fail(
        message,
        "'%.64s' is an array of indices, and no size: give it with --data FILE, or its "
        "values in sw_options.sizes",
        size->name);
  }
  if (of_sizes || of_indices) {
    return SW_OK;
  }
  if (model->n_sizes == 0 && model->n_indices == 0) {
    return given_sizes_fail(
        message,
        "'%s' has no size '%.64s' that can be set; if its model file has it, generate it "
        "with --lowering looped",
        model->name, size->name);
  }
  return fail_unknown(model, size->name, message);
}

static sw_status check_names(const sw_given *given, char message[])
{
  sw_status status = SW_OK;

  for (int i = 0; i < given->n_sizes && status == SW_OK; i++) {
    if (!given->sizes || !given->sizes[i].name) {
      (void)given_sizes_fail(message, "a size without a name");
      return SW_ERR_ARGUMENT;
    }
    status = check_name(given->model, &given->sizes[i], message);
  }
  return status;
}

/* ---- sizes ---- */

/* The number of elements of a set, from a given array over it; SW_NO_DEFAULT if none is given. */
static long given_sizes_count_entries(const sw_given *given, int set)
{
  const sw_model *model = given->model;

  for (int i = 0; set >= 0 && i < model->n_indices; i++) {
    const sw_size *array =
        model->indices[i].set == set ? find_given(given, model->indices[i].name) : NULL;
    if (array) {
      return array->value;
    }
  }
  return SW_NO_DEFAULT;
}

/* Writes the message that size i is neither given nor determined by an array. */
static sw_status fail_missing(const sw_model *model, int i, char message[])
{
  const char *name = model->size_names[i];
  const int set = sw_given_set(model, i);

  return given_sizes_fail(
      message,
      "the number of elements of '%.64s' comes from data: give it with --data FILE, or "
      "%.64s and its arrays in sw_options.sizes",
      set >= 0 ? model->sets[set].name : name, name);
}

sw_status sw_given_sizes(const sw_given *given, long n[], char message[])
{
  const sw_model *model = given->model;
  const sw_status status = check_names(given, message);

  for (int i = 0; i < model->n_sizes && status == SW_OK; i++) {
    const sw_size *size = find_given(given, model->size_names[i]);
    const int is_open = !size && model->size_default[i] == SW_NO_DEFAULT;
    n[i] = size      ? size->value
           : is_open ? given_sizes_count_entries(given, sw_given_set(model, i))
                     : model->size_default[i];
    if (is_open && n[i] == SW_NO_DEFAULT) {
      return fail_missing(model, i, message);
    }
    if (n[i] < 0 || n[i] > SW_LARGEST_SIZE) {
      return given_sizes_fail(message, "size %.64s = %ld is %s; give one from 0 to %ld",
                              model->size_names[i], n[i], n[i] < 0 ? "negative" : "too large",
                              SW_LARGEST_SIZE);
    }
  }
  return status;
}

/* ---- arrays of indices ---- */

size_t sw_given_count(const sw_model *model, const int count[])
{
  size_t values = 0;

  for (int i = 0; i < model->n_indices; i++) {
    values += (size_t)count[model->indices[i].set];
  }
  return values;
}

/* Writes a set as text: "atom = 1 .. 100", or "kind = {A, B}, which are 0 .. 1" with at most SHOWN
 * labels. */
static void put_set(const sw_set *set, long first, int count, char text[], size_t room)
{
  enum { SHOWN = 8 };
  int used = snprintf(text, room, "%.64s = ", set->name);

  if (!set->labels) {
    (void)snprintf(text + used, room - (size_t)used, "%ld .. %ld", first, first + count - 1);
    return;
  }
  for (int i = 0; i < count && i < SHOWN && (size_t)used < room; i++) {
    used +=
        snprintf(text + used, room - (size_t)used, "%s%.20s", i > 0 ? ", " : "{", set->labels[i]);
  }
  if ((size_t)used < room) {
    (void)snprintf(text + used, room - (size_t)used, "%s}, which are 0 .. %d",
                   count > SHOWN ? ", ..." : "", count - 1);
  }
}

/* Writes the message that entry e, from 0, of an array is not in its target. */
static sw_status fail_entry(const sw_model *model, const sw_index_array *array, long entry,
                            const long value, const long first[], const int count[], char message[])
{
  const sw_set *over = &model->sets[array->set];
  const int target = array->target;
  char set[300];

  if (count[target] == 0) {
    return given_sizes_fail(message, "%.64s[%ld] = %ld is not in %.64s, which has no elements",
                            array->name, first[array->set] + entry, value,
                            model->sets[target].name);
  }
  put_set(&model->sets[target], first[target], count[target], set, sizeof set);
  if (over->labels) {
    return given_sizes_fail(message, "%.64s[%.64s] = %ld is not in %s", array->name,
                            over->labels[entry], value, set);
  }
  return given_sizes_fail(message, "%.64s[%ld] = %ld is not in %s", array->name,
                          first[array->set] + entry, value, set);
}

/* Copies the array's values to `to`, after checking them. */
static sw_status copy_array(const sw_model *model, const sw_index_array *array,
                            const sw_size *values, const long first[], const int count[], long to[],
                            long *fault, char message[])
{
  const int wanted = count[array->set];
  const long lowest = first[array->target];
  const long end = lowest + count[array->target];

  if (!values) {
    if (wanted == 0) {
      return SW_OK;
    }
    return given_sizes_fail(
        message,
        "the array of indices '%.64s' comes from data: give its %d values with --data "
        "FILE, or in sw_options.sizes",
        array->name, wanted);
  }
  if (values->value != wanted) {
    return given_sizes_fail(message,
                            "'%.64s' has %ld %s, and not %d, one for each element of %.64s",
                            array->name, values->value, values->value == 1 ? "entry" : "entries",
                            wanted, model->sets[array->set].name);
  }
  for (int e = 0; e < wanted; e++) {
    if (values->indices[e] < lowest || values->indices[e] >= end) {
      *fault = e;
      return fail_entry(model, array, e, values->indices[e], first, count, message);
    }
    to[e] = values->indices[e];
  }
  return SW_OK;
}

sw_status sw_given_indices(const sw_given *given, const long first[], const int count[], long to[],
                           sw_index_fault *fault, char message[])
{
  const sw_model *model = given->model;
  sw_index_fault found = {-1, -1};
  sw_status status = SW_OK;

  for (int i = 0; i < model->n_indices && status == SW_OK; i++) {
    const sw_index_array *array = &model->indices[i];
    found.array = i;
    status = copy_array(model, array, find_given(given, array->name), first, count, to,
                        &found.entry, message);
    to += count[array->set];
  }
  if (fault) {
    *fault = status == SW_OK ? (sw_index_fault){-1, -1} : found;
  }
  return status;
}

/* ---- from a system's sizes to arguments ---- */

sw_size *sw_sizes_given(const sw_model *model, const long n[])
{
  const size_t room = (size_t)model->n_sizes + 2 * (size_t)model->n_sets + 1;
  sw_size *sizes = calloc((size_t)model->n_sizes + (size_t)model->n_indices + 1, sizeof *sizes);
  double *bounds = calloc(room, sizeof *bounds);

  if (!sizes || !bounds) {
    free(sizes);
    free(bounds);
    return NULL;
  }
  double *first = bounds + model->n_sizes;
  double *last = first + model->n_sets;
  for (int i = 0; i < model->n_sizes; i++) {
    sizes[i] = (sw_size){.name = model->size_names[i], .value = n[i]};
    bounds[i] = (double)n[i];
  }
  if (model->n_sets > 0) {
    model->ranges(bounds, first, last);
  }
  n += model->n_sizes;
  for (int i = 0; i < model->n_indices; i++) {
    const int set = model->indices[i].set;
    const double count = last[set] - first[set] + 1.0;
    const int is_count = count > 0.0 && count <= (double)SW_LARGEST_SIZE;
    sizes[model->n_sizes + i] = (sw_size){model->indices[i].name, is_count ? (long)count : 0, n};
    n += sizes[model->n_sizes + i].value;
  }
  free(bounds);
  return sizes;
}
