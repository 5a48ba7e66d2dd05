/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * c_names.h -- what the entries of z, k and lambda are called in C.
 */
#ifndef SIDEWINDER_EMIT_C_NAMES_H
#define SIDEWINDER_EMIT_C_NAMES_H

#include "common/arena.h"
#include "expr/ir_program.h"

/* Names that are in use.
 *
 * The rule for names of a model in C, the same in both lowerings and in NAME_step.c: letters, digits and '_' stay; what begins
 * with '_' gets a 'v' in front; a word that C, its headers, the runtime or a generated file use
 * (emit/reserved.h), with or without '_' behind it, gets a '_' more; dots, commas and brackets become '_';
 * and where two names would be the same, the later one gets '_', or '__3', '__4' and so on behind it. */
typedef struct emit_words emit_words;

/* No name is in use. */
emit_words *emit_words_create(arena *a);

/* The names of `outer` are, and those that are added to it. */
emit_words *emit_words_inside(arena *a, const emit_words *outer);

/* A new name made of text such as "q.1.x" or "q[i+1,x]": q_1_x, q_i1_x. */
const char *emit_words_take(arena *a, emit_words *words, const char *text);

/* Likewise for a name of the generated file's own, which may be a reserved word. */
const char *emit_words_make(arena *a, emit_words *words, const char *text);

/* The word itself is in use. */
void emit_words_reserve(emit_words *words, const char *word);

/* The C names of the inputs of each space. */
typedef struct emit_names {
  const char *const *of[IR_SPACES];
} emit_names;

/* Names for the entries of z and k; lambda is read as an array.  The work is linear in the number of
 * entries.  The names are the arena's. */
emit_names emit_names_create(arena *a, const ir_program *p);

#endif
