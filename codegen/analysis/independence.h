/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * independence.h -- are the gradients of g independent on M, and which constraints follow from others or contradict each
 * other?
 */
#ifndef SIDEWINDER_ANALYSIS_INDEPENDENCE_H
#define SIDEWINDER_ANALYSIS_INDEPENDENCE_H

#include "analysis/sample.h"

/* Before points are sought: constraints with repeated factors.  A constraint all of whose factors are repeated has dg = 0
 * on all of M, which is a proof; the square-free part takes the place of others where M is sought. */
void find_flat(study *s, record *r);

/* At the points of M: the rank of Dg, a gradient that vanishes at all of them, and constraints that follow from
 * others. */
void examine_independence(study *s, record *r, const points *M);

/* Names each constraint that follows from others: from the last to the first, by a certificate or by its gradient at
 * the points of M. */
void find_redundant(study *s, record *r, const points *M);

/* For an M without a point: leaves out one constraint after the other while still no point is found, so that
 * every proper part of what remains has one (as far as the starts go).  Exact where 1 is a combination of the
 * g_i. */
void find_conflicting(study *s, record *r);

#endif
