/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * combination.h -- linear combinations of constraints that vanish at points: of their gradients, and of the columns of N.
 *
 * In double precision and for display; whether there is one is decided elsewhere (rank.h).
 */
#ifndef SIDEWINDER_ANALYSIS_COMBINATION_H
#define SIDEWINDER_ANALYSIS_COMBINATION_H

#include "analysis/sample.h"

/* sum_i x_i dg_i = 0 over the constraints that are kept, at each of the first n points; x of the first one, and whether
 * it is the same at all.  coefficients is NULL where there is none at one of them. */
record_combination combination_of_gradients(study *s, const points *p, int n, const char kept[]);

/* N x = 0, likewise. */
record_combination combination_of_N(study *s, const points *p, int n);

/* Which constraints follow from others at the point, "'c' follows from 'a', 'b'; 'd' follows from 'a'", by QR with column
 * exchanges of the gradients (LAPACK dgeqp3), weighted so that later ones are taken for those that follow; "" where none
 * does. */
const char *combination_words(study *s, point *x);

#endif
