/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * discrete_gradient.h -- discrete gradients, which the energy-momentum method has in the place of gradients.
 *
 * A discrete gradient of f is a function of two states with
 *
 *   Df(z,z1).(z1 - z) = f(z1) - f(z),    Df(z,z1) = Df(z1,z),    Df(z,z) = grad f(z)
 *
 * (O. Gonzalez, J. Nonlinear Sci. 6, 1996, and, for constraints, Physica D 132, 1999).  It is made term by term.  With zm the mean
 * of the states, and pi the functions at most quadratic that the model has given a name:
 *
 *   at most quadratic      grad f(zm)
 *   f = phi(pi_1)          phi[pi_1(z), pi_1(z1)] grad pi_1(zm), a divided difference (secant.h)
 *   f = phi(pi_1, ..)      the midpoint formula for phi in the space of the pi, times grad pi(zm)
 *   f = phi(u)             the same as of pi_1, where f reads the state through one u that is at most quadratic (inner.h)
 *   others                 the midpoint formula, grad f(zm) + (f(z1) - f(z) - grad f(zm).w) w/|w|^2, where w is z1 - z in
 *                          the positions, momenta or both of those degrees of freedom that f reads
 *
 * In the midpoint formula f(z1) - f(z) - grad f(zm).w is (S - grad f(zm)).w with the secant slopes S, in which nothing
 * cancels; it is 0 where w is.  As w is the term's own, a sum of terms has the sum of their discrete gradients, and a kernel
 * that is in a loop needs no more than its own entries.
 */
#ifndef SIDEWINDER_EXPR_DISCRETE_GRADIENT_H
#define SIDEWINDER_EXPR_DISCRETE_GRADIENT_H

#include "expr/ir_program.h"

#ifdef __cplusplus
extern "C" {
#endif

/* H and g, where input 2d + j of IR_Z stands for value j. */
typedef struct ir_named_model {
  int n;
  const ir_expr *const *values; /* at most quadratic in z */
  const ir_expr *H;
  const ir_expr *const *g; /* m */
} ir_named_model;

/* One formula over `dim` entries of the state, half of them positions, and n names, likewise. */
typedef struct ir_named_formula {
  int dim;
  int n;
  const ir_expr *const *values;
  const ir_expr *value;
} ir_named_formula;

/* Its discrete gradient, those of the dim values that are not 0, and the derivative of that by IR_NEXT; adds its terms to *count. */
void ir_discrete_kernel(ir_context *c, const ir_named_formula *f, ir_function *gradient,
                        ir_function *next, ir_discrete_terms *count);

/* Makes the functions IR_DISCRETE_GRAD (of H) to IR_DISCRETE_JAC_NEXT of *p, and counts terms in its structure. */
void ir_discrete(ir_context *c, const ir_named_model *m, ir_program *p);

#ifdef __cplusplus
}
#endif

#endif
