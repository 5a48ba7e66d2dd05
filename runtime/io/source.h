/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/source.h -- a file that values are read from: what it has to contain, and how to say that it does
 * not.
 *
 * Readers are strict and bounded: they read no more than the wanted values need and a little text around
 * them, so that a giant file is refused at its beginning.
 */
#ifndef SW_IO_SOURCE_H
#define SW_IO_SOURCE_H

#include <stddef.h>
#include <stdio.h>

#include "common/user_text.h"
#include "model/system.h"
#include "sidewinder/status.h"

/* The values that a file stands for: a state z = (q, p), or the entries of a parameter in C order. */
typedef struct sw_entries {
  const sw_system *system;
  const char *parameter; /* its name; NULL for a state */
  size_t first;          /* index of its first entry in k; 0 for a state */
  size_t count;          /* 2d for a state */
} sw_entries;

typedef struct sw_source {
  FILE *stream;
  const char *path; /* for messages */
  const sw_entries *wanted;
  char *message; /* SW_TEXT_MESSAGE bytes */
} sw_source;

/* The entries of the model's state. */
sw_entries sw_entries_of_state(const sw_system *system);

/* Writes the name of entry i, such as "q.1.x" or "m.3", to buffer, and returns buffer. */
const char *sw_entries_name(const sw_entries *entries, size_t i, char buffer[SW_NAME_BYTES]);

/* The same of sw_entries, for sw_names_create and the like. */
const char *sw_name_entry(const void *entries, size_t i, char buffer[SW_NAME_BYTES]);

/* What owns the entries: "model" or "parameter". */
const char *sw_entries_kind(const sw_entries *entries);

/* Its name. */
const char *sw_entries_owner(const sw_entries *entries);

/* Opens source->path, which must be a regular file: what has no end is not opened, and what waits for
 * somebody else is not waited for.  The caller closes source->stream.  Errors, with a message:
 * SW_ERR_IO, SW_ERR_ARGUMENT where it is something else than a regular file; the stream is then NULL. */
sw_status sw_source_open(sw_source *source);

/* Reads line number `number` (from 1), of at most `most` characters, into *line without its end, growing it, which has room for *room and is
 * to be freed; *more is 0 where there is none.  Errors, with a message: SW_ERR_ARGUMENT where it is no text or does not end, SW_ERR_IO; SW_ERR_MEMORY. */
sw_status sw_source_line(const sw_source *source, size_t number, size_t most, char **line,
                         size_t *room, int *more);

/* Writes the message "PATH" followed by the formatted text, without control characters and with the
 * end of PATH only where it is long.  Returns SW_ERR_ARGUMENT. */
sw_status sw_source_refuse(const sw_source *source, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Refuses a file that cannot be written, for the reason of that errno.  Returns SW_ERR_IO. */
sw_status sw_source_refuse_target(const sw_source *target, int cause);

/* Refuses a file for having `count` values, another number than is wanted, and adds `detail`. */
sw_status sw_source_refuse_count(const sw_source *source, size_t count, const char *detail);

/* Writes the message that the file could not be read, for the reason in errno.  Returns SW_ERR_IO; for ENOMEM SW_ERR_MEMORY, with message
 * "". */
sw_status sw_source_broken(const sw_source *source);

#endif
