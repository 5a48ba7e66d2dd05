/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/axis_points.h -- points in space: what files of molecules have.
 *
 * They are what the names of the positions say: q.3.O.x, q.3.O.y and q.3.O.z, one behind the other, are one, of the species O; without z
 * it is 0.  The species of q.3.x is the label of element.3 if the model has an array of indices `element` over the first set of q, into labels.
 * Otherwise it is the last label before the axis without its digits (H of H1), or, if that is a number or missing, X, the symbol of an unknown
 * element.
 */
#ifndef SW_IO_AXIS_POINTS_H
#define SW_IO_AXIS_POINTS_H

#include "common/user_text.h"
#include "model/system.h"

enum { SW_SPECIES_BYTES = 16 };

typedef struct sw_point {
  char species[SW_SPECIES_BYTES];
  int first; /* of its entries in q, */
  int axes;  /* 2 or 3 of them */
} sw_point;

typedef struct sw_points {
  int n;
  sw_point *at;
  /* Numbers of parameters, -1 if the model has none: */
  int scale;    /* `angstroms`: how many a unit of length has */
  int box;      /* `box`: the first of the edges of a box, */
  int box_size; /* 3 of them, or 1 for a cube */
} sw_points;

/* Finds the points of a system; sw_points_clear is to be called where that succeeded.  Errors: SW_ERR_ARGUMENT with a message where it has none,
 * which names the format, such as ".xyz"; SW_ERR_MEMORY with message "". */
sw_status sw_points_create(const sw_system *system, const char *ending, sw_points *points,
                           char message[SW_TEXT_MESSAGE]);
void sw_points_clear(sw_points *points);

/* By what a file in angstrom multiplies lengths, 1 without `angstroms`; k: the parameters. */
double sw_points_scale(const sw_points *points, const double k[]);

/* The three edges of the box go to edges; returns 0 if the model has no box. */
int sw_points_box(const sw_points *points, const double k[], double edges[3]);

/* What q, or another vector of d values, has for an axis (0, 1, 2) of the point. */
double sw_point_entry(const sw_point *point, int axis, const double q[]);

#endif
