/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/ensemble_file.h -- the file of an ensemble: rows of statistics, final data of the
 * trajectories, metadata.  The commands `ensemble` and `merge` write it.
 */
#ifndef SW_PROGRAM_ENSEMBLE_FILE_H
#define SW_PROGRAM_ENSEMBLE_FILE_H

#include "common/target.h"
#include "common/team.h"
#include "io/columns.h"
#include "program/kept_file.h"

/* The rows, in a temporary file beside the target until the run ends.  A row holds
 *
 *   the step, t, the number of living trajectories,
 *   then means, variances and quantiles of the columns,
 *   and with --trajectories the values, column by column. */
typedef struct sw_ensemble_rows {
  sw_target target;
  long count;
  size_t columns;
  int levels;
  size_t stored; /* number of trajectories with stored values; 0: none */
} sw_ensemble_rows;

/* The final data of each trajectory, `width` numbers: status, steps, the values of sw_sim_save
 * (`stride`), the initial state, its own parameters if each trajectory has its own, and the
 * course of the energy. */
typedef struct sw_ensemble_finals {
  long count;
  size_t width;
  size_t stride;
  double *numbers;
  char *messages; /* messages of the failed trajectories, each with its terminating zero */
  size_t bytes;
} sw_ensemble_finals;

void sw_ensemble_finals_clear(sw_ensemble_finals *finals);

/* The number of values of a row; below, the indices of its parts. */
size_t sw_rows_width(const sw_ensemble_rows *rows);
enum { SW_ROW_STEP, SW_ROW_TIME, SW_ROW_LIVING, SW_ROW_MEANS };

/* Appends a row.  `values` holds `count` trajectories column by column; a last column holds 1 for
 * living trajectories and 0 for failed ones.  Errors: SW_ERR_IO, SW_ERR_MEMORY. */
sw_status sw_rows_add(sw_ensemble_rows *rows, sw_team *team, int threads, const double levels[],
                      long step, double t, const double values[], size_t count);

/* After SW_ERR_IO: the first function writes why the file of the rows cannot be written, and
 * returns SW_ERR_IO.  The second one appends the name of the unfinished file. */
sw_status sw_rows_refuse(const sw_ensemble_rows *rows, char message[SW_TEXT_MESSAGE]);
void sw_rows_name_unfinished(const sw_ensemble_rows *rows, char message[SW_TEXT_MESSAGE]);

/* The rest of the file's content.  sw_ensemble_about_clear frees its texts. */
typedef struct sw_ensemble_about {
  char *metadata;
  char *columns; /* names of the columns, `column_bytes` each */
  size_t column_bytes;
  char *coordinates; /* 2d names, `coordinate_bytes` each */
  size_t coordinate_bytes;
  size_t dim; /* 2d */
  /* nk names, `parameter_bytes` each; NULL if all trajectories have the same parameters */
  char *parameters;
  size_t parameter_bytes;
  size_t nk;
  const double *levels;
  /* index, of, first trajectory and number of all trajectories of a part; NULL for the whole
   * ensemble */
  const long *part;
} sw_ensemble_about;
void sw_ensemble_about_clear(sw_ensemble_about *about);

/* Writes the final file and discards the temporary file of the rows.  Errors: SW_ERR_IO with a
 * message, SW_ERR_MEMORY. */
sw_status sw_ensemble_write(sw_ensemble_rows *rows, const sw_ensemble_finals *finals,
                            const sw_ensemble_about *about, char message[SW_TEXT_MESSAGE]);

/* Opens the file of the rows; with a mark, continues an existing file.  Errors: SW_ERR_ARGUMENT,
 * SW_ERR_OPTION or SW_ERR_IO with a message, SW_ERR_MEMORY. */
sw_status sw_rows_open(const char *path, const sw_trajectory_mark *mark, sw_ensemble_rows *rows,
                       char message[SW_TEXT_MESSAGE]);

#endif
