/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partial_functions.h -- the functions in H that are not defined at all states; for the message
 * that H is not finite at the start.
 */
#ifndef SIDEWINDER_EMIT_PARTIAL_FUNCTIONS_H
#define SIDEWINDER_EMIT_PARTIAL_FUNCTIONS_H

#include "emit/writer.h"
#include "expr/ir_program.h"

/* Writes the table `partial` of sw_partial_function, such as {"1/sin(th)^2", "th"}: a function, and
 * the coordinates and momenta that it reads. */
void emit_partial_functions(writer *w, arena *a, ir_context *c, const ir_program *p);

#endif
