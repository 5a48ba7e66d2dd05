/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terms.h -- terms of jets as entries of a table.
 */
#ifndef SIDEWINDER_WITNESS_TERMS_H
#define SIDEWINDER_WITNESS_TERMS_H

#include "witness/session.h"

/* Adds factor times a term as entry (row, col). */
void terms_add(session *s, digits *e, long row, long col, const jet_term *term, int factor);

/* Adds the constant term of a as entry (row, col). */
void terms_constant(session *s, digits *e, long row, long col, const jet *a);

/* Adds the gradient of a as row `row`, or as a column if row is negative. */
void terms_gradient(session *s, digits *e, long row, const jet *a);

/* Adds the lower triangle of the second derivatives of a. */
void terms_hessian(session *s, digits *e, const jet *a);

#endif
