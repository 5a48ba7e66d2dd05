/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/checkpoint.h -- a run that has been interrupted, in a file: enough to go on as if it had not been.
 *
 * The file is
 *   sidewinder checkpoint 1
 *   lines "KEY: VALUE" that say which run it is (the caller's text)
 *   -
 *   lines "KEY: VALUE": steps, rows, bytes, unfinished
 *   -
 * then 64-bit floating-point numbers, least significant byte first: the parameters, what sw_sim_save writes,
 * statistics, and what the summary has seen; and in the end a check sum of all that.  It is replaced by
 * a whole new one or not at all (common/target.h), and names no more of the unfinished trajectory than has reached the
 * disk, so that a process may be killed, or a machine fail, at any moment.
 */
#ifndef SW_PROGRAM_CHECKPOINT_H
#define SW_PROGRAM_CHECKPOINT_H

#include "io/trajectory.h"
#include "program/run_summary.h"

enum { SW_LONGEST_UNFINISHED = 300 };

/* What is not in the simulation or the summary. */
typedef struct sw_checkpoint {
  long step;      /* steps that have been taken */
  double seconds; /* since the run was begun or resumed; not read */
  sw_trajectory_mark mark;
  char unfinished
      [SW_LONGEST_UNFINISHED]; /* mark.unfinished after reading; "" where there is no trajectory */
} sw_checkpoint;

/* Writes a checkpoint of *sim.  `run` is the text of lines that say which run it is.  Errors, with a message:
 * SW_ERR_IO; SW_ERR_MEMORY, with message "". */
sw_status sw_checkpoint_write(const char *path, const char *run, const sw_checkpoint *at,
                              const sw_sim *sim, const sw_summary *summary,
                              char message[SW_TEXT_MESSAGE]);

/* Reads one, and puts *sim and *summary into the state that they were in.  Errors, with a message:
 * SW_ERR_ARGUMENT where the file is no checkpoint, is damaged, or is one of another run, and then it says what
 * differs; SW_ERR_IO.  SW_ERR_MEMORY, with message "".  On failure *sim and *summary may have been changed. */
sw_status sw_checkpoint_read(const char *path, const char *run, sw_checkpoint *at, sw_sim *sim,
                             sw_summary *summary, char message[SW_TEXT_MESSAGE]);

/* Finds out whether sw_checkpoint_write can open the file, and leaves nothing behind.  Errors: the same. */
sw_status sw_checkpoint_try(const char *path, char message[SW_TEXT_MESSAGE]);

#endif
