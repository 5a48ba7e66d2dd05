/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * midpoint.c -- the implicit midpoint rule, Gauss-Legendre with one stage.
 *
 *   Z = z + h/2 X_H(Z),   z1 = z + h X_H(Z)
 *
 * Order 2, symplectic, symmetric.  If H is separable, the positions of Z are the only unknowns.
 */
#include "methods/bases.h"

static const double A[] = {0.5};
static const double b[] = {1.0};

const sw_base sw_base_midpoint = {
    .tableau = {"midpoint", 1, A, b, A, b},
    .what = "implicit midpoint",
    .order = 2,
};
