/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rates.h -- functions that variational integrators need: the rates of H_p and of rho along the
 * constrained field,
 *
 *   A_i = {H_{p_i},H} + sum_j lambda_j {H_{p_i},g_j},
 *   B_i = {rho_i,H} + sum_j lambda_j {rho_i,g_j},
 *
 * with derivatives by (z, lambda), and third derivatives of g (model.h). They come from jets of H
 * and g of order 4 and jets of rho of order 3.
 */
#ifndef SIDEWINDER_WITNESS_RATES_H
#define SIDEWINDER_WITNESS_RATES_H

#include "witness/session.h"

/* Adds the entries of function `what`, which is SW_WITNESS_ACCELERATION or a later one. The weights
 * are lambda and v of the point (sidewinder/witness.h). */
void rates_make(session *s, sw_witnessed what, digits *e);

#endif
