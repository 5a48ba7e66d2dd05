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

/* What a file has beside z, for a method whose next step depends on more than z. */
typedef enum sw_contents {
  SW_CONTENTS_STATE,    /* z alone */
  SW_CONTENTS_LEAPFROG, /* p is that of half a step before; the size of the step */
  SW_CONTENTS_BDF2,     /* the state before, and the size of the step between the two */
  SW_CONTENTS_CARRY,    /* what compensated summation has left out of z */
  SW_CONTENTS_KINDS
} sw_contents;

/* The values that a file stands for: a state z = (q, p) with its contents, or the entries of a parameter in C order. */
typedef struct sw_entries {
  const sw_system *system;
  const char *parameter; /* its name; NULL for a state */
  size_t first;          /* index of its first entry in k; 0 for a state */
  size_t count;          /* 2d for a state z alone */
  sw_contents contents;
} sw_entries;

typedef struct sw_source {
  FILE *stream;
  const char *path; /* for messages */
  const sw_entries *wanted;
  char *message; /* SW_TEXT_MESSAGE bytes */
} sw_source;

/* The entries of the model's state, z alone; and with other contents: z, then the state before or the carry, then the step. */
sw_entries sw_entries_of_state(const sw_system *system);
sw_entries sw_entries_of_contents(const sw_system *system, sw_contents contents);

/* The contents in words, such as "the state of bdf2: z, z of the step before, and the size of the step". */
const char *sw_contents_words(sw_contents contents);

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

/* Compares an open file, from byte `from` on, with the digest in the metadata beside it (common/stated_digest.h).  Errors, with a message:
 * SW_ERR_ARGUMENT. */
sw_status sw_source_check_digest(const sw_source *source, long from);

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
