/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json_parts.h -- the parts of the JSON of `check`, and their building blocks.
 */
#ifndef SIDEWINDER_REPORT_JSON_PARTS_H
#define SIDEWINDER_REPORT_JSON_PARTS_H

#include <jansson.h>

#include "report/notes.h"

/* Makes an object with the keys in this order, such as "name:w count:i". The letter gives the type
 * of the argument:
 *
 *   w  const char *: a string; invalid UTF-8 is replaced
 *   n  const char *: a name of the model, as in the model file
 *   c  int: the name of constraint i; null for -1
 *   e  const ir_expr *: {"text": as in a model file, or null if it is too long,
 *      "operations": its number of operations}
 *   f  const fact *
 *   p  const record_certificate *
 *   i  int
 *   l  long
 *   b  int: a Boolean
 *   r  double: null unless it is finite
 *   z  const double *: a point
 *   o  json_t *: ownership passes to the object
 *   x  const record_combination *
 *
 * A NULL argument becomes null. */
json_t *json_made(const notes *w, const char *keys, ...);

/* The names of a kind of evidence and of a range, such as "certificate" and "all". */
const char *json_evidence(fact_evidence evidence);
const char *json_range(fact_range range);

/* Exits the program, as an arena does, unless `made` is 1. Call it with the success of an
 * allocation. */
void json_require(int made);

/* Appends all keys of `more` to the object and releases `more`. */
void json_join(json_t *object, json_t *more);

/* Appends the value to the array, which becomes its owner. */
void json_add(json_t *array, json_t *value);

/* The array of make(w, 0), ..., make(w, n-1). */
json_t *json_list(const notes *w, int n, json_t *(*make)(const notes *, int));

/* Arrays of n names, of n names of constraints, and of n numbers. */
json_t *json_names(const notes *w, int n, const char *const names[]);
json_t *json_constraints(const notes *w, int n, const int constraints[]);
json_t *json_numbers(int n, const double values[]);

/* The names of pair i of the structure; null for -1. */
json_t *json_pair(const notes *w, int i);

/* ---- the parts ---- */

json_t *json_refusal(const notes *w);  /* null for an accepted model */
json_t *json_verdicts(const notes *w); /* null without a program */

#endif
