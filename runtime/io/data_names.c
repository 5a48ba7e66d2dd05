/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "io/data_list.h"
#include "model/given_sizes.h"

/* Returns 1 if text is equal to the first `length` bytes of name. */
static int equals(const char *text, const char *name, size_t length)
{
  return strncmp(text, name, length) == 0 && text[length] == '\0';
}

static int data_names_find_parameter(const sw_model *model, const char *name, size_t length)
{
  for (int i = 0; i < model->n_parameters; i++) {
    if (equals(model->parameters[i].name, name, length)) {
      return i;
    }
  }
  return -1;
}

/* Parses "m" or "m.C": an array of parameters, optionally with its last indices. */
static sw_data_target data_names_find_entries(const sw_model *model, const char *name)
{
  size_t length = strlen(name);
  int n_fixed = 0;
  for (;;) {
    const int number = data_names_find_parameter(model, name, length);
    if (number >= 0 && n_fixed <= model->parameters[number].n_sets) {
      return (sw_data_target){SW_DATA_PARAMETER, number, name + length, n_fixed};
    }
    while (length > 0 && name[length - 1] != '.') {
      length--;
    }
    if (length < 2) {
      return (sw_data_target){SW_DATA_UNKNOWN, -1, "", 0};
    }
    length--;
    n_fixed++;
  }
}

sw_data_target sw_data_find(const sw_model *model, const char *name)
{
  const int size = sw_text_place(name, model->size_names, (size_t)model->n_sizes);
  if (size >= 0) {
    return (sw_data_target){SW_DATA_SIZE, size, "", 0};
  }
  for (int i = 0; i < model->n_sets; i++) {
    if (strcmp(model->sets[i].name, name) == 0) {
      return (sw_data_target){SW_DATA_SET, i, "", 0};
    }
  }
  for (int i = 0; i < model->n_indices; i++) {
    if (strcmp(model->indices[i].name, name) == 0) {
      return (sw_data_target){SW_DATA_INDICES, i, "", 0};
    }
  }
  const sw_data_target found = data_names_find_entries(model, name);
  return found.kind == SW_DATA_UNKNOWN && strcmp(name, "comment") == 0
             ? (sw_data_target){SW_DATA_COMMENT, 0, "", 0}
             : found;
}

sw_status sw_data_unknown(const sw_data_list *list, const char *name)
{
  const sw_model *m = list->model;
  const size_t n =
      (size_t)m->n_sizes + (size_t)m->n_sets + (size_t)m->n_indices + (size_t)m->n_parameters;
  const char **known = calloc(n + 1, sizeof *known);
  char text[SW_TEXT_MESSAGE];
  size_t count = 0;
  if (known == NULL) {
    return SW_ERR_MEMORY;
  }
  for (int i = 0; i < m->n_sets; i++) {
    if (sw_data_size_of(m, i) >= 0) {
      known[count++] = m->sets[i].name;
    }
  }
  for (int i = 0; i < m->n_indices; i++) {
    known[count++] = m->indices[i].name;
  }
  for (int i = 0; i < m->n_parameters; i++) {
    known[count++] = m->parameters[i].name;
  }
  for (int i = 0; i < m->n_sizes; i++) {
    if (m->size_default[i] != SW_NO_DEFAULT) {
      known[count++] = m->size_names[i];
    }
  }
  sw_text_unknown("name", name, known, count, text);
  free(known);
  return sw_data_wrong(list, "%s", text);
}

const int *sw_data_sets(const sw_model *model, const char *name, int *n)
{
  const sw_data_target found = sw_data_find(model, name);
  *n = 0;
  if (found.kind == SW_DATA_INDICES) {
    *n = 1;
    return &model->indices[found.number].set;
  }
  if (found.kind == SW_DATA_PARAMETER) {
    *n = model->parameters[found.number].n_sets - found.n_fixed;
    return model->parameters[found.number].set;
  }
  return NULL;
}

int sw_data_size_of(const sw_model *model, int set)
{
  for (int i = 0; i < model->n_sizes; i++) {
    if (sw_given_set(model, i) == set) {
      return i;
    }
  }
  return -1;
}

int sw_data_is_wanted(const sw_model *model)
{
  int wanted = model->n_indices > 0;
  for (int i = 0; i < model->n_sizes; i++) {
    wanted |= model->size_default[i] == SW_NO_DEFAULT;
  }
  return wanted;
}

int sw_data_component(const sw_model *model, int set, int c)
{
  const char *name = model->sets[set].name;
  const size_t length = strlen(name);
  char number[16];
  (void)snprintf(number, sizeof number, "%d", c + 1);
  for (int i = 0; i < model->n_indices; i++) {
    const char *text = model->indices[i].name;
    if (model->indices[i].set == set && strncmp(text, name, length) == 0 && text[length] == '.' &&
        strcmp(text + length + 1, number) == 0) {
      return i;
    }
  }
  return -1;
}

int sw_data_label_count(const sw_model *model, int set)
{
  const size_t n = (size_t)model->n_sizes + 2 * (size_t)model->n_sets;
  double *bounds = calloc(n + 1, sizeof *bounds);
  int count = -1;
  if (bounds != NULL) {
    double *first = bounds + model->n_sizes;
    double *last = first + model->n_sets;
    model->ranges(bounds, first, last); /* ranges of labels do not depend on the sizes */
    count = (int)last[set] + 1;
  }
  free(bounds);
  return count;
}
