/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * approach.h -- from a starting point to a surface, in double precision.
 *
 * Where it leads is a guess, which point.h turns into a point that is shown to exist.  Lengths are measured in the
 * scales of the coordinates (setup.h), and equations in their own terms, so that units do not matter.
 */
#ifndef SIDEWINDER_ANALYSIS_APPROACH_H
#define SIDEWINDER_ANALYSIS_APPROACH_H

#include <stdint.h>

#include "analysis/study.h"
#include "analysis/surface.h"

typedef struct approach {
  study *s;
  uint64_t random; /* the state of the generator */
  int rows;        /* most equations */
  double *z;       /* 2d: where it is */
  double *value;   /* rows */
  double *jac;     /* rows x 2d, row major, times the scales of the columns */
  double *size;    /* rows: magnitudes of the terms */
  double *step;    /* max(2d, rows) */
  int *pivots;     /* 2d */
} approach;

/* For surfaces with at most `rows` equations.  The generator always starts alike. */
approach *approach_create(study *s, int rows);

/* z = the start of a trial: the initial states of the setting as they are, then disturbed a little or much, and
 * points around the origin. */
void approach_start(approach *a, const setting *at, int trial);

/* z = a point around the origin, or around another point, at most `size` scales away in each entry. */
void approach_start_anywhere(approach *a);
void approach_start_near(approach *a, const double from[], double size);

/* Gauss-Newton with the shortest steps, from z to the surface, in at most `iterations`.  Returns 1 where the
 * residual is at its trial-off, or the steps are. */
int approach_reach(approach *a, const setting *at, const surface *f, int iterations);

/* max_j |z_j| / scale_j; infinite where an entry is not finite. */
double approach_size(const approach *a);

#endif
