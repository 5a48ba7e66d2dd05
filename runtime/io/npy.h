/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/npy.h -- arrays of numbers in NumPy's file format (NumPy Enhancement Proposal 1).
 *
 * A file is the six bytes \x93NUMPY, a version of two bytes, the length of the header (two bytes in
 * version 1.0, four in 2.0, least significant first), the header, and the values.  The header is a
 * Python dictionary such as
 *   {'descr': '<f8', 'fortran_order': False, 'shape': (2, 12), }
 * Read are versions 1.0 and 2.0, real numbers of 4 and 8 bytes and integers of 1 to 8, in C order, the header of
 * at most 4096 bytes.  Written are version 1.0 and '<f8'.
 */
#ifndef SW_IO_NPY_H
#define SW_IO_NPY_H

#include "io/source.h"

/* Reads the wanted values, all finite and each exactly a double, from the whole of the stream.  A state has
 * shape (2d,), (2, d) or (2d, 1), a parameter any shape.  On failure values holds anything.  Errors, with a
 * message: SW_ERR_ARGUMENT where the file is another one, SW_ERR_IO. */
sw_status sw_npy_read(const sw_source *source, double values[]);

/* Reads an array of the shape (rows, wanted values), with at least one row, all finite; *values is to be freed.  On failure it is
 * NULL.  Errors: the same, SW_ERR_MEMORY with no message. */
sw_status sw_npy_read_rows(const sw_source *source, double **values, size_t *rows);

/* Bytes of the header that is written. */
#define SW_NPY_HEADER 128

/* Writes the header of an array of shape (rows, columns), or (rows,) for columns = 0, and values.  Whether they
 * arrived is for the caller to find out. */
void sw_npy_write_header(FILE *file, size_t rows, size_t columns);
void sw_npy_write_values(FILE *file, const double values[], size_t count);

/* The values that sw_npy_write_values has written as these bytes. */
void sw_npy_decode(const unsigned char bytes[], size_t count, double values[]);

#endif
