/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chain.h -- the Dirac-Bergmann chain of constraints, for models whose N is singular.
 */
#ifndef SIDEWINDER_IR_CHAIN_H
#define SIDEWINDER_IR_CHAIN_H

#include "analysis/sample.h"

/* Along zdot = X_H + sum_i lambda_i X_{g_i}, a constraint f = 0 is kept where
 *   {f, H} + sum_i lambda_i {f, g_i} = 0.
 * Row by row over the last level, fraction-free elimination of lambda with the rows of all levels either
 * gives a row that determines one more multiplier, or a function without lambda, which is a constraint of
 * the next level unless it vanishes already.  "Vanishes" is asked of exact certificates first, then of
 * points of the surface found so far, in balls; what is neither zero there nor different from it ends the chain
 * undecided.
 *
 * Bounded: at most 10 levels, 32 constraints, 8 multipliers and 64 entries of z; larger models come back as
 * CHAIN_NONE, longer chains as CHAIN_TOO_LONG. */
record_chain follow_chain(study *s);

#endif
