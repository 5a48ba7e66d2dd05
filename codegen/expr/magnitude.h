/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * magnitude.h -- bounds of the rounding errors of formulas.
 */
#ifndef SIDEWINDER_EXPR_MAGNITUDE_H
#define SIDEWINDER_EXPR_MAGNITUDE_H

#include "expr/expr.h"

#ifdef __cplusplus
extern "C" {
#endif

/* For each of n expressions e, out = mag(e) bounds its rounding error.  Evaluating e in floating
 * point with unit round-off u has an error of a small multiple of u * mag(e), to first order, and
 * mag(e) >= |e|:
 *   sum      sum |c_i| mag(x_i)          the terms before cancellation
 *   product  product mag(x_i^a_i)
 *   power    |a| |x|^(a-1) mag(x) (at least |x|^(a-1) mag(x)), unless a is a positive integer
 *   f(x)     |f(x)| + (bound of |f'(x)|) mag(x)
 *   v of M v = y, M^-1 = W, in a sum of c_i v_i: the error of a stable solution,
 *            sum_j |sum_i c_i W_ij| mag(y_j) + sum_i mag(c_i) |v_i|
 * This is a running error analysis (N. J. Higham, Accuracy and Stability of Numerical Algorithms,
 * section 3.3). */
void ir_magnitudes(ir_context *c, int n, const ir_expr *const e[], const ir_expr *out[]);

#ifdef __cplusplus
}
#endif

#endif
