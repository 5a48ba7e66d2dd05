/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/recorder.h -- takes the steps of a run, and keeps what it leaves behind: the trajectory, the summary, and
 * checkpoints.
 */
#ifndef SIDEWINDER_PROGRAM_RECORDER_H
#define SIDEWINDER_PROGRAM_RECORDER_H

#include "io/progress.h"
#include "program/checkpoint.h"

typedef struct sw_record {
  sw_sim *sim;
  sw_sim *shown; /* what rows show: its point of M^H on the same fibre; NULL: the state itself */
  double *point; /* 2d: room for it */
  double h;
  long steps;            /* where the run ends */
  long every;            /* a row for each of so many steps, and for the first and the last one */
  uint32_t whole_digest; /* of the next one */
  long whole_rows;       /* of a trajectory that an earlier process has finished, else 0 */
  sw_trajectory *trajectory; /* NULL: none */
  sw_summary summary;
  int observed;           /* 1: the summary takes in every state */
  const char *checkpoint; /* NULL: none */
  double every_seconds;
  const char *run; /* which run it is, for checkpoints */
  sw_progress progress;
  long step;   /* steps that have been taken */
  int resumed; /* 1 where the state after them has been taken in, by an earlier process */
  int signal;  /* that has ended the run, 0 where none has */
  char message[SW_TEXT_MESSAGE]; /* of a file that could not be written, else "" */
} sw_record;

/* Takes steps from record->step to record->steps.  SW_OK; SW_ERR_STOPPED after a signal; SW_ERR_IO or
 * SW_ERR_MEMORY with record->message where a file could not be written; else what a step has failed with,
 * the message being the simulation's. */
sw_status sw_record_run(sw_record *record);

#endif
