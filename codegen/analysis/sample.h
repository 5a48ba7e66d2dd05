/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample.h -- points of surfaces, from many starts.
 */
#ifndef SIDEWINDER_ANALYSIS_SAMPLE_H
#define SIDEWINDER_ANALYSIS_SAMPLE_H

#include "analysis/approach.h"
#include "analysis/point.h"
#include "analysis/record.h"

/* Points of M that are looked for with the default parameters, and with other ones. */
#define SAMPLE_POINTS 32
#define SAMPLE_OTHERS 4

/* Those with the default parameters come first: sample.points of them, then sample.elsewhere others. */
typedef struct points {
  record_sample sample;
  int n; /* all of them */
  point **x;
} points;

/* At most `most` points from at most `trials` starts, with the parameters of one setting.  Points that are more than
 * `farthest` times as large as their starts are left out: far away, rounding looks like a zero. */
points sample_surface(study *s, const surface *f, const setting *at, int most, int trials,
                      double farthest);

/* At most `most` points of a surface near a point, at some hundredths of the scales from it. */
points sample_near(study *s, const surface *f, const point *x, int most);

/* Points of M with the default parameters, and with all arrays of parameters changed. */
points sample_M(study *s);

/* Points of M^H that those of M lead to.  Hidden constraints with left_out[i] = 1 vanish on M. */
points sample_MH(study *s, const points *M, const char left_out[]);

/* Points of M^H that are shown to exist by all of its equations, from starts around the origin. */
points sample_widely(study *s, const char left_out[]);

/* The points of a, which have the default parameters, and then those of b. */
points points_joined(study *s, const points *a, const points *b);

/* What is known of an expression at the first n points: NOT_ZERO where its ball excludes 0 at a point that is shown to
 * exist (`at`, with the value there); ZERO where it is zero at all of them; `zero` counts these. */
typedef struct sample_answer {
  ball_answer answer;
  int zero;
  const point *at;
  double value;
} sample_answer;

/* Of several expressions, which share the evaluation of their common parts. */
void sample_decide(study *s, const points *p, int n, int n_values, const ir_expr *const values[],
                   sample_answer answers[]);

#endif
