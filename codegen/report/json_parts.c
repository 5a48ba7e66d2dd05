/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/json_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Maximal number of operations of a formula that is written out. */
#define MOST 5000.0
/* 2^53: all integers up to this one are exact doubles. */
#define EXACT 9007199254740992.0

/* ---- lists ---- */

void json_require(int made)
{
  if (!made) {
    fputs("sidewinder: out of memory\n", stderr);
    exit(3);
  }
}

void json_add(json_t *array, json_t *value)
{
  json_require(json_array_append_new(array, value) == 0);
}

void json_join(json_t *object, json_t *more)
{
  json_require(json_object_update_new(object, more) == 0);
}

json_t *json_list(const notes *w, int n, json_t *(*make)(const notes *, int))
{
  json_t *list = json_array();
  for (int i = 0; i < n; i++) {
    json_add(list, make(w, i));
  }
  return list;
}

static json_t *json_parts_number(double value)
{
  return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_numbers(int n, const double values[])
{
  json_t *list = json_array();
  for (int i = 0; i < n; i++) {
    json_add(list, json_parts_number(values[i]));
  }
  return list;
}

static json_t *words(const notes *w, const void *text)
{
  return json_string(page_utf8(w->memory, text));
}

static json_t *name(const notes *w, const void *dotted)
{
  return words(w, spelled_entry(w->memory, dotted));
}

json_t *json_names(const notes *w, int n, const char *const names[])
{
  json_t *list = json_array();
  for (int i = 0; i < n; i++) {
    json_add(list, name(w, names[i]));
  }
  return list;
}

json_t *json_constraints(const notes *w, int n, const int constraints[])
{
  json_t *list = json_array();
  for (int i = 0; i < n; i++) {
    json_add(list, name(w, w->program->c_names[constraints[i]]));
  }
  return list;
}

json_t *json_pair(const notes *w, int i)
{
  if (i < 0) {
    return json_null();
  }
  const ir_pair *pair = &w->program->structure.pairs[i];
  return json_constraints(w, 2, (const int[]){pair->i, pair->j});
}

/* ---- types of values ---- */

static json_t *json_parts_expression(const notes *w, const void *expr)
{
  const ir_expr *e = expr;
  double operations = page_operations(w->printer, e);
  return json_made(w, "text:w operations:o", page_expression(w->printer, &w->names, e, MOST),
                   operations < EXACT ? json_integer((json_int_t)operations) : json_null());
}

const char *json_evidence(fact_evidence evidence)
{
  static const char *const names[] = {[EVIDENCE_NONE] = "none",
                                      [EVIDENCE_IDENTITY] = "identity",
                                      [EVIDENCE_CERTIFICATE] = "certificate",
                                      [EVIDENCE_STRUCTURE] = "structure",
                                      [EVIDENCE_WITNESS] = "witness",
                                      [EVIDENCE_SAMPLED] = "sampled"};
  return names[evidence];
}

const char *json_range(fact_range range)
{
  return range == RANGE_ALL ? "all" : "default";
}

static json_t *fact_object(const notes *w, const void *verdict)
{
  const fact *f = verdict;
  static const char *const answers[] = {
      [FACT_UNDECIDED] = "undecided", [FACT_YES] = "yes", [FACT_NO] = "no"};
  int known = f->answer != FACT_UNDECIDED;
  return json_made(w, "answer:w evidence:w parameters:w except:w", answers[f->answer],
                   json_evidence(known ? f->evidence : EVIDENCE_NONE),
                   known ? json_range(f->range) : NULL, f->except);
}

static json_t *certificate(const notes *w, const void *identity)
{
  const record_certificate *c = identity;
  json_t *products = json_array();
  for (int i = 0; i < c->n; i++) {
    const record_product *product = &c->products[i];
    int is_named = product->level >= 0 && product->index < w->program->nc;
    json_add(products,
             json_made(w, "factor:e generator:e level:i constraint:c", product->factor,
                       product->generator, product->level, is_named ? product->index : -1));
  }
  return json_made(w, "value:e rest:e products:o", c->value, c->rest, products);
}

static json_t *json_parts_combination(const notes *w, const void *sum)
{
  const record_combination *c = sum;
  return c->coefficients
             ? json_made(w, "coefficients:o constant:b at:z",
                         json_numbers(w->program->nc, c->coefficients), c->constant, c->at)
             : json_null();
}

static json_t *point(const notes *w, const void *z)
{
  return json_numbers(2 * w->program->nq, z);
}

static json_t *json_parts_constraint(const notes *w, int i)
{
  return i < 0 ? json_null() : name(w, w->program->c_names[i]);
}

json_t *json_made(const notes *w, const char *keys, ...)
{
  static json_t *(*const make[])(const notes *, const void *) = {
      ['w'] = words,       ['n'] = name,        ['e'] = json_parts_expression, ['z'] = point,
      ['f'] = fact_object, ['p'] = certificate, ['x'] = json_parts_combination};
  json_t *object = json_object();
  va_list values;
  va_start(values, keys);
  while (*keys) {
    size_t length = strcspn(keys, ":");
    const char *key = arena_strndup(w->memory, keys, length);
    char letter = keys[length + 1];
    const void *at = strchr("wnezfpx", letter) ? va_arg(values, const void *) : NULL;
    json_t *value = letter == 'o'   ? va_arg(values, json_t *)
                    : letter == 'b' ? json_boolean(va_arg(values, int))
                    : letter == 'c' ? json_parts_constraint(w, va_arg(values, int))
                    : letter == 'i' ? json_integer(va_arg(values, int))
                    : letter == 'l' ? json_integer(va_arg(values, long))
                    : letter == 'r' ? json_parts_number(va_arg(values, double))
                    : at            ? make[(int)letter](w, at)
                                    : json_null();
    json_require(json_object_set_new(object, key, value) == 0);
    keys += length + 2;
    keys += *keys == ' ';
  }
  va_end(values);
  return object;
}
