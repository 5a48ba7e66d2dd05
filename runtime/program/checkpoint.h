/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/checkpoint.h -- a run that has been interrupted, in a file: enough to go on as if it had not been.
 *
 * The numbers of the file (program/kept_file.h) are the parameters, what sw_sim_save writes, statistics, and what the summary has
 * seen.  It names no more of the unfinished trajectory than has reached the disk, so that a process may be killed, or a machine
 * fail, at any moment.
 */
#ifndef SW_PROGRAM_CHECKPOINT_H
#define SW_PROGRAM_CHECKPOINT_H

#include "program/kept_file.h"
#include "program/run_summary.h"

/* Writes a checkpoint of *sim.  `run` is the text of lines that say which run it is, `seconds` what it has taken.  Errors, with a message:
 * SW_ERR_IO; SW_ERR_MEMORY, with message "". */
sw_status sw_checkpoint_write(const char *path, const char *run, const sw_reached *at,
                              const sw_sim *sim, const sw_summary *summary, double seconds,
                              char message[SW_TEXT_MESSAGE]);

/* Reads one, and puts *sim and *summary into the state that they were in.  Errors, with a message:
 * SW_ERR_ARGUMENT where the file is no checkpoint, is damaged, or is one of another run, and then it says what
 * differs; SW_ERR_IO.  SW_ERR_MEMORY, with message "".  On failure *sim and *summary may have been changed. */
sw_status sw_checkpoint_read(const char *path, const char *run, sw_reached *at, sw_sim *sim,
                             sw_summary *summary, char message[SW_TEXT_MESSAGE]);

#endif
