/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/kept_file.h -- the file of a checkpoint: lines that say which run it is, how far it had come, and numbers.
 *
 * The file is
 *   sidewinder checkpoint 3
 *   lines "KEY: VALUE" that say which run it is (the caller's text)
 *   -
 *   lines "KEY: VALUE": steps, rows, bytes, crc32 (of the unfinished file's bytes), unfinished
 *   -
 * then 64-bit floating-point numbers, least significant byte first; and in the end a check sum of all that.  It is replaced by
 * a whole new one or not at all (common/target.h).
 */
#ifndef SW_PROGRAM_KEPT_FILE_H
#define SW_PROGRAM_KEPT_FILE_H

#include "io/trajectory.h"

/* How far a run had come. */
typedef struct sw_reached {
  long step;               /* steps that have been taken */
  sw_trajectory_mark mark; /* of the rows */
  char unfinished
      [SW_LONGEST_UNFINISHED]; /* mark.unfinished after reading; "" where there is no trajectory */
} sw_reached;

/* Writes the file.  `run` is the text of lines that say which run it is.  Errors, with a message:
 * SW_ERR_IO; SW_ERR_MEMORY, with message "". */
sw_status sw_kept_write(const char *path, const char *run, const sw_reached *at,
                        const double numbers[], size_t count, char message[SW_TEXT_MESSAGE]);

/* Reads one of at most so many numbers, which are to be freed in every case.  Errors, with a message:
 * SW_ERR_ARGUMENT where the file is no checkpoint, is damaged, or is one of another run, and then it says what
 * differs; SW_ERR_IO.  SW_ERR_MEMORY, with message "". */
sw_status sw_kept_read(const char *path, const char *run, size_t most_numbers, sw_reached *at,
                       double **numbers, size_t *count, char message[SW_TEXT_MESSAGE]);

/* Writes the message that the file is damaged.  Returns SW_ERR_ARGUMENT. */
sw_status sw_kept_refuse_damage(const char *path, char message[SW_TEXT_MESSAGE]);

/* Finds out whether sw_kept_write can open the file, and leaves nothing behind.  Errors: the same. */
sw_status sw_kept_try(const char *path, char message[SW_TEXT_MESSAGE]);

#endif
