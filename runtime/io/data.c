/* SPDX-License-Identifier: BSD-3-Clause */
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/sorted_names.h"
#include "common/vectors.h"
#include "io/data_list.h"
#include "model/given_sizes.h"
#include "model/validate.h"
#include "sidewinder/data.h"

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

/* Fills in the sizes and arrays of indices of *data: first those in its list, then the `given`
 * ones. origins (n_indices, all NULL on entry) receives the item of each array of indices.  Errors,
 * with a message: SW_ERR_ARGUMENT; SW_ERR_MEMORY. */
static sw_status sw_data_take_sizes(sw_data *data, int n_given, const sw_size given[],
                                    const sw_data_item *origins[])
{
  reading r = {.data = data, .model = data->list.model, .list = &data->list, .of_indices = origins};
  const sw_status status = open_reading(&r, n_given) ? take_all(&r, n_given, given) : SW_ERR_MEMORY;
  free(r.count);
  free(r.told);
  free(r.labels);
  return status;
}

/* ---- the parameters in a list of data ---- */

/* The target of an item: entry i goes to first + i * stride. */
typedef struct place {
  const sw_data_list *list;
  const sw_system *system;
  const sw_data_item *item;
  sw_data_target target;
  int count[SW_DATA_DIMS]; /* number of elements of each of the array's sets */
  int n_leading;           /* number of the array's sets over which the item has an index */
  size_t first;
  size_t stride;
  size_t entries;
} place;

static const sw_array *array_of(const place *p)
{
  return &p->system->model->parameters[p->target.number];
}

/* The number of an element, from 0; -1 if there is none of that name. */
static long find_element(const place *p, int s, const char *name, size_t length)
{
  const int set = array_of(p)->set[s];
  const char *const *labels = p->system->model->sets[set].labels;
  char text[64];
  long value = 0;
  if (length >= sizeof text) {
    return -1;
  }
  memcpy(text, name, length);
  text[length] = '\0';
  if (labels != NULL) {
    return sw_text_place(text, labels, (size_t)p->count[s]);
  }
  if (!sw_text_integer(text, 0, &value)) {
    return -1;
  }
  value -= sw_system_first(p->system, set);
  return value < p->count[s] ? value : -1;
}

/* Looks up the fixed last indices, such as ".x" of "x.x". */
static sw_status find_fixed(place *p)
{
  const char *at = p->target.fixed;
  size_t offset = 0;
  for (int s = p->n_leading; s < array_of(p)->n_sets; s++) {
    const size_t length = strcspn(at + 1, ".");
    const long element = find_element(p, s, at + 1, length);
    if (element < 0) {
      return sw_data_wrong_at(p->list, p->item, 0, "'%.100s': '%.*s' is no element of '%.60s'",
                              p->item->array.name, (int)(length < 60 ? length : 60), at + 1,
                              p->system->model->sets[array_of(p)->set[s]].name);
    }
    offset = offset * (size_t)p->count[s] + (size_t)element;
    at += 1 + length;
  }
  p->first += offset;
  return SW_OK;
}

/* Writes a shape, such as "3 x 2", or "1" for a single value. */
static void put_shape(const size_t size[], int n, char text[200])
{
  int used = snprintf(text, 200, "%s", n == 0 ? "1" : "");
  for (int d = 0; d < n && used < 150; d++) {
    used += snprintf(text + used, 200 - (size_t)used, "%s%zu", d > 0 ? " x " : "", size[d]);
  }
}

static sw_status data_parameters_check_shape(const place *p)
{
  const sw_data_array *given = &p->item->array;
  size_t wanted[SW_DATA_DIMS];
  int same = given->n_dims == p->n_leading;
  for (int d = 0; d < p->n_leading; d++) {
    wanted[d] = (size_t)p->count[d];
    same = same && given->size[d] == wanted[d];
  }
  const int are_empty = p->entries == 0 && sw_data_entries(given) == 0;
  if (same || given->n_dims == 0 || are_empty) {
    return SW_OK;
  }
  char has[200];
  char wants[200];
  char sets[200] = "";
  size_t used = 0;
  put_shape(given->size, given->n_dims, has);
  put_shape(wanted, p->n_leading, wants);
  for (int d = 0; d < p->n_leading && used < 120; d++) {
    used += (size_t)snprintf(sets + used, sizeof sets - used, "%s%.60s", d > 0 ? ", " : " for ",
                             p->system->model->sets[array_of(p)->set[d]].name);
  }
  return sw_data_wrong_at(p->list, p->item, 0, "'%.100s' has %s entries, and not %s%s", given->name,
                          has, wants, sets);
}

