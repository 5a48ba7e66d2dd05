/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * inner.h -- through what an expression reads the state.
 *
 * ((q1 - q2)^2 - 1)^2 reads it through q1 - q2, and (x^2 + y^2)^(-3) through x^2 + y^2: these are functions of one expression, as if that
 * had a name.  x^2 y^4 reads it through two.
 */
#ifndef SIDEWINDER_EXPR_INNER_H
#define SIDEWINDER_EXPR_INNER_H

#include "expr/expr.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is known of the expressions that existed when this was made. */
typedef struct ir_inners ir_inners;

ir_inners *ir_inners_create(ir_context *c);
void ir_inners_free(ir_inners *s);

/* At most 2 where e is a polynomial of that degree in the state, as it is written; else 3. */
int ir_degree(ir_inners *s, const ir_expr *e);

/* The expression, at most quadratic and without a constant, through which alone e reads the state: the innermost one.  The number 0 where
 * e does not read it, NULL where there is none. */
const ir_expr *ir_inner(ir_inners *s, const ir_expr *e);

#ifdef __cplusplus
}
#endif

#endif
