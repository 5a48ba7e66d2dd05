/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * square.h -- which equations of a surface, and which entries of z, make a square system near a point?
 *
 * By Gaussian elimination with complete pivoting on the Jacobian, in double precision: columns are measured in the scales
 * of z and rows in their largest entries.
 */
#ifndef SIDEWINDER_ANALYSIS_SQUARE_H
#define SIDEWINDER_ANALYSIS_SQUARE_H

#include "analysis/point.h"

/* Sets the rank, rows, columns, units and inverse of the point by the Jacobian where it is; with rank < 0 as many
 * equations as the pivots tell to be independent, else that many if there are so many pivots.  0 where the Jacobian is
 * not finite, or has no inverse. */
int square_choose(study *s, point *x, int rank);

#endif
