/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/position.h -- the entries of a looped model's arrays that are the positions of a cluster.
 */
#ifndef SIDEWINDER_FUSED_POSITION_H
#define SIDEWINDER_FUSED_POSITION_H

#include "expr/loops.h"
#include "model/index_form.h"

enum { POSITION_INDICES = 8, POSITION_INNER = 4 };

/* The loops around a kernel: the loop over clusters, and one iteration of the loops inside it. */
typedef struct position_loops {
  const model_binder *binder;
  int n;
  const model_binder *inner[POSITION_INNER];
  long at[POSITION_INNER];
} position_loops;

/* An entry of a coordinate in the cluster with index i. Its index number `along` is at[along] +
 * factor i, the others are at[]. */
typedef struct position {
  int coordinate;
  int along;
  long factor;
  int n;
  long at[POSITION_INDICES];
} position;

/* Writes an index as factor * (cluster index) + *rest. Returns 0 if it has no such form. */
int position_index(const model_index *index, const position_loops *loops, long *factor, long *rest);

/* The position that a site of a kernel refers to. Returns 0 if the site is no position of a
 * cluster. */
int position_of(const ir_reference *site, const position_loops *loops, position *p);

/* Compares positions by their order in the model's q, for qsort; 0 if they are the same entry. */
int position_compare(const void *left, const void *right);

/* 1 if two positions can be the same entry of q in two clusters, or move differently from cluster
 * to cluster. */
int positions_can_meet(const position *a, const position *b);

#endif
