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

enum { SW_NPY_DIMENSIONS = 64 /* NumPy's own limit */, SW_NPY_SHAPE_TEXT = 64 };

/* An array that is being read. */
typedef struct sw_npy {
  char kind; /* 'f', 'i' or 'u': floating point, signed, unsigned */
  int size;  /* bytes of a value */
  int big;   /* 1 if the most significant byte comes first */
  int dimensions;
  size_t shape[SW_NPY_DIMENSIONS];
  char shape_text[SW_NPY_SHAPE_TEXT]; /* the beginning of the shape's text in the file */
  size_t count;                       /* number of values; SIZE_MAX if it is larger */
  size_t done;                        /* number of values that have been read */
} sw_npy;

/* Read the header; the next values; and the end of the file after the last value.  *inexact is the
 * number of the first of these values that is an integer without an equal double, or count.
 * Errors, with a message: SW_ERR_ARGUMENT if the file has another format, SW_ERR_IO. */
sw_status sw_npy_open(const sw_source *source, sw_npy *array);
sw_status sw_npy_take(const sw_source *source, sw_npy *array, size_t count, double values[],
                      size_t *inexact);
sw_status sw_npy_close(const sw_source *source, const sw_npy *array);

/* size in bytes of a written header */
#define SW_NPY_HEADER 128

/* Write the header of an array of shape (rows, columns), or (rows,) if columns is 0, and values.
 * The caller checks the stream for errors. */
void sw_npy_write_header(FILE *file, size_t rows, size_t columns);
void sw_npy_write_values(FILE *file, const double values[], size_t count);

/* Decodes bytes that sw_npy_write_values has written. */
void sw_npy_decode(const unsigned char bytes[], size_t count, double values[]);

#endif
