/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/finding.h -- the options of `verify`, and the result of a check.
 *
 * The figure of a check is its worst error over all points and entries.  The check passes if the
 * figure is at most the tolerance.  A NaN fails.
 */
#ifndef SW_PROGRAM_FINDING_H
#define SW_PROGRAM_FINDING_H

#include <stdint.h>

#include "sidewinder/witness.h"

typedef enum sw_outcome {
  SW_CHECK_PASS,
  SW_CHECK_FAIL,
  SW_CHECK_NOT_APPLICABLE /* the note says why; never counted as passed */
} sw_outcome;

typedef struct sw_finding {
  const char *name;
  sw_outcome outcome;
  double worst; /* the figure; -1 if nothing was compared */
  double tolerance;
  /* location of the worst figure, or the reason why there is none; "" if there is nothing to
   * report */
  char note[200];
} sw_finding;

typedef struct sw_verify_options {
  uint64_t seed; /* seed of the random points; equal seeds give equal reports */
  int points;    /* number of random points, at least 1 */
  /* the model's table of witnesses; NULL: its checks do not apply */
  const sw_witness *witness;
  const struct sw_stepper *stepper; /* the model's generated step; NULL: its checks do not apply */
  const char *only; /* run only checks whose names begin with this text; NULL: all checks */
} sw_verify_options;

#endif
