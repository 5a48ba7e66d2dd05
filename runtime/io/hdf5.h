/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/hdf5.h -- a trajectory in the Hierarchical Data Format.
 *
 * A file has four data sets: `trajectory`, rows x columns, 64-bit floating point; `columns`, the names, of
 * fixed length; `comments`, what the model file says behind the declaration of each; and `metadata`, the text of FILE.json
 * (io/metadata.h).
 */
#ifndef SW_IO_HDF5_H
#define SW_IO_HDF5_H

#include "io/columns.h"
#include "io/hdf5_file.h"
#include "sidewinder/program.h"

/* What a file is made of. */
typedef struct sw_hdf5_content {
  FILE *values; /* rows x columns doubles as in an .npy file, from the current position on */
  size_t rows;
  const sw_columns *columns;
  const sw_program *program; /* NULL: no comments are known */
  const char *metadata;
} sw_hdf5_content;

/* Writes the file, which is replaced.  Errors: those of sw_h5_create (io/hdf5_file.h). */
sw_status sw_hdf5_write(const char *path, const sw_hdf5_content *content);

/* The names of n things, and those of columns, as texts of equal length, to be freed; NULL without memory. */
char *sw_hdf5_texts(sw_namer *name, const void *context, size_t n, size_t *bytes);
char *sw_hdf5_column_texts(const sw_columns *columns, size_t *bytes);

/* Writes the names of n things.  Returns 0 after a failure. */
int sw_hdf5_put_names(sw_h5 *to, const char *name, sw_namer *namer, const void *context, size_t n);

#endif
