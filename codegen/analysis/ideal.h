/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ideal.h -- proofs that several expressions have no common zero.
 */
#ifndef SIDEWINDER_ANALYSIS_IDEAL_H
#define SIDEWINDER_ANALYSIS_IDEAL_H

#include "analysis/study.h"

/* 1 if it is proved, for the default parameters, that no state has all n values equal to 0.  0 if
 * it is not proved.
 *
 * Buchberger's algorithm, with bounds on the work, extends the values to a Groebner basis over the
 * rationals (B. Buchberger, J. Symb. Comput. 41 (2006), a translation of his thesis of 1965).  The
 * set is empty if the basis contains a constant, or an expression whose form excludes 0, such as
 * 4 + exp(x).  For equations of degree one the algorithm is Gaussian elimination, and the answer is
 * exact in both directions. */
int ideal_is_empty(study *s, int n, const ir_expr *const values[]);

#endif