static sw_status data_parameters_refuse_value(const place *p, size_t entry, size_t number)
{
  const sw_data_array *given = &p->item->array;
  const size_t row = given->n_dims == 1 ? entry : 0;
  const char *label = given->labels != NULL ? given->labels[given->n_dims > 0 ? entry : 0] : NULL;
  const double value = given->values[given->n_dims > 0 ? entry : 0];
  char bounds[64];
  char name[SW_NAME_BYTES];
  sw_system_name(p->system, SW_K, (int)number, name);
  if (label != NULL || !isfinite(value)) {
    char text[64];
    (void)snprintf(text, sizeof text, label != NULL ? "'%.50s'" : "%s",
                   label != NULL  ? label
                   : isnan(value) ? "nan"
                                  : "inf");
    return sw_data_wrong_at(p->list, p->item, row, "%s for %.100s is not a finite number", text,
                            name);
  }
  sw_bounds_text(sw_system_bounds(p->system, (int)number), bounds);
  return sw_data_wrong_at(p->list, p->item, row, "%.100s = %.17g is outside its bounds %s", name,
                          value, bounds);
}

static sw_status data_parameters_fill(const place *p, double k[], unsigned char seen[])
{
  const sw_data_array *given = &p->item->array;
  for (size_t i = 0; i < p->entries; i++) {
    const size_t from = given->n_dims > 0 ? i : 0;
    const size_t number = p->first + i * p->stride;
    if ((given->labels != NULL && given->labels[from] != NULL) ||
        !sw_system_allows(p->system, (int)number, given->values[from])) {
      (void)data_parameters_refuse_value(p, i, number);
      return SW_ERR_PARAMETER;
    }
    if (seen[number]++ > 0) {
      char name[SW_NAME_BYTES];
      return sw_data_wrong_at(p->list, p->item, given->n_dims == 1 ? i : 0,
                              "'%.100s' gives %.100s a second time", given->name,
                              sw_system_name(p->system, SW_K, (int)number, name));
    }
    k[number] = given->values[from];
  }
  return SW_OK;
}

static sw_status data_parameters_take(const sw_data_list *list, const sw_system *system,
                                      const sw_data_item *item, double k[], unsigned char seen[])
{
  place p = {.list = list, .system = system, .item = item, .stride = 1, .entries = 1};
  p.target = sw_data_find(system->model, item->array.name);
  if (p.target.kind != SW_DATA_PARAMETER) {
    return SW_OK;
  }
  const int n_sets = array_of(&p)->n_sets;
  if (n_sets > SW_DATA_DIMS) {
    return sw_data_wrong_at(list, item, 0, "'%.100s' has more than %d indices", item->array.name,
                            SW_DATA_DIMS);
  }
  p.n_leading = n_sets - p.target.n_fixed;
  p.first = (size_t)sw_system_parameter(system, p.target.number, SW_DATA_DIMS, p.count);
  for (int s = 0; s < n_sets; s++) {
    *(s < p.n_leading ? &p.entries : &p.stride) *= (size_t)p.count[s];
  }
  sw_status status = find_fixed(&p);
  if (status == SW_OK) {
    status = data_parameters_check_shape(&p);
  }
  return status == SW_OK ? data_parameters_fill(&p, k, seen) : status;
}

/* k, nk values: the defaults, overridden by the list's parameters after their shapes and values
 * have been checked.  Errors, with a message: SW_ERR_ARGUMENT, SW_ERR_PARAMETER; SW_ERR_MEMORY. */
static sw_status sw_data_take_parameters(const sw_data_list *list, const sw_system *system,
                                         double k[])
{
  unsigned char *seen = calloc((size_t)system->nk + 1, sizeof *seen);
  sw_status status = seen == NULL ? SW_ERR_MEMORY : SW_OK;
  sw_copy(k, system->k_default, (size_t)system->nk);
  for (size_t i = 0; i < list->count && status == SW_OK; i++) {
    status = data_parameters_take(list, system, &list->item[i], k, seen);
  }
  free(seen);
  return status;
}

/* Makes the system at these sizes.  If a size or an index is wrong, the message names the file. */
static sw_status data_measure(const sw_data *data, int n_given, const sw_data_item *const origins[],
                              sw_system **system)
{
  char text[SW_SYSTEM_MESSAGE] = "";
  sw_index_fault fault;
  const sw_data_list *list = &data->list;
  const sw_status status =
      sw_system_measure(list->model, data->n_sizes, data->sizes, system, &fault, text);
  if (status == SW_OK || text[0] == '\0') {
    return status;
  }
  if (status != SW_ERR_MEMORY && fault.entry >= 0 && origins[fault.array] != NULL) {
    sw_data_wrong_at(list, origins[fault.array], (size_t)fault.entry, "%s", text);
  } else if (status != SW_ERR_MEMORY && n_given == 0) {
    sw_data_wrong(list, "%s", text);
  } else {
    (void)snprintf(list->message, SW_TEXT_MESSAGE, "%s", text);
  }
  return status;
}

