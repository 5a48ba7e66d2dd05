/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * derivative.h -- derivatives and Poisson brackets of expressions.
 */
#ifndef SIDEWINDER_EXPR_DERIVATIVE_H
#define SIDEWINDER_EXPR_DERIVATIVE_H

#include "expr/ir_program.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out[i] = de/dz_i for the n entries of IR_Z, in normal form; 0 for entries that e does not read.
 * Cost: the number of distinct nodes of e times the number of entries that e reads. */
void ir_gradient(ir_context *c, int n, const ir_expr *e, const ir_expr *out[]);

/* Entry (row, col) of a matrix function; NULL if it is identically zero. */
const ir_expr *ir_entry_at(const ir_function *f, int row, int col);

/* The vector function with these n components. */
ir_function ir_vector(ir_context *c, int n, const ir_expr *const values[]);

/* Removes the entries above the diagonal from a square matrix function. */
void ir_keep_lower(ir_function *f);

/* The Jacobian of a vector function with respect to the n inputs of a space: nonzero entries, row
 * by row. */
ir_function ir_jacobian(ir_context *c, const ir_function *f, ir_space space, int n);

/* The directional derivative sum_i de/dx_i seed_i over the inputs x of a space.  The sum is formed
 * part by part, so that the slope of (x_1 - x_2)^2 is 2 (x_1 - x_2)(seed_1 - seed_2).  seed has an
 * entry for every input that e reads. */
const ir_expr *ir_slope_along(ir_context *c, ir_space space, const ir_expr *const seed[],
                              const ir_expr *e);

/* The directional derivatives of all entries along n multipliers, starting at number `first`, one
 * for each entry of z.  Only nonzero entries are kept. */
ir_function ir_along(ir_context *c, const ir_function *f, int n, int first);

/* The increment f(z) - z of a map of the state.  If z is a term of a component, it cancels. */
ir_function ir_increment(ir_context *c, const ir_function *map);

/* {a, b} = a_q . b_p - a_p . b_q from two gradients with 2d entries, q then p. */
const ir_expr *ir_bracket(ir_context *c, int d, const ir_expr *const a_z[],
                          const ir_expr *const b_z[]);

/* ir_reads: 1 if e contains the node.  ir_reads_state: 1 if e reads an entry of z. */
int ir_reads(const ir_context *c, const ir_expr *e, const ir_expr *node);
int ir_reads_state(const ir_context *c, const ir_expr *e);

/* reads[i] = 1 if e reads input i of the space, else 0, for i < n. */
void ir_inputs_read(ir_context *c, ir_space space, int n, const ir_expr *e, char reads[]);

/* e without its rational factor. */
const ir_expr *ir_primitive(const ir_expr *e);

/* The slope of a formula with respect to one input, computed from the slopes of its parts.  It is a
 * derivative or a difference quotient (secant.c); these differ in the rules for calls and
 * products. */
typedef struct ir_slopes ir_slopes;

/* The slope of a call or a product.  The rule obtains the slopes of the parts from ir_slope_of. */
typedef const ir_expr *ir_slope_rule(ir_slopes *s, const ir_expr *e);

/* State of one computation.  Shared parts are visited once per input.  Parts exist when a slope is
 * requested, so the tables do not grow during the recursion. */
struct ir_slopes {
  ir_context *c;
  ir_slope_rule *of_call;
  ir_slope_rule *of_product;
  ir_space space; /* space and index of the input */
  int index;
  /* slopes of all inputs of the space, for a directional derivative; NULL for a single input */
  const ir_expr *const *seed;
  unsigned pass;
  unsigned size;
  unsigned *seen; /* the pass that computed the slope */
  const ir_expr **slope;
};

/* Forgets all slopes and makes room for all present nodes.  Before the first call, all members
 * except the rules and the context are zero. */
void ir_slopes_begin(ir_slopes *s);
void ir_slopes_release(ir_slopes *s);

/* The slope of e with respect to the input. */
const ir_expr *ir_slope_of(ir_slopes *s, const ir_expr *e);

#ifdef __cplusplus
}
#endif

#endif
