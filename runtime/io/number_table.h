/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/number_table.h -- reads a file of numbers with a name for each column: what `run --out` and
 * `ensemble --out` write, and tables of other programs.
 *
 * The file name's ending selects the format (the list in number_table.c):
 *   .csv   a line of names, then a line for each row; fields may have quotes and blanks around
 *          them, and lines that begin with '#' may come first
 *   .npy   an array, rows x columns, with the names in FILE.json unless the caller knows them
 *   .h5, .hdf5   a data set of values and one of the names of its columns
 *
 * The thread's locale must have a decimal point.
 */
#ifndef SW_IO_NUMBER_TABLE_H
#define SW_IO_NUMBER_TABLE_H

#include <jansson.h>

#include "io/hdf5_file.h"
#include "io/npy.h"
#include "io/source.h"

/* A data set of values in an HDF5 file, and the data set with the names of its columns. */
typedef struct sw_number_sets {
  const char *values;
  const char *names;
} sw_number_sets;

typedef struct sw_number_table {
  /* The caller sets these before sw_number_table_open. */
  sw_source source;            /* its path and message */
  const sw_number_sets *sets;  /* two, of which the first that the file has is read; the second may
                                  be NULLs */
  const char *const *of_array; /* the names of the columns of an array; NULL: FILE.json has them */
  size_t n_of_array;
  int is_strict;      /* 1: values are finite, and a file of unknown ending is refused, not .csv */
  size_t most_values; /* limit on the values that are read; 0: none */

  /* sw_number_table_open sets these. */
  size_t width; /* number of columns */
  const char **names;
  json_t *about; /* FILE.json; NULL if there is none */

  /* for number_table.c */
  const struct sw_number_format *format;
  char *text; /* what has the names */
  char *line;
  size_t line_number;
  sw_npy array;
  sw_h5 *file;
  const char *set;
  size_t rows;
  size_t room;
  size_t n;
  const size_t *to;
  double *values;
} sw_number_table;

/* Opens the file and reads the names of its columns.  The caller calls sw_number_table_close in
 * every case.  Errors: SW_ERR_ARGUMENT, SW_ERR_IO, SW_ERR_OPTION without HDF5, each with a message;
 * SW_ERR_MEMORY, with message "". */
sw_status sw_number_table_open(sw_number_table *table);

/* Reads all rows, once.  Column i becomes value to[i] of a row of n values; it is ignored if to[i]
 * >= n.  Other values are 0.  A missing value is NaN.  The caller frees *values, rows x n, which is
 * NULL on failure.  Errors as above; messages give line and column, or the row. */
sw_status sw_number_table_read(sw_number_table *table, size_t n, const size_t to[], double **values,
                               size_t *rows);

/* Writes where a row of the read table is, "line 7" or, for files without lines, "row 5" counted
 * from 0.  Returns text. */
enum { SW_TABLE_PLACE = 32 };
const char *sw_number_table_place(const sw_number_table *table, size_t row,
                                  char text[SW_TABLE_PLACE]);

void sw_number_table_close(sw_number_table *table);

#endif
