/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * common/target.h -- an output file that gets its name when it is complete.
 *
 * The file is written beside the target under a unique temporary name, and renamed at the end.  A
 * reader of the target thus sees the older file or the complete new one.  The temporary file is
 * created with O_EXCL, so that no link is followed and no other file is overwritten.  A target that
 * is not a regular file (a device, a pipe, standard output) is written in place.
 *
 * Write errors can be reported late: a full disk may show in the middle, when the buffer is
 * flushed, or when the file is closed.  A target therefore has a member `cause`: 0, or errno of the
 * first failure.
 */
#ifndef SIDEWINDER_COMMON_TARGET_H
#define SIDEWINDER_COMMON_TARGET_H

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "sidewinder/status.h"

typedef struct sw_target {
  char *path;      /* the final name, with links resolved */
  char *temporary; /* the temporary name; NULL if the file is written in place or has no name yet */
  int in_place;
  FILE *file; /* open for writing and reading; NULL once it is closed */
  int cause;
  long digested;   /* number of bytes in the running digest */
  uint32_t digest; /* CRC-32 of these bytes */
} sw_target;

/* The name of a file until it is complete. */
typedef enum sw_visibility {
  SW_VISIBLE, /* PATH.part-XXXXXX */
  /* no name, so that a killed process leaves no file; SW_VISIBLE if the file system does not
   * support this */
  SW_HIDDEN
} sw_visibility;

/* Opens a file for writing; path "-" is standard output.  An existing file must be writable, and
 * its permissions are kept.  The caller calls sw_target_clear in every case.  Errors: SW_ERR_IO
 * with errno, SW_ERR_MEMORY. */
sw_status sw_target_open(const char *path, sw_visibility how, sw_target *target);

/* Returns 1 if path exists and is neither a regular file nor a folder.  An example is a pipe, for
 * which sw_target_open would wait until a reader opens it. */
int sw_target_is_special(const char *path);

/* Continues the file `name` beside the target, truncated to `bytes`. Errors: SW_ERR_IO with errno:
 * ENOENT; EINVAL if the file is not regular or too short; EWOULDBLOCK if another process has locked
 * it (sw_target_lock).  SW_ERR_MEMORY. */
sw_status sw_target_reopen(const char *path, const char *name, long bytes, sw_target *target);

/* Opens a second file for the target of a visible and locked file, named like the first one with
 * ".2" appended.  The owner of the first name owns the second one too, so a file that an earlier
 * process has left there is removed.  Errors: SW_ERR_IO with errno, SW_ERR_MEMORY. */
sw_status sw_target_open_second(const sw_target *first, sw_target *second);

/* Locks the file for this process while it is open.  Errors: SW_ERR_IO with errno EWOULDBLOCK. */
sw_status sw_target_lock(const sw_target *target);

/* Records the reason in target->cause if writing has failed.  The caller sets errno to 0 before it
 * writes.  Returns SW_OK, or SW_ERR_IO if target->cause is not 0. */
sw_status sw_target_check(sw_target *target);

/* Continues a CRC-32 (that of zlib and Ethernet; initially 0) with bytes from .. to - 1 of an open
 * file.  Errors: SW_ERR_IO with errno, EINVAL if the file is shorter. */
sw_status sw_digest_bytes(int file, long from, long to, uint32_t *digest);

/* Continues a CRC-32 with `count` bytes of memory. */
void sw_digest_memory(const void *bytes, size_t count, uint32_t *digest);

/* *digest: the CRC-32 of the flushed bytes from .. to - 1. `from` must be the same in each call for
 * a target, and `to` must not decrease, so that each byte is read once.  Errors: SW_ERR_IO. */
sw_status sw_target_digest(sw_target *target, long from, long to, uint32_t *digest);

/* The names of files PATH.part-XXXXXX that no process has locked, separated by ", ". They are left
 * over from killed processes.  The caller frees the text.  NULL if there are none. */
char *sw_target_left_over(const char *path);

/* Writes all data to the disk.  Errors: SW_ERR_IO. */
sw_status sw_target_sync(sw_target *target);

/* As sw_target_sync; then closes the file (except standard output) and gives it its final name.
 * Errors: SW_ERR_IO; the file then still has the name target->temporary. */
sw_status sw_target_commit(sw_target *target);

/* Writes a file of `size` bytes to path, hidden until it is complete.  Its permissions are `mode`,
 * or those of sw_target_open if mode is 0.  Errors: SW_ERR_IO with errno, SW_ERR_MEMORY; path is
 * then unchanged. */
sw_status sw_target_write(const char *path, const char *bytes, size_t size, mode_t mode);

/* Closes the file and removes it. */
void sw_target_discard(sw_target *target);

/* Closes the file and releases what *target owns. */
void sw_target_clear(sw_target *target);

#endif
