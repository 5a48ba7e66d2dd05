/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * time.h -- rewriting of models whose formulas contain the time t, as models with one more degree
 * of freedom.
 *
 * The position t has the momentum p_t, and the motion is that of K(q,t,p,p_t) = H(q,p,t) + p_t:
 *
 *   t' = 1,   q' = H_p,   p' = -H_q,   p_t' = -H_t
 *
 * K is conserved, and -p_t is the energy that the time dependence has added. Every property of
 * models without time (brackets, orders, the symplectic form) holds for this model unchanged.
 */
#ifndef SIDEWINDER_LANGUAGE_TIME_H
#define SIDEWINDER_LANGUAGE_TIME_H

#include "language/syntax.h"

#define TIME_NAME          "t"
#define TIME_MOMENTUM_NAME "p_t"

/* Returns a tree in which t is a coordinate. After the statements of the file it has
 *
 *   coord t momentum p_t,   and   init t = 0,   init p_t = 0   for each initial state.
 *
 * p_t is added to H, or subtracted from L. Other statements keep their meaning: in them the name of
 * H is replaced by H - p_t, and that of L by L + p_t. Returns the tree itself if no formula
 * contains an undeclared t. Reports a model that uses t in this manner, and declares p_t itself or
 * uses it in H or L. */
const syntax_tree *time_extend(arena *a, diagnostics *d, const syntax_tree *tree);

#endif
