/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conserved.h -- constraints that H conserves by itself: {g,H} = 0 on M.
 *
 * They determine no multiplier: H does not change along their part of the fibres, N has a row of zeros, and a motion
 * without the constraint that starts on g = 0 stays there.
 */
#ifndef SIDEWINDER_ANALYSIS_CONSERVED_H
#define SIDEWINDER_ANALYSIS_CONSERVED_H

#include "analysis/sample.h"

/* Every constraint by itself: by the formula, by a certificate modulo g, or at the points of M. */
void find_conserved(study *s, record *r, const points *M);

/* Where N is singular at all points and its null combination of constraints is the same at all: whether H conserves that
 * combination, with the small fractions that are near its coefficients. */
void find_conserved_combination(study *s, record *r, const points *M);

#endif
