/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data_sets.h -- sets whose elements a run is given, as ranges up to sizes; tuples, as arrays of indices.
 *
 *   set bond = data               size n_bond,  set bond = 1 .. n_bond
 *   set pair = data in A * B      size n_pair,  set pair = 1 .. n_pair,  param pair.1[pair] in A,  param pair.2[pair] in B
 *   (i, j) in pair                a variable called "(i,j)" in pair, and pair.1 of it for i, pair.2 of it for j
 *
 * So what is behind the parser knows sizes, ranges and arrays of indices alone.
 */
#ifndef SIDEWINDER_LANGUAGE_DATA_SETS_H
#define SIDEWINDER_LANGUAGE_DATA_SETS_H

#include "language/syntax.h"

/* The tree with these in the place of what is written; reports sets of tuples that are not made of sets. */
const syntax_tree *data_extend(arena *a, diagnostics *d, const syntax_tree *tree);

#endif