static sw_status take_list(sw_data *data, int n_given, const sw_size given[])
{
  const size_t arrays = (size_t)data->list.model->n_indices + 1;
  const sw_data_item **origins = calloc(arrays, sizeof *origins);
  sw_system *system = NULL;
  sw_status status = origins != NULL ? sw_data_sort(&data->list) : SW_ERR_MEMORY;
  if (status == SW_OK) {
    status = sw_data_take_sizes(data, n_given, given, origins);
  }
  if (status == SW_OK) {
    status = data_measure(data, n_given, origins, &system);
  }
  if (status == SW_OK) {
    data->nk = system->nk;
    data->k = calloc((size_t)system->nk + 1, sizeof *data->k);
    status =
        data->k == NULL ? SW_ERR_MEMORY : sw_data_take_parameters(&data->list, system, data->k);
  }
  sw_system_free(&system);
  free(origins);
  return status;
}

/* ---- sources ---- */

typedef sw_status reader(sw_data_list *list);

static sw_status find_reader(sw_data_list *list, reader **found)
{
  static const char *const endings[] = {".json", ".h5", ".hdf5"};
  static reader *const readers[] = {sw_data_read_json, sw_data_read_hdf5, sw_data_read_hdf5};
  const int format = sw_text_ending(list->path, endings, 3);
  struct stat about;
  if (stat(list->path, &about) == 0 && S_ISDIR(about.st_mode)) {
    *found = sw_data_read_csv;
    return SW_OK;
  }
  if (format >= 0) {
    *found = readers[format];
    return SW_OK;
  }
  return sw_data_wrong(list,
                       "data come from a file whose name ends in .json, .h5 or .hdf5, or from a "
                       "folder of .csv files");
}

static sw_data *data_begin(const sw_model *model, const char *path, char message[])
{
  sw_data *data = calloc(1, sizeof *data);
  if (data != NULL) {
    data->list = (sw_data_list){.model = model, .message = message, .path = path};
  }
  return data;
}

/* Frees everything after an error.  After success, frees the arrays and returns *data. */
static sw_status data_end(sw_status status, sw_data *made, sw_data **data)
{
  if (status != SW_OK) {
    if (status == SW_ERR_MEMORY) {
      made->list.message[0] = '\0';
    }
    sw_data_free(&made);
    return status;
  }
  sw_data_list files = {.file = made->list.file, .n_files = made->list.n_files};
  made->list.file = NULL;
  made->list.n_files = 0;
  sw_data_clear(&made->list);
  made->list = files;
  *data = made;
  return SW_OK;
}

sw_status sw_data_read(const sw_model *model, const char *path, int n_sizes, const sw_size sizes[],
                       sw_data **data, char message[SW_DATA_MESSAGE])
{
  reader *read = NULL;
  *data = NULL;
  message[0] = '\0';
  sw_status status = sw_model_validate(model);
  if (status != SW_OK) {
    return status;
  }
  /* Numbers have a decimal point, regardless of the caller's locale. */
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  sw_data *made = data_begin(model, path, message);
  if (made == NULL || plain == (locale_t)0) {
    free(made);
    return SW_ERR_MEMORY;
  }
  locale_t before = uselocale(plain);
  status = find_reader(&made->list, &read);
  if (status == SW_OK) {
    status = read(&made->list);
  }
  if (status == SW_OK) {
    made->list.path = path;
    status = take_list(made, n_sizes, sizes);
  }
  status = data_end(status, made, data);
  uselocale(before);
  freelocale(plain);
  return status;
}

sw_status sw_data_make(const sw_model *model, size_t n, const sw_data_array arrays[], int n_sizes,
                       const sw_size sizes[], sw_data **data, char message[SW_DATA_MESSAGE])
{
  *data = NULL;
  message[0] = '\0';
  sw_status status = sw_model_validate(model);
  if (status != SW_OK) {
    return status;
  }
  sw_data *made = data_begin(model, "data", message);
  if (made == NULL) {
    return SW_ERR_MEMORY;
  }
  made->list.item = calloc(n + 1, sizeof *made->list.item);
  status = made->list.item == NULL ? SW_ERR_MEMORY : SW_OK;
  for (size_t i = 0; i < n && status == SW_OK; i++) {
    made->list.item[made->list.count++] = (sw_data_item){.array = arrays[i], .path = "data"};
  }
  if (status == SW_OK) {
    status = take_list(made, n_sizes, sizes);
  }
  return data_end(status, made, data);
}

int sw_data_n_sizes(const sw_data *data)
{
  return data->n_sizes;
}

const sw_size *sw_data_sizes(const sw_data *data)
{
  return data->sizes;
}

const double *sw_data_parameters(const sw_data *data)
{
  return data->k;
}

int sw_data_nk(const sw_data *data)
{
  return data->nk;
}

size_t sw_data_n_files(const sw_data *data)
{
  return data->list.n_files;
}

const char *sw_data_file(const sw_data *data, size_t i)
{
  return data->list.file[i];
}

void sw_data_free(sw_data **data)
{
  if (data == NULL || *data == NULL) {
    return;
  }
  for (int i = 0; (*data)->indices != NULL && i < (*data)->n_indices; i++) {
    free((*data)->indices[i]);
  }
  free((*data)->indices);
  free((*data)->sizes);
  free((*data)->k);
  sw_data_clear(&(*data)->list);
  free(*data);
  *data = NULL;
}
