/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * points.h -- where a model is looked at: random states near its initial states, random parameters within
 * their bounds, random multipliers.  The same model has the same points in every process.
 */
#ifndef SIDEWINDER_WITNESS_POINTS_H
#define SIDEWINDER_WITNESS_POINTS_H

#include <stdint.h>

#include "common/arena.h"
#include "model/model.h"
#include "sidewinder/witness.h"
#include "witness/tree.h"

typedef struct points {
  arena *memory;
  const model *m;
  uint64_t random;
  long budget;   /* of the arithmetic, for one look at a point */
  jets counting; /* of t */
  tree t;
  int n; /* 2d */
  int nk;
  double *k_default;           /* nk */
  sw_witness_values *defaults; /* the same, exactly */
  sw_bounds *bounds;           /* nk */
  double *start;  /* n_inits x 2d: the initial states; one of zeros where there is none */
  double *length; /* 2d: the largest position, or momentum, of all of them; 1 where all are 0 */
} points;

void points_open(points *p, arena *a, const model *m, long budget);
void points_close(points *p);

/* How far parameters go. */
typedef enum points_kind {
  POINTS_DEFAULT, /* the defaults */
  POINTS_NEAR,    /* by up to 40 %, each by itself */
  POINTS_WIDE, /* to between -2 and 2 times the default; the state is far away, multipliers are small */
  POINTS_SPREAD /* entries of the state and parameters by factors up to 100 or 1/100 */
} points_kind;

/* A point at which H and g have second derivatives, near initial state number `number` modulo their number; 0
 * where none was found. */
int points_choose(points *p, points_kind kind, int number, sw_witness_point *point);

#endif
