/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * secant.h -- slopes of expressions between two points.
 *
 * The secant slopes S_i of e between x and y satisfy
 *
 *   e(y) - e(x) = sum_i S_i (y_i - x_i),    S(x,y) = S(y,x),    S(x,x) = grad e(x),
 *
 * exactly.  Like derivatives, they are built part by part: (a b)' = mean(a) b' + mean(b) a', and
 * f(a)' = f[a_x, a_y] a'.  The divided difference f[u,v] = (f(v) - f(u))/(v - u) has a form without
 * this quotient.  Powers and roots use polynomial division.  exp, sin, ... use G_1
 * (sidewinder/functions.h), such as sin[u,v] = cos((u+v)/2) sin(w)/w with w = (v-u)/2.  Inverse
 * functions use reciprocals, such as log[u,v] = 1/exp[log u, log v].  There is therefore no
 * cancellation between nearby points.  For one variable, the secant slope is the divided difference
 * itself.
 */
#ifndef SIDEWINDER_EXPR_SECANT_H
#define SIDEWINDER_EXPR_SECANT_H

#include "expr/expr.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out[i] = S_i for inputs i < n of IR_Z, between the points from[] and to[] with n expressions
 * each; 0 for inputs that e does not read.  Cost: the number of distinct nodes of e times the
 * number of inputs that e reads. */
void ir_secants(ir_context *c, int n, const ir_expr *const from[], const ir_expr *const to[],
                const ir_expr *e, const ir_expr *out[]);

/* x/y for y >= 0, and 0 for x = y = 0; computed as x / max(y, 2^-500). */
const ir_expr *ir_over(ir_context *c, const ir_expr *x, const ir_expr *y);

#ifdef __cplusplus
}
#endif

#endif
