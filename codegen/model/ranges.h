/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ranges.h -- a walk over a formula that checks its indices, with lets expanded.
 */
#ifndef SIDEWINDER_MODEL_RANGES_H
#define SIDEWINDER_MODEL_RANGES_H

#include "model/index_values.h"
#include "model/text_set.h"

/* An enclosing call of a let, or reference to a family, during the walk. */
typedef struct argument_frame {
  const char *name;
  int n;
  const model_binder *const *binders;
  /* in the variables of the outermost formula; NULL for an argument that is no index */
  const model_index *const *arguments;
  const struct argument_frame *outer;
  span call;
} argument_frame;

typedef struct walk {
  checker *c;
  text_set *seen;  /* calls that have been visited */
  text_set *slots; /* references; NULL if they are not collected */
  long left;       /* remaining budget */
  long last_reach; /* number of the last reach */
  span where;      /* location of the whole formula */
  int stopped;     /* 1 after the budget is exhausted, which has been reported */
} walk;

/* The location for an error: the outermost call, because that call determines the index. */
span ranges_place(const argument_frame *f, span where);

/* Subtracts parts from the budget.  Returns 0 if the budget is exhausted, and reports it once. */
int ranges_charge(walk *w, long parts);

/* An index, or a condition (which may be NULL), with all let arguments substituted; NULL if the
 * result becomes too large. */
const model_index *ranges_index(walk *w, const model_index *index, const argument_frame *f,
                                const reach *r);
const model_condition *ranges_condition(walk *w, const model_condition *condition,
                                        const argument_frame *f, const reach *r);

/* The indices of a reference, with let arguments substituted: to an array over sets[0 .. n-1],
 * or to an instance of a family, whose condition may exclude it.  NULL after an error, or when
 * the walk has stopped. */
const model_index *const *ranges_entry(walk *w, const model_expr *e, const model_set *const sets[],
                                       const argument_frame *f, const reach *r);
const model_index *const *ranges_instance(walk *w, const model_expr *e, const argument_frame *f,
                                          const reach *r);

#endif
