/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.h -- expressions as a reader of the model would write them, in plain characters.
 */
#ifndef SIDEWINDER_IR_TEXT_H
#define SIDEWINDER_IR_TEXT_H

#include "ir/program.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The formula with the names of the model, such as "2*q[1]^2 - sqrt(a)"; NULL where it is longer than `most`
 * characters. */
const char *ir_text(arena *a, const ir_program *p, const ir_expr *e, size_t most);

/* "q[1,x]" for the dotted name "q.1.x". */
const char *ir_name_text(arena *a, const char *dotted);

#ifdef __cplusplus
}
#endif

#endif
