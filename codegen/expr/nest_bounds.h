/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nest_bounds.h -- splits the condition of a nest into ranges of its variables and remaining tests.
 */
#ifndef SIDEWINDER_EXPR_NEST_BOUNDS_H
#define SIDEWINDER_EXPR_NEST_BOUNDS_H

#include "expr/loops.h"
#include "model/index_form.h"

/* One conjunct of the condition of a nest. */
typedef struct bounds_conjunct {
  const model_condition *condition;
  int level;        /* level of its innermost variable; -1 if it reads no variable of the nest */
  int filters;      /* 1 if it has to be tested beyond its bounds */
  int lower;        /* 1 if `first` bounds this variable from below */
  int upper;        /* 1 if `last` bounds this variable from above */
  index_form first; /* lower bound */
  index_form last;
} bounds_conjunct;

/* The n conjuncts of the nest's condition. */
const bounds_conjunct *bounds_of(arena *a, const ir_nest *nest, int *n);

/* 1 if a nest reads a binder of outer loops in its condition or its sets. */
int bounds_nest_reads(const ir_nest *nest, const model_binder *binder);

/* 1 if the values of a kernel read the binder. */
int bounds_kernel_reads(const ir_kernel *k, const model_binder *binder);

/* 1 if the nest's condition reads the binder outside of bounds of the first loop. */
int bounds_filter_reads(arena *a, const ir_nest *nest, const model_binder *binder);

#endif
