/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops_nest.h -- index sets and filters as loops in C.
 */
#ifndef SIDEWINDER_EMIT_LOOPS_NEST_H
#define SIDEWINDER_EMIT_LOOPS_NEST_H

#include "emit/loops_frame.h"

/* 1 if the number of iterations of the outermost loop depends on a size. */
int loops_nest_grows(const ir_nest *nest);

/* Opens the blocks of a nest and returns their number. If a conjunct of the condition compares its
 * innermost variable, alone and with factor 1, it becomes a bound of that variable's loop. Other
 * conjuncts skip iterations. */
int loops_nest_open(loops_frame *f, const ir_nest *nest);

/* First and last value of the first variable of a nest, from its set and the condition. A form is
 * linear if it is exact. */
void loops_nest_ends(loops_frame *f, const ir_nest *nest, index_form *first, index_form *last);

/* Pushes a name made from `text`: for a binder whose loop is written separately, or (binder NULL)
 * for another local variable, such as the total of a sum. It is released with the binders. */
const char *loops_nest_push(loops_frame *f, const model_binder *binder, const char *text);

/* Opens the loops of the variables from number `first` on; the names of the earlier ones have been
 * pushed. */
int loops_nest_open_from(loops_frame *f, const ir_nest *nest, int first);

/* Closes the blocks and releases the binders. */
void loops_nest_close(loops_frame *f, const ir_nest *nest, int blocks);

/* The nest in readable words: "i in link, k in xyz"; "" without binders. */
const char *loops_nest_text(arena *a, const ir_nest *nest);

/* 1 if a conjunct of the condition implies that a difference of two indices is not 0. *sign is its
 * sign, or 0 if the sign is unknown. */
int loops_nest_separates(const ir_nest *nest, const index_form *difference, int *sign);

#endif
