/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * data_sizes.c -- the sizes and the arrays of indices that a list of data implies.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/sorted_names.h"
#include "io/data_list.h"
#include "model/given_sizes.h"

/* The state while a list is interpreted. */
typedef struct reading {
  sw_data *data;
  const sw_model *model;
  const sw_data_list *list;
  long *count;                     /* of each size, -1 if still unknown */
  const sw_data_item **told;       /* of each size, the item that determines it */
  const sw_data_item **labels;     /* of each set, NULL if the data contains no labels */
  const sw_data_item **of_indices; /* of each array of indices, its item */
} reading;

/* ---- sizes ---- */

static const char *name_of(const sw_data_item *item)
{
  return item->array.name;
}

/* Sets a size to `count`, as an item implies. */
static sw_status data_sizes_tell(reading *r, int size, long count, const sw_data_item *item)
{
  const char *name = r->model->size_names[size];
  if (r->count[size] >= 0 && r->count[size] != count) {
    return sw_data_wrong_at(r->list, item, 0,
                            "'%.60s' says that %.60s is %ld, and '%.60s' that it is %ld",
                            name_of(item), name, count, name_of(r->told[size]), r->count[size]);
  }
  r->count[size] = count;
  r->told[size] = item;
  return SW_OK;
}

/* Sets the size of a set to `count`, as an item implies.  Does nothing if the set is not data. */
static sw_status tell_set(reading *r, int set, size_t count, const sw_data_item *item)
{
  const int size = sw_data_size_of(r->model, set);
  return size >= 0 ? data_sizes_tell(r, size, (long)count, item) : SW_OK;
}

/* Reads a size from an item: a number of elements, or any other size. */
static sw_status data_sizes_take_size(reading *r, int size, const sw_data_item *item)
{
  const double value = item->array.n_dims == 0 ? item->array.values[0] : -1.0;
  if (item->array.n_dims > 0 || (item->array.labels != NULL && item->array.labels[0] != NULL)) {
    return sw_data_wrong_at(r->list, item, 0, "'%.60s' is a size, one integer", name_of(item));
  }
  if (!(value >= 0.0 && value <= (double)SW_LARGEST_SIZE && value == floor(value))) {
    return sw_data_wrong_at(r->list, item, 0, "'%.60s' = %.17g is no integer from 0 to %ld",
                            name_of(item), value, SW_LARGEST_SIZE);
  }
  return data_sizes_tell(r, size, (long)value, item);
}

/* ---- labels ---- */

/* Checks the labels of a set: all must be texts and unique. */
static sw_status check_labels(const reading *r, const sw_data_item *item)
{
  const char *const *labels = item->array.labels;
  const size_t n = item->array.size[0];
  sw_status status = SW_OK;
  for (size_t i = 0; i < n; i++) {
    if (labels == NULL || labels[i] == NULL) {
      return sw_data_wrong_at(r->list, item, i,
                              "'%.60s' is a number of elements or a list of labels, and entry %zu "
                              "is no label",
                              name_of(item), i + 1);
    }
  }
  const sw_sorted_names sorted = sw_names_sort(labels, n);
  if (sorted.place == NULL) {
    return SW_ERR_MEMORY;
  }
  for (size_t i = 1; i < n && status == SW_OK; i++) {
    const char *const *a = sorted.place[i - 1];
    const char *const *b = sorted.place[i];
    if (strcmp(*a, *b) == 0) {
      const size_t later = (size_t)((b > a ? b : a) - labels);
      status = sw_data_wrong_at(r->list, item, later, "'%.60s' has the label '%.60s' twice",
                                name_of(item), *b);
    }
  }
  free(sorted.place);
  return status;
}

/* Compares labels with those that the model itself declares. */
static sw_status compare_labels(const reading *r, int set, const sw_data_item *item)
{
  const sw_set *of = &r->model->sets[set];
  const int n = of->labels != NULL ? sw_data_label_count(r->model, set) : 0;
  if (of->labels == NULL || item->array.n_dims != 1 || item->array.labels == NULL) {
    return sw_data_wrong_at(r->list, item, 0, "the set '%.60s' is the model's, and not data",
                            of->name);
  }
  for (size_t i = 0; i < item->array.size[0] || i < (size_t)(n > 0 ? n : 0); i++) {
    const char *label = i < item->array.size[0] ? item->array.labels[i] : NULL;
    if (i >= (size_t)n || label == NULL || strcmp(label, of->labels[i]) != 0) {
      return sw_data_wrong_at(r->list, item, i,
                              "element %zu of '%.60s' is '%.60s' in the data, and '%.60s' in the "
                              "model",
                              i + 1, of->name, label != NULL ? label : "",
                              i < (size_t)n ? of->labels[i] : "");
    }
  }
  return n < 0 ? SW_ERR_MEMORY : SW_OK;
}

/* ---- sets ---- */

