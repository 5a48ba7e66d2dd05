/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot_table.h -- columns of numbers from a file: a .csv whose first line has their names, or a two-dimensional .npy
 * of 64-bit floating-point numbers whose names are in FILE.json, or an .h5 (.hdf5) that `run` has written.
 */
#ifndef SIDEWINDER_COMMAND_PLOT_TABLE_H
#define SIDEWINDER_COMMAND_PLOT_TABLE_H

#include <stddef.h>

#include "common/arena.h"

typedef struct plot_table {
  const char *path;
  int is_npy;
  int is_hdf5;
  size_t rows; /* of an .npy or .h5 file; of a .csv they are known once it has been read */
  int n_names;
  const char **names;
  int n_invariants; /* that FILE.json names, if there is one */
  const char **invariants;
  int is_unreadable; /* 1 where the file could not be read, 0 where it is not what it should be */
} plot_table;

/* Reads the names.  Returns 0 after a message. */
int plot_table_open(arena *a, const char *path, plot_table *table);

/* Reads n columns, each into an array of its own; what is no number because it is missing, or is NaN, is NaN.
 * Returns 0 after a message, for a file that is not what its names say, and for more values than fit. */
int plot_table_read(arena *a, plot_table *table, int n, const int columns[], double *values[]);

#endif
