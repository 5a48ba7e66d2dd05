/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_nest.h -- index sets and filters as loops in C.
 */
#ifndef SIDEWINDER_EMIT_LOOPS_NEST_H
#define SIDEWINDER_EMIT_LOOPS_NEST_H

#include "emit/loops_frame.h"

/* Whether how often its outermost loop runs depends on a size. */
int loops_nest_grows(const ir_nest *nest);

/* Opens the blocks of a nest and returns how many they are.  A conjunct of the condition that compares
 * the innermost variable in it, alone and with factor 1, bounds that variable's loop; any other skips
 * iterations. */
int loops_nest_open(loops_frame *f, const ir_nest *nest);

/* The values that the first variable of a nest takes, as far as its set and the condition say; linear where that
 * is one form. */
void loops_nest_ends(loops_frame *f, const ir_nest *nest, index_form *first, index_form *last);

/* A name made of `text` for a binder whose loop is written otherwise, or for another variable that is not gathered,
 * such as the total of a sum (binder = NULL); it is forgotten with the binders. */
const char *loops_nest_push(loops_frame *f, const model_binder *binder, const char *text);

/* The same without the loops of the variables before number `first`, which have been pushed. */
int loops_nest_open_from(loops_frame *f, const ir_nest *nest, int first);

/* Closes them, and forgets the binders. */
void loops_nest_close(loops_frame *f, const ir_nest *nest, int blocks);

/* The nest as a reader would write it: "i in link, k in xyz"; "" without binders. */
const char *loops_nest_text(arena *a, const ir_nest *nest);

/* 1 where a conjunct of the condition says that a difference of two indices is not 0; *sign is its sign, or
 * 0 where that is not known. */
int loops_nest_separates(const ir_nest *nest, const index_form *difference, int *sign);

#endif