static sw_status data_sizes_take_set(reading *r, int set, const sw_data_item *item)
{
  const int size = sw_data_size_of(r->model, set);
  const int is_tuples = sw_data_component(r->model, set, 0) >= 0;
  if (size < 0) {
    return compare_labels(r, set, item);
  }
  if (item->array.n_dims == 0) {
    return data_sizes_take_size(r, size, item);
  }
  if (is_tuples && item->array.size[0] > 0) {
    int members = 0;
    while (sw_data_component(r->model, set, members) >= 0) {
      members++;
    }
    if (item->array.n_dims != 2 || item->array.size[1] != (size_t)members) {
      return sw_data_wrong_at(r->list, item, 0, "'%.60s' is a list of tuples of %d elements each",
                              name_of(item), members);
    }
    return data_sizes_tell(r, size, (long)item->array.size[0], item);
  }
  if (item->array.n_dims != 1) {
    return sw_data_wrong_at(r->list, item, 0,
                            "'%.60s' is a number of elements, or a list of labels", name_of(item));
  }
  sw_status status = check_labels(r, item);
  r->labels[set] = item;
  return status == SW_OK ? data_sizes_tell(r, size, (long)item->array.size[0], item) : status;
}

/* Sets sizes from the dimensions of an array of indices or parameters. */
static sw_status data_sizes_take_shape(reading *r, const sw_data_item *item)
{
  int n = 0;
  const int *sets = sw_data_sets(r->model, name_of(item), &n);
  sw_status status = SW_OK;
  for (int d = 0; d < n && item->array.n_dims == n && status == SW_OK; d++) {
    status = tell_set(r, sets[d], item->array.size[d], item);
  }
  return status;
}

static sw_status data_sizes_take_item(reading *r, const sw_data_item *item)
{
  const sw_data_target target = sw_data_find(r->model, name_of(item));
  switch (target.kind) {
  case SW_DATA_UNKNOWN:
    return sw_data_unknown(r->list, name_of(item));
  case SW_DATA_SIZE:
    return data_sizes_take_size(r, target.number, item);
  case SW_DATA_SET:
    return data_sizes_take_set(r, target.number, item);
  case SW_DATA_INDICES:
    r->of_indices[target.number] = item;
    if (item->array.n_dims != 1) {
      return sw_data_wrong_at(
          r->list, item, 0, "'%.60s' is a list, with an entry for each element of %.60s",
          name_of(item), r->model->sets[r->model->indices[target.number].set].name);
    }
    return data_sizes_take_shape(r, item);
  case SW_DATA_PARAMETER:
    return data_sizes_take_shape(r, item);
  case SW_DATA_COMMENT:
    break;
  }
  return SW_OK;
}

/* ---- arrays of indices ---- */

/* The labels of a target set, sorted. */
static sw_status open_labels(const reading *r, int set, sw_sorted_names *of)
{
  const sw_set *target = &r->model->sets[set];
  const sw_data_item *item = r->labels[set];
  const int n = target->labels != NULL ? sw_data_label_count(r->model, set) : 0;
  if (n < 0) {
    return SW_ERR_MEMORY;
  }
  *of = item != NULL ? sw_names_sort(item->array.labels, item->array.size[0])
                     : sw_names_sort(target->labels, (size_t)n);
  return of->place == NULL ? SW_ERR_MEMORY : SW_OK;
}

static sw_status find_label(const reading *r, const sw_data_item *item, size_t entry, int set,
                            const sw_sorted_names *of, const char *label, long *index)
{
  const size_t number = sw_names_number(of, label);
  if (number < of->count) {
    *index = (long)number + (r->model->sets[set].labels != NULL ? 0 : 1);
    return SW_OK;
  }
  char text[SW_TEXT_MESSAGE];
  if (of->count == 0) {
    return sw_data_wrong_at(
        r->list, item, entry,
        "entry %zu of '%.60s' is the label '%.60s', and '%.60s' has no labels in "
        "these data",
        entry + 1, name_of(item), label, r->model->sets[set].name);
  }
  sw_text_unknown("label", label, of->names, of->count, text);
  return sw_data_wrong_at(r->list, item, entry, "entry %zu of '%.60s': %s", entry + 1,
                          name_of(item), text);
}

static sw_status data_sizes_take_number(const reading *r, const sw_data_item *item, size_t entry,
                                        int set, double value, long *index)
{
  if (value == floor(value) && fabs(value) < 1e15) {
    *index = (long)value;
    return SW_OK;
  }
  return sw_data_wrong_at(r->list, item, entry,
                          "entry %zu of '%.60s', %.17g, is no element of '%.60s'", entry + 1,
                          name_of(item), value, r->model->sets[set].name);
}

/* Returns 1 if a label of the set is a number.  A number in a table is then a label, not a
 * position. */
static int has_numbers_as_labels(const reading *r, int set)
{
  const sw_data_item *item = r->labels[set];
  double number = 0.0;
  for (size_t i = 0; item != NULL && i < item->array.size[0]; i++) {
    if (sw_text_real(item->array.labels[i], &number)) {
      return 1;
    }
  }
  return 0;
}

