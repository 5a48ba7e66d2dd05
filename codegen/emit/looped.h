/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * looped.h -- what a model with loops has in its file: one kernel a family, and sizes that are arguments.
 */
#ifndef SIDEWINDER_EMIT_LOOPED_H
#define SIDEWINDER_EMIT_LOOPED_H

#include "emit/tables.h"

/* Of the input, `loops` takes the place of program and found. */
emit_parts emit_looped(arena *a, ir_context *c, const emit_input *input);

#endif
