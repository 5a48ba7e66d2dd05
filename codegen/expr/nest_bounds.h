/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nest_bounds.h -- what a condition says about the variables of a nest: between which values each of them runs,
 * and what has to be tested.
 */
#ifndef SIDEWINDER_EXPR_NEST_BOUNDS_H
#define SIDEWINDER_EXPR_NEST_BOUNDS_H

#include "expr/index_form.h"
#include "expr/loops.h"

/* One of the conditions that all have to hold. */
typedef struct bounds_conjunct {
  const model_condition *condition;
  int level;        /* of the innermost variable in it; -1: none of the nest's */
  int filters;      /* 1 where it says more than its bounds do */
  int lower;        /* 1 where it bounds that variable from below, */
  int upper;        /*   from above, */
  index_form first; /* by these values */
  index_form last;
} bounds_conjunct;

/* The n of them. */
const bounds_conjunct *bounds_of(arena *a, const ir_nest *nest, int *n);

/* 1 where a nest, with its sets, reads a binder of outer loops. */
int bounds_nest_reads(const ir_nest *nest, const model_binder *binder);

/* 1 where the values of a kernel do. */
int bounds_kernel_reads(const ir_kernel *k, const model_binder *binder);

/* 1 where its condition reads a binder in what is more than a bound of the first loop. */
int bounds_filter_reads(arena *a, const ir_nest *nest, const model_binder *binder);

#endif
