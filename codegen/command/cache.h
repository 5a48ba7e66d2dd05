/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cache.h -- the programs that `run` has built, and the folders in which programs are built.
 *
 * Programs are started from the cache, so nobody else may be able to write to it.  A program is called NAME-KEY-SUM,
 * KEY saying what it was made of and SUM being the digest of its own bytes: one that is cut short or has been
 * altered is not run.  A folder in which a program is being built is held by a lock; one that is not is left from a
 * process that was killed, and is removed by the next one that looks.
 */
#ifndef SIDEWINDER_COMMAND_CACHE_H
#define SIDEWINDER_COMMAND_CACHE_H

#include "common/arena.h"

typedef struct cache {
  const char *folder;
  int descriptor; /* of the folder */
} cache;

/* Opens the user's cache, which is made where it is missing: $XDG_CACHE_HOME/sidewinder, else
 * ~/.cache/sidewinder, else, where there is no home, a folder of this user alone in $TMPDIR or /tmp; removes what killed processes
 * have left.  Returns 0 after a message where there is none, or others can write to it. */
int cache_open(arena *a, cache *c);

/* The same, but where there is no cache of the user's, the folder among the temporary files takes its place. */
int cache_open_any(arena *a, cache *c);

void cache_close(cache *c);

/* The path of an intact program NAME-KEY-SUM, where stem is NAME-KEY; NULL where there is none.  Those that are
 * not intact are removed. */
const char *cache_find(arena *a, const cache *c, const char *stem);

/* Moves a file into the cache as a program of that name, and returns its path; NULL after a message. */
const char *cache_keep(arena *a, const cache *c, const char *file, const char *stem);

/* A new folder to build a program in, and the descriptor that holds it, for workshop_close, which removes it.
 * Returns 0 after a message. */
typedef struct workshop {
  const char *folder;
  int lock;
} workshop;
int workshop_open(arena *a, const cache *c, workshop *w);
void workshop_close(workshop *w);

#endif
