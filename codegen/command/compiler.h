/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compiler.h -- the command line of the C compiler, from $CC.
 */
#ifndef SIDEWINDER_COMMAND_COMPILER_H
#define SIDEWINDER_COMMAND_COMPILER_H

#include "common/arena.h"

/* The words of a command, terminated by NULL, as execvp expects them. */
typedef struct words {
  char **at;
  int n;
  size_t room;
} words;

/* add_words appends the words of text, split at white space; quotes have no special meaning.
 * add_word appends text as a single word. */
void add_words(arena *a, words *list, const char *text);
void add_word(arena *a, words *list, const char *text);

/* A message about the first word of $CC that invalidates the verification, such as -ffast-math;
 * NULL if there is none. */
const char *compiler_refusal(arena *a);

/* All words of $CC, followed by the flags of every program.  A default optimisation level (-O) and
 * standard (-std) are added only if $CC has none. */
words compiler_command(arena *a);

#endif
