/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/hdf5_file.h -- data sets in a file of the Hierarchical Data Format.
 *
 * The library is loaded when a file is read or written, not linked: linking it would raise a
 * program's start time from 4 ms to 10 ms, and a program copied to another machine would need the
 * library there.  Equal calls write equal files, since no times are recorded.
 *
 * sw_h5_close adds a data set `crc32` to a file that was created here: the CRC-32 of the values of
 * each other data set, in the order of their names.
 */
#ifndef SW_IO_HDF5_FILE_H
#define SW_IO_HDF5_FILE_H

#include <stddef.h>

#include "common/user_text.h"
#include "sidewinder/status.h"

/* The name of the data set of digests. */
#define SW_H5_DIGESTS "crc32"

typedef struct sw_h5 sw_h5;

/* The shape of a data set of rank 1 to 3; rank 0 is a single value. */
typedef struct sw_h5_shape {
  int rank;
  size_t size[3];
} sw_h5_shape;

/* Returns SW_OK if the library can be loaded, else SW_ERR_OPTION with a message that gives the
 * reason. */
sw_status sw_hdf5_find(char message[SW_TEXT_MESSAGE]);

/* Create or replace a file, or open an existing one for reading.  On failure *file is NULL.
 * Errors: SW_ERR_OPTION as above; SW_ERR_IO with errno (EIO if the library gives no reason);
 * SW_ERR_MEMORY. */
sw_status sw_h5_create(const char *path, sw_h5 **file);
sw_status sw_h5_open(const char *path, sw_h5 **file);

/* Returns 1 if the values of all data sets have the CRC-32 that `crc32` gives, or if the file has
 * no such data set; 0 if a digest differs or a data set cannot be read.  Reads the whole file, in
 * portions of at most 65536 values or one row. */
int sw_h5_is_whole(sw_h5 *file);

/* Returns 0, with errno, if some data could not be written. file and *file may be NULL. */
int sw_h5_close(sw_h5 **file);

/* Closes a file after writing. good: 1 if all writes succeeded; errno must have been 0 before them.
 * Errors: SW_ERR_IO, with the first errno. */
sw_status sw_h5_finish(sw_h5 **file, int good);

/* The functions below return 0 on failure. */

/* Callback: writes `count` rows from row `first` on to values.  A row contains all values with one
 * index of the first dimension. */
typedef int sw_h5_source(void *context, size_t first, size_t count, double values[]);

/* Write a data set of real numbers: in portions that `source` produces, or from memory. */
int sw_h5_put_rows(sw_h5 *to, const char *name, const sw_h5_shape *shape, sw_h5_source *source,
                   void *context);
int sw_h5_put_reals(sw_h5 *to, const char *name, const sw_h5_shape *shape, const double values[]);

/* Writes 64-bit integers. */
int sw_h5_put_integers(sw_h5 *to, const char *name, size_t count, const long values[]);

/* Writes `count` texts of `length` bytes each, or a single text that is no array if count is 0. */
int sw_h5_put_texts(sw_h5 *to, const char *name, const char *texts, size_t length, size_t count);

/* The shape of a data set.  Returns 0 if the data set does not exist or its rank is above 3. */
int sw_h5_get_shape(sw_h5 *file, const char *name, sw_h5_shape *shape);

/* Reads rows of a numeric data set. */
int sw_h5_get_rows(sw_h5 *file, const char *name, size_t first, size_t count, double values[]);

/* Returns 1 if a data set is numeric; reads all its values. */
int sw_h5_has_numbers(sw_h5 *file, const char *name);
int sw_h5_get_reals(sw_h5 *file, const char *name, double values[]);

/* The name of object number i at the root, in alphabetical order.  The caller frees it.  NULL after
 * the last one. */
char *sw_h5_get_name(sw_h5 *file, size_t i);

/* All texts of a data set of fixed-length texts, each with a terminating zero.  The caller frees
 * them.  NULL if there are none. */
char *sw_h5_get_texts(sw_h5 *file, const char *name, size_t *length, size_t *count);

#endif
