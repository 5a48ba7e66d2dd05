/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ball.h -- values of expressions in balls: enclosures of real numbers at adjustable precision.
 *
 * Every value is a midpoint with a radius (Arb).  The ball contains the exact value for all inputs
 * in their balls.  Each value also has a size: a first-order bound on its change if every input and
 * every operation changes by one part of itself,
 *   input    |x|, for z_j at least its scale         sum    sum |c_i| size(x_i)
 *   product  |x| size(y) + size(x) |y|               x^a    |a| |x|^(a-1) size(x)
 *   f(x)     |f(x)| + |f'(x)| size(x)
 * (for a sum of simple terms, the sum of their magnitudes).  A value that is small relative to its
 * size results from cancellation.  Value and size scale alike under a change of units.
 */
#ifndef SIDEWINDER_ANALYSIS_BALL_H
#define SIDEWINDER_ANALYSIS_BALL_H

#include <arb.h>

#include "expr/expr.h"

typedef struct ball_inputs {
  arb_srcptr k;        /* parameters */
  arb_srcptr z;        /* state; NULL if no expression reads it */
  const double *scale; /* scales of the entries of z, or NULL */
} ball_inputs;

/* The decision about a value.  A value counts as zero if it is at most 2^-100 of its size although
 * it was computed with 256 bits or more. */
typedef enum ball_answer { BALL_UNDECIDED, BALL_ZERO, BALL_NOT_ZERO } ball_answer;

typedef struct ball_evaluator ball_evaluator;

/* The evaluator also accepts expressions that are created after it. */
ball_evaluator *ball_evaluator_create(const ir_context *c);
void ball_evaluator_free(ball_evaluator *e);

/* Starts a pass at a precision in bits: forgets all values and switches to new inputs, which must
 * outlive the pass. */
void ball_begin(ball_evaluator *e, const ball_inputs *inputs, slong precision);

/* The value and the size of a node, valid until the next call for another node.  The value is not
 * finite if the formula is undefined anywhere on the inputs' balls. */
arb_srcptr ball_value(ball_evaluator *e, const ir_expr *node);
mag_srcptr ball_size(ball_evaluator *e, const ir_expr *node);

/* The decision about a node in this pass, and about any value with its size. */
ball_answer ball_decide(ball_evaluator *e, const ir_expr *node);
ball_answer ball_judge(arb_srcptr value, mag_srcptr size, slong precision);

/* 1 if the value is at most 2^-100 of its size. */
int ball_is_small(arb_srcptr value, mag_srcptr size);

/* Operations since creation, in units of one operation at 64 bits. */
double ball_work(const ball_evaluator *e);

/* The double nearest to the midpoint. */
double ball_double(arb_srcptr x);

/* size <- size + |slope| size(x). */
void ball_add_slope(mag_t size, const arb_t slope, mag_srcptr of_x);

#endif
