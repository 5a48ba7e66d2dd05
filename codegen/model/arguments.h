/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arguments.h -- indices of a let's body in the variables of the formula that calls it.
 */
#ifndef SIDEWINDER_ARGUMENTS_H
#define SIDEWINDER_ARGUMENTS_H

#include "model/index_values.h"

/* An argument of a let's call, in the variables of the formula; index = NULL for a plain value. */
typedef struct argument_given {
  const model_index *index;
  long parts;
} argument_given;

/* A call of a let, or a reference to a family, that the walk is within. */
typedef struct argument_frame {
  const char *name;
  int n;
  const model_binder *const *binders;
  const argument_given *arguments;
  const struct argument_frame *outer;
  span call;
} argument_frame;

/* The index with the arguments of the frame's calls put in for the binders of the lets, and with variables that
 * stand in the place of those whose sets depend on others. */
argument_given arguments_put(arena *memory, const model_index *index, const argument_frame *f,
                             const reach *r);

/* Number of parts of an index. */
long arguments_parts(const model_index *index);

/* The place to report: the outermost call, since that is what determines the index. */
span arguments_place(const argument_frame *f, span where);

#endif
