/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * row_sums.h -- matrices whose entries are sums of products of derivatives, row by row.
 */
#ifndef SIDEWINDER_WITNESS_ROW_SUMS_H
#define SIDEWINDER_WITNESS_ROW_SUMS_H

#include "witness/session.h"

/* Row i is g_i,zz v, with the v of the session's point. */
void row_sums_jac_along(session *s, digits *e);

/* C_ij = {g_i, g_j} and N_ij = {rho_i, g_j}. */
void row_sums_coisotropy(session *s, digits *e);
void row_sums_nondegeneracy(session *s, digits *e);

#endif
