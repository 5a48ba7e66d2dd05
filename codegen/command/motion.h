/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * motion.h -- the frames of a report's animation: some of the rows of a trajectory.
 *
 * The points and bonds of a scene, or, where the model has none, the point of the orbit (command/overview.h).  Where neighbouring rows
 * differ by much, or all of them fit, every row is a frame, from the first one on; else so many are left out that a frame moves by a
 * few hundredths of the whole.  A page stays small by a limit on the numbers.
 *
 * As JSON: axes; names of the axes; kinds, the number of its name in kind_names for each point; bonds, pairs of points; anchors,
 * [point, x, y, (z)]; t and frames, the positions one behind the other, of the rows 0, stride, 2 stride, ...
 */
#ifndef SIDEWINDER_COMMAND_MOTION_H
#define SIDEWINDER_COMMAND_MOTION_H

#include "command/overview.h"
#include "report/scene.h"

typedef struct motion {
  const char *json; /* NULL where nothing moves */
  const char *note; /* what it shows */
  int is_turned;    /* 1: in space */
} motion;

/* Uses the columns of the points: before the drawing is read. */
void motion_use(drawing *d, const scene *s);

/* Once it has been read. */
motion motion_make(arena *a, const drawing *d, const overview *o, const scene *s);

#endif
