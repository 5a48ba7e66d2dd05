/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/progress.h -- one line on a terminal that says how far a run is, at most ten times a second.
 */
#ifndef SW_IO_PROGRESS_H
#define SW_IO_PROGRESS_H

#include <stdio.h>

typedef struct sw_progress {
  FILE *stream; /* NULL: silent */
  long total;
  long first;   /* steps that had been taken when the clock was started */
  double start; /* seconds of the monotonic clock */
  double last;  /* when the line was last written */
  int shown;    /* whether there is a line to wipe */
} sw_progress;

/* Starts the clock of a run of `total` steps, `done` of which are behind it.  stream is NULL where nothing is to
 * be shown. */
void sw_progress_start(sw_progress *progress, FILE *stream, long done, long total);

/* Writes the line anew where the last one is a tenth of a second old. */
void sw_progress_update(sw_progress *progress, long step);

/* The seconds since the start. */
double sw_progress_seconds(const sw_progress *progress);

/* Wipes the line.  Returns the seconds since the start. */
double sw_progress_finish(sw_progress *progress);

#endif
