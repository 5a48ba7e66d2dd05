/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time.h -- models whose formulas contain the time t, as models of one more degree of freedom.
 *
 * The position t has the momentum p_t, and the motion is that of K(q,t,p,p_t) = H(q,p,t) + p_t:
 *
 *   t' = 1,   q' = H_p,   p' = -H_q,   p_t' = -H_t
 *
 * K is conserved, and -p_t is the energy that the time dependence has brought in.  Whatever holds for a model without time
 * (brackets, orders, the symplectic form) holds for this one as it is.
 */
#ifndef SIDEWINDER_LANGUAGE_TIME_H
#define SIDEWINDER_LANGUAGE_TIME_H

#include "language/syntax.h"

#define TIME_NAME          "t"
#define TIME_MOMENTUM_NAME "p_t"

/* A tree in which t is a coordinate, with the statements
 *
 *   coord t momentum p_t,   init t = 0,   init p_t = 0,
 *
 * for each initial state, behind those of the file, p_t added to H, or taken from L, and H - p_t (L + p_t) where the name of H (L) stands in other
 * statements: it means there what the file says that it is.  The tree itself where nothing is called t that is not declared, or t
 * stands in no formula.  A model that uses t so, and declares p_t itself or puts it into H or L, is reported. */
const syntax_tree *time_extend(arena *a, diagnostics *d, const syntax_tree *tree);

#endif
