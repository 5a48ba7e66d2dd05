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

/* out[i] = de/dz_i for the n entries of IR_Z, in normal form; entries that e does not read are the number 0.
 * Cost: the distinct nodes of e times the entries that it reads. */
void ir_gradient(ir_context *c, int n, const ir_expr *e, const ir_expr *out[]);

/* Entry (row, col) of a matrix function, or NULL where it is identically zero. */
const ir_expr *ir_entry_at(const ir_function *f, int row, int col);

/* The vector function with these n values. */
ir_function ir_vector(ir_context *c, int n, const ir_expr *const values[]);

/* Leaves of a square matrix function its lower triangle. */
void ir_keep_lower(ir_function *f);

/* The Jacobian of a vector function by the n inputs of a space: the entries that are not 0, by rows. */
ir_function ir_jacobian(ir_context *c, const ir_function *f, ir_space space, int n);

/* sum_i de/dx_i seed_i for the inputs x of a space, part by part, so that the slope of (x_1 - x_2)^2 is 2 (x_1 - x_2)(seed_1 - seed_2).  There
 * is a seed for each input that e reads. */
const ir_expr *ir_slope_along(ir_context *c, ir_space space, const ir_expr *const seed[],
                              const ir_expr *e);

/* The entries' slopes along the multipliers that follow number `first`, one for each of the n entries of z: those that are not 0. */
ir_function ir_along(ir_context *c, const ir_function *f, int n, int first);

/* What a map of the state adds to it, f(z) - z: sums are added term by term, so that z is not in what is left of one that has
 * it as a term. */
ir_function ir_increment(ir_context *c, const ir_function *map);

/* {a, b} = a_q . b_p - a_p . b_q from two gradients with 2d entries, q then p. */
const ir_expr *ir_bracket(ir_context *c, int d, const ir_expr *const a_z[],
                          const ir_expr *const b_z[]);

/* Whether e has the node as a part; with NULL, whether it reads an entry of z. */
int ir_reads(const ir_context *c, const ir_expr *e, const ir_expr *node);
int ir_reads_state(const ir_context *c, const ir_expr *e);

/* reads[i] = 1 for those of the first n inputs of the space that e reads, else 0. */
void ir_inputs_read(ir_context *c, ir_space space, int n, const ir_expr *e, char reads[]);

/* e without its rational factor. */
const ir_expr *ir_primitive(const ir_expr *e);

#ifdef __cplusplus
}
#endif

#endif
