/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seams.h -- where are formulas not smooth, and does M go through there?
 *
 * The theory needs H, g and invariants with continuous derivatives.  abs(u) has none where u = 0, min(u, v) and
 * max(u, v) where u = v; sign(u) jumps where u = 0, atan2(y, x) where y = 0 and x < 0, tan(u) where cos(u) = 0, and a
 * function of a/u may jump where u = 0.
 */
#ifndef SIDEWINDER_ANALYSIS_SEAMS_H
#define SIDEWINDER_ANALYSIS_SEAMS_H

#include "analysis/sample.h"

/* Looks for points of M on the seams of H and of the constraints, and for points of M^H on those of invariants. */
void find_seams(study *s, record *r);

/* Whether a function may jump at the seam: then it is no invariant, although its derivative vanishes. */
int seam_may_jump(seam_kind kind);

#endif
