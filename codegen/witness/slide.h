/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slide.h -- the fibre flow Gamma_lambda(z) and its derivatives, enclosed in balls.
 *
 * Gamma is the solution at time 1 of Z' = F(Z) = sum_i lambda_i X_{g_i}(Z), Z(0) = z. Its
 * derivatives solve S' = DF S, S(0) = 1 (by z) and W_i' = DF W_i + X_{g_i}, W_i(0) = 0 (by
 * lambda_i).
 *
 * All equations are integrated by Taylor series in time. The remainder of a series is the next
 * term, evaluated on a box that contains the solution during the step. Picard's iteration proves
 * the box (R. E. Moore, Interval Analysis, 1966). So the end of a step is a ball that contains the
 * exact solution. No closed form of the flow is used.
 */
#ifndef SIDEWINDER_WITNESS_SLIDE_H
#define SIDEWINDER_WITNESS_SLIDE_H

#include "witness/digits.h"
#include "witness/tree.h"

typedef enum slide_function {
  SLIDE_FLOW,
  SLIDE_FLOW_LAMBDA,
  SLIDE_FLOW_Z,
  SLIDE_FUNCTIONS
} slide_function;

/* Evaluates the three functions at the point and the multipliers of the tree. */
void slide_at(arena *a, tree *t, digits out[SLIDE_FUNCTIONS]);

#endif
