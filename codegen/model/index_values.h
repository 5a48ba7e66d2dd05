/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index_values.h -- which values indices take under conditions.
 */
#ifndef SIDEWINDER_MODEL_INDEX_VALUES_H
#define SIDEWINDER_MODEL_INDEX_VALUES_H

#include "model/checker.h"

/* ---- solve.c: integer points that satisfy conditions ---- */

typedef struct solve solve;

solve *solve_create(checker *c);

/* Another variable, which takes the values of its set; those of what is required come by themselves. */
void solve_variable(solve *s, const model_binder *binder);

/* The condition has to hold, or to fail. */
void solve_require(solve *s, const model_condition *condition, int holds);

/* The index has to lie outside of first .. last. */
void solve_require_outside(solve *s, const model_index *index, long first, long last);

/* 1: c->environment holds values of the variables that satisfy all; 0: there are none; -1: that is too much
 * work to find out. */
int solve_point(solve *s);

/* Number of the points; -1 likewise. */
long solve_count(solve *s);

/* ---- index_intervals.c, index_values.c: which values an index takes ---- */

/* Variables that take all combinations of their values which satisfy the condition, within those of
 * the outer reach. */
typedef struct reach {
  long id; /* unique in a walk */
  int n;
  const model_binder *const *binders;
  /* In whose place binders stand, whose sets depend on variables; NULL: there are none. */
  const model_binder *const *originals;
  const model_condition *condition;
  const struct reach *outer;
} reach;

/* 1 where some variable's set is empty, so that nothing within is ever evaluated. */
int reach_empty(const reach *r);

/* All that an index can be, where each variable is what `variable` says of it; good = 0 where a part exceeds
 * MODEL_MAX_INDEX. */
typedef struct reach_interval {
  long lower;
  long upper;
  int good;
} reach_interval;
typedef reach_interval reach_variable(const void *context, const model_binder *binder);
reach_interval reach_interval_of(const model_index *index, reach_variable *variable,
                                 const void *context);

/* The same where each variable takes all values of its set. */
reach_interval reach_hull(const model_index *index);

/* 1 where the index has no variables; its value. */
int reach_constant(const model_index *index, long *value);

/* Reports index arithmetic that can leave MODEL_MAX_INDEX, whatever the conditions. */
int reach_bounded(checker *c, const model_index *index, span where);

/* Looks for values of the variables at which the index lies outside of the set, or the condition fails.  0: there are none; 1: found,
 * and c->environment holds them; -1: too many combinations to tell. */
int reach_outside(checker *c, const reach *r, const model_index *index, const model_set *set);
int reach_failing(checker *c, const reach *r, const model_condition *condition);

/* 1 where the index, or every index of the condition, is bounded, all divisors of `mod` in it are positive, and all entries of arrays
 * of indices are such; else reports it.  r may be NULL. */
int reach_good(checker *c, const reach *r, const model_index *index, span where);
int reach_good_condition(checker *c, const reach *r, const model_condition *condition, span where);

/* The place in a set of an index without variables, counted from 0; -1 where it is none, which is reported of `what`, "index" or
 * "key". */
long reach_place(checker *c, const char *what, const model_index *index, const model_set *set);

/* Number of combinations that satisfy the condition of r (whose outer is NULL); -1 where there are
 * too many to be tried. */
long reach_count(checker *c, const reach *r);

#endif
