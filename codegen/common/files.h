/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * files.h -- reads and writes whole files.
 */
#ifndef SIDEWINDER_COMMON_FILES_H
#define SIDEWINDER_COMMON_FILES_H

#include <stddef.h>
#include <stdio.h>

#include "common/arena.h"

/* The bytes of a regular file, followed by a NUL that *length does not count.  Returns NULL with
 * errno set if it cannot be read: EISDIR for a folder, EINVAL for other files that are not regular,
 * EFBIG for more than `limit` bytes. */
char *file_read(arena *a, const char *path, size_t limit, size_t *length);

/* The same for an open file. */
char *file_contents(arena *a, FILE *file, size_t limit, size_t *length);

/* A new temporary file, which is removed when it is closed; NULL after a message. */
FILE *file_temporary(void);

/* Prints "cannot WHAT 'WHICH'" and the reason, errno.  Returns 0. */
int file_failed(const char *what, const char *which);

/* Writes text to path atomically: no reader sees a partial file (common/target.h).  Does not touch
 * a file with the same contents, which avoids rebuilds.  Returns 0, or -1 with errno set. */
int file_write(arena *a, const char *path, const char *text);

/* Creates a folder and its parents, unless they exist.  Returns 0, or -1 with errno set. */
int directory_make(arena *a, const char *path);

/* The same for a private folder: created folders have the permissions 0700. */
int directory_make_private(arena *a, const char *path);

/* Moves a file to `path`, which is replaced.  Between file systems the file is copied and the
 * source stays.  Returns 0, or -1 with errno set. */
int file_move(arena *a, const char *from, const char *path);

/* 1 if both paths lead to the same regular file. */
int file_same(const char *one, const char *other);

/* SHA-256 in hexadecimal, of bytes, or of n texts with their final NULs. */
const char *bytes_digest(arena *a, const void *bytes, size_t length);
const char *text_digest(arena *a, const char *const texts[], int n);

#endif
