/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child.h -- a program that is started without a shell and waited for.
 */
#ifndef SIDEWINDER_COMMAND_CHILD_H
#define SIDEWINDER_COMMAND_CHILD_H

#include <signal.h>

#include "common/arena.h"

typedef struct child {
  const char *path;         /* NULL: words[0], which is looked for in $PATH */
  char *const *words;       /* with a NULL behind the last one */
  char *const *environment; /* NULL: ours */
  int input;                /* descriptors; -1: ours */
  int output;
  const sigset_t *mask; /* of signals that it blocks; NULL: ours */
  /* Signals that this process blocks, and hands on to it while it runs; they are then pending here.  NULL: none. */
  const sigset_t *handed_on;

  /* The rest only with handed_on. */
  /* 1: it leads a process group of its own, which gets the signals and is ended with it */
  int is_group;
  long limit; /* seconds until it gets SIGTERM; 0: no limit */
  void (*report)(const struct child *c,
                 long seconds); /* called after 60, 120, 240, ... seconds; or NULL */
  const void *work;             /* for report */
} child;

/* The code of a child that its limit has ended. */
enum { CHILD_OVER_LIMIT = 1000 };

/* Our environment with one variable, "NAME=VALUE", set, and without those whose names begin with `left_out`, unless that is NULL. */
char **child_environment(arena *a, const char *setting, const char *left_out);

/* The signals by which a user ends what this process waits for. */
sigset_t child_interruptions(void);

/* Runs it to its end; *code is its exit code, 128 + N after signal N, also one that was handed on
 * to a group, or CHILD_OVER_LIMIT.  Returns 0, or the error number where it could not be started
 * or waited for. */
int child_run(const child *c, int *code);

#endif
