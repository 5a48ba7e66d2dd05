/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * euler.c -- the explicit Euler method, a non-symplectic control.
 *
 *   z1 = z + h X_H(z)
 *
 * Order 1, neither symplectic nor symmetric.
 */
#include "methods/bases.h"

static const double A[] = {0.0};
static const double b[] = {1.0};

const sw_base sw_base_euler = {
    .tableau = {"euler", 1, A, b, A, b},
    .what = "explicit Euler",
    .order = 1,
};
