/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/rows_file.h -- a file with a row of values for each of many trajectories: initial states or
 * parameters.
 *
 * The file name's ending selects the format:
 *   .csv   a header with column names in any order, then a row for each trajectory, as
 *          `run --out` writes it
 *   .npy   an array, rows x entries, in the order of the model
 *   .h5, .hdf5   the output of `run --out` or `ensemble --out`: the rows of the trajectory, or the
 *          final states
 */
#ifndef SW_IO_ROWS_FILE_H
#define SW_IO_ROWS_FILE_H

#include "io/source.h"

/* The expected contents of the rows. */
typedef struct sw_rows_wanted {
  sw_entries entries;       /* a state, or all parameters (sw_rows_of_parameters) */
  const char *h5_values[2]; /* HDF5 data sets of values, of which the first existing one is read */
  const char *h5_names[2];  /* the data sets with the column names of h5_values */
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
