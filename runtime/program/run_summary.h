/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/run_summary.h -- the summary at the end of a run, as text and as JSON.
 */
#ifndef SIDEWINDER_PROGRAM_RUN_SUMMARY_H
#define SIDEWINDER_PROGRAM_RUN_SUMMARY_H

#include <stdio.h>

#include "io/metadata.h"
#include "model/system.h"

/* The range of one quantity over a run. */
typedef struct sw_course {
  double first;
  double last;
  double lowest;
  double highest;
  int undefined; /* 1 if a value was not finite */
} sw_course;

typedef struct sw_summary {
  sw_system *system;
  long states; /* number of observed states */
  sw_course energy;
  sw_course *invariant; /* n_invariant */
  double *values;       /* n_invariant */
  int has_events;       /* 1 if the run looks for events */
  double *crossings;    /* n_event: their numbers */
  int stopped;          /* 1 + the number of the event that has ended the run, or 0 */
  sw_stats earlier;     /* statistics of the steps before the run was resumed */
  double seconds;       /* seconds used before the run was resumed */
} sw_summary;

/* Returns 1, or 0 when out of memory.  sw_summary_clear releases what *summary owns. */
int sw_summary_init(sw_system *system, sw_summary *summary);
void sw_summary_clear(sw_summary *summary);

/* Adds H and the invariants of the current state of *sim. */
void sw_summary_observe(sw_summary *summary, const sw_sim *sim);

/* Statistics of the whole run, including the steps before it was resumed. */
sw_stats sw_summary_stats(const sw_summary *summary, const sw_sim *sim);

/* Save and restore a summary as numbers, so that another process can continue it.  The numbers
 * include the statistics, the energy course and the dropped constraints of *sim, and the seconds
 * since the run was started or resumed.  sw_summary_restore gives the energy course and the dropped
 * constraints to the new process's simulation. */
size_t sw_summary_size(const sw_summary *summary, const sw_sim *sim);
void sw_summary_save(const sw_summary *summary, const sw_sim *sim, double seconds,
                     double numbers[]);
void sw_summary_restore(sw_summary *summary, sw_sim *sim, const double numbers[]);

/* Prints steps, time, Newton iterations, largest residuals, and the course of the energy and the
 * invariants.  Without a step, prints only the energy and the invariants at the start.  seconds:
 * since the run was started or resumed. */
void sw_summary_print(const sw_summary *summary, sw_sim *sim, double seconds, FILE *stream);

/* Prints the cost of the steps and their residuals. */
void sw_summary_print_stats(const sw_stats *stats, FILE *stream);

/* Facts about a run that the summary does not contain. */
typedef struct sw_run_outcome {
  const sw_origin *origin;
  const char *moved;   /* text about the projection of the initial state; "" without a projection */
  double moved_q;      /* displacement relative to the size of q */
  double moved_p;      /* displacement relative to the size of p */
  const char *end;     /* "complete", "interrupted", "failed" */
  const char *message; /* "" if the run is complete */
  double seconds;
  const char *out; /* NULL: none */
  const char *state;
} sw_run_outcome;

/* Prints the seed and the mean kinetic temperature, or that the method leaves out the bath. */
void sw_summary_print_bath(sw_sim *sim, const sw_stats *stats, FILE *stream);

/* Prints the whole summary as one JSON object (docs/programs.md). */
void sw_summary_print_json(const sw_summary *summary, sw_sim *sim, const sw_run_outcome *outcome,
                           FILE *stream);

#endif
