/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/columns.h -- the columns (sidewinder/columns.h) of a system, without a simulation.
 */
#ifndef SW_IO_COLUMNS_H
#define SW_IO_COLUMNS_H

#include "io/hdf5_file.h"
#include "io/source.h"
#include "sidewinder/columns.h"
#include "sidewinder/events.h"

/* See sw_columns_of. */
sw_status sw_columns_create(const sw_system *system, double h, const char *wanted,
                            sw_columns **columns, char message[SW_TEXT_MESSAGE]);

/* Returns 1 if a name is that of a column that only some rows have: on request, or for some
 * methods. */
int sw_columns_is_on_request(const char *name);
/* The columns of a table of crossings: `event`, a number from 0, `direction`, 1 or -1, and those of
 * sw_columns_of.  sw_columns_cross sets the first two for the next call of sw_columns_values. */
sw_status sw_columns_of_crossings(const sw_sim *sim, double h, const char *wanted,
                                  sw_columns **columns, char message[SW_TEXT_MESSAGE]);
void sw_columns_cross(sw_columns *columns, const sw_crossing *crossing);

/* Returns 1 if column i is an entry of z. */
int sw_columns_is_state(const sw_columns *columns, size_t i);

/* ---- names as data sets of an HDF5 file ---- */

/* The names of n things, or of columns, as texts of equal length.  The caller frees them.  NULL if
 * memory is short. */
char *sw_hdf5_texts(sw_namer *name, const void *context, size_t n, size_t *bytes);
char *sw_hdf5_column_texts(const sw_columns *columns, size_t *bytes);

/* The name of column i; context is an sw_columns. */
const char *sw_hdf5_name_column(const void *context, size_t i, char buffer[SW_NAME_BYTES]);

/* Writes the names of n things.  Returns 0 on failure. */
int sw_hdf5_put_names(sw_h5 *to, const char *name, sw_namer *namer, const void *context, size_t n);

#endif
