/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/rows_file.h -- a file with a row of values for each of many trajectories: initial states or
 * parameters.
 *
 * The file is a table (io/number_table.h).  An array has the columns of the model's order.
 */
#ifndef SW_IO_ROWS_FILE_H
#define SW_IO_ROWS_FILE_H

#include "io/number_table.h"

/* The expected contents of the rows. */
typedef struct sw_rows_wanted {
  sw_entries entries;     /* a state, or all parameters (sw_rows_of_parameters) */
  sw_number_sets sets[2]; /* of HDF5 */
} sw_rows_wanted;

/* A row of states needs all entries; other columns of trajectories are ignored.  A row of
 * parameters may contain only some of them. */
sw_rows_wanted sw_rows_of_states(const sw_system *system);
sw_rows_wanted sw_rows_of_parameters(const sw_system *system);

typedef struct sw_rows {
  size_t count;
  double *values; /* count x entries */
  char *given;    /* for each entry, 1 if the file contains it; else its values are 0 */
} sw_rows;

/* Reads the whole file.  The caller calls sw_rows_clear in every case.  Errors: SW_ERR_ARGUMENT
 * with a message that gives line and column, SW_ERR_IO, SW_ERR_OPTION without HDF5; SW_ERR_MEMORY,
 * with message "". */
sw_status sw_rows_read(const char *path, const sw_rows_wanted *wanted, sw_rows *rows,
                       char message[SW_TEXT_MESSAGE]);
void sw_rows_clear(sw_rows *rows);

#endif
