/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index_values.h -- the values that indices take under conditions.
 */
#ifndef SIDEWINDER_MODEL_INDEX_VALUES_H
#define SIDEWINDER_MODEL_INDEX_VALUES_H

#include "model/checker.h"

/* ---- solve.c: integer points that satisfy conditions ---- */

typedef struct solve solve;

solve *solve_create(checker *c);

/* Adds a variable, which ranges over its set.  Variables of the required conditions are added
 * automatically. */
void solve_variable(solve *s, const model_binder *binder);

/* Requires that the condition holds, or that it fails. */
void solve_require(solve *s, const model_condition *condition, int holds);

/* Requires that the index lies outside first .. last. */
void solve_require_outside(solve *s, const model_index *index, long first, long last);

/* 1: there is a solution, and c->environment holds it; 0: there is none; -1: undecided within
 * the budget. */
int solve_point(solve *s);

/* The number of solutions; -1: undecided within the budget. */
long solve_count(solve *s);

/* ---- solve.c, index_values.c: the values of an index ---- */

/* A set of variable assignments: all combinations of values of the binders that satisfy the
 * condition, within each assignment of the outer reach. */
typedef struct reach {
  long id; /* unique within a walk */
  int n;
  const model_binder *const *binders;
  /* the binders with dependent sets that these binders replace; NULL if there are none */
  const model_binder *const *originals;
  const model_condition *condition;
  const struct reach *outer;
} reach;

/* 1 if the set of a variable is empty, so that nothing inside is ever evaluated. */
int reach_empty(const reach *r);

/* Interval bounds of an index whose variables range over their whole sets.  good = 0 if a part
 * exceeds MODEL_MAX_INDEX. */
typedef struct reach_interval {
  long lower;
  long upper;
  int good;
} reach_interval;
reach_interval reach_hull(const model_index *index);

/* 1 if the index has no variables; sets its value. */
int reach_constant(const model_index *index, long *value);

/* Reports index arithmetic that can exceed MODEL_MAX_INDEX; conditions are ignored.  Returns 1
 * if there is none. */
int reach_bounded(checker *c, const model_index *index, span where);

/* Search for values of the variables with the index outside the set, or with the condition
 * false.  0: there are none; 1: found, and c->environment holds them; -1: undecided, too many
 * combinations. */
int reach_outside(checker *c, const reach *r, const model_index *index, const model_set *set);
int reach_failing(checker *c, const reach *r, const model_condition *condition);

/* 1 if the index, or every index of the condition, is bounded, all divisors of `mod` are
 * positive, and entries of index arrays have valid indices; otherwise reports the fault.  r may
 * be NULL. */
int reach_good(checker *c, const reach *r, const model_index *index, span where);
int reach_good_condition(checker *c, const reach *r, const model_condition *condition, span where);

/* The position, from 0, of an index without variables in a set.  Reports an index outside the
 * set and returns -1; the message calls the index `what`: "index" or "key". */
long reach_place(checker *c, const char *what, const model_index *index, const model_set *set);

/* The number of combinations that satisfy the condition of r, whose outer reach must be NULL; -1
 * if there are too many to try. */
long reach_count(checker *c, const reach *r);

#endif
