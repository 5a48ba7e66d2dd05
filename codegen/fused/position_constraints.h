/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/position_constraints.h -- g(q) and its derivatives at positions x, as values. x has 2d
 * entries; the first d are used.
 */
#ifndef SIDEWINDER_FUSED_POSITION_CONSTRAINTS_H
#define SIDEWINDER_FUSED_POSITION_CONSTRAINTS_H

#include "fused/composer.h"

/* sum += Dg(x)^T weight; d entries. */
void constraints_add_pulls(composer *c, const ir_expr *const x[], const ir_expr *const weight[],
                           const ir_expr *sum[]);

/* Dg_i(x) u. */
const ir_expr *constraints_slope_along(composer *c, const ir_expr *const x[], int i,
                                       const ir_expr *const u[]);

/* sum += D^2(weight.g)(x) u. */
void constraints_add_bent(composer *c, const ir_expr *const x[], const ir_expr *const weight[],
                          const ir_expr *const u[], const ir_expr *sum[]);

/* Solves (1 + D^2(theta.g)(x)) mu^ + Dg(x)^T zeta = mu, Dg(x) mu^ = 0 for mu^. */
const ir_expr **constraints_straightened(composer *c, const ir_expr *const x[],
                                         const ir_expr *const theta[], const ir_expr *const mu[]);

#endif
