/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/file.h -- what the writers of text and binary files have in common.
 *
 * Writing fails late: a full disk may show itself in the middle, when the buffer is flushed, or when the
 * file is closed.  A writer therefore carries `cause`, which is 0 until the first failure and errno of
 * that failure from then on.
 */
#ifndef SW_IO_FILE_H
#define SW_IO_FILE_H

#include <stdio.h>

#include "sidewinder/status.h"

/* Records in *cause why writing to file has failed, where it has and *cause is 0.  The caller sets
 * errno to 0 before it writes.  Returns SW_OK, or SW_ERR_IO where *cause is not 0. */
sw_status sw_file_check(FILE *file, int *cause);

/* Flushes to the disk and closes the file; standard output stays open.  SW_OK means that everything
 * written has reached the file.  Errors: SW_ERR_IO where *cause is not 0 at the end; a cause that was
 * there before is kept. */
sw_status sw_file_close(FILE *file, int *cause);

/* Writes "# KEY: TEXT" as one line: control characters inside text become blanks. */
void sw_file_metadata(FILE *file, const char *key, const char *text);

#endif
