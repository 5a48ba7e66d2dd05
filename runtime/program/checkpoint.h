/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/checkpoint.h -- checkpoints of a run: a file with all data that a later process needs
 * to continue the run.
 *
 * The numbers of the file (program/kept_file.h) are the parameters, the values of sw_sim_save,
 * the statistics and the state of the summary.  A checkpoint refers only to rows of the
 * unfinished trajectory that are already on disk.  So it stays valid if the process is killed or
 * the machine fails at any moment.
 */
#ifndef SW_PROGRAM_CHECKPOINT_H
#define SW_PROGRAM_CHECKPOINT_H

#include "program/kept_file.h"
#include "program/run_summary.h"

/* Writes a checkpoint of *sim.  `run` is the text of lines that identify the run; `seconds` is
 * the time it has used.  Errors: SW_ERR_IO with a message; SW_ERR_MEMORY with message "". */
sw_status sw_checkpoint_write(const char *path, const char *run, const sw_reached *at,
                              const sw_sim *sim, const sw_summary *summary, double seconds,
                              char message[SW_TEXT_MESSAGE]);

/* Reads a checkpoint and restores *sim and *summary from it.  On failure *sim and *summary may
 * have changed.
 *
 * Errors: SW_ERR_ARGUMENT, with a message, if the file is no checkpoint, is damaged, or belongs
 * to another run; the message then names the difference.  SW_ERR_IO with a message; SW_ERR_MEMORY
 * with message "". */
sw_status sw_checkpoint_read(const char *path, const char *run, sw_reached *at, sw_sim *sim,
                             sw_summary *summary, char message[SW_TEXT_MESSAGE]);

#endif
