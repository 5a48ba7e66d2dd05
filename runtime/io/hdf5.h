/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/hdf5.h -- a trajectory in the Hierarchical Data Format.
 *
 * The library is looked for when a file is to be written, and not linked: with it a program takes 10 ms to start
 * instead of 4 ms, and one that is carried to another machine would need it there.
 *
 * A file has three data sets: `trajectory`, rows x columns, 64-bit floating point; `columns`, the names, of
 * fixed length; and `metadata`, the text of FILE.json (io/metadata.h).  Equal trajectories make equal files: no
 * times are recorded.
 */
#ifndef SW_IO_HDF5_H
#define SW_IO_HDF5_H

#include "io/columns.h"

/* What a file is made of. */
typedef struct sw_hdf5_content {
  FILE *values; /* rows x columns doubles as in an .npy file, from the current position on */
  size_t rows;
  const sw_columns *columns;
  const char *metadata;
} sw_hdf5_content;

/* SW_OK where files can be written, else SW_ERR_OPTION with a message that says why not. */
sw_status sw_hdf5_find(char message[SW_TEXT_MESSAGE]);

/* Writes the file, which is replaced.  Errors: SW_ERR_OPTION as above, SW_ERR_IO with errno (EIO where the
 * library does not say why), SW_ERR_MEMORY. */
sw_status sw_hdf5_write(const char *path, const sw_hdf5_content *content);

#endif
