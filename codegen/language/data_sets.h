/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data_sets.h -- rewriting of sets whose elements are data: as ranges up to sizes; and of tuples:
 * as arrays of indices.
 *
 *   set bond = data               size n_bond,  set bond = 1 .. n_bond
 *   set pair = data in A * B      size n_pair,  set pair = 1 .. n_pair,
 *                                 param pair.1[pair] in A,  param pair.2[pair] in B
 *   (i, j) in pair                a variable called "(i,j)" in pair,
 *                                 with pair.1 of it for i, and pair.2 of it for j
 *
 * So the stages after the parser handle only sizes, ranges and arrays of indices.
 */
#ifndef SIDEWINDER_LANGUAGE_DATA_SETS_H
#define SIDEWINDER_LANGUAGE_DATA_SETS_H

#include "language/syntax.h"

/* Returns the tree with these statements replaced. Reports a set of tuples that is not a product of
 * sets. */
const syntax_tree *data_extend(arena *a, diagnostics *d, const syntax_tree *tree);

#endif
