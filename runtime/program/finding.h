/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/finding.h -- what is asked of `verify`, and what a check has found.
 *
 * Every check yields one figure, the worst over all points and entries, which must not exceed its
 * tolerance.  A figure that is not a number fails.
 */
#ifndef SW_PROGRAM_FINDING_H
#define SW_PROGRAM_FINDING_H

#include <stdint.h>

#include "sidewinder/witness.h"

typedef enum sw_outcome {
  SW_CHECK_PASS,
  SW_CHECK_FAIL,
  SW_CHECK_NOT_APPLICABLE /* note says why; never counted as passed */
} sw_outcome;

typedef struct sw_finding {
  const char *name;
  sw_outcome outcome;
  double worst; /* -1 where nothing was compared */
  double tolerance;
  char note
      [200]; /* where the worst figure is, or why there is none; "" if there is nothing to say */
} sw_finding;

typedef struct sw_verify_options {
  uint64_t seed;                    /* of the random points; the same seed gives the same report */
  int points;                       /* number of random points, at least 1 */
  const sw_witness *witness;        /* of the model; NULL: its checks do not apply */
  const struct sw_stepper *stepper; /* its straight-line steps; NULL: likewise */
  const char *only; /* carry out the checks alone whose names begin with it; NULL: all of them */
} sw_verify_options;

#endif
