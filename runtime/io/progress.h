/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/progress.h -- a line on a terminal that shows the progress of a run, updated at most ten times
 * a second.
 */
#ifndef SW_IO_PROGRESS_H
#define SW_IO_PROGRESS_H

#include <stdio.h>

typedef struct sw_progress {
  FILE *stream; /* NULL: no output */
  long total;
  long first;   /* number of steps before the clock was started */
  double start; /* seconds of the monotonic clock */
  double last;  /* time of the last update */
  int shown;    /* 1 if there is a line to erase */
} sw_progress;

/* Starts the clock of a run of `total` steps, of which `done` are complete. stream: NULL for no
 * output. */
void sw_progress_start(sw_progress *progress, FILE *stream, long done, long total);

/* Updates the line if the last update is at least 0.1 s old. */
void sw_progress_update(sw_progress *progress, long step);

/* The seconds since the start. */
double sw_progress_seconds(const sw_progress *progress);

/* Erases the line.  Returns the seconds since the start. */
double sw_progress_finish(sw_progress *progress);

#endif
