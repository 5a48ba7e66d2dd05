/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * secant.h -- slopes of expressions between two points.
 *
 * The secant slopes S_i of e between x and y satisfy
 *
 *   e(y) - e(x) = sum_i S_i (y_i - x_i),    S(x,y) = S(y,x),    S(x,x) = grad e(x),
 *
 * exactly, and are made as derivatives are, part by part: (a b)' = mean(a) b' + mean(b) a', and f(a)' = f[a_x, a_y] a' with
 * the divided difference f[u,v] = (f(v) - f(u))/(v - u) in a form without that quotient: for powers and roots by division,
 * for exp, sin, ... by G_1 (sidewinder/functions.h), such as sin[u,v] = cos((u+v)/2) sin(w)/w with w = (v-u)/2, for their
 * inverses by log[u,v] = 1/exp[log u, log v].  So nothing cancels where the points are near each other.  Of one variable
 * they are the divided difference itself.
 */
#ifndef SIDEWINDER_EXPR_SECANT_H
#define SIDEWINDER_EXPR_SECANT_H

#include "expr/expr.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out[i] = S_i for input i < n of IR_Z, between the points from[] and to[], n expressions each; 0 for inputs that e does not
 * read.  Cost: the distinct nodes of e times the inputs that it reads. */
void ir_secants(ir_context *c, int n, const ir_expr *const from[], const ir_expr *const to[],
                const ir_expr *e, const ir_expr *out[]);

/* x/y for y >= 0, and 0 where x = y = 0: x over the larger of y and 2^-500. */
const ir_expr *ir_over(ir_context *c, const ir_expr *x, const ir_expr *y);

#ifdef __cplusplus
}
#endif

#endif
