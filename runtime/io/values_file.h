/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/values_file.h -- states and parameters in files.  The file name's ending selects the format:
 * ".npy" (io/npy.h) or ".csv".  Values are read back bit for bit as they were written.
 *
 * A .csv file has named values as comma-separated text:
 *   name,value
 *   q.1.x,0.10000000000000001
 *   q.1.y,0
 * Numbers are written with %.17g.  The thread's locale must have a decimal point.
 */
#ifndef SW_IO_VALUES_FILE_H
#define SW_IO_VALUES_FILE_H

#include "io/source.h"
#include "sidewinder/sim.h"

/* Reads the wanted values, all finite, from the file.  On failure values is undefined.  Errors,
 * with a message that gives the file, its contents and the expected contents: SW_ERR_ARGUMENT if
 * the name or the contents are wrong, or if PATH.json gives another digest, SW_ERR_IO.
 * SW_ERR_MEMORY, with message "". */
sw_status sw_values_read(const char *path, const sw_entries *wanted, double values[],
                         char message[SW_TEXT_MESSAGE]);

/* Reads an initial state for *sim: z alone, or the contents that sw_values_write writes for the
 * same method. values: 4d + 1.  Errors: as above; for other contents the message names them. */
sw_status sw_values_read_state(const char *path, const sw_sim *sim, double values[],
                               sw_contents *contents, char message[SW_TEXT_MESSAGE]);

/* Writes the state of *sim with everything its next step depends on (sw_contents), and its metadata
 * to PATH.json (io/metadata.h).  The file replaces an older one as a whole or not at all
 * (common/target.h).  Errors, with a message: SW_ERR_ARGUMENT if the name is wrong or another
 * program's PATH.json exists, SW_ERR_IO.  SW_ERR_MEMORY, with message "". */
sw_status sw_values_write(const char *path, const sw_sim *sim, char message[SW_TEXT_MESSAGE]);

/* Checks that sw_values_write can open the file, and creates no file.  Errors: as
 * sw_values_write. */
sw_status sw_values_try(const char *path, char message[SW_TEXT_MESSAGE]);

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

/* Reads the wanted values from the whole stream of an array.  Each value must be finite and exactly
 * representable as a double.  A state has shape (2d,), (2, d) or (2d, 1), a parameter any shape.
 * On failure values is undefined.  Errors, with a message: SW_ERR_ARGUMENT if the file has another
 * format or shape, SW_ERR_IO. */
sw_status sw_npy_read(const sw_source *source, double values[]);

#endif
