/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/envelope_substitution.h -- x <- A^{-1} x with the factors of an envelope, part by part.
 */
#ifndef SIDEWINDER_LINEAR_ENVELOPE_SUBSTITUTION_H
#define SIDEWINDER_LINEAR_ENVELOPE_SUBSTITUTION_H

#include "linear/envelope_layout.h"
#include "linear/row_maker.h"

/* Begins with L^{-1} x in a part beside a border, up to this row.  Returns the last component. */
double sw_substitute_up_to(sw_envelope *envelope, double x[], int part, int row);

/* As sw_envelope_solve_and_use. */
void sw_substitute(sw_envelope *envelope, double x[], const sw_solution_user *user);

#endif
