/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/npy.h -- arrays of numbers in NumPy's file format (NumPy Enhancement Proposal 1).
 *
 * A file consists of the six bytes \x93NUMPY, a version (two bytes), the length of the header (two
 * bytes in version 1.0, four in 2.0, least significant first), the header, and the values.  The
 * header is a Python dictionary such as
 *   {'descr': '<f8', 'fortran_order': False, 'shape': (2, 12), }
 * The reader accepts versions 1.0 and 2.0, headers of at most 4096 bytes, C order, real numbers of
 * 4 and 8 bytes, and integers of 1 to 8 bytes.  The writer uses version 1.0 and '<f8'.
 */
#ifndef SW_IO_NPY_H
#define SW_IO_NPY_H

#include "io/source.h"

/* Reads the wanted values from the whole stream.  Each value must be finite and exactly
 * representable as a double.  A state has shape (2d,), (2, d) or (2d, 1), a parameter any shape.
 * On failure values is undefined.  Errors, with a message: SW_ERR_ARGUMENT if the file has another
 * format or shape, SW_ERR_IO. */
sw_status sw_npy_read(const sw_source *source, double values[]);

/* Reads an array of shape (rows, wanted values) with at least one row of finite values.  The caller
 * frees *values, which is NULL on failure.  Errors: as above, and SW_ERR_MEMORY without a
 * message. */
sw_status sw_npy_read_rows(const sw_source *source, double **values, size_t *rows);

/* size in bytes of a written header */
#define SW_NPY_HEADER 128

/* Write the header of an array of shape (rows, columns), or (rows,) if columns is 0, and values.
 * The caller checks the stream for errors. */
void sw_npy_write_header(FILE *file, size_t rows, size_t columns);
void sw_npy_write_values(FILE *file, const double values[], size_t count);

/* Decodes bytes that sw_npy_write_values has written. */
void sw_npy_decode(const unsigned char bytes[], size_t count, double values[]);

#endif
