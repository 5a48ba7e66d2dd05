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

/* Values of the inputs; a pointer may be NULL where no expression reads that space. */
typedef struct ir_values {
  const double *in[IR_SPACES];
} ir_values;

typedef struct ir_evaluator ir_evaluator;

/* An evaluator keeps a value for every node of the context, also for those that are made later, and evaluates
 * each at most once in a pass. */
ir_evaluator *ir_evaluator_create(const ir_context *c);
void ir_evaluator_free(ir_evaluator *e);

/* Starts a pass: forgets all values and takes new inputs, which must outlive the pass. */
void ir_evaluator_begin(ir_evaluator *e, const ir_values *values);

/* The value of a node, NaN or infinite where the formula is not defined. */
double ir_evaluator_value(ir_evaluator *e, const ir_expr *node);

#ifdef __cplusplus
}
#endif

#endif
