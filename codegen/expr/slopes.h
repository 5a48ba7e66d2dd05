/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slopes.h -- the slope of a formula by one input, from those of its parts: a derivative (derivative.c) or a difference quotient
 * (secant.c), which differ in calls and products alone.
 */
#ifndef SIDEWINDER_EXPR_SLOPES_H
#define SIDEWINDER_EXPR_SLOPES_H

#include "expr/expr.h"

typedef struct ir_slopes ir_slopes;

/* The slope of a call or of a product; it asks for those of its parts by ir_slope_of. */
typedef const ir_expr *ir_slope_rule(ir_slopes *s, const ir_expr *e);

/* Shared parts of a formula are visited once for each input.  Only nodes that exist when a slope is asked for can be parts, so the
 * tables do not grow on the way. */
struct ir_slopes {
  ir_context *c;
  ir_slope_rule *of_call;
  ir_slope_rule *of_product;
  ir_space space; /* the input */
  int index;
  const ir_expr *const
      *seed; /* or, for a direction, the slopes of all inputs of the space; else NULL */
  unsigned pass;
  unsigned size;
  unsigned *seen; /* the pass in which the slope was found */
  const ir_expr **slope;
};

/* Forgets what was found, with room for all nodes that there are by now.  *s begins as zeros but for the rules and the context. */
void ir_slopes_begin(ir_slopes *s);
void ir_slopes_release(ir_slopes *s);

/* The slope of e by the input. */
const ir_expr *ir_slope_of(ir_slopes *s, const ir_expr *e);

#endif
