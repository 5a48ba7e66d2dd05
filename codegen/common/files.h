/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * files.h -- whole files in and out.
 */
#ifndef SIDEWINDER_COMMON_FILES_H
#define SIDEWINDER_COMMON_FILES_H

#include <stddef.h>

#include "common/arena.h"

/* The bytes of a regular file and a final NUL that *length does not count; NULL with errno set where it
 * cannot be read: EISDIR for a folder, EINVAL for anything else that is not a regular file, EFBIG for more
 * than `limit` bytes. */
char *file_read(arena *a, const char *path, size_t limit, size_t *length);

/* Writes text to path, of which no reader ever sees half (common/target.h).  Leaves a file that already holds the same
 * bytes alone, so that nothing is rebuilt for it.  0, or -1 with errno set. */
int file_write(arena *a, const char *path, const char *text);

/* Makes a folder and those above it; an existing one is fine.  0, or -1 with errno set. */
int directory_make(arena *a, const char *path);

/* The same for a folder of this user alone: those that are made have the permissions 0700. */
int directory_make_private(arena *a, const char *path);

/* Moves a file to `path`, which is replaced, across file systems if need be; the file it is read from stays then.
 * 0, or -1 with errno set. */
int file_move(arena *a, const char *from, const char *path);

/* Whether both paths lead to one regular file. */
int file_same(const char *one, const char *other);

/* SHA-256, hexadecimal: of bytes, and of n texts with their final NULs. */
const char *bytes_digest(arena *a, const void *bytes, size_t length);
const char *text_digest(arena *a, const char *const texts[], int n);

#endif
