/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * square.h -- which equations of a surface, and which entries of z, make a square system near a point?
 *
 * By Gaussian elimination with complete pivoting on the Jacobian, in double precision: columns are measured in the scales
 * of z and rows in their largest entries.
 */
#ifndef SIDEWINDER_ANALYSIS_SQUARE_H
#define SIDEWINDER_ANALYSIS_SQUARE_H

#include "analysis/surface.h"

typedef struct square {
  int rank;         /* independent equations */
  int *rows;        /* all equations, the rank that are in the system first */
  int *columns;     /* all entries of z, the rank unknowns first */
  int *row_unit;    /* rank: equations are divided by two to this, */
  int *column_unit; /* rank: and unknowns by two to this */
  double *inverse;  /* rank x rank, row major, of the scaled Jacobian */
} square;

/* The system by the Jacobian of f where balls are being evaluated (study.h); with rank < 0 as many equations as the
 * pivots tell to be independent, else that many if there are so many pivots.  0 where the Jacobian is not finite, or
 * has no inverse. */
int square_choose(study *s, const surface *f, square *q, int rank);

#endif
