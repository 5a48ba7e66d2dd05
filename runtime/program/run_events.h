/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/run_events.h -- the events of a run, and the table of --events.
 */
#ifndef SIDEWINDER_PROGRAM_RUN_EVENTS_H
#define SIDEWINDER_PROGRAM_RUN_EVENTS_H

#include "io/trajectory.h"
#include "program/run_summary.h"
#include "program/settings.h"
#include "sidewinder/events.h"

typedef struct sw_run_events {
  sw_events *search;    /* NULL: the run has no events, or ignores them */
  sw_trajectory *table; /* NULL without --events */
  sw_summary *summary;  /* counts the crossings */
  long step;            /* number of steps of the run before those of the simulation's statistics */
  sw_status status;     /* of the rows */
} sw_run_events;

/* Rejects options about events that do not fit the model or other options.  Returns an exit
 * code. */
int sw_run_events_check(const sw_invocation *call, const sw_settings *run);

/* Prepares the search for events of *sim and opens the table.  *events begins as zeros.  The plan
 * gives the columns and the origin of the run.  Returns an exit code. */
int sw_run_events_open(const sw_invocation *call, const sw_settings *run, sw_trajectory_plan plan,
                       sw_sim *sim, sw_summary *summary, sw_run_events *events);

/* sw_sim_run, with the events: `step` steps have been taken.  If an event ends the run,
 * summary->stopped is set.  Errors: also SW_ERR_IO if a row could not be written. */
sw_status sw_run_events_take(sw_run_events *events, sw_sim *sim, double h, long steps, long step);

/* Commits the table after `step` steps.  Errors: those of sw_trajectory_finish, with a message. */
sw_status sw_run_events_finish(sw_run_events *events, const sw_sim *sim, long step,
                               sw_ending ending, char message[SW_TEXT_MESSAGE]);

void sw_run_events_clear(sw_run_events *events);

#endif
