/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expression.h -- operations as C expressions with the fewest readable parentheses.
 */
#ifndef SIDEWINDER_EMIT_EXPRESSION_H
#define SIDEWINDER_EMIT_EXPRESSION_H

#include "common/arena.h"
#include "emit/c_names.h"
#include "expr/code.h"

/* The expression of an operation. An operation with a temporary is written as its name t<n>, unless
 * it is `op` itself and `define` is 1. */
const char *emit_expression(arena *a, const emit_names *names, const ir_op *op, int define);

#endif
