/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/table.h -- named values as comma-separated text:
 *   name,value
 *   q.1.x,0.10000000000000001
 *   q.1.y,0
 * Numbers are written with %.17g, which is read back as the same bits.  The thread's locale must
 * have a decimal point.
 */
#ifndef SW_IO_TABLE_H
#define SW_IO_TABLE_H

#include "io/source.h"

/* Reads the wanted values from the whole stream.  Under the header above, they are in any order and
 * each exactly once.  Otherwise they are one column of numbers in the order of the model, as
 * numpy.savetxt writes it, under a header of one word or none.
 *
 * Up to 10000 blank lines and lines that begin with '#' are skipped.  A line has at most 1000
 * characters and ends with a line break, including the last one.  On failure values is undefined.
 * Errors, with a message: SW_ERR_ARGUMENT if the file has other contents, SW_ERR_IO,
 * SW_ERR_MEMORY. */
sw_status sw_table_read(const sw_source *source, double values[]);

/* Writes the header and a line for every entry.  The caller checks the stream for errors. */
void sw_table_write(FILE *file, const sw_entries *entries, const double values[]);

#endif
