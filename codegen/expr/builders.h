/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * builders.h -- shorthand for the constructors of expr.h with two operands.
 */
#ifndef SIDEWINDER_EXPR_BUILDERS_H
#define SIDEWINDER_EXPR_BUILDERS_H

#include "expr/expr.h"

#ifdef __cplusplus
extern "C" {
#endif

/* a + b, a - b, -a, a b, (a + b)/2, and a^(numerator/denominator), in normal form. */
const ir_expr *ir_plus(ir_context *c, const ir_expr *a, const ir_expr *b);
const ir_expr *ir_minus(ir_context *c, const ir_expr *a, const ir_expr *b);
const ir_expr *ir_negated(ir_context *c, const ir_expr *a);
const ir_expr *ir_times(ir_context *c, const ir_expr *a, const ir_expr *b);
const ir_expr *ir_mean(ir_context *c, const ir_expr *a, const ir_expr *b);
const ir_expr *ir_power(ir_context *c, const ir_expr *a, long numerator, unsigned long denominator);

#ifdef __cplusplus
}
#endif

#endif
