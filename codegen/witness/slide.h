/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slide.h -- the fibre flow Gamma_lambda(z) and its derivatives, enclosed in balls.
 *
 * Gamma is the solution at time 1 of  Z' = F(Z) = sum_i lambda_i X_{g_i}(Z),  Z(0) = z, and its derivatives
 * solve  S' = DF S, S(0) = 1  (by z)  and  W_i' = DF W_i + X_{g_i}, W_i(0) = 0  (by lambda_i).  All are
 * integrated by Taylor series in time.  What a series leaves out is the next term, taken over all that the
 * solution may be during the step, which Picard's iteration encloses (R. E. Moore, Interval Analysis, 1966),
 * so that the end of a step is a ball that holds the exact one.  Closed forms play no part in it.
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

/* At the point of the tree, with its multipliers. */
void slide_at(arena *a, tree *t, digits out[SLIDE_FUNCTIONS]);

#endif
