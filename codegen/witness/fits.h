/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fits.h -- whether a model whose sizes are run-time values exists at given sizes.
 */
#ifndef SIDEWINDER_WITNESS_FITS_H
#define SIDEWINDER_WITNESS_FITS_H

#include "common/arena.h"
#include "model/model.h"

/* Whether the model exists at these sizes. 1: every reference in every instance of every formula is
 * inside its array, there is a degree of freedom, and the default of every parameter is finite. 0:
 * one of these conditions fails. -1: undecided, for one of three reasons:
 * - the decision takes too much work;
 * - all references outside an array are factors of products with an empty sum, which a loop with
 *   the product in its body never evaluates;
 * - a divisor of mod that depends on sizes alone is 0 or less in a formula without instances, and a
 *   program with loops may reject the sizes for it. */
int fits_at_sizes(arena *a, const model *m, const long sizes[]);

#endif
