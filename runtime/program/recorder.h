/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/recorder.h -- takes the steps of a run, and writes the trajectory, the summary and
 * checkpoints.
 *
 * A checkpoint is a file with all data that a later process needs to continue the run.  Its numbers
 * (program/kept_file.h) are the parameters, the values of sw_sim_save, the statistics and the
 * state of the summary.  A checkpoint refers only to rows of the unfinished trajectory that are
 * already on disk.  So it stays valid if the process is killed or the machine fails at any moment.
 */
#ifndef SIDEWINDER_PROGRAM_RECORDER_H
#define SIDEWINDER_PROGRAM_RECORDER_H

#include "io/progress.h"
#include "program/kept_file.h"
#include "program/run_summary.h"
#include "sim/sim_internal.h"

typedef struct sw_record {
  sw_sim *sim;
  sw_moved moved; /* displacement of the initial state by --project */
  /* the simulation whose state the rows show, namely the point of M^H on the same fibre; NULL:
   * sim */
  sw_sim *shown;
  double *point; /* 2d values of scratch */
  double h;
  long steps;            /* number of steps at the end of the run */
  long every;            /* rows show the first, each every-th and the last step */
  uint32_t whole_digest; /* check sum for the next checkpoint */
  long whole_rows;       /* rows of a trajectory that an earlier process has completed, else 0 */
  sw_trajectory *trajectory; /* NULL without --out */
  sw_summary summary;
  int observed;           /* 1 if the summary observes every state */
  const char *checkpoint; /* NULL without --checkpoint */
  double every_seconds;
  const char *run; /* identity of the run, for checkpoints */
  sw_progress progress;
  long step;   /* number of steps taken */
  int resumed; /* 1 if an earlier process has already recorded the current state */
  int signal;  /* the signal that has ended the run; 0: none */
  char message[SW_TEXT_MESSAGE]; /* about a file that could not be written, else "" */
} sw_record;

/* Takes steps from record->step to record->steps.  Returns SW_OK; SW_ERR_STOPPED after a signal;
 * SW_ERR_IO or SW_ERR_MEMORY with record->message if a file could not be written; else the status
 * of the failed step, with the message in the simulation. */
sw_status sw_record_run(sw_record *record);

/* Reads a checkpoint and restores *sim and *summary from it.  On failure *sim and *summary may
 * have changed.
 *
 * Errors: SW_ERR_ARGUMENT, with a message, if the file is no checkpoint, is damaged, or belongs
 * to another run; the message then names the difference.  SW_ERR_IO with a message; SW_ERR_MEMORY
 * with message "". */
sw_status sw_checkpoint_read(const char *path, const char *run, sw_reached *at, sw_sim *sim,
                             sw_summary *summary, char message[SW_TEXT_MESSAGE]);

#endif
