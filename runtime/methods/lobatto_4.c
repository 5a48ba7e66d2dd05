/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lobatto_4.c -- Lobatto IIIA-IIIB with three stages: IIIA for the positions, IIIB for the momenta
 * (Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd ed., section II.2.2).
 *
 *   a = (  0     0     0   )    a^ = ( 1/6  -1/6  0 )    b = (1/6, 2/3, 1/6)
 *       ( 5/24  1/3  -1/24 )         ( 1/6   1/3  0 )
 *       ( 1/6   2/3   1/6  )         ( 1/6   5/6  0 )
 *
 * Order 4, symplectic, symmetric.  If H is separable, the positions of the second stage are the
 * only unknowns.
 */
#include "methods/bases.h"

static const double A[] = {0.0,         0.0,       0.0,       5.0 / 24.0, 1.0 / 3.0,
                           -1.0 / 24.0, 1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0};
static const double A_hat[] = {1.0 / 6.0, -1.0 / 6.0, 0.0,       1.0 / 6.0, 1.0 / 3.0,
                               0.0,       1.0 / 6.0,  5.0 / 6.0, 0.0};
static const double b[] = {1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0};

const sw_base sw_base_lobatto_4 = {
    .tableau = {"lobatto-4", 3, A, b, A_hat, b},
    .what = "Lobatto IIIA-IIIB, 3 stages",
    .order = 4,
};
