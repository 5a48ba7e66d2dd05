/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * motion.h -- the frames of a report's animation, selected from the rows of a trajectory.
 *
 * The animation shows the points and bonds of a scene, or else the point of the orbit
 * (command/overview.h).  Every row is a frame if neighbouring rows differ much, or if all rows fit.
 * Otherwise rows are skipped, so that a frame moves by a few hundredths of the whole extent.  A
 * limit on the count of numbers keeps the page small.
 *
 * JSON: axes; names of the axes; kinds, for each point an index into kind_names; bonds, pairs of
 * points; anchors, [point, x, y, (z)]; t; and frames, the flattened positions of rows 0, stride, 2
 * stride, ...
 */
#ifndef SIDEWINDER_COMMAND_MOTION_H
#define SIDEWINDER_COMMAND_MOTION_H

#include <jansson.h>

#include "command/overview.h"
#include "compilation.h"

/* The part of a model that can be drawn in space: points and bonds between them.
 *
 * Points are entries of positions whose last index has the labels x, y, or x, y, z, as in the
 * frames of `run --out FILE.xyz`. Two points are bonded if a constraint on positions reads these
 * two and no other coordinate. A point is bonded to a fixed place if a constraint prescribes its
 * distance from that place, like the rod of a pendulum. */

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

/* Marks the columns of the points for reading; call before drawing_read. */
void motion_use(drawing *d, const scene *s);

/* The animation: `motion`, the JSON above; `note`, a caption; and `turns`, true if the view can be
 * turned, in three dimensions.  NULL if nothing moves.  Call after drawing_read. */
json_t *motion_make(arena *a, const drawing *d, const overview *o, const scene *s);

#endif
