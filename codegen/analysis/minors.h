/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * minors.h -- determinants that are written down: those of N, and the minors of Dg.
 */
#ifndef SIDEWINDER_ANALYSIS_MINORS_H
#define SIDEWINDER_ANALYSIS_MINORS_H

#include "analysis/study.h"

/* Rows up to which a determinant is written down, and minors of Dg that are. */
#define MINORS_ORDER 3
#define MINORS_MOST  40

/* det of a square matrix function with at most MINORS_ORDER rows, by expansion. */
const ir_expr *determinant_of(study *s, const ir_function *f);

/* The same with row `row` and column `column` left out (1 where nothing is left). */
const ir_expr *minor_of(study *s, const ir_function *f, int row, int column);

/* All m x m minors of Dg that are not zero identically; out: MINORS_MOST at most.  0 where there are more, or m is
 * too large. */
int gradient_minors(study *s, const ir_expr *out[]);

#endif
