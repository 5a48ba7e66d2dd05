/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h -- what the entries of z, k and lambda are called in C.
 */
#ifndef SIDEWINDER_EMIT_NAMES_H
#define SIDEWINDER_EMIT_NAMES_H

#include <stddef.h>

#include "arena.h"
#include "ir/program.h"

/* Names that are in use. */
typedef struct emit_words emit_words;

/* All words that generated C uses or must not use; there is room for `more` others. */
emit_words *emit_words_create(arena *a, size_t more);

/* The same words, with room for `more` others. */
emit_words *emit_words_copy(arena *a, const emit_words *from, size_t more);

/* A new name made of text such as "q.1.x" or "q[i+1,x]": q_1_x, q_i1_x, with a final '_' where that is
 * in use. */
const char *emit_words_take(arena *a, emit_words *words, const char *text);

/* The word itself is in use. */
void emit_words_reserve(emit_words *words, const char *word);

/* The C names of the inputs of each space. */
typedef struct emit_names {
  const char *const *of[IR_SPACES];
} emit_names;

/* Names for the entries of z and k, lambda is read as an array: "q.1.x" becomes q_1_x.  A name is given
 * once only, and none is given that C, its headers, the runtime's header or the generated file use; in
 * both cases a final '_', which no name of the language can have, is added until the name is free.  The
 * work is linear in the number of entries.  The names are the arena's. */
emit_names emit_names_create(arena *a, const ir_program *p);

#endif
