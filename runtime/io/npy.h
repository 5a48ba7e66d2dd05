/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/npy.h -- arrays of doubles in NumPy's file format (NumPy Enhancement Proposal 1).
 *
 * A file is the six bytes \x93NUMPY, a version of two bytes, the length of the header (two bytes in
 * version 1.0, four in 2.0, least significant first), the header, and the values.  The header is a
 * Python dictionary such as
 *   {'descr': '<f8', 'fortran_order': False, 'shape': (2, 12), }
 * Read are versions 1.0 and 2.0, '<f8' and C order, the header of at most 4096 bytes.
 */
#ifndef SW_IO_NPY_H
#define SW_IO_NPY_H

#include "io/source.h"

/* Reads the wanted values, all finite, from the whole of the stream.  A state has shape (2d,), (2, d)
 * or (2d, 1), a parameter any shape.  On failure values holds anything.  Errors, with a message:
 * SW_ERR_ARGUMENT where the file is another one, SW_ERR_IO. */
sw_status sw_npy_read(const sw_source *source, double values[]);

/* Writes version 1.0, shape (count,).  Whether it arrived is for the caller to find out. */
void sw_npy_write(FILE *file, const double values[], size_t count);

#endif
