/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json_parts.h -- the parts of the JSON of `check`, and what they are made of.
 *
 * A part that could not be made, for want of memory, is noted; the whole is given up in the end.
 */
#ifndef SIDEWINDER_REPORT_JSON_PARTS_H
#define SIDEWINDER_REPORT_JSON_PARTS_H

#include <jansson.h>

#include "report/page.h"

typedef struct json_author {
  arena *memory;
  const compilation *c;
  page_printer *printer;
  ir_names names; /* of c->program; unset without one */
  int failed;
} json_author;

/* An object of the keys in their order, "name:w count:i", each with a letter for the argument that is its value:
 *
 *   w  const char *: a string, bytes that are no UTF-8 replaced     i  int
 *   n  const char *: a name of the model, as a file has it          l  long
 *   c  int: the name of constraint i; null for -1                   b  int: whether
 *   e  const ir_expr *: {"text": as in a model file, or null        r  double: null where it is not finite
 *      where it is too long, "operations": how long it is}          z  const double *: a point
 *   f  const fact *                                                 o  json_t *, which it takes over
 *   p  const record_certificate *                                   x  const record_combination *
 *
 * What is NULL becomes null. */
json_t *json_made(json_author *w, const char *keys, ...);

/* The names of evidence and of a range: "certificate", "all". */
const char *json_evidence(fact_evidence evidence);
const char *json_range(fact_range range);

/* Puts all keys of `more`, which it takes over, behind those of the object. */
void json_join(json_author *w, json_t *object, json_t *more);

/* Puts the value, which it takes over, at the end of the array. */
void json_add(json_author *w, json_t *array, json_t *value);

/* What is made for 0 .. n-1. */
json_t *json_list(json_author *w, int n, json_t *(*make)(json_author *, int));

/* A list of n names; of the names of constraints; of numbers. */
json_t *json_names(json_author *w, int n, const char *const names[]);
json_t *json_constraints(json_author *w, int n, const int constraints[]);
json_t *json_numbers(json_author *w, int n, const double values[]);

/* The names of pair i of the structure; null for -1. */
json_t *json_pair(json_author *w, int i);

/* ---- the parts ---- */

json_t *json_program(json_author *w);  /* the formulas of c->program; null without one */
json_t *json_families(json_author *w); /* of c->loops; null where the model is unrolled */
json_t *json_verdicts(json_author *w); /* null without a program */

#endif
