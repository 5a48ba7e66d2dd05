/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * discrete_gradient.h -- discrete gradients, which replace gradients in the energy-momentum method.
 *
 * A discrete gradient of f is a function of two states with
 *
 *   Df(z,z1).(z1 - z) = f(z1) - f(z),    Df(z,z1) = Df(z1,z),    Df(z,z) = grad f(z)
 *
 * (O. Gonzalez, J. Nonlinear Sci. 6, 1996, and, for constraints, Physica D 132, 1999).  It is built
 * term by term.  Let zm be the mean of the states.  Let pi be the named functions of the model that
 * are at most quadratic.  A term f contributes:
 *
 *   at most quadratic      grad f(zm)
 *   f = phi(pi_1)          phi[pi_1(z), pi_1(z1)] grad pi_1(zm), a divided difference (secant.h)
 *   f = phi(pi_1, ..)      the midpoint formula for phi in the space of the pi, times grad pi(zm)
 *   f = phi(u)             as for pi_1, if f reads the state through a single u that is at most
 *                          quadratic (discrete_gradient.c)
 *   others                 the midpoint formula grad f(zm) + (f(z1) - f(z) - grad f(zm).w) w/|w|^2;
 *                          w is z1 - z in the positions, momenta or both of all degrees of freedom
 *                          that f reads
 *
 * The midpoint formula computes f(z1) - f(z) - grad f(zm).w as (S - grad f(zm)).w with the secant
 * slopes S, which avoids cancellation.  The difference is 0 if w is 0.  Because each term has its
 * own w, the discrete gradient of a sum is the sum over its terms, and a kernel in a loop reads
 * only its own entries.
 */
#ifndef SIDEWINDER_EXPR_DISCRETE_GRADIENT_H
#define SIDEWINDER_EXPR_DISCRETE_GRADIENT_H

#include "expr/ir_program.h"

#ifdef __cplusplus
extern "C" {
#endif

/* H and g; input 2d + j of IR_Z is the value of named function j. */
typedef struct ir_named_model {
  int n;
  const ir_expr *const *values; /* n named functions, at most quadratic in z */
  const ir_expr *H;
  const ir_expr *const *g; /* m constraints */
} ir_named_model;

/* One formula over `dim` entries of the state, the first half of them positions.  Input dim + j of
 * IR_Z is the value of named function j. */
typedef struct ir_named_formula {
  int dim;
  int n;
  const ir_expr *const *values;
  const ir_expr *value;
} ir_named_formula;

/* Computes the discrete gradient of *f (its nonzero components) and its derivative with respect to
 * IR_NEXT.  Adds the counts of terms to *count. */
void ir_discrete_kernel(ir_context *c, const ir_named_formula *f, ir_function *gradient,
                        ir_function *next, ir_discrete_terms *count);

/* Fills the functions IR_DISCRETE_GRAD (of H) to IR_DISCRETE_JAC_NEXT of *p, and counts the terms
 * in its structure. */
void ir_discrete(ir_context *c, const ir_named_model *m, ir_program *p);

#ifdef __cplusplus
}
#endif

#endif
