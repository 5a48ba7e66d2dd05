/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * row_sums.h -- matrices whose entries are sums of products of derivatives, row by row.
 */
#ifndef SIDEWINDER_WITNESS_ROW_SUMS_H
#define SIDEWINDER_WITNESS_ROW_SUMS_H

#include "witness/session.h"

/* Row i is g_i,zz v, with the v of the session's point. */
void row_sums_jac_along(session *s, digits *e);

/* {a_i, g_j} for all i and j: C with g for a, N with rho. */
void row_sums_brackets(session *s, const jet *const a[], digits *e);

#endif
