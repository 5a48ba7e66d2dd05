/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/axis_points.h -- the points in space that molecular file formats contain, found by the names
 * of the positions.
 *
 * Consecutive entries q.3.O.x, q.3.O.y and q.3.O.z are one point of species O; if there is no z,
 * the point has z = 0.  If the model has an array of indices `element` over the first set of q,
 * into labels, the species of q.3.x is the label of element.3.  Otherwise the species is the last
 * label before the axis without its digits (H for H1).  If that label is a number or missing, the
 * species is X, the symbol of an unknown element.
 */
#ifndef SW_IO_AXIS_POINTS_H
#define SW_IO_AXIS_POINTS_H

#include "common/user_text.h"
#include "model/system.h"

enum { SW_SPECIES_BYTES = 16 };

typedef struct sw_point {
  char species[SW_SPECIES_BYTES];
  int first; /* its first entry in q */
  int axes;  /* number of its entries, 2 or 3 */
} sw_point;

typedef struct sw_points {
  int n;
  sw_point *at;
  /* Numbers of parameters; -1 if the model has no such parameter. */
  int scale;    /* `angstroms`: the length unit in angstrom */
  int box;      /* `box`: the first edge of a box */
  int box_size; /* number of edges: 3, or 1 for a cube */
} sw_points;

/* Finds the points of a system.  After success the caller calls sw_points_clear.  Errors:
 * SW_ERR_ARGUMENT if there are no points, with a message that names the format, such as ".xyz";
 * SW_ERR_MEMORY with message "". */
sw_status sw_points_create(const sw_system *system, const char *ending, sw_points *points,
                           char message[SW_TEXT_MESSAGE]);
void sw_points_clear(sw_points *points);

/* The factor of lengths for files in angstrom, 1 without `angstroms`. k: the parameters. */
double sw_points_scale(const sw_points *points, const double k[]);

/* Writes the three edges of the box.  Returns 0 if the model has no box. */
int sw_points_box(const sw_points *points, const double k[], double edges[3]);

/* The entry of q, or of another vector of d values, for an axis (0, 1, 2) of the point; 0 if the
 * point lacks that axis. */
double sw_point_entry(const sw_point *point, int axis, const double q[]);

#endif
