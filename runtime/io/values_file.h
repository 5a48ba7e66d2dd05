/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/values_file.h -- states and parameters in files.  The end of the name tells the format: ".npy"
 * (io/npy.h) or ".csv" (io/table.h).  What is written is read back bit for bit.
 */
#ifndef SW_IO_VALUES_FILE_H
#define SW_IO_VALUES_FILE_H

#include "io/source.h"
#include "sidewinder/sim.h"

/* Reads the wanted values from the file, all of them finite.  On failure values holds anything.
 * Errors, with a message that names the file, what it has and what was wanted: SW_ERR_ARGUMENT where
 * the name or the contents are wrong, or PATH.json gives another digest, SW_ERR_IO.  SW_ERR_MEMORY, with message "". */
sw_status sw_values_read(const char *path, const sw_entries *wanted, double values[],
                         char message[SW_TEXT_MESSAGE]);

/* Reads the state that a run of *sim begins with, with contents that fit its method: z alone, or those that sw_values_write has written
 * for the same method.  values: 4d + 1.  Errors: as above; other contents are refused by name. */
sw_status sw_values_read_state(const char *path, const sw_sim *sim, double values[],
                               sw_contents *contents, char message[SW_TEXT_MESSAGE]);

/* Writes the state of *sim, with all parts that its next step depends on (sw_contents), and its metadata to
 * PATH.json (io/metadata.h).  The file replaces an older one as a whole or not at all (common/target.h).
 * Errors, with a message: SW_ERR_ARGUMENT if the name is wrong or another program's PATH.json exists,
 * SW_ERR_IO.  SW_ERR_MEMORY, with message "". */
sw_status sw_values_write(const char *path, const sw_sim *sim, char message[SW_TEXT_MESSAGE]);

/* Finds out whether sw_values_write can open the file, and leaves nothing behind.  Errors: the same. */
sw_status sw_values_try(const char *path, char message[SW_TEXT_MESSAGE]);

#endif
