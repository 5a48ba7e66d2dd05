/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ball.h -- values of expressions in balls: real numbers that are enclosed, at a precision that can be raised.
 *
 * Every value is a midpoint with a radius (Arb) that contains the exact value for all inputs in their balls.
 * Beside it stands the size of the value: by how many units the value changes, to first order and at most, when
 * every input and every operation changes by one part of itself,
 *   input    |x|, for z_j at least its scale         sum    sum |c_i| size(x_i)
 *   product  |x| size(y) + size(x) |y|               x^a    |a| |x|^(a-1) size(x)
 *   f(x)     |f(x)| + |f'(x)| size(x)
 * (for terms of a sum, the sum of their magnitudes).  A value that is small against its size has come about by
 * cancellation.  Value and size scale alike when units change.
 */
#ifndef SIDEWINDER_ANALYSIS_BALL_H
#define SIDEWINDER_ANALYSIS_BALL_H

#include <arb.h>

#include "expr/expr.h"

typedef struct ball_inputs {
  arb_srcptr k;        /* parameters */
  arb_srcptr z;        /* state; NULL where no expression reads it */
  const double *scale; /* of the entries of z, or NULL */
} ball_inputs;

/* What a ball tells of its value.  A value is called zero where it is at most 2^-100 of its size although it was
 * computed with 256 bits or more. */
typedef enum ball_answer { BALL_UNDECIDED, BALL_ZERO, BALL_NOT_ZERO } ball_answer;

typedef struct ball_evaluator ball_evaluator;

/* Expressions that are made later than the evaluator can be evaluated, too. */
ball_evaluator *ball_evaluator_create(const ir_context *c);
void ball_evaluator_free(ball_evaluator *e);

/* Starts a pass at a precision in bits: forgets all values and takes new inputs, which must outlive it. */
void ball_begin(ball_evaluator *e, const ball_inputs *inputs, slong precision);

/* The value and the size of a node, valid until the next call for another one.  Where the formula is not
 * defined on all of the inputs' balls, the value is not finite. */
arb_srcptr ball_value(ball_evaluator *e, const ir_expr *node);
mag_srcptr ball_size(ball_evaluator *e, const ir_expr *node);

/* Of a node in this pass, and of any value with its size. */
ball_answer ball_decide(ball_evaluator *e, const ir_expr *node);
ball_answer ball_judge(arb_srcptr value, mag_srcptr size, slong precision);

/* Whether it is at most 2^-100 of its size. */
int ball_is_small(arb_srcptr value, mag_srcptr size);

/* Operations since the evaluator was made, in units of one at 64 bits. */
double ball_work(const ball_evaluator *e);

/* The double nearest to the midpoint. */
double ball_double(arb_srcptr x);

#endif
