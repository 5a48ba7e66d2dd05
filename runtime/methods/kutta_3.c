/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kutta_3.c -- Kutta's method of order 3 (W. Kutta, Z. Math. Phys. 46, 1901), a non-symplectic
 * control.
 *
 *       (  0   0  0 )
 *   a = ( 1/2  0  0 )    b = (1/6, 2/3, 1/6)
 *       ( -1   2  0 )
 *
 * Order 3, neither symplectic nor symmetric.
 */
#include "methods/bases.h"

static const double A[] = {0.0, 0.0, 0.0, 0.5, 0.0, 0.0, -1.0, 2.0, 0.0};
static const double b[] = {1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0};

const sw_base sw_base_kutta_3 = {
    .tableau = {"kutta-3", 3, A, b, A, b},
    .what = "Kutta's rule, 3 stages",
    .order = 3,
};
