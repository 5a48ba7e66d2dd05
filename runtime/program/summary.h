/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/summary.h -- what is said at the end of a run.
 */
#ifndef SW_PROGRAM_SUMMARY_H
#define SW_PROGRAM_SUMMARY_H

#include <stdio.h>

#include "system/system.h"

/* The course of one quantity along a run. */
typedef struct sw_course {
  double first;
  double last;
  double lowest;
  double highest;
  int undefined; /* 1 where some value was not finite */
} sw_course;

typedef struct sw_summary {
  sw_system *system;
  long states; /* that have been taken in */
  sw_course energy;
  sw_course *invariant; /* n_invariant */
  double *values;       /* n_invariant */
} sw_summary;

/* Returns 1, or 0 when out of memory.  sw_summary_clear releases what *summary owns. */
int sw_summary_init(sw_system *system, sw_summary *summary);
void sw_summary_clear(sw_summary *summary);

/* Takes in the current state of *sim: H and the invariants. */
void sw_summary_observe(sw_summary *summary, const sw_sim *sim);

/* Prints steps, time, Newton iterations, largest residuals, the course of the energy and of the
 * invariants; without a step, only what the energy and the invariants are at the start. */
void sw_summary_print(const sw_summary *summary, const sw_sim *sim, double seconds, FILE *stream);

#endif
