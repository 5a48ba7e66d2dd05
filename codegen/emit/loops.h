/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loops.h -- the generated file of a looped model.
 */
#ifndef SIDEWINDER_EMIT_LOOPS_H
#define SIDEWINDER_EMIT_LOOPS_H

#include "emit/source.h"

/* NAME.c with `loops`: C99, includes NAME.h, <math.h> and <stddef.h>, exports sw_model_NAME only.  Of the
 * input, `loops` takes the place of program and found. */
const char *emit_loops_source(arena *a, ir_context *c, const emit_input *input);

#endif
