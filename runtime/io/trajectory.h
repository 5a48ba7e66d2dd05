/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/trajectory.h -- a trajectory in a file: a row for each state, a column for each quantity
 * (io/columns.h).
 *
 * The file name's ending selects the format (io/format.h).  FILE.json describes the file
 * (io/metadata.h).
 *
 * Rows are written to FILE.part-XXXXXX.  At the end that file is renamed (common/target.h), or
 * converted to the format of the file.  The thread's locale must have a decimal point.
 */
#ifndef SW_IO_TRAJECTORY_H
#define SW_IO_TRAJECTORY_H

#include "io/metadata.h"

typedef struct sw_trajectory sw_trajectory;

/* Size in bytes of the name of an unfinished file. */
enum { SW_LONGEST_UNFINISHED = 300 };

/* The parts of a trajectory. */
typedef struct sw_trajectory_plan {
  const char *path;    /* "-" is standard output, in CSV */
  const char *columns; /* comma-separated names (io/columns.h); NULL: all */
  sw_origin origin;
  int of_crossings; /* 1: the rows are crossings of events (sw_trajectory_write_crossing) */
} sw_trajectory_plan;

/* The state of an unfinished trajectory, for resumption. */
typedef struct sw_trajectory_mark {
  /* name of the unfinished file beside the target; the trajectory owns it */
  const char *unfinished;
  long bytes;
  long rows;
  uint32_t digest; /* of the bytes, without a head that contains the number of rows */
} sw_trajectory_mark;

/* Starts the file, or continues an unfinished one from `mark` unless that is NULL.  On failure
 * *trajectory is NULL.  Errors: SW_ERR_ARGUMENT, SW_ERR_OPTION or SW_ERR_IO with a message,
 * SW_ERR_MEMORY with message "". */
sw_status sw_trajectory_open(const sw_trajectory_plan *plan, sw_sim *sim,
                             const sw_trajectory_mark *mark, sw_trajectory **trajectory,
                             char message[SW_TEXT_MESSAGE]);

/* Writes the current state of *sim as one row.  Errors: SW_ERR_IO, as soon as the system reports
 * one. */
sw_status sw_trajectory_write(sw_trajectory *trajectory, sw_sim *sim, long step);

/* Writes a crossing and the state of *sim there as one row.  Files of text have the name of the
 * event, others its number.  Errors: SW_ERR_IO. */
sw_status sw_trajectory_write_crossing(sw_trajectory *trajectory, sw_sim *sim, long step,
                                       const sw_crossing *crossing);

/* Flushes everything to the disk and describes it in *mark.  Errors: SW_ERR_IO. */
sw_status sw_trajectory_reach(sw_trajectory *trajectory, sw_trajectory_mark *mark);

/* Renames or converts the file to its final name, writes FILE.json, and frees the trajectory.  The
 * trajectory ends at the state of *sim after `step` steps.  SW_OK means that every row has reached
 * the file.  After a failure the message gives the name of the unfinished file.  Errors: SW_ERR_IO,
 * SW_ERR_OPTION, SW_ERR_MEMORY. */
sw_status sw_trajectory_finish(sw_trajectory **trajectory, const sw_sim *sim, long step,
                               sw_ending ending, char message[SW_TEXT_MESSAGE]);

/* Returns 1 if an earlier process finished the file after this mark.  The bytes of converted
 * formats are not compared. */
int sw_trajectory_is_whole(const sw_trajectory_plan *plan, const sw_trajectory_mark *mark);

/* Prepares a mark after `step` steps for a run that continues beyond it.
 *
 * If an earlier process has finished the file, its rows are copied to a new unfinished file, whose
 * name goes to `unfinished` and the mark.  The finished file remains until the longer one replaces
 * it.  The mark excludes the last row if it was written because the earlier run ended there, not
 * because of `every`. Errors: SW_ERR_IO with a message, SW_ERR_MEMORY. */
sw_status sw_trajectory_go_on(const sw_trajectory_plan *plan, long step, sw_trajectory_mark *mark,
                              char unfinished[SW_LONGEST_UNFINISHED],
                              char message[SW_TEXT_MESSAGE]);

/* Writes FILE.json for a file that an earlier process finished.  Errors: SW_ERR_IO with a message,
 * SW_ERR_MEMORY with message "". */
sw_status sw_trajectory_describe(const sw_trajectory_plan *plan, const sw_sim *sim, long rows,
                                 uint32_t digest, long step, char message[SW_TEXT_MESSAGE]);

/* Keeps the file under its unfinished name, and frees the trajectory. */
void sw_trajectory_leave(sw_trajectory **trajectory);

/* The name of the unfinished file; NULL if the file is written in place. */
const char *sw_trajectory_unfinished(const sw_trajectory *trajectory);

#endif
