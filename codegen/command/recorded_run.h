/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recorded_run.h -- a run of a model's program whose trajectory is read here: `report` and `plot` of a model.
 */
#ifndef SIDEWINDER_COMMAND_RECORDED_RUN_H
#define SIDEWINDER_COMMAND_RECORDED_RUN_H

#include <jansson.h>
#include <signal.h>

#include "command/cache.h"
#include "command/program_call.h"

typedef struct recorded_run {
  int code; /* exit code of the program */
  const char
      *trajectory; /* an .npy file, with its .json; NULL where the program has written none */
  json_t *summary; /* what `run --json` prints; NULL where it has printed none */
  cache kept;
  workshop shop;
  sigset_t mask; /* before it began */
} recorded_run;

/* The columns that an overview of the model's trajectory is made of (overview.h), as a list for --columns: steps, times, positions and
 * momenta, observables where they are few, invariants, residuals, and multipliers. */
const char *recorded_run_columns(arena *a, const compilation *c);

/* Runs the program of a call that program_call_build has made, with these columns (NULL: as the user's words say), in a folder of
 * the cache.  Messages and progress of the program go to stderr.  Where a user interrupts it, the rows until then are there, and this
 * process ends in recorded_run_close.  OUTCOME_FAILED after a message where there is no such folder, or no program. */
outcome recorded_run_open(arena *a, program_call *call, const char *columns, recorded_run *run);

/* Removes the folder; to be called in every case. */
void recorded_run_close(recorded_run *run);

#endif
