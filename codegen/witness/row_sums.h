/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * row_sums.h -- matrices whose entries are sums of products of derivatives, computed row by row.
 */
#ifndef SIDEWINDER_WITNESS_ROW_SUMS_H
#define SIDEWINDER_WITNESS_ROW_SUMS_H

#include "witness/session.h"

/* Matrix with the rows g_i,zz v, where v is the vector of the session's point. */
void row_sums_jac_along(session *s, digits *e);

/* Matrix of the brackets {a_i, g_j}. It is C if a = g, and N if a = rho. */
void row_sums_brackets(session *s, const jet *const a[], digits *e);

#endif
