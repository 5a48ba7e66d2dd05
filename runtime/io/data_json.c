/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "io/data_list.h"

/* While the file is parsed, each number takes about 50 bytes. */
enum { MOST_BYTES = 1 << 28 };

/* An array being read: its shape, and the labels that can be keys of objects. */
typedef struct reader {
  sw_data_list *list;
  const char *name;
  size_t bytes; /* size of the file, an upper bound of the number of entries */
  const int *sets;
  int n_sets;
  int n_dims;
  size_t size[SW_DATA_DIMS];
  int n_labels[SW_DATA_DIMS]; /* number of labels in this dimension; 0 if it has none */
  size_t at[SW_DATA_DIMS];    /* indices of the current entry */
  sw_data_item *item;
  size_t filled;
} reader;

/* The location of an entry as text, such as "x[3,2]", with the first `depth` indices, counted from
 * 1. */
static const char *data_json_place(const reader *in, int depth, char text[200])
{
  int used = snprintf(text, 200, "%.60s", in->name);
  for (int d = 0; d < depth && used < 160; d++) {
    used += snprintf(text + used, 200 - (size_t)used, "%s%zu", d == 0 ? "[" : ",", in->at[d] + 1);
  }
  if (depth > 0) {
    snprintf(text + used, 200 - (size_t)used, "]");
  }
  return text;
}

static const char *const *labels_at(const reader *in, int depth)
{
  const sw_set *sets = in->list->model->sets;
  return depth < in->n_sets ? sets[in->sets[depth]].labels : NULL;
}

static size_t data_json_size_of(json_t *node)
{
  return json_is_array(node) ? json_array_size(node) : json_object_size(node);
}

/* Child i of a list, or of an object in the order of its labels; NULL if the object lacks it. */
static json_t *child(const reader *in, int depth, json_t *node, size_t i)
{
  return json_is_array(node) ? json_array_get(node, i)
                             : json_object_get(node, labels_at(in, depth)[i]);
}

/* Checks the keys of an object against the labels of its dimension. */
static sw_status check_object(reader *in, int depth, json_t *node)
{
  const char *const *labels = labels_at(in, depth);
  char text[200];
  if (labels == NULL) {
    return sw_data_wrong(in->list, "%s is an object, and there are no labels for its keys",
                         data_json_place(in, depth, text));
  }
  if (in->n_labels[depth] == 0) {
    in->n_labels[depth] = sw_data_label_count(in->list->model, in->sets[depth]);
  }
  if (in->n_labels[depth] < 0) {
    return SW_ERR_MEMORY;
  }
  const size_t count = (size_t)in->n_labels[depth];
  const char *key = NULL;
  json_t *value = NULL;
  json_object_foreach(node, key, value)
  {
    if (sw_text_place(key, labels, count) < 0) {
      char unknown[SW_TEXT_MESSAGE];
      sw_text_unknown("label", key, labels, count, unknown);
      return sw_data_wrong(in->list, "%s: %s", data_json_place(in, depth, text), unknown);
    }
  }
  for (size_t i = 0; i < count; i++) {
    if (json_object_get(node, labels[i]) == NULL) {
      return sw_data_wrong(in->list, "%s has no '%.60s'", data_json_place(in, depth, text),
                           labels[i]);
    }
  }
  return SW_OK;
}

/* Determines the shape from the first entry of each dimension. */
static sw_status find_shape(reader *in, json_t *node)
{
  size_t entries = 1;
  while (json_is_array(node) || json_is_object(node)) {
    char text[200];
    const int depth = in->n_dims;
    if (depth == SW_DATA_DIMS) {
      return sw_data_wrong(in->list, "'%.100s' has more than %d indices", in->name, SW_DATA_DIMS);
    }
    sw_status status = json_is_object(node) ? check_object(in, depth, node) : SW_OK;
    if (status != SW_OK) {
      return status;
    }
    const size_t size = data_json_size_of(node);
    if (size > 0 && entries > in->bytes / size) {
      return sw_data_wrong(in->list, "%s has fewer entries than the first one of its kind",
                           data_json_place(in, depth, text));
    }
    entries *= size;
    in->size[in->n_dims++] = size;
    if (size == 0) {
      break;
    }
    node = child(in, depth, node, 0);
  }
  return SW_OK;
}

