/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * witness.h -- the table of values that a program's `verify` compares the generated C with.
 *
 *   jet.c, monomial.c, taylor.c, elementary.c   Taylor arithmetic in balls
 *   tree.c, tree_indices.c          formulas of the checked model, from its syntax tree
 *   session.c, row_sums.c           H, g and rho at a point, and sums of their derivatives
 *   quantities.c                    the functions of a model, by their definitions
 *   field.c, slide.c                the fibre flow, as the solution of its equation
 *   digits.c                        30 digits that are certain
 *   points.c                        where
 *   fits.c                          at what sizes there is a model
 *   polynomial_tree.c               what is written as a polynomial
 *
 * Nothing here uses expressions of GiNaC or of codegen/expr, or what evaluates a model elsewhere: what the table and
 * the C have in common is the parser and the checker.
 */
#ifndef SIDEWINDER_WITNESS_WITNESS_H
#define SIDEWINDER_WITNESS_WITNESS_H

#include "common/arena.h"
#include "model/model.h"
#include "sidewinder/witness.h"

/* At the model's own sizes, or, where the sizes are run-time values, at two choices of small ones at which every
 * family has some instances.  with_rates: with accelerations, or what a model with loops has in their place, which the C then has, too.
 * The work is bounded: large models have fewer points, and what would take too
 * long is left out with that reason. */
const sw_witness *witness_create(arena *a, const model *m, int is_looped, int with_rates,
                                 const char *digest);

#endif
