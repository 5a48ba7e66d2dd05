/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * witness.h -- the table of reference values with which a program's `verify` compares the generated
 * C.
 *
 *   jet.c, elementary.c             Taylor arithmetic in balls
 *   tree.c, tree_indices.c          formulas of the checked model, evaluated on its syntax tree
 *   tree_lagrangian.c               H of a model that is given by a Lagrangian
 *   quantities.c                    H, g and rho at a point; all functions, by their definitions,
 *                                   to 30 certain digits
 *   sizes.c                         the choice of sizes; whether the model exists at given sizes
 *   witness.c                       the choice of points; the table
 *
 * This folder uses neither GiNaC nor codegen/expr, nor any other code that evaluates a model. The
 * table and the generated C share only the parser and the checker.
 */
#ifndef SIDEWINDER_WITNESS_WITNESS_H
#define SIDEWINDER_WITNESS_WITNESS_H

#include "common/arena.h"
#include "model/model.h"
#include "sidewinder/witness.h"

/* Computes the table of a model. If the sizes are run-time values, the table covers two choices of
 * small sizes at which as many families as possible have instances; otherwise it covers the model's
 * own sizes. with_rates: also tabulate accelerations, or the corresponding functions of a model
 * with loops. The C then has them. The work is bounded: large models have fewer points. A function
 * that would take too much work is left out, with this reason in `missing`. */
const sw_witness *witness_create(arena *a, const model *m, int is_looped, int with_rates,
                                 const char *digest);

/* ---- sizes.c ---- */

/* Number of cases of a looped model. */
enum { WITNESS_CASES = 2 };

/* Chooses up to WITNESS_CASES models at small sizes; returns their number. */
int witness_small_models(arena *a, const model *m, const model *chosen[WITNESS_CASES]);

/* Adds trials: whether the model exists if all its sizes have the same small value. */
void witness_try_sizes(arena *a, const model *m, sw_witness *w);

/* Returns the sizes followed by the sample's values in the arrays of indices at these sizes:
 * *n_given numbers. */
const long *witness_given(arena *a, const model *m, const long sizes[], int *n_given);

#endif
