/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child.h -- runs a program without a shell and waits for its end.
 */
#ifndef SIDEWINDER_COMMAND_CHILD_H
#define SIDEWINDER_COMMAND_CHILD_H

#include <signal.h>

#include "common/arena.h"

typedef struct child {
  const char *path;         /* executable; NULL looks up words[0] in $PATH */
  char *const *words;       /* arguments, terminated by NULL */
  char *const *environment; /* NULL inherits this process's environment */
  int input;                /* descriptors for standard input and output; -1 inherits */
  int output;
  const sigset_t *mask; /* signals that the child blocks; NULL inherits */
  /* Signals that this process blocks and forwards to the child while it runs; afterwards they are
   * pending here.  NULL forwards none. */
  const sigset_t *handed_on;

  /* The rest only with handed_on. */
  /* 1: it leads a process group of its own, which gets the signals and is ended with it */
  int is_group;
  long limit; /* seconds until it gets SIGTERM; 0: no limit */
  void (*report)(const struct child *c,
                 long seconds); /* called after 60, 120, 240, ... seconds; or NULL */
  const void *work;             /* for report */
} child;

/* The code of a child that was ended at its time limit. */
enum { CHILD_OVER_LIMIT = 1000 };

/* A copy of the environment with the variable "NAME=VALUE" set, without variables whose names begin
 * with `left_out` (unless it is NULL). */
char **child_environment(arena *a, const char *setting, const char *left_out);

/* The signals with which a user interrupts a program, without those that this process ignores. */
sigset_t child_interruptions(void);

/* Runs the program to its end.  *code is its exit code; 128 + N after signal N, also if the signal
 * was forwarded to a process group; or CHILD_OVER_LIMIT.  Returns 0, or an error number if the
 * program could not be started or waited for. */
int child_run(const child *c, int *code);

#endif