static sw_status fill_entry(reader *in, json_t *node)
{
  char text[200];
  if (json_is_real(node)) {
    in->item->values[in->filled++] = json_real_value(node);
    return SW_OK;
  }
  if (json_is_string(node)) {
    const char *label = json_string_value(node);
    in->item->labels[in->filled] = sw_data_copy(in->list, label, strlen(label));
    return in->item->labels[in->filled++] != NULL ? SW_OK : SW_ERR_MEMORY;
  }
  return sw_data_wrong(in->list, "%s is %s, and neither a number nor a label",
                       data_json_place(in, in->n_dims, text),
                       json_is_array(node)    ? "a list"
                       : json_is_object(node) ? "an object"
                       : json_is_null(node)   ? "null"
                                              : "true or false");
}

static sw_status data_json_fill(reader *in, int depth, json_t *node)
{
  sw_status status = SW_OK;
  char text[200];
  if (depth == in->n_dims) {
    return fill_entry(in, node);
  }
  if (!json_is_array(node) && !json_is_object(node)) {
    return sw_data_wrong(in->list, "%s is no list, as the first one of its kind is",
                         data_json_place(in, depth, text));
  }
  if (json_is_object(node)) {
    status = check_object(in, depth, node);
  }
  if (status == SW_OK && data_json_size_of(node) != in->size[depth]) {
    return sw_data_wrong(in->list, "%s has %zu entries, and the first one of its kind %zu",
                         data_json_place(in, depth, text), data_json_size_of(node),
                         in->size[depth]);
  }
  for (size_t i = 0; i < in->size[depth] && status == SW_OK; i++) {
    in->at[depth] = i;
    status = data_json_fill(in, depth + 1, child(in, depth, node, i));
  }
  return status;
}

/* Returns 1 if the node contains a text. */
static int has_labels(json_t *node, int depth)
{
  const char *key = NULL;
  json_t *value = NULL;
  size_t i = 0;
  int found = json_is_string(node);
  if (depth < SW_DATA_DIMS && json_is_array(node)) {
    for (i = 0; i < json_array_size(node) && !found; i++) {
      found = has_labels(json_array_get(node, i), depth + 1);
    }
  } else if (depth < SW_DATA_DIMS && json_is_object(node)) {
    json_object_foreach(node, key, value)
    {
      found |= has_labels(value, depth + 1);
    }
  }
  return found;
}

static sw_status take_array(sw_data_list *list, const char *name, json_t *node, size_t bytes)
{
  reader in = {.list = list, .bytes = bytes};
  in.name = sw_data_copy(list, name, strlen(name));
  if (in.name == NULL) {
    return SW_ERR_MEMORY;
  }
  in.sets = sw_data_sets(list->model, in.name, &in.n_sets);
  sw_status status = find_shape(&in, node);
  if (status != SW_OK) {
    return status;
  }
  in.item = sw_data_add(list, in.name, in.n_dims, in.size, has_labels(node, 0));
  if (in.item == NULL) {
    return sw_data_not_made(list);
  }
  return data_json_fill(&in, 0, node);
}

static sw_status take_object(sw_data_list *list, json_t *root, size_t bytes)
{
  const char *name = NULL;
  json_t *value = NULL;
  sw_status status = SW_OK;
  if (!json_is_object(root)) {
    return sw_data_wrong(list, "it is no object, such as {\"atom\": 3, ...}");
  }
  json_object_foreach(root, name, value)
  {
    const sw_data_kind kind = sw_data_find(list->model, name).kind;
    if (kind == SW_DATA_UNKNOWN) {
      return sw_data_unknown(list, name);
    }
    if (kind != SW_DATA_COMMENT && status == SW_OK) {
      status = take_array(list, name, value, bytes);
    }
  }
  return status;
}

sw_status sw_data_read_json(sw_data_list *list)
{
  char *text = NULL;
  size_t bytes = 0;
  json_error_t error;
  sw_status status = sw_data_slurp(list, list->path, MOST_BYTES, &text, &bytes);
  if (status != SW_OK) {
    return status;
  }
  /* jansson reports most failed allocations without an error code, and some as syntax errors. */
  errno = 0;
  json_t *root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
  if (root == NULL) {
    return errno == ENOMEM ? SW_ERR_MEMORY
                           : sw_data_wrong(list, "line %d, column %d: %s", error.line, error.column,
                                           error.text);
  }
  status = take_object(list, root, bytes);
  json_decref(root);
  return status;
}
