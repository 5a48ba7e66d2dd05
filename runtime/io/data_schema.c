/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/data_schema.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "io/data_list.h"
#include "io/json_writer.h"

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
  fprintf(stream, "what data of %s are, in the file of --data (docs/data.md)\n\n", model->name);
  print_line(stream, "name", "kind", "needed", "values");
  print_sets(model, stream);
  print_indices(model, stream);
  data_schema_print_parameters(model, stream);
  data_schema_print_sizes(model, stream);
}

/* ---- as a schema ---- */

static void data_schema_put_integer(sw_json *json, const char *key, long lowest, long highest)
{
  sw_json_open(json, key, '{');
  sw_json_text(json, "type", "integer");
  sw_json_integer(json, "minimum", lowest);
  if (highest >= lowest) {
    sw_json_integer(json, "maximum", highest);
  }
  sw_json_close(json, '}');
}

static void put_type(sw_json *json, const char *key, const char *type)
{
  sw_json_open(json, key, '{');
  sw_json_text(json, "type", type);
  sw_json_close(json, '}');
}

/* Writes the schema of an element of a set. */
static void put_element(sw_json *json, const char *key, const sw_model *m, int set)
{
  const int n = m->sets[set].labels != NULL ? sw_data_label_count(m, set) : 0;
  if (m->sets[set].labels == NULL && sw_data_size_of(m, set) < 0) {
    put_type(json, key, "integer");
    return;
  }
  sw_json_open(json, key, '{');
  sw_json_open(json, "anyOf", '[');
  if (m->sets[set].labels != NULL) {
    data_schema_put_integer(json, NULL, 0, n - 1);
    sw_json_open(json, NULL, '{');
    sw_json_open(json, "enum", '[');
    for (int i = 0; i < n; i++) {
      sw_json_text(json, NULL, m->sets[set].labels[i]);
    }
    sw_json_close(json, ']');
    sw_json_close(json, '}');
  } else {
    data_schema_put_integer(json, NULL, 1, 0);
    put_type(json, NULL, "string");
  }
  sw_json_close(json, ']');
  sw_json_close(json, '}');
}

static void put_tuples(sw_json *json, const sw_model *m, int set)
{
  sw_json_text(json, "type", "array");
  sw_json_open(json, "items", '{');
  sw_json_text(json, "type", "array");
  sw_json_open(json, "prefixItems", '[');
  long n = 0;
  while (sw_data_component(m, set, (int)n) >= 0) {
    put_element(json, NULL, m, m->indices[sw_data_component(m, set, (int)n++)].target);
  }
  sw_json_close(json, ']');
  sw_json_integer(json, "minItems", n);
  sw_json_integer(json, "maxItems", n);
  sw_json_close(json, '}');
}

static void data_schema_put_set(sw_json *json, const sw_model *m, int set)
{
  sw_json_open(json, m->sets[set].name, '{');
  if (sw_data_component(m, set, 0) >= 0) {
    put_tuples(json, m, set);
  } else {
    sw_json_open(json, "anyOf", '[');
    data_schema_put_integer(json, NULL, 0, -1);
    sw_json_open(json, NULL, '{');
    sw_json_text(json, "type", "array");
    put_type(json, "items", "string");
    sw_json_flag(json, "uniqueItems", 1);
    sw_json_close(json, '}');
    sw_json_close(json, ']');
  }
  sw_json_close(json, '}');
}

static void put_number(sw_json *json, const char *key, const sw_bounds *of)
{
  sw_json_open(json, key, '{');
  sw_json_text(json, "type", "number");
  if (isfinite(of->lower)) {
    sw_json_number(json, of->closed & 1u ? "minimum" : "exclusiveMinimum", of->lower);
  }
  if (isfinite(of->upper)) {
    sw_json_number(json, of->closed & 2u ? "maximum" : "exclusiveMaximum", of->upper);
  }
  sw_json_close(json, '}');
}

