/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * substitute.h -- expressions for inputs.
 */
#ifndef SIDEWINDER_EXPR_SUBSTITUTE_H
#define SIDEWINDER_EXPR_SUBSTITUTE_H

#include "expr/expr.h"

#ifdef __cplusplus
extern "C" {
#endif

/* e with values[i] for input i of a space, in normal form.  Cost: the distinct nodes of e. */
const ir_expr *ir_substitute(ir_context *c, ir_space space, const ir_expr *const values[],
                             const ir_expr *e);

#ifdef __cplusplus
}
#endif

#endif
