/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/kept_file.h -- the file format of a checkpoint: identity of the run, progress, and
 * numbers.
 *
 * The file is
 *   sidewinder checkpoint 3
 *   lines "KEY: VALUE" that identify the run (the caller's text)
 *   -
 *   lines "KEY: VALUE": steps, rows, bytes, crc32 (of the unfinished file's bytes), unfinished
 *   -
 * then 64-bit floating-point numbers, least significant byte first, and a check sum of everything
 * before it.  Writing replaces the whole file or leaves the old one unchanged (common/target.h).
 */
#ifndef SW_PROGRAM_KEPT_FILE_H
#define SW_PROGRAM_KEPT_FILE_H

#include "io/trajectory.h"

/* The progress of a run. */
typedef struct sw_reached {
  long step;               /* number of steps taken */
  sw_trajectory_mark mark; /* state of the file of the rows */
  char unfinished
      [SW_LONGEST_UNFINISHED]; /* mark.unfinished after reading; "" without a trajectory */
} sw_reached;

/* Writes the file.  `run` is the text of lines that identify the run.  Errors: SW_ERR_IO with a
 * message; SW_ERR_MEMORY with message "". */
sw_status sw_kept_write(const char *path, const char *run, const sw_reached *at,
                        const double numbers[], size_t count, char message[SW_TEXT_MESSAGE]);

/* Reads a checkpoint with at most `most_numbers` numbers.  The caller frees *numbers, also after
 * an error.
 *
 * Errors: SW_ERR_ARGUMENT, with a message, if the file is no checkpoint, is damaged, or belongs
 * to another run; the message then names the difference.  SW_ERR_IO with a message; SW_ERR_MEMORY
 * with message "". */
sw_status sw_kept_read(const char *path, const char *run, size_t most_numbers, sw_reached *at,
                       double **numbers, size_t *count, char message[SW_TEXT_MESSAGE]);

/* Writes the message that the file is damaged.  Returns SW_ERR_ARGUMENT. */
sw_status sw_kept_refuse_damage(const char *path, char message[SW_TEXT_MESSAGE]);

/* Tests whether sw_kept_write can open the file, and leaves no file behind.  Errors: as for
 * sw_kept_write; SW_ERR_ARGUMENT, with a message, if the path is not a regular file. */
sw_status sw_kept_try(const char *path, char message[SW_TEXT_MESSAGE]);

#endif
