/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * approach.h -- iterates from a starting point to a surface, in double precision.
 *
 * The result is an approximation, which point.h turns into a point that is proved to exist.
 * Lengths are measured in the scales of the coordinates (setup.h), and equations relative to their
 * terms, so units do not matter.
 */
#ifndef SIDEWINDER_ANALYSIS_APPROACH_H
#define SIDEWINDER_ANALYSIS_APPROACH_H

#include <stdint.h>

#include "analysis/study.h"
#include "analysis/surface.h"

typedef struct approach {
  study *s;
  uint64_t random; /* state of the random generator */
  int rows;        /* largest number of equations */
  double *z;       /* present point, 2d entries */
  double *value;   /* values of the equations */
  double *jac;     /* Jacobian, rows x 2d, row major, each column times its scale */
  double *size;    /* magnitudes of the terms of the equations */
  double *step;    /* right-hand side and step, max(2d, rows) entries */
  int *pivots;     /* 2d column exchanges */
} approach;

/* Creates an iteration for surfaces with at most `rows` equations.  The random generator has a
 * fixed seed. */
approach *approach_create(study *s, int rows);

/* Sets z to the start of a trial: the initial states of the setting, first unchanged, then with
 * small or large perturbations, and points around the origin. */
void approach_start(approach *a, const setting *at, int trial);

/* Sets z to a random point around the origin, or around `from`, at most `size` scales away in each
 * entry. */
void approach_start_anywhere(approach *a);
void approach_start_near(approach *a, const double from[], double size);

/* Gauss-Newton with steps of minimal norm, from z to the surface, in at most `iterations`
 * iterations.  Returns 1 if the residual or the step reaches the level of round-off. */
int approach_reach(approach *a, const setting *at, const surface *f, int iterations);

/* max_j |z_j| / scale_j; infinite if an entry is not finite. */
double approach_size(const approach *a);

#endif
