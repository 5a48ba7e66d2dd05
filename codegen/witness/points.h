/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * points.h -- the choice of points: random states near the initial states, random parameters within
 * their bounds, and random multipliers. A model has the same points in every process.
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
  long budget;   /* of the arithmetic, for one evaluation at a point */
  jets counting; /* arithmetic of t */
  tree t;
  int n; /* 2d */
  int nk;
  double *k_default;           /* nk */
  sw_witness_values *defaults; /* nk: the defaults as exact values */
  sw_bounds *bounds;           /* nk */
  double *start; /* n_inits x 2d: the initial states; one row of zeros if there are none */
  /* 2d: for positions the largest position in all initial states, likewise for momenta; 1 if all
   * are 0 */
  double *length;
} points;

void points_open(points *p, arena *a, const model *m, long budget);
void points_close(points *p);

/* How far parameters are from their defaults. */
typedef enum points_kind {
  POINTS_DEFAULT, /* the defaults */
  POINTS_NEAR,    /* each by up to 40 %, independently */
  /* between -2 and 2 times the default; the state is far away, multipliers are small */
  POINTS_WIDE,
  /* entries of the state, and parameters, are multiplied by factors from 1/100 to 100 */
  POINTS_SPREAD
} points_kind;

/* Chooses a point at which H and g have second derivatives, near the initial state `number` modulo
 * the number of initial states. Returns 0 if no such point was found. */
int points_choose(points *p, points_kind kind, int number, sw_witness_point *point);

#endif
