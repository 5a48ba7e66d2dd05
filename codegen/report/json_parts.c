/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json_parts.c -- values that all parts of the JSON are made of.
 */
#include "report/json_parts.h"

#include <math.h>

/* Formulas with more operations than this are not written out. */
#define MOST 5000.0
/* Integers up to here are exact in a double. */
#define EXACT 9007199254740992.0

void json_add(json_author *w, json_t *array, json_t *value)
{
  w->failed |= json_array_append_new(array, value) != 0;
}

json_t *json_list(json_author *w, int n, json_t *(*make)(json_author *, int))
{
  json_t *list = json_array();
  for (int i = 0; i < n; i++) {
    json_add(w, list, make(w, i));
  }
  return list;
}

json_t *json_words(json_author *w, const char *text)
{
  return text ? json_string(page_utf8(w->memory, text)) : json_null();
}

json_t *json_number(double value)
{
  return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_numbers(json_author *w, int n, const double values[])
{
  if (!values) {
    return json_null();
  }
  json_t *list = json_array();
  for (int i = 0; i < n; i++) {
    json_add(w, list, json_number(values[i]));
  }
  return list;
}

json_t *json_formula(json_author *w, const ir_expr *e)
{
  if (!e) {
    return json_null();
  }
  double operations = page_operations(w->printer, e);
  return json_pack("{s:o, s:o}", "text",
                   json_words(w, page_expression(w->printer, &w->names, e, MOST)), "operations",
                   operations < EXACT ? json_integer((json_int_t)operations) : json_null());
}

json_t *json_names(json_author *w, int n, const char *const dotted[])
{
  json_t *list = json_array();
  for (int i = 0; i < n; i++) {
    json_add(w, list, json_words(w, spelled_entry(w->memory, dotted[i])));
  }
  return list;
}

json_t *json_constraint(json_author *w, int i)
{
  return i < 0 ? json_null() : json_words(w, spelled_entry(w->memory, w->c->program->c_names[i]));
}
