/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * data_parameters.c -- the parameters in a list of data, for a system of known sizes.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/vectors.h"
#include "io/data_list.h"

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

sw_status sw_data_take_parameters(const sw_data_list *list, const sw_system *system, double k[])
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
