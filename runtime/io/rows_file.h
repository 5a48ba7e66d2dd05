/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/rows_file.h -- a row of values for each of many trajectories: initial states, or parameters.
 *
 * The end of the name tells the format:
 *   .csv   a header with the names of columns, in any order, then a row for each trajectory; what `run --out` writes is such a file
 *   .npy   an array, rows x entries, in the order of the model
 *   .h5, .hdf5   what `run --out` or `ensemble --out` writes: the rows of the trajectory, or the final states
 */
#ifndef SW_IO_ROWS_FILE_H
#define SW_IO_ROWS_FILE_H

#include "io/source.h"

/* What the rows are to have. */
typedef struct sw_rows_wanted {
  sw_entries entries; /* a state, or all parameters (sw_entries_of_parameters) */
  const char *h5_values
      [2]; /* data sets of HDF5: names of the first one that is there, and of its columns */
  const char *h5_names[2];
} sw_rows_wanted;

/* States need all of their entries, and other columns of trajectories are passed over; of parameters there may be some only. */
sw_rows_wanted sw_rows_of_states(const sw_system *system);
sw_rows_wanted sw_rows_of_parameters(const sw_system *system);

typedef struct sw_rows {
  size_t count;
  double *values; /* count x entries */
  char *given;    /* for each entry, 1 where the file has it; else the values are 0 */
} sw_rows;

/* Reads the whole file; sw_rows_clear is to be called in every case.  Errors: SW_ERR_ARGUMENT with a message that names line and column,
 * SW_ERR_IO, SW_ERR_OPTION without HDF5; SW_ERR_MEMORY, with message "". */
sw_status sw_rows_read(const char *path, const sw_rows_wanted *wanted, sw_rows *rows,
                       char message[SW_TEXT_MESSAGE]);
void sw_rows_clear(sw_rows *rows);

#endif
