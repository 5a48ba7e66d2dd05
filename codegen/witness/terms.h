/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terms.h -- terms of jets as entries of a table.
 */
#ifndef SIDEWINDER_WITNESS_TERMS_H
#define SIDEWINDER_WITNESS_TERMS_H

#include "witness/session.h"

/* A term times a factor. */
void terms_add(session *s, digits *e, long row, long col, const jet_term *term, int factor);

/* Its value. */
void terms_constant(session *s, digits *e, long row, long col, const jet *a);

/* Its gradient as that row, or, where row is negative, as a column. */
void terms_gradient(session *s, digits *e, long row, const jet *a);

/* The lower triangle of its second derivatives. */
void terms_hessian(session *s, digits *e, const jet *a);

#endif
