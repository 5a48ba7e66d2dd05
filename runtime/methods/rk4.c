/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rk4.c -- the classical Runge-Kutta method (W. Kutta, Z. Math. Phys. 46, 1901), a non-symplectic
 * control.
 *
 *       (  0   0   0  0 )
 *   a = ( 1/2  0   0  0 )    b = (1/6, 1/3, 1/3, 1/6)
 *       (  0  1/2  0  0 )
 *       (  0   0   1  0 )
 *
 * Order 4, neither symplectic nor symmetric.
 */
#include "methods/bases.h"

static const double A[] = {0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0,
                           0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0};
static const double b[] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};

const sw_base sw_base_rk4 = {
    .tableau = {"rk4", 4, A, b, A, b},
    .what = "classical Runge-Kutta",
    .order = 4,
};
