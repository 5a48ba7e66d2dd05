/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/hdf5_file.h -- data sets in a file of the Hierarchical Data Format.
 *
 * The library is looked for when a file is to be written or read, and not linked: with it a program takes 10 ms to start
 * instead of 4 ms, and one that is carried to another machine would need it there.  Equal calls make equal files: no times are
 * recorded.
 *
 * A file that was created here has a data set `crc32` with the CRC-32 of the values of each other data set, in the
 * order of their names.
 */
#ifndef SW_IO_HDF5_FILE_H
#define SW_IO_HDF5_FILE_H

#include <stddef.h>

#include "common/user_text.h"
#include "sidewinder/status.h"

typedef struct sw_h5 sw_h5;

/* The shape of a data set, of rank 1 to 3; of rank 0 it is a single value. */
typedef struct sw_h5_shape {
  int rank;
  size_t size[3];
} sw_h5_shape;

/* SW_OK where there is a library, else SW_ERR_OPTION with a message that says why not. */
sw_status sw_hdf5_find(char message[SW_TEXT_MESSAGE]);

/* Begins a file, which is replaced, or opens one.  On failure *file is NULL.  Errors: SW_ERR_OPTION as above; SW_ERR_IO with errno (EIO
 * where the library does not say why); SW_ERR_MEMORY. */
sw_status sw_h5_create(const char *path, sw_h5 **file);
sw_status sw_h5_open(const char *path, sw_h5 **file);

/* 1 if the values of all data sets have the digests that `crc32` says, or if the file has none; 0 if they do not, or
 * cannot be read.  Reads the whole file, at most 65536 values or one row at a time. */
int sw_h5_is_whole(sw_h5 *file);

/* Returns 0 where not all could be written, with errno.  NULL, or a pointer to NULL, is fine. */
int sw_h5_close(sw_h5 **file);

/* The same at the end of what has been written since errno was 0, which was all `good`, or not.  Errors: SW_ERR_IO, with the first errno. */
sw_status sw_h5_finish(sw_h5 **file, int good);

/* The functions that follow return 0 after a failure. */

/* Gives `count` rows from `first` on, a row being what belongs to one index of the first dimension. */
typedef int sw_h5_source(void *context, size_t first, size_t count, double values[]);

/* A data set of real numbers, of which only some rows are in memory at a time, and one of those that are all there. */
int sw_h5_put_rows(sw_h5 *to, const char *name, const sw_h5_shape *shape, sw_h5_source *source,
                   void *context);
int sw_h5_put_reals(sw_h5 *to, const char *name, const sw_h5_shape *shape, const double values[]);

/* Integers of 64 bits. */
int sw_h5_put_integers(sw_h5 *to, const char *name, size_t count, const long values[]);

/* `count` texts of `length` bytes each, or, for count = 0, a single one that is no array. */
int sw_h5_put_texts(sw_h5 *to, const char *name, const char *texts, size_t length, size_t count);

/* The shape of a data set; 0 where there is none of the name, or of higher rank. */
int sw_h5_get_shape(sw_h5 *file, const char *name, sw_h5_shape *shape);

/* Rows of a data set of numbers. */
int sw_h5_get_rows(sw_h5 *file, const char *name, size_t first, size_t count, double values[]);

/* Whether a data set is one of numbers, and all its values. */
int sw_h5_has_numbers(sw_h5 *file, const char *name);
int sw_h5_get_reals(sw_h5 *file, const char *name, double values[]);

/* The name of thing number i at the root, in the order of names, to be freed; NULL behind the last one. */
char *sw_h5_get_name(sw_h5 *file, size_t i);

/* All texts of a data set of texts of fixed length, each with an end, to be freed; NULL where there are none. */
char *sw_h5_get_texts(sw_h5 *file, const char *name, size_t *length, size_t *count);

#endif
