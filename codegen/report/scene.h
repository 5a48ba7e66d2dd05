/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scene.h -- the part of a model that can be drawn in space: points and bonds between them.
 *
 * Points are entries of positions whose last index has the labels x, y, or x, y, z, as in the
 * frames of `run --out FILE.xyz`. Two points are bonded if a constraint on positions reads these
 * two and no other coordinate. A point is bonded to a fixed place if a constraint prescribes its
 * distance from that place, like the rod of a pendulum.
 */
#ifndef SIDEWINDER_REPORT_SCENE_H
#define SIDEWINDER_REPORT_SCENE_H

#include "compilation.h"

enum { SCENE_POINTS = 2000, SCENE_BONDS = 8000 /* limits; more are omitted */ };

typedef struct scene_point {
  int at;   /* number of its x in q; the other coordinates follow */
  int axes; /* 2 or 3: number of its coordinates */
} scene_point;

typedef struct scene_bond {
  int from;        /* number of a point */
  int to;          /* number of a point, or -1: a fixed place */
  double place[3]; /* the fixed place, if to is -1 */
} scene_bond;

typedef struct scene {
  int axes; /* 2 or 3; 0 if the model has no points */
  int n_points;
  long all_points;
  const scene_point *points;
  int n_bonds;
  int is_shortened; /* 1 if bonds were omitted */
  const scene_bond *bonds;
  const char *const *names; /* nq: dotted names, as in the columns of a trajectory */
} scene;

/* Finds the scene. k: the c->program->nk parameters of an unrolled model, which determine fixed
 * places; NULL: the defaults. */
scene scene_find(arena *a, const compilation *c, const double k[]);

#endif
