/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fits.h -- whether a model whose sizes are run-time values makes sense at some sizes.
 */
#ifndef SIDEWINDER_WITNESS_FITS_H
#define SIDEWINDER_WITNESS_FITS_H

#include "common/arena.h"
#include "model/model.h"

/* 1 if every reference in every instance of every formula is inside of its array, there is a degree of freedom, and
 * every default of a parameter is finite; 0 if one of these is not so.  -1 where it
 * would take too much work to know, or all references outside are factors of products with an empty sum, which a loop
 * with the product in its body never evaluates, or sizes alone make a divisor of mod 0 or less in what has no instance,
 * which programs with loops may refuse all the same. */
int fits_at_sizes(arena *a, const model *m, const long sizes[]);

#endif
