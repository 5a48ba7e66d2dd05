/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/run_times.h -- rows at given times (--at), by parts of steps.
 */
#ifndef SIDEWINDER_PROGRAM_RUN_TIMES_H
#define SIDEWINDER_PROGRAM_RUN_TIMES_H

#include "io/trajectory.h"
#include "program/settings.h"

typedef struct sw_run_times {
  long n; /* number of times; 0 without --at */
  double *t;
  long next;     /* the first time without a row */
  double h;      /* the step size of the run */
  sw_sim *trial; /* takes parts of steps */
  double *start; /* the start of the last step, as saved by sw_sim_save */
} sw_run_times;

/* Rejects options that --at excludes.  Returns an exit code. */
int sw_run_times_check(const sw_invocation *call, const sw_settings *run);

/* Reads the times, which must be in the order of the run and within it.  *times begins as zeros.
 * Returns an exit code. */
int sw_run_times_open(const sw_invocation *call, const sw_settings *run, const sw_sim *sim,
                      sw_run_times *times);

/* Prepares the next steps, at most `most` of them, and returns their number: it is 1 if the next
 * time is within the next step, whose start is saved. */
long sw_run_times_before(sw_run_times *times, const sw_sim *sim, long most);

/* Writes the rows up to the present time, after `step` steps.  Errors: those of sw_sim_step, with
 * the message in *sim, and those of sw_trajectory_write. */
sw_status sw_run_times_after(sw_run_times *times, sw_sim *sim, sw_trajectory *trajectory,
                             long step);

void sw_run_times_clear(sw_run_times *times);

#endif
