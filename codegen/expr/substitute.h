/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * substitute.h -- expressions for inputs, and for other parts.
 */
#ifndef SIDEWINDER_EXPR_SUBSTITUTE_H
#define SIDEWINDER_EXPR_SUBSTITUTE_H

#include "expr/expr.h"

#ifdef __cplusplus
extern "C" {
#endif

/* e with made(data, part) in the place of each of its parts, in normal form; e itself where it has none. */
const ir_expr *ir_rebuilt(ir_context *c, const ir_expr *e,
                          const ir_expr *(*made)(void *data, const ir_expr *part), void *data);

/* e with values[i] for input i of a space, in normal form.  Cost: the distinct nodes of e. */
const ir_expr *ir_substitute(ir_context *c, ir_space space, const ir_expr *const values[],
                             const ir_expr *e);

/* The same for several parts of what there is by now, which share what they have in common. */
typedef struct ir_substitution ir_substitution;
ir_substitution *ir_substitution_create(ir_context *c, ir_space space,
                                        const ir_expr *const values[]);
const ir_expr *ir_substituted(ir_substitution *m, const ir_expr *e);
void ir_substitution_free(ir_substitution *m);

#ifdef __cplusplus
}
#endif

#endif
