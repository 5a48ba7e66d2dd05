/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rewrite.h -- replaces data sets, tuples, the time and parameters by simpler statements, before
 * the check.
 */
#ifndef SIDEWINDER_LANGUAGE_REWRITE_H
#define SIDEWINDER_LANGUAGE_REWRITE_H

#include "language/syntax.h"

/* ---- data sets and tuples ---- */

/* Sets whose elements are data become ranges up to sizes; tuples become arrays of indices.
 *
 *   set bond = data               size n_bond,  set bond = 1 .. n_bond
 *   set pair = data in A * B      size n_pair,  set pair = 1 .. n_pair,
 *                                 param pair.1[pair] in A,  param pair.2[pair] in B
 *   (i, j) in pair                a variable called "(i,j)" in pair,
 *                                 with pair.1 of it for i, and pair.2 of it for j
 *
 * So the stages after the parser handle only sizes, ranges and arrays of indices. */

/* Returns the tree with these statements replaced. Reports a set of tuples that is not a product of
 * sets. */
const syntax_tree *data_extend(arena *a, diagnostics *d, const syntax_tree *tree);

/* ---- the time ---- */

/* A model whose formulas contain the time t becomes one with one more degree of freedom.
 *
 * The position t has the momentum p_t, and the motion is that of K(q,t,p,p_t) = H(q,p,t) + p_t:
 *
 *   t' = 1,   q' = H_p,   p' = -H_q,   p_t' = -H_t
 *
 * K is conserved, and -p_t is the energy that the time dependence has added. Every property of
 * models without time (brackets, orders, the symplectic form) holds for this model unchanged. */

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

/* ---- parameters ---- */

/* The lifted model has all parameters k as positions, and one more position s. Its Hamiltonian is
 * s H(q,p,k), and its forces are s F(q,p,k). The momenta of k and s are in no formula:
 *
 *   k' = 0,   s' = 0,   q' = s H_p,   p' = -s H_q + s F
 *
 * Brackets of constraints are those of the model. So a step of the lifted model from (q, k, 1) is a
 * step of the model with the parameters k. Its derivatives along k are the derivatives of the
 * step with respect to the parameters; its derivative along s is h times that with respect to h.
 *
 * Returns the tree of the lifted model, without initial states, observables, invariants and run
 * line. The positions k, in the order of the parameters, and s follow the model's positions. With a
 * Lagrangian L(q,v), that of the lifted model is s L(q, v/s). */
const syntax_tree *parameters_lift(arena *a, const syntax_tree *tree);

#endif
