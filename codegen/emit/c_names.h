/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * c_names.h -- the names of the entries of z, k and lambda in C.
 */
#ifndef SIDEWINDER_EMIT_C_NAMES_H
#define SIDEWINDER_EMIT_C_NAMES_H

#include "common/arena.h"
#include "expr/ir_program.h"

/* A set of names in use.
 *
 * Both lowerings and NAME_step.c form the C names of a model by the same rule:
 * - Letters, digits and '_' stay; dots, commas and brackets become '_'.
 * - A name that begins with '_' gets the prefix 'v'.
 * - A word that C, its headers, the runtime or a generated file use (c_names.c), with or
 *   without trailing '_', gets another '_'.
 * - If two names would be equal, the later one gets the suffix '_', '__3', '__4' and so on. */
typedef struct emit_words emit_words;

/* An empty set. The names of `outer`, unless it is NULL, count as in use; names added to the set do
 * not enter `outer`. */
emit_words *emit_words_create(arena *a, const emit_words *outer);

/* Makes a new name from text such as "q.1.x" or "q[i+1,x]": q_1_x, q_i1_x. */
const char *emit_words_take(arena *a, emit_words *words, const char *text);

/* The same for a name that the generated file defines itself; it may be a reserved word. */
const char *emit_words_make(arena *a, emit_words *words, const char *text);

/* Adds the word itself to the names in use. */
void emit_words_reserve(emit_words *words, const char *word);

/* The C names of the inputs of each space. */
typedef struct emit_names {
  const char *const *of[IR_SPACES];
} emit_names;

/* Creates names for the entries of z and k; lambda is read as an array. The work is linear in the
 * number of entries. The arena owns the names. */
emit_names emit_names_create(arena *a, const ir_program *p);

/* Why a model cannot have this name, because NAME.c, NAME.h and sw_model_NAME would clash with
 * other files and symbols; NULL if it can. */
const char *emit_model_name_fault(arena *a, const char *name);

#endif
