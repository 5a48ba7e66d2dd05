/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/verify.h -- checks of a model: its generated functions against each other, against finite
 * differences and against the identities of the theory, and the methods on it.
 *
 * Every check yields one figure, the worst over all points and entries, which must not exceed its
 * tolerance.  A figure that is not a number fails.
 */
#ifndef SW_PROGRAM_VERIFY_H
#define SW_PROGRAM_VERIFY_H

#include <stdint.h>

#include "sidewinder/witness.h"
#include "system/system.h"

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
  uint64_t seed;             /* of the random points; the same seed gives the same report */
  int points;                /* number of random points, at least 1 */
  const sw_witness *witness; /* of the model; NULL: its checks do not apply */
  const char *only; /* carry out the checks alone whose names begin with it; NULL: all of them */
} sw_verify_options;

/* The number of findings of a report; the same for every model. */
int sw_verify_count(void);

/* How many checks have names that begin with this text. */
int sw_verify_asked(const char *only);

/* Carries out every check that is asked for.  findings: sw_verify_count() of them, in the order of the report.  Returns
 * 1 where none failed, 0 where one did, -1 when out of memory. */
int sw_verify_model(sw_system *system, const sw_verify_options *options, sw_finding findings[]);

#endif
