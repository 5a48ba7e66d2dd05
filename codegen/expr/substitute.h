/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * substitute.h -- replaces inputs and other parts of expressions.
 */
#ifndef SIDEWINDER_EXPR_SUBSTITUTE_H
#define SIDEWINDER_EXPR_SUBSTITUTE_H

#include "expr/expr.h"

#ifdef __cplusplus
extern "C" {
#endif

/* e with each operand replaced by made(data, operand), in normal form; e itself if it has no
 * operands. */
const ir_expr *ir_rebuilt(ir_context *c, const ir_expr *e,
                          const ir_expr *(*made)(void *data, const ir_expr *part), void *data);

/* e with input i of a space replaced by values[i], in normal form.  Cost: the number of distinct
 * nodes of e. */
const ir_expr *ir_substitute(ir_context *c, ir_space space, const ir_expr *const values[],
                             const ir_expr *e);

/* The same for several expressions that exist at creation; common parts are substituted once. */
typedef struct ir_substitution ir_substitution;
ir_substitution *ir_substitution_create(ir_context *c, ir_space space,
                                        const ir_expr *const values[]);
const ir_expr *ir_substituted(ir_substitution *m, const ir_expr *e);
void ir_substitution_free(ir_substitution *m);

#ifdef __cplusplus
}
#endif

#endif
