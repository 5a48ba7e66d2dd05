/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/data_schema.h"

#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "io/data_list.h"

enum { TEXT = 400 };

/* Appends to a text, truncated to its capacity. */
static void put(char text[TEXT], const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(char text[TEXT], const char *format, ...)
{
  const size_t used = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(text + used, TEXT - used, format, arguments);
  va_end(arguments);
}

/* Returns 1 if an array of indices is a component of tuples, which are described as a set. */
static int is_component(const sw_model *m, int i)
{
  int found = 0;
  for (int c = 0; !found && sw_data_component(m, m->indices[i].set, c) >= 0; c++) {
    found = sw_data_component(m, m->indices[i].set, c) == i;
  }
  return found;
}

/* Returns 1 if a required array determines the number of elements of the set. */
static int is_told(const sw_model *m, int set)
{
  for (int i = 0; i < m->n_indices; i++) {
    if (m->indices[i].set == set && !is_component(m, i)) {
      return 1;
    }
  }
  for (int i = 0; i < m->n_parameters; i++) {
    if ((m->bounds[i].closed & SW_NO_VALUE) != 0 && m->parameters[i].n_sets > 0 &&
        m->parameters[i].set[0] == set) {
      return 1;
    }
  }
  return 0;
}

/* ---- as text ---- */

static void put_labels(const sw_model *m, int set, char text[TEXT])
{
  enum { SHOWN = 10 };
  const int n = sw_data_label_count(m, set);
  for (int i = 0; i < n && i < SHOWN; i++) {
    put(text, "%s%.30s", i > 0 ? ", " : "", m->sets[set].labels[i]);
  }
  put(text, n > SHOWN ? ", ..." : "");
}

/* Describes how data refers to elements of the set. */
static void put_elements(const sw_model *m, int set, char text[TEXT])
{
  const int size = sw_data_size_of(m, set);
  put(text, "in %.60s: ", m->sets[set].name);
  if (m->sets[set].labels != NULL) {
    put_labels(m, set, text);
  } else if (size >= 0) {
    put(text, "1 .. %.60s, or labels", m->size_names[size]);
  } else {
    put(text, "integers");
  }
}

static void put_sets(const sw_model *m, int n, const int set[], char text[TEXT])
{
  for (int s = 0; s < n; s++) {
    put(text, "%s%.60s", s == 0 ? "[" : ", ", m->sets[set[s]].name);
  }
  put(text, n > 0 ? "]" : "");
}

static void print_line(FILE *stream, const char *name, const char *what, const char *needed,
                       const char *values)
{
  fprintf(stream, "  %-22s %-10s %-8s %s\n", name, what, needed, values);
}

static void print_sets(const sw_model *m, FILE *stream)
{
  for (int s = 0; s < m->n_sets; s++) {
    char values[TEXT] = "";
    if (sw_data_size_of(m, s) < 0) {
      continue;
    }
    const int is_tuples = sw_data_component(m, s, 0) >= 0;
    for (int c = 0; sw_data_component(m, s, c) >= 0; c++) {
      put(values, c > 0 ? "; " : "tuples, ");
      put_elements(m, m->indices[sw_data_component(m, s, c)].target, values);
    }
    if (!is_tuples) {
      put(values, "number of elements, or their labels");
    }
    print_line(stream, m->sets[s].name, "set", is_told(m, s) ? "no" : "yes", values);
  }
}

static void print_indices(const sw_model *m, FILE *stream)
{
  for (int i = 0; i < m->n_indices; i++) {
    const sw_index_array *array = &m->indices[i];
    char name[TEXT] = "";
    char values[TEXT] = "";
    if (!is_component(m, i)) {
      put(name, "%.60s", array->name);
      put_sets(m, 1, &array->set, name);
      put_elements(m, array->target, values);
      print_line(stream, name, "indices", "yes", values);
    }
  }
}

static void data_schema_print_parameters(const sw_model *m, FILE *stream)
{
  for (int i = 0; i < m->n_parameters; i++) {
    const sw_array *array = &m->parameters[i];
    char name[TEXT] = "";
    char values[TEXT] = "numbers";
    char bounds[64];
    put(name, "%.60s", array->name);
    put_sets(m, array->n_sets, array->set, name);
    sw_bounds_text(m->bounds[i], bounds);
    put(values, "%s%s", bounds[0] != '\0' ? " in " : "", bounds);
    for (int s = 0; s < array->n_sets; s++) {
      if (m->sets[array->set[s]].labels != NULL) {
        put(values, "; %.60s = ", m->sets[array->set[s]].name);
        put_labels(m, array->set[s], values);
      }
    }
    print_line(stream, name, "parameter", m->bounds[i].closed & SW_NO_VALUE ? "yes" : "no", values);
  }
}

static void data_schema_print_sizes(const sw_model *m, FILE *stream)
{
  for (int i = 0; i < m->n_sizes; i++) {
    char values[TEXT] = "";
    if (m->size_default[i] != SW_NO_DEFAULT) {
      put(values, "an integer, %ld without", m->size_default[i]);
      print_line(stream, m->size_names[i], "size", "no", values);
    }
  }
}

void sw_data_schema_text(const sw_model *model, FILE *stream)
{
  fprintf(stream, "sets and arrays that %s reads from the file of --data\n\n", model->name);
  print_line(stream, "name", "kind", "needed", "values");
  print_sets(model, stream);
  print_indices(model, stream);
  data_schema_print_parameters(model, stream);
  data_schema_print_sizes(model, stream);
}

/* ---- as a schema ---- */

static json_t *integers(long lowest, long highest)
{
  json_t *made = json_pack("{ss sI}", "type", "integer", "minimum", (json_int_t)lowest);
  if (highest >= lowest) {
    json_object_set_new(made, "maximum", json_integer(highest));
  }
  return made;
}

/* The first n labels of a set. */
static json_t *labels(const sw_model *m, int set, int n)
{
  json_t *made = json_array();
  for (int i = 0; i < n; i++) {
    json_array_append_new(made, json_string(m->sets[set].labels[i]));
  }
  return made;
}

/* The schema of an element of a set. */
static json_t *element(const sw_model *m, int set)
{
  if (m->sets[set].labels != NULL) {
    const int n = sw_data_label_count(m, set);
    return json_pack("{s[o{so}]}", "anyOf", integers(0, n - 1), "enum", labels(m, set, n));
  }
  return sw_data_size_of(m, set) < 0
             ? json_pack("{ss}", "type", "integer")
             : json_pack("{s[o{ss}]}", "anyOf", integers(1, 0), "type", "string");
}

static json_t *set_of_data(const sw_model *m, int set)
{
  json_t *elements = json_array();
  for (int c = 0; sw_data_component(m, set, c) >= 0; c++) {
    json_array_append_new(elements, element(m, m->indices[sw_data_component(m, set, c)].target));
  }
  const json_int_t n = (json_int_t)json_array_size(elements);
  if (n > 0) {
    return json_pack("{sss{sssosIsI}}", "type", "array", "items", "type", "array", "prefixItems",
                     elements, "minItems", n, "maxItems", n);
  }
  json_decref(elements);
  return json_pack("{s[o{sss{ss}sb}]}", "anyOf", integers(0, -1), "type", "array", "items", "type",
                   "string", "uniqueItems", 1);
}

/* A bound; the shortest number is an integer if it can be. */
static json_t *bound(double value)
{
  char text[SW_TEXT_NUMBER];
  return json_loads(sw_text_shortest(value, text), JSON_DECODE_ANY, NULL);
}

static json_t *number(const sw_bounds *of)
{
  json_t *made = json_pack("{ss}", "type", "number");
  if (isfinite(of->lower)) {
    json_object_set_new(made, of->closed & 1u ? "minimum" : "exclusiveMinimum", bound(of->lower));
  }
  if (isfinite(of->upper)) {
    json_object_set_new(made, of->closed & 2u ? "maximum" : "exclusiveMaximum", bound(of->upper));
  }
  return made;
}

/* The schema of the entries of a parameter for its sets s, s + 1, ...  A list; or an object whose
 * keys are labels. */
static json_t *entries(const sw_model *m, int i, int s)
{
  const sw_array *array = &m->parameters[i];
  if (s == array->n_sets) {
    return number(&m->bounds[i]);
  }
  const int set = array->set[s];
  const int n = m->sets[set].labels != NULL ? sw_data_label_count(m, set) : 0;
  json_t *list = json_pack("{ss}", "type", "array");
  json_t *properties = n > 0 ? json_object() : NULL;
  if (n > 0) {
    json_object_set_new(list, "minItems", json_integer(n));
    json_object_set_new(list, "maxItems", json_integer(n));
  }
  json_object_set_new(list, "items", entries(m, i, s + 1));
  for (int e = 0; e < n; e++) {
    json_object_set_new(properties, m->sets[set].labels[e], entries(m, i, s + 1));
  }
  return n == 0 ? list
                : json_pack("{s[{sssososb}o]}", "anyOf", "type", "object", "properties", properties,
                            "required", labels(m, set, n), "additionalProperties", 0, list);
}

static json_t *properties_of(const sw_model *m)
{
  json_t *all = json_object();
  for (int s = 0; s < m->n_sets; s++) {
    if (sw_data_size_of(m, s) >= 0) {
      json_object_set_new(all, m->sets[s].name, set_of_data(m, s));
    }
  }
  for (int i = 0; i < m->n_indices; i++) {
    json_object_set_new(
        all, m->indices[i].name,
        json_pack("{ssso}", "type", "array", "items", element(m, m->indices[i].target)));
  }
  for (int i = 0; i < m->n_parameters; i++) { /* a single number sets all entries */
    json_object_set_new(
        all, m->parameters[i].name,
        m->parameters[i].n_sets == 0
            ? number(&m->bounds[i])
            : json_pack("{s[oo]}", "anyOf", number(&m->bounds[i]), entries(m, i, 0)));
  }
  for (int i = 0; i < m->n_sizes; i++) {
    json_object_set_new(all, m->size_names[i], integers(0, -1));
  }
  json_object_set_new(all, "comment", json_pack("{ss}", "type", "string"));
  return all;
}

static json_t *required_of(const sw_model *m)
{
  json_t *names = json_array();
  for (int s = 0; s < m->n_sets; s++) {
    if (sw_data_size_of(m, s) >= 0 && !is_told(m, s)) {
      json_array_append_new(names, json_string(m->sets[s].name));
    }
  }
  for (int i = 0; i < m->n_indices; i++) {
    if (!is_component(m, i)) {
      json_array_append_new(names, json_string(m->indices[i].name));
    }
  }
  for (int i = 0; i < m->n_parameters; i++) {
    if ((m->bounds[i].closed & SW_NO_VALUE) != 0) {
      json_array_append_new(names, json_string(m->parameters[i].name));
    }
  }
  return names;
}

void sw_data_schema_json(const sw_model *model, FILE *stream)
{
  json_t *schema =
      json_pack("{ssssss so so sb}", "$schema", "https://json-schema.org/draft/2020-12/schema",
                "title", model->name, "type", "object", "properties", properties_of(model),
                "required", required_of(model), "additionalProperties", 0);
  json_dumpf(schema, stream, JSON_INDENT(2));
  fputc('\n', stream);
  json_decref(schema);
}
