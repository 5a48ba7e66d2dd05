/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rates.h -- what variational integrators take of a model: the rates of H_p and of rho along the constrained field (model.h),
 *
 *   A_i = {H_{p_i},H} + sum_j lambda_j {H_{p_i},g_j},   B_i = {rho_i,H} + sum_j lambda_j {rho_i,g_j},
 *
 * with derivatives by (z, lambda), and third derivatives of g, from jets of H and g of order 4 and of rho of order 3.
 */
#ifndef SIDEWINDER_WITNESS_RATES_H
#define SIDEWINDER_WITNESS_RATES_H

#include "witness/session.h"

/* The entries of one of SW_WITNESS_ACCELERATION and those behind it.  Weights are made of lambda and v of the point (witness.h). */
void rates_make(session *s, sw_witnessed what, digits *e);

#endif
