/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/run_summary.h -- what is said at the end of a run, for people and for programs.
 */
#ifndef SIDEWINDER_PROGRAM_RUN_SUMMARY_H
#define SIDEWINDER_PROGRAM_RUN_SUMMARY_H

#include <stdio.h>

#include "io/metadata.h"
#include "model/system.h"

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
  sw_stats earlier;     /* of the steps before the run was resumed */
  double seconds;       /* that these steps took */
} sw_summary;

/* Returns 1, or 0 when out of memory.  sw_summary_clear releases what *summary owns. */
int sw_summary_init(sw_system *system, sw_summary *summary);
void sw_summary_clear(sw_summary *summary);

/* Takes in the current state of *sim: H and the invariants. */
void sw_summary_observe(sw_summary *summary, const sw_sim *sim);

/* The statistics of the whole run, before it was resumed and since. */
sw_stats sw_summary_stats(const sw_summary *summary, const sw_sim *sim);

/* A summary as numbers, with the statistics and the course of the energy of *sim and the seconds since the run was begun or
 * resumed, to go on with in another process, whose simulation gets that course. */
size_t sw_summary_size(const sw_summary *summary);
void sw_summary_save(const sw_summary *summary, const sw_sim *sim, double seconds,
                     double numbers[]);
void sw_summary_restore(sw_summary *summary, sw_sim *sim, const double numbers[]);

/* Prints steps, time, Newton iterations, largest residuals, the course of the energy and of the
 * invariants; without a step, only what the energy and the invariants are at the start.  seconds: since the run was
 * begun or resumed. */
void sw_summary_print(const sw_summary *summary, const sw_sim *sim, double seconds, FILE *stream);

/* Prints what steps have cost and how well they did. */
void sw_summary_print_stats(const sw_stats *stats, FILE *stream);

/* What the summary does not know about a run. */
typedef struct sw_run_outcome {
  const sw_origin *origin;
  const char
      *moved;     /* what a projection has done to the start, in words; "" where there was none */
  double moved_q; /* the same as a part of the size of q, and of p */
  double moved_p;
  const char *end;     /* "complete", "interrupted", "failed" */
  const char *message; /* "" where it is complete */
  double seconds;
  const char *out; /* NULL: none */
  const char *state;
} sw_run_outcome;

/* Prints all of it as one JSON object (docs/programs.md). */
void sw_summary_print_json(const sw_summary *summary, const sw_sim *sim,
                           const sw_run_outcome *outcome, FILE *stream);

#endif
