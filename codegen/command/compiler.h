/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compiler.h -- the C compiler as $CC names it.
 */
#ifndef SIDEWINDER_COMMAND_COMPILER_H
#define SIDEWINDER_COMMAND_COMPILER_H

#include "common/arena.h"

/* The words of a command, with a NULL behind the last one, as execvp takes them. */
typedef struct words {
  char **at;
  int n;
  size_t room;
} words;

/* Appends the words of text, split at blanks, tabs and line breaks; quotes mean nothing.  add_word: text as it
 * is. */
void add_words(arena *a, words *list, const char *text);
void add_word(arena *a, words *list, const char *text);

/* The first word of $CC under which programs would not compute what was verified, such as -ffast-math, and why;
 * NULL where there is none. */
const char *compiler_refusal(arena *a);

/* $CC with all its words, then the flags of every program.  A level of optimisation (-O) and a standard (-std) are
 * ours only where $CC has none. */
words compiler_command(arena *a);

#endif
