/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot_table.h -- columns of numbers from a file.  The formats are .csv with names in the first
 * line, two-dimensional .npy of 64-bit floating-point numbers with names in FILE.json, and .h5
 * (.hdf5) as written by `run`.
 */
#ifndef SIDEWINDER_COMMAND_PLOT_TABLE_H
#define SIDEWINDER_COMMAND_PLOT_TABLE_H

#include <stddef.h>

#include "common/arena.h"

typedef struct plot_table {
  const char *path;
  int is_npy;
  int is_hdf5;
  size_t rows; /* number of rows; for .csv known only after reading */
  int n_names;
  const char **names;
  int n_invariants; /* number of invariants named in FILE.json, if it exists */
  const char **invariants;
  int is_unreadable; /* 1 if the file could not be read, 0 if its contents are wrong */
} plot_table;

/* Reads the names.  Returns 0 after a message. */
int plot_table_open(arena *a, const char *path, plot_table *table);

/* Reads n columns into one array each.  Missing values are NaN.  Returns 0 after a message if the
 * file does not match its names or has too many values. */
int plot_table_read(arena *a, plot_table *table, int n, const int columns[], double *values[]);

#endif
