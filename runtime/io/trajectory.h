/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/trajectory.h -- a trajectory in a file: a row for each state, a column for each quantity (io/columns.h).
 *
 * The end of the file's name tells the format (io/format.h).  What it is about goes to FILE.json (io/metadata.h).
 *
 * The rows go to FILE.part-XXXXXX, which is renamed in the end (common/target.h), or from which a format makes its
 * file in the end.  The caller sees to it that the thread's locale writes a decimal point.
 */
#ifndef SW_IO_TRAJECTORY_H
#define SW_IO_TRAJECTORY_H

#include "io/metadata.h"

typedef struct sw_trajectory sw_trajectory;

/* Bytes of the name of an unfinished file. */
enum { SW_LONGEST_UNFINISHED = 300 };

/* What a trajectory is made of. */
typedef struct sw_trajectory_plan {
  const char *path;    /* "-" is standard output, as comma-separated values */
  const char *columns; /* comma-separated names (io/columns.h); NULL: all */
  sw_origin origin;
} sw_trajectory_plan;

/* How far a trajectory had come, to go on from there. */
typedef struct sw_trajectory_mark {
  const char *unfinished; /* the name of the file beside the target; it belongs to the trajectory */
  long bytes;
  long rows;
  uint32_t digest; /* of the bytes; without the head of formats that count rows there */
} sw_trajectory_mark;

/* Begins the file, or goes on with an unfinished one from the mark, if that is not NULL.  On failure *trajectory
 * is NULL.  Errors: SW_ERR_ARGUMENT, SW_ERR_OPTION or SW_ERR_IO with a message, SW_ERR_MEMORY with message "". */
sw_status sw_trajectory_open(const sw_trajectory_plan *plan, const sw_sim *sim,
                             const sw_trajectory_mark *mark, sw_trajectory **trajectory,
                             char message[SW_TEXT_MESSAGE]);

/* Writes the current state of *sim as one row.  Errors: SW_ERR_IO, as soon as the system reports one. */
sw_status sw_trajectory_write(sw_trajectory *trajectory, sw_sim *sim, long step);

/* Everything that was written reaches the disk, and *mark says how much that is.  Errors: SW_ERR_IO. */
sw_status sw_trajectory_reach(sw_trajectory *trajectory, sw_trajectory_mark *mark);

/* Gives the file its name, writes FILE.json, and frees; the trajectory ended at the state of *sim after `step`
 * steps.  SW_OK means that every row has reached the file.  After a failure the message says where the
 * unfinished file is.  Errors: SW_ERR_IO, SW_ERR_OPTION, SW_ERR_MEMORY. */
sw_status sw_trajectory_finish(sw_trajectory **trajectory, const sw_sim *sim, long step,
                               sw_ending ending, char message[SW_TEXT_MESSAGE]);

/* 1 where an earlier process has given the file its name already, after the mark.  The bytes of a format that is converted are not compared. */
int sw_trajectory_is_whole(const sw_trajectory_plan *plan, const sw_trajectory_mark *mark);

/* Prepares a mark after `step` steps for a run that goes on beyond it.  If an earlier process has finished the file, its rows are copied
 * to a new unfinished one, whose name goes to `unfinished` and to the mark; the finished file stays until the longer one replaces
 * it.  A row that was written because the earlier run ended there, and not because of `every`, is taken out of the mark.
 * Errors: SW_ERR_IO with a message, SW_ERR_MEMORY. */
sw_status sw_trajectory_go_on(const sw_trajectory_plan *plan, long step, sw_trajectory_mark *mark,
                              char unfinished[SW_LONGEST_UNFINISHED],
                              char message[SW_TEXT_MESSAGE]);

/* Writes FILE.json of such a file.  Errors: SW_ERR_IO with a message, SW_ERR_MEMORY with message "". */
sw_status sw_trajectory_describe(const sw_trajectory_plan *plan, const sw_sim *sim, long rows,
                                 uint32_t digest, long step, char message[SW_TEXT_MESSAGE]);

/* Leaves the file under its unfinished name, and frees. */
void sw_trajectory_leave(sw_trajectory **trajectory);

/* How the unfinished file is called; NULL where it is written in place. */
const char *sw_trajectory_unfinished(const sw_trajectory *trajectory);

#endif
