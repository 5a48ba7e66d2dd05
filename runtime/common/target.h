/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * common/target.h -- a file that gets its name when it is whole.
 *
 * It is written beside the target, under a name that no other file has, and renamed in the end: whoever
 * opens the target sees the older file or the whole new one.  The name of its own is made with O_EXCL, so
 * that no link is followed and no file of somebody else is touched.  What is no regular file (a device, a
 * pipe, standard output) is written in place.
 *
 * Writing fails late: a full disk may show itself in the middle, when the buffer is flushed, or when the
 * file is closed.  A target therefore carries `cause`, which is 0 until the first failure and errno of that
 * failure from then on.
 */
#ifndef SIDEWINDER_COMMON_TARGET_H
#define SIDEWINDER_COMMON_TARGET_H

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "sidewinder/status.h"

typedef struct sw_target {
  char *path; /* what it will be called, links followed */
  char *
      temporary; /* what it is called until then; NULL where it is written in place, or has no name yet */
  int in_place;
  FILE *file; /* to be written and read; NULL once it is closed */
  int cause;
  long digested;   /* so many bytes are in the running digest, */
  uint32_t digest; /* a CRC-32 */
} sw_target;

/* How a file is called while it is not whole. */
typedef enum sw_visibility {
  SW_VISIBLE, /* PATH.part-XXXXXX */
  SW_HIDDEN /* it has no name, so that a process that is killed leaves nothing; where the file system cannot
               * do that, as above */
} sw_visibility;

/* Begins a file; path "-" is standard output.  An existing file must be one that may be written to, and hands
 * on its permissions.  sw_target_clear releases what it owns, and is to be called in every case.  Errors:
 * SW_ERR_IO with errno, SW_ERR_MEMORY. */
sw_status sw_target_open(const char *path, sw_visibility how, sw_target *target);

/* 1 if path is there and is no regular file, such as a pipe, which sw_target_open would wait for a reader of. */
int sw_target_is_special(const char *path);

/* Goes on with the file `name` beside the target, of which the first `bytes` are kept.  Errors: SW_ERR_IO with
 * errno: ENOENT, EINVAL where it is no regular file or a shorter one, EWOULDBLOCK where another process
 * holds it (sw_target_lock); SW_ERR_MEMORY. */
sw_status sw_target_reopen(const char *path, const char *name, long bytes, sw_target *target);

/* Begins another file for the target of one that is visible and locked, under that one's name and ".2".  Who holds
 * the first owns this name, too: what an earlier process has left there is removed.  Errors: SW_ERR_IO with errno,
 * SW_ERR_MEMORY. */
sw_status sw_target_open_second(const sw_target *first, sw_target *second);

/* Holds the file for this process while it is open.  Errors: SW_ERR_IO with errno EWOULDBLOCK. */
sw_status sw_target_lock(const sw_target *target);

/* Records in target->cause why writing has failed, where it has.  The caller sets errno to 0 before it
 * writes.  Returns SW_OK, or SW_ERR_IO where target->cause is not 0. */
sw_status sw_target_check(sw_target *target);

/* Continues a CRC-32, as in zlib and Ethernet and from 0 on, by bytes from .. to - 1 of an open file.  Errors: SW_ERR_IO with errno, EINVAL if the
 * file is shorter. */
sw_status sw_digest_bytes(int file, long from, long to, uint32_t *digest);

/* The same by `count` bytes of memory. */
void sw_digest_memory(const void *bytes, size_t count, uint32_t *digest);

/* *digest: that of the bytes from .. to - 1, which were flushed.  `from` is the same in each call for a target, and `to` does not decrease: each byte
 * is read once.  Errors: SW_ERR_IO. */
sw_status sw_target_digest(sw_target *target, long from, long to, uint32_t *digest);

/* Names of files PATH.part-XXXXXX that no process holds, separated by ", ", to be freed: what killed processes have left.  NULL if there are
 * none. */
char *sw_target_left_over(const char *path);

/* Everything that was written has reached the disk when this returns SW_OK.  Errors: SW_ERR_IO. */
sw_status sw_target_sync(sw_target *target);

/* The same; closes the file (standard output stays open) and gives it its name.  Errors: SW_ERR_IO; the file is
 * then still called target->temporary. */
sw_status sw_target_commit(sw_target *target);

/* Writes a whole file: `size` bytes to path, hidden until they are all there.  Its permissions are `mode`, or, where that
 * is 0, as sw_target_open gives them.  Errors: SW_ERR_IO with errno, SW_ERR_MEMORY; path is what it was then. */
sw_status sw_target_write(const char *path, const char *bytes, size_t size, mode_t mode);

/* Closes the file without giving it its name, and removes it. */
void sw_target_discard(sw_target *target);

/* Closes it, and releases what *target owns. */
void sw_target_clear(sw_target *target);

#endif
