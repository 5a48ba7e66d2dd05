/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cache.h -- the programs that `run` has built, and the folders in which programs are built.
 *
 * Programs are started from the cache, so no other user may be able to write to it.  A program is
 * named NAME-KEY-SUM: KEY identifies its inputs, and SUM is the digest of its bytes.  A truncated
 * or altered program is therefore never run.  A process locks the cache while it puts a program in
 * or removes one, and the folder in which it builds.  An unlocked build folder belongs to a killed
 * process, and the next process removes it.
 */
#ifndef SIDEWINDER_COMMAND_CACHE_H
#define SIDEWINDER_COMMAND_CACHE_H

#include "common/arena.h"

typedef struct cache {
  const char *folder;
  int descriptor; /* open descriptor of the folder */
} cache;

/* Opens the user's cache and creates it if necessary: $XDG_CACHE_HOME/sidewinder, or
 * ~/.cache/sidewinder, or, without a home, a private folder in $TMPDIR or /tmp.  Removes the
 * remains of killed processes.  Prints a message and returns 0 if there is no cache or others can
 * write to it. */
int cache_open(arena *a, cache *c);

/* The same, but falls back to the folder among the temporary files if the user's cache cannot be
 * created or written to. */
int cache_open_any(arena *a, cache *c);

void cache_close(cache *c);

/* The path of an intact program NAME-KEY-SUM, with stem = NAME-KEY; NULL if there is none.  Removes
 * damaged programs with this stem. */
const char *cache_find(arena *a, const cache *c, const char *stem);

/* Moves a file into the cache as a program with this stem.  Returns its path, or NULL after a
 * message. */
const char *cache_keep(arena *a, const cache *c, const char *file, const char *stem);

/* A new folder in which a program is built, and the descriptor that holds its lock.  workshop_open
 * returns 0 after a message.  workshop_close removes the folder. */
typedef struct workshop {
  const char *folder;
  int lock;
} workshop;
int workshop_open(arena *a, const cache *c, workshop *w);
void workshop_close(workshop *w);

#endif
