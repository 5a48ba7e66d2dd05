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
#include "report/scene.h"

/* Marks the columns of the points for reading; call before drawing_read. */
void motion_use(drawing *d, const scene *s);

/* The animation: `motion`, the JSON above; `note`, a caption; and `turns`, true if the view can be
 * turned, in three dimensions.  NULL if nothing moves.  Call after drawing_read. */
json_t *motion_make(arena *a, const drawing *d, const overview *o, const scene *s);

#endif
