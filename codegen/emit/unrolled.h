/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unrolled.h -- what a model without loops has in its file: straight lines, and a name for every entry.
 */
#ifndef SIDEWINDER_EMIT_UNROLLED_H
#define SIDEWINDER_EMIT_UNROLLED_H

#include "emit/tables.h"

emit_parts emit_unrolled(arena *a, ir_context *c, const emit_input *input);

#endif
