/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/position.h -- where the positions of a cluster are in the arrays of a looped model.
 */
#ifndef SIDEWINDER_FUSED_POSITION_H
#define SIDEWINDER_FUSED_POSITION_H

#include "expr/index_form.h"
#include "expr/loops.h"

enum { POSITION_INDICES = 8, POSITION_INNER = 4 };

/* Where a kernel stands: within the loop over clusters, and in one iteration of loops inside of that. */
typedef struct position_loops {
  const model_binder *binder;
  int n;
  const model_binder *inner[POSITION_INNER];
  long at[POSITION_INNER];
} position_loops;

/* An entry of a coordinate in the cluster of index i: at[] + factor i where it is `along`, at[] in other places. */
typedef struct position {
  int coordinate;
  int along;
  long factor;
  int n;
  long at[POSITION_INDICES];
} position;

/* An index as `factor` times that of the cluster and a constant, *rest; 0 where it is no such form. */
int position_index(const model_index *index, const position_loops *loops, long *factor, long *rest);

/* The position that a site of a kernel stands for; 0 where it is none of a cluster. */
int position_of(const ir_reference *site, const position_loops *loops, position *p);

/* By the place in the model's q, for qsort; 0 for the same entry. */
int position_compare(const void *left, const void *right);

/* Whether two positions can be one entry of q in two clusters, or are not moved on alike from cluster to cluster. */
int positions_can_meet(const position *a, const position *b);

#endif