/* Writes the schema of the entries for sets s, s + 1, ... of an array. */
static void put_entries(sw_json *json, const char *key, const sw_model *m, int i, int s)
{
  const sw_array *array = &m->parameters[i];
  if (s == array->n_sets) {
    put_number(json, key, &m->bounds[i]);
    return;
  }
  const int set = array->set[s];
  const int n = m->sets[set].labels != NULL ? sw_data_label_count(m, set) : 0;
  sw_json_open(json, key, '{');
  if (n > 0) {
    sw_json_open(json, "anyOf", '[');
    sw_json_open(json, NULL, '{');
    sw_json_text(json, "type", "object");
    sw_json_open(json, "properties", '{');
    for (int e = 0; e < n; e++) {
      put_entries(json, m->sets[set].labels[e], m, i, s + 1);
    }
    sw_json_close(json, '}');
    sw_json_open(json, "required", '[');
    for (int e = 0; e < n; e++) {
      sw_json_text(json, NULL, m->sets[set].labels[e]);
    }
    sw_json_close(json, ']');
    sw_json_flag(json, "additionalProperties", 0);
    sw_json_close(json, '}');
    sw_json_open(json, NULL, '{');
  }
  sw_json_text(json, "type", "array");
  if (n > 0) {
    sw_json_integer(json, "minItems", n);
    sw_json_integer(json, "maxItems", n);
  }
  put_entries(json, "items", m, i, s + 1);
  if (n > 0) {
    sw_json_close(json, '}');
    sw_json_close(json, ']');
  }
  sw_json_close(json, '}');
}

/* Writes the schema of a parameter.  A single number sets all entries. */
static void put_parameter(sw_json *json, const sw_model *m, int i)
{
  if (m->parameters[i].n_sets == 0) {
    put_number(json, m->parameters[i].name, &m->bounds[i]);
    return;
  }
  sw_json_open(json, m->parameters[i].name, '{');
  sw_json_open(json, "anyOf", '[');
  put_number(json, NULL, &m->bounds[i]);
  put_entries(json, NULL, m, i, 0);
  sw_json_close(json, ']');
  sw_json_close(json, '}');
}

static void put_properties(sw_json *json, const sw_model *m)
{
  for (int s = 0; s < m->n_sets; s++) {
    if (sw_data_size_of(m, s) >= 0) {
      data_schema_put_set(json, m, s);
    }
  }
  for (int i = 0; i < m->n_indices; i++) {
    sw_json_open(json, m->indices[i].name, '{');
    sw_json_text(json, "type", "array");
    put_element(json, "items", m, m->indices[i].target);
    sw_json_close(json, '}');
  }
  for (int i = 0; i < m->n_parameters; i++) {
    put_parameter(json, m, i);
  }
  for (int i = 0; i < m->n_sizes; i++) {
    data_schema_put_integer(json, m->size_names[i], 0, -1);
  }
  put_type(json, "comment", "string");
}

static void put_required(sw_json *json, const sw_model *m)
{
  for (int s = 0; s < m->n_sets; s++) {
    if (sw_data_size_of(m, s) >= 0 && !is_told(m, s)) {
      sw_json_text(json, NULL, m->sets[s].name);
    }
  }
  for (int i = 0; i < m->n_indices; i++) {
    if (!is_component(m, i)) {
      sw_json_text(json, NULL, m->indices[i].name);
    }
  }
  for (int i = 0; i < m->n_parameters; i++) {
    if ((m->bounds[i].closed & SW_NO_VALUE) != 0) {
      sw_json_text(json, NULL, m->parameters[i].name);
    }
  }
}

void sw_data_schema_json(const sw_model *model, FILE *stream)
{
  sw_json json = {.file = stream};
  sw_json_open(&json, NULL, '{');
  sw_json_text(&json, "$schema", "https://json-schema.org/draft/2020-12/schema");
  sw_json_text(&json, "title", model->name);
  sw_json_text(&json, "type", "object");
  sw_json_open(&json, "properties", '{');
  put_properties(&json, model);
  sw_json_close(&json, '}');
  sw_json_open(&json, "required", '[');
  put_required(&json, model);
  sw_json_close(&json, ']');
  sw_json_flag(&json, "additionalProperties", 0);
  sw_json_close(&json, '}');
}
