/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io/source.h -- an input file of values: its expected contents, and messages about wrong contents.
 *
 * Readers are strict and bounded.  They read little more than the expected values need, so that a
 * giant file is rejected at its beginning.
 */
#ifndef SW_IO_SOURCE_H
#define SW_IO_SOURCE_H

#include <stddef.h>
#include <stdio.h>

#include "common/user_text.h"
#include "model/system.h"
#include "sidewinder/status.h"

/* The contents of a file, for methods whose next step depends on more than z. */
typedef enum sw_contents {
  SW_CONTENTS_STATE,    /* z alone */
  SW_CONTENTS_LEAPFROG, /* p is half a step earlier; also the step size */
  SW_CONTENTS_BDF2,     /* also the previous state and the size of the step between the two */
  SW_CONTENTS_CARRY,    /* also the carry of compensated summation */
  SW_CONTENTS_KINDS
} sw_contents;

/* The values of a file: a state z = (q, p) with its contents, or the entries of a parameter in C
 * order. */
typedef struct sw_entries {
  const sw_system *system;
  const char *parameter; /* its name; NULL for a state */
  size_t first;          /* index of its first entry in k; 0 for a state */
  size_t count;          /* number of values; 2d for a state z alone */
  sw_contents contents;
} sw_entries;

typedef struct sw_source {
  FILE *stream;
  const char *path;         /* for messages */
  const sw_entries *wanted; /* NULL if the file says itself what its values are */
  char *message;            /* SW_TEXT_MESSAGE bytes */
  int may_lack_last_break;  /* 1: the last line of a text need not end with a line break */
} sw_source;

/* The entries of a state: z alone, or z followed by the contents (previous state or carry, then
 * step size). */
sw_entries sw_entries_of_state(const sw_system *system);
sw_entries sw_entries_of_contents(const sw_system *system, sw_contents contents);

/* The contents as text, such as "the state of bdf2: z, z of the step before, and the size of the
 * step". */
const char *sw_contents_words(sw_contents contents);

/* Writes the name of entry i, such as "q.1.x" or "m.3", to buffer, and returns buffer. */
const char *sw_entries_name(const sw_entries *entries, size_t i, char buffer[SW_NAME_BYTES]);

/* The same with an untyped argument, for sw_names_create. */
const char *sw_name_entry(const void *entries, size_t i, char buffer[SW_NAME_BYTES]);

/* The kind of the entries' owner: "model" or "parameter". */
const char *sw_entries_kind(const sw_entries *entries);

/* The name of the owner. */
const char *sw_entries_owner(const sw_entries *entries);

/* Opens source->path, which must be a regular file; pipes, which may block, and endless devices are
 * rejected.  The caller closes source->stream.  Errors, with a message: SW_ERR_IO, SW_ERR_ARGUMENT
 * if the file is not regular; the stream is then NULL. */
sw_status sw_source_open(sw_source *source);

/* Compares the bytes of an open file from byte `from` on with the CRC-32 that PATH.json gives as
 * "crc32" (docs/output.md), if it does.  Errors, with a message: SW_ERR_ARGUMENT. */
sw_status sw_source_check_digest(const sw_source *source, long from);

/* Reads line number `number` (from 1), of at most `most` characters, into *line without its line
 * break. *line grows as needed, *room is its capacity, and the caller frees it. *more is 0 at the
 * end of the file.  Errors, with a message: SW_ERR_ARGUMENT if the line contains a zero byte, is
 * too long or has no line break, SW_ERR_IO; SW_ERR_MEMORY. */
sw_status sw_source_line(const sw_source *source, size_t number, size_t most, char **line,
                         size_t *room, int *more);

/* Splits a line of comma-separated values in place into fields without quotes and surrounding
 * blanks.  Returns their number, of which the first `room` are in field; 0 if a quoted field does not
 * end before a comma. */
size_t sw_source_split(char *line, size_t room, const char *field[]);

/* Writes the message "PATH" followed by the formatted text, without control characters.  Only the
 * end of a long PATH is shown.  Returns SW_ERR_ARGUMENT. */
sw_status sw_source_refuse(const sw_source *source, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes the message that the file cannot be written, with the reason of this errno.  Returns
 * SW_ERR_IO. */
sw_status sw_source_refuse_target(const sw_source *target, int cause);

/* Writes the message that the file has `count` values instead of the wanted number, followed by
 * `detail`. Returns SW_ERR_ARGUMENT. */
sw_status sw_source_refuse_count(const sw_source *source, size_t count, const char *detail);

/* Writes the message that a value is not finite, or else that it is an integer without an equal
 * double; `where` is "" or ends in a blank.  Returns SW_ERR_ARGUMENT. */
sw_status sw_source_refuse_value(const sw_source *source, const char *where, const char *name,
                                 double value);

/* Writes the message that the file could not be read, with the reason in errno.  Returns SW_ERR_IO,
 * or SW_ERR_MEMORY with message "" for ENOMEM. */
sw_status sw_source_broken(const sw_source *source);

#endif
