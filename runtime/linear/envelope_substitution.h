/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linear/envelope_substitution.h -- x <- A^{-1} x with the factors of an envelope, part by part.
 */
#ifndef SIDEWINDER_LINEAR_ENVELOPE_SUBSTITUTION_H
#define SIDEWINDER_LINEAR_ENVELOPE_SUBSTITUTION_H

#include "linear/envelope_layout.h"
#include "linear/row_maker.h"

/* As sw_envelope_solve_and_use. */
void sw_substitute(sw_envelope *envelope, double x[], const sw_solution_user *user);

#endif
