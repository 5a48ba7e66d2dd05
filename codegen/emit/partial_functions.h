/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * partial_functions.h -- the functions in H that are not defined at all states, for the message about a start where H is not
 * finite.
 */
#ifndef SIDEWINDER_EMIT_PARTIAL_FUNCTIONS_H
#define SIDEWINDER_EMIT_PARTIAL_FUNCTIONS_H

#include "emit/writer.h"
#include "expr/ir_program.h"

/* The table `partial` of sw_partial_function, such as {"1/sin(th)^2", "th"}: a function, and the coordinates and momenta it
 * reads. */
void emit_partial_functions(writer *w, arena *a, ir_context *c, const ir_program *p);

#endif
