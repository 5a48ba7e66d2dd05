/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ranges.h -- a walk over a formula: where it is, and the indices that it meets.
 */
#ifndef SIDEWINDER_MODEL_RANGES_H
#define SIDEWINDER_MODEL_RANGES_H

#include "model/index_values.h"
#include "model/text_set.h"

/* A call of a let, or a reference to a family, that the walk is within. */
typedef struct argument_frame {
  const char *name;
  int n;
  const model_binder *const *binders;
  const model_index *const *arguments; /* in the variables of the formula; NULL for a plain value */
  const struct argument_frame *outer;
  span call;
} argument_frame;

typedef struct walk {
  checker *c;
  text_set *seen;  /* calls */
  text_set *slots; /* references; NULL where they are not collected */
  long left;       /* of the budget */
  long last_reach; /* the reach that was numbered last */
  span where;      /* of the whole formula */
  int stopped;     /* the budget is spent, which has been reported */
} walk;

/* The place to report: the outermost call, since that is what determines the index. */
span ranges_place(const argument_frame *f, span where);

/* Takes parts from the budget; 0, which is reported once, where it is spent. */
int ranges_charge(walk *w, long parts);

/* An index, or a condition or NULL, of the formula with all arguments put in; NULL where that grows too long. */
const model_index *ranges_index(walk *w, const model_index *index, const argument_frame *f,
                                const reach *r);
const model_condition *ranges_condition(walk *w, const model_condition *condition,
                                        const argument_frame *f, const reach *r);

/* The indices of a reference to sets[0 .. n-1], or to an instance of a family, which its 'where' may leave out, with arguments put
 * in; NULL after an error, and where the walk stops. */
const model_index *const *ranges_entry(walk *w, const model_expr *e, const model_set *const sets[],
                                       const argument_frame *f, const reach *r);
const model_index *const *ranges_instance(walk *w, const model_expr *e, const argument_frame *f,
                                          const reach *r);

#endif
