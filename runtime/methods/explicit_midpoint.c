/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * explicit_midpoint.c -- Runge's explicit midpoint rule, a non-symplectic control.
 *
 *   Z = z + h/2 X_H(z),   z1 = z + h X_H(Z)
 *
 * Order 2, neither symplectic nor symmetric.
 */
#include "methods/bases.h"

static const double A[] = {0.0, 0.0, 0.5, 0.0};
static const double b[] = {0.0, 1.0};

const sw_base sw_base_explicit_midpoint = {
    .tableau = {"explicit-midpoint", 2, A, b, A, b},
    .what = "explicit midpoint",
    .order = 2,
};