/* Fills in array of indices i from entries first, first + step, ... of the item. */
static sw_status fill_indices(const reading *r, int i, const sw_data_item *item, size_t first,
                              size_t step)
{
  const sw_data_array *array = &item->array;
  const int target = r->model->indices[i].target;
  const size_t n = array->size[0];
  long *to = r->data->indices[i] = calloc(n + 1, sizeof *to);
  sw_sorted_names labels = {0};
  const int may_be_positions = item->is_text && !has_numbers_as_labels(r, target);
  sw_status status = to == NULL ? SW_ERR_MEMORY : SW_OK;
  for (size_t e = 0; e < n && status == SW_OK; e++) {
    const size_t at = first + e * step;
    const int is_position = may_be_positions && !isnan(array->values[at]);
    const char *label = array->labels != NULL && !is_position ? array->labels[at] : NULL;
    if (label != NULL && labels.place == NULL) {
      status = open_labels(r, target, &labels);
    }
    if (status == SW_OK) {
      status = label != NULL
                   ? find_label(r, item, e, target, &labels, label, &to[e])
                   : data_sizes_take_number(r, item, e, target, array->values[at], &to[e]);
    }
  }
  free(labels.place);
  if (status == SW_OK) {
    r->data->sizes[r->data->n_sizes++] = (sw_size){r->model->indices[i].name, (long)n, to};
  }
  return status;
}

/* The list of tuples of which array of indices i is a component; *component is its number, from 0.
 * NULL if there is none. */
static const sw_data_item *find_tuples(const reading *r, int i, size_t *component)
{
  const int set = r->model->indices[i].set;
  int c = 0;
  while (sw_data_component(r->model, set, c) >= 0 && sw_data_component(r->model, set, c) != i) {
    c++;
  }
  if (sw_data_component(r->model, set, c) != i || r->labels[set] != NULL) {
    return NULL;
  }
  *component = (size_t)c;
  for (size_t j = 0; j < r->list->count; j++) {
    const sw_data_item *tuples = &r->list->item[j];
    if (strcmp(name_of(tuples), r->model->sets[set].name) == 0 && tuples->array.n_dims == 2) {
      return tuples;
    }
  }
  return NULL;
}

/* Fills in array of indices i, which may be a component of a list of tuples. */
static sw_status take_indices(reading *r, int i)
{
  size_t component = 0;
  const sw_data_item *item = r->of_indices[i];
  const sw_data_item *tuples = find_tuples(r, i, &component);
  if (item != NULL && tuples != NULL) {
    return sw_data_wrong_at(r->list, item, 0,
                            "'%.60s' gives %.60s a second time: give the tuples, or each component",
                            name_of(tuples), name_of(item));
  }
  if (tuples != NULL) {
    r->of_indices[i] = tuples;
    return fill_indices(r, i, tuples, component, tuples->array.size[1]);
  }
  return item == NULL ? SW_OK : fill_indices(r, i, item, 0, 1);
}

/* ---- everything ---- */

static int open_reading(reading *r, int n_given)
{
  const sw_model *m = r->model;
  const size_t n = (size_t)m->n_sizes + (size_t)m->n_indices + (size_t)n_given + 1;
  r->count = calloc(n, sizeof *r->count);
  r->told = calloc(n, sizeof *r->told);
  r->labels = calloc((size_t)m->n_sets + 1, sizeof *r->labels);
  r->data->sizes = calloc(n, sizeof *r->data->sizes);
  r->data->indices = calloc(n, sizeof *r->data->indices);
  r->data->n_indices = m->n_indices;
  for (int i = 0; r->count != NULL && i < m->n_sizes; i++) {
    r->count[i] = -1;
  }
  return r->count != NULL && r->told != NULL && r->labels != NULL && r->data->sizes != NULL &&
         r->data->indices != NULL;
}

/* Collects the sizes and arrays of indices of the list, then the given ones. */
static sw_status take_all(reading *r, int n_given, const sw_size given[])
{
  sw_data *data = r->data;
  sw_status status = SW_OK;
  for (size_t i = 0; i < r->list->count && status == SW_OK; i++) {
    status = data_sizes_take_item(r, &r->list->item[i]);
  }
  for (int i = 0; i < r->model->n_sizes && status == SW_OK; i++) {
    if (r->count[i] >= 0) {
      data->sizes[data->n_sizes++] =
          (sw_size){.name = r->model->size_names[i], .value = r->count[i]};
    }
  }
  for (int i = 0; i < r->model->n_indices && status == SW_OK; i++) {
    status = take_indices(r, i);
  }
  for (int i = 0; i < n_given && status == SW_OK; i++) {
    data->sizes[data->n_sizes++] = given[i];
  }
  return status;
}

sw_status sw_data_take_sizes(sw_data *data, int n_given, const sw_size given[],
                             const sw_data_item *origins[])
{
  reading r = {.data = data, .model = data->list.model, .list = &data->list, .of_indices = origins};
  const sw_status status = open_reading(&r, n_given) ? take_all(&r, n_given, given) : SW_ERR_MEMORY;
  free(r.count);
  free(r.told);
  free(r.labels);
  return status;
}
