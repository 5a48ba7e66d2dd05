/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slopes.h -- the slope of a formula with respect to one input, computed from the slopes of its
 * parts.  It is a derivative (derivative.c) or a difference quotient (secant.c); these differ in
 * the rules for calls and products.
 */
#ifndef SIDEWINDER_EXPR_SLOPES_H
#define SIDEWINDER_EXPR_SLOPES_H

#include "expr/expr.h"

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

#endif
