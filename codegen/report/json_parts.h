/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json_parts.h -- the parts of the JSON of `check`, and what they share.
 *
 * Keys keep the order in which they are put.  A part that could not be made, for want of memory, is NULL, which no
 * object takes, or noted where it belongs to a list; the whole is given up in the end.
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

/* Puts the value, which it takes over, at the end of the array. */
void json_add(json_author *w, json_t *array, json_t *value);

/* What is made for 0 .. n-1. */
json_t *json_list(json_author *w, int n, json_t *(*make)(json_author *, int));

/* A string, bytes that are no UTF-8 replaced; null for NULL. */
json_t *json_words(json_author *w, const char *text);

/* A number, null where it is not finite. */
json_t *json_number(double value);

/* n numbers; null for NULL. */
json_t *json_numbers(json_author *w, int n, const double values[]);

/* {"text": as in a model file, or null where it is too long, "operations": how long it is}; null for NULL. */
json_t *json_formula(json_author *w, const ir_expr *e);

/* Names in the way of a model file: "q[1,x]". */
json_t *json_names(json_author *w, int n, const char *const dotted[]);

/* The name of constraint i; null for -1. */
json_t *json_constraint(json_author *w, int i);

/* The names of pair i of the structure, null for -1; and of those constraints that no point was found for. */
json_t *json_pair(json_author *w, int i);
json_t *json_conflicting(json_author *w, int i);

/* ---- the parts ---- */

json_t *json_program(json_author *w);  /* the formulas of c->program; null without one */
json_t *json_families(json_author *w); /* of c->loops; null where the model is unrolled */
json_t *json_verdicts(json_author *w); /* null without a program */

#endif
