/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evaluate.h -- the interpreter: values of expressions in double precision.
 */
#ifndef SIDEWINDER_EXPR_EVALUATE_H
#define SIDEWINDER_EXPR_EVALUATE_H

#include "expr/expr.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values of the inputs; an array may be NULL if no expression reads its space. */
typedef struct ir_values {
  const double *in[IR_SPACES];
} ir_values;

typedef struct ir_evaluator ir_evaluator;

/* An evaluator keeps one value per node of the context, including nodes that are created later.  It
 * evaluates each node at most once per pass. */
ir_evaluator *ir_evaluator_create(const ir_context *c);
void ir_evaluator_free(ir_evaluator *e);

/* Starts a pass: forgets all values and switches to new inputs, which must outlive the pass. */
void ir_evaluator_begin(ir_evaluator *e, const ir_values *values);

/* The value of a node; NaN or infinite if the formula is undefined. */
double ir_evaluator_value(ir_evaluator *e, const ir_expr *node);

#ifdef __cplusplus
}
#endif

#endif
