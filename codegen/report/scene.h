/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scene.h -- what of a model can be seen in space: points, and the bonds between them.
 *
 * Points are entries of positions whose last index has the labels x, y, or x, y, z, as in the frames of `run --out FILE.xyz`.  Two
 * of them are bonded where a constraint on positions reads these two and no other coordinate; one is bonded to a place that is at rest
 * where a constraint says that it is at some distance from that place, as the rod of a pendulum does.
 */
#ifndef SIDEWINDER_REPORT_SCENE_H
#define SIDEWINDER_REPORT_SCENE_H

#include "compilation.h"

enum { SCENE_POINTS = 2000, SCENE_BONDS = 8000 /* at most; more are left out */ };

typedef struct scene_point {
  int at;   /* of its x in q; the other coordinates follow */
  int axes; /* 2 or 3 of them */
} scene_point;

typedef struct scene_bond {
  int from;        /* point */
  int to;          /* point, or -1 */
  double place[3]; /* -1: where its other end is */
} scene_bond;

typedef struct scene {
  int axes; /* 2 or 3; 0 where the model has no points */
  int n_points;
  long all_points;
  const scene_point *points;
  int n_bonds;
  int is_shortened; /* 1 where bonds were left out */
  const scene_bond *bonds;
  const char *const *names; /* nq of them: dotted, as columns of a trajectory are called */
} scene;

/* k: the parameters of an unrolled model, c->program->nk of them, by which places at rest are found; NULL: the defaults. */
scene scene_find(arena *a, const compilation *c, const double k[]);

#endif
