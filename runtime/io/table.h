/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/table.h -- named values as comma-separated text:
 *   name,value
 *   q.1.x,0.10000000000000001
 *   q.1.y,0
 * Numbers are written with %.17g, which a reader turns back into the same bits.  The thread's locale
 * must have a decimal point.
 */
#ifndef SW_IO_TABLE_H
#define SW_IO_TABLE_H

#include "io/source.h"

/* Reads the wanted values from the whole of the stream: under the header above in any order and each exactly
 * once, or as one column of numbers in the order of the model, under a header of one word or none, as
 * numpy.savetxt writes it.  Lines that begin with '#' and blank lines are passed over, at most 10000 of them; a
 * line has at most 1000 characters and ends with a line break, the last one too.  On failure values holds
 * anything.  Errors, with a message: SW_ERR_ARGUMENT where the file is another one, SW_ERR_IO, SW_ERR_MEMORY. */
sw_status sw_table_read(const sw_source *source, double values[]);

/* Writes the header and a line for every entry.  Whether they arrived is for the caller to find out. */
void sw_table_write(FILE *file, const sw_entries *entries, const double values[]);

#endif
