/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/envelope_substitution.h -- x <- A^{-1} x with the factors of an envelope, part by part.
 */
#ifndef SIDEWINDER_LINEAR_ENVELOPE_SUBSTITUTION_H
#define SIDEWINDER_LINEAR_ENVELOPE_SUBSTITUTION_H

#include "linear/envelope_layout.h"

/* Computes the components of L^{-1} b before this row of a part; b is in the order of A's rows.
 * Returns the last component, or 0 if there is none. */
double sw_substitute_up_to(sw_envelope *envelope, const double b[], int part, int row);

/* x <- A^{-1} x. */
void sw_substitute(sw_envelope *envelope, double x[]);

#endif
