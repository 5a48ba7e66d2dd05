/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * square.h -- selects equations of a surface and entries of z that form a square system near a
 * point.
 *
 * The selection uses Gaussian elimination with complete pivoting on the Jacobian, in double
 * precision.  Columns are measured in the scales of z, and rows in their largest entries.
 */
#ifndef SIDEWINDER_ANALYSIS_SQUARE_H
#define SIDEWINDER_ANALYSIS_SQUARE_H

#include "analysis/surface.h"

typedef struct square {
  int rank;         /* number of independent equations */
  int *rows;        /* all equations; the first `rank` form the system */
  int *columns;     /* all entries of z; the first `rank` are the unknowns */
  int *row_unit;    /* rank exponents: equations are divided by 2^row_unit */
  int *column_unit; /* rank exponents: unknowns are divided by 2^column_unit */
  double *inverse;  /* inverse of the scaled Jacobian, rank x rank, row major */
} square;

/* Selects the system with the Jacobian of f in the present pass of the balls (study.h).  For
 * rank < 0, the pivots determine the number of equations; otherwise it is `rank` if there are as
 * many pivots.  Returns 0 if the Jacobian is not finite or the selected part is singular. */
int square_choose(study *s, const surface *f, square *q, int rank);

#endif
