/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * inner.h -- the inner expression through which an expression reads the state.
 *
 * ((q1 - q2)^2 - 1)^2 reads the state through q1 - q2 alone, and (x^2 + y^2)^(-3) through
 * x^2 + y^2.  Both are functions of one inner expression, as if the model had named it.  x^2 y^4
 * reads the state through two expressions.
 */
#ifndef SIDEWINDER_EXPR_INNER_H
#define SIDEWINDER_EXPR_INNER_H

#include "expr/expr.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Degrees and inner expressions of the nodes that existed at its creation. */
typedef struct ir_inners ir_inners;

ir_inners *ir_inners_create(ir_context *c);
void ir_inners_free(ir_inners *s);

/* The degree of e as a polynomial in the state, as it is written, if at most 2; else 3. */
int ir_degree(ir_inners *s, const ir_expr *e);

/* The innermost expression through which alone e reads the state.  It is at most quadratic and has
 * no constant term.  Returns the number 0 if e does not read the state, and NULL if there is no
 * such expression. */
const ir_expr *ir_inner(ir_inners *s, const ir_expr *e);

#ifdef __cplusplus
}
#endif

#endif
