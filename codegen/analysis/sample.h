/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample.h -- points of surfaces, from many starting points.
 */
#ifndef SIDEWINDER_ANALYSIS_SAMPLE_H
#define SIDEWINDER_ANALYSIS_SAMPLE_H

#include "analysis/point.h"
#include "analysis/record.h"

/* Number of points of M to find with the default parameters, and with each setting of others. */
#define SAMPLE_POINTS 32
#define SAMPLE_OTHERS 4

/* A list of points.  The first sample.points have the default parameters; sample.elsewhere others
 * follow. */
typedef struct points {
  record_sample sample;
  int n; /* total number */
  point **x;
} points;

/* At most `most` points from at most `trials` starting points, with the parameters of one setting.
 * Points more than `farthest` times as large as their start are dropped: far away, rounding looks
 * like a zero. */
points sample_surface(study *s, const surface *f, const setting *at, int most, int trials,
                      double farthest);

/* At most `most` points of a surface near a point, some hundredths of the scales away. */
points sample_near(study *s, const surface *f, const point *x, int most);

/* Points of M with the default parameters, and with all arrays of parameters changed. */
points sample_M(study *s);

/* The points of M^H to which the points of M lead.  Hidden constraints with left_out[i] = 1 vanish
 * on M. */
points sample_MH(study *s, const points *M, const char left_out[]);

/* Points of M^H from starting points around the origin.  All equations of M^H are independent
 * there, and the points are proved to exist. */
points sample_widely(study *s, const char left_out[]);

/* The points of a, which have the default parameters, followed by those of b. */
points points_joined(study *s, const points *a, const points *b);

/* The decision about an expression at the first n points.  NOT_ZERO: its ball excludes 0 at a point
 * that is proved to exist (`at`, with the value there).  ZERO: it is zero at all points.  `zero`
 * counts the points with a zero. */
typedef struct sample_answer {
  ball_answer answer;
  int zero;
  const point *at;
  double value;
} sample_answer;

/* Decides about several expressions, which share the evaluation of their common parts. */
void sample_decide(study *s, const points *p, int n, int n_values, const ir_expr *const values[],
                   sample_answer answers[]);

#endif
