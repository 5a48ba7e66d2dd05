/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lobatto_2.c -- Lobatto IIIA-IIIB with two stages: Stormer-Verlet (verlet.c) under the name of
 * this family (Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd ed., section II.2.2).
 *
 *   a = (  0    0  )    a^ = ( 1/2  0 )    b = (1/2, 1/2)
 *       ( 1/2  1/2 )         ( 1/2  0 )
 *
 * Order 2, symplectic, symmetric.
 */
#include "methods/bases.h"

static const double A[] = {0.0, 0.0, 0.5, 0.5};
static const double A_hat[] = {0.5, 0.0, 0.5, 0.0};
static const double b[] = {0.5, 0.5};

const sw_base sw_base_lobatto_2 = {
    .tableau = {"lobatto-2", 2, A, b, A_hat, b},
    .what = "Lobatto IIIA-IIIB, 2 stages",
    .order = 2,
};
