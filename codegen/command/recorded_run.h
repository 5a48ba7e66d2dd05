/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recorded_run.h -- runs a model's program and keeps its trajectory for `report` and `plot`.
 */
#ifndef SIDEWINDER_COMMAND_RECORDED_RUN_H
#define SIDEWINDER_COMMAND_RECORDED_RUN_H

#include <jansson.h>
#include <signal.h>

#include "command/cache.h"
#include "command/program_call.h"

typedef struct recorded_run {
  int code; /* exit code of the program */
  /* path of the .npy file (its metadata is in .npy.json); NULL if the program wrote none */
  const char *trajectory;
  json_t *summary; /* output of `run --json`; NULL if there was none */
  cache kept;
  workshop shop;
  sigset_t mask; /* signal mask before the run */
} recorded_run;

/* The columns for an overview of the model's trajectory (overview.h), as a list for --columns.
 * These are steps, times, positions and momenta, observables unless they are many, invariants,
 * residuals, and multipliers. */
const char *recorded_run_columns(arena *a, const compilation *c);

/* Runs the program of a call, after program_call_build, in a temporary folder of the cache.  The
 * run writes these columns; NULL keeps the user's choice.  Messages and progress go to stderr.  If
 * the user interrupts the run, its rows so far are available, and recorded_run_close ends this
 * process.  Returns OUTCOME_FAILED after a message if the folder cannot be created or the program
 * cannot be started. */
outcome recorded_run_open(arena *a, program_call *call, const char *columns, recorded_run *run);

/* Removes the folder.  Must be called after recorded_run_open, even if it failed. */
void recorded_run_close(recorded_run *run);

#endif
