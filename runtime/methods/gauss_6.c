/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gauss_6.c -- Gauss-Legendre with three stages, collocation at 1/2 and (1 -+ sqrt(15)/5)/2
 * (Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd ed., section II.1.3).
 *
 *       ( 5/36           2/9 - w/15   5/36 - w/30 )
 *   a = ( 5/36 + w/24    2/9          5/36 - w/24 )    w = sqrt(15)    b = (5/18, 4/9, 5/18)
 *       ( 5/36 + w/30    2/9 + w/15   5/36        )
 *
 * Order 6, symplectic, symmetric.
 */
#include "methods/bases.h"

#define ROOT_15 3.87298334620741688518

static const double A[] = {5.0 / 36.0,
                           2.0 / 9.0 - ROOT_15 / 15.0,
                           5.0 / 36.0 - ROOT_15 / 30.0,
                           5.0 / 36.0 + ROOT_15 / 24.0,
                           2.0 / 9.0,
                           5.0 / 36.0 - ROOT_15 / 24.0,
                           5.0 / 36.0 + ROOT_15 / 30.0,
                           2.0 / 9.0 + ROOT_15 / 15.0,
                           5.0 / 36.0};
static const double b[] = {5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0};

const sw_base sw_base_gauss_6 = {
    .tableau = {"gauss-6", 3, A, b, A, b},
    .what = "Gauss-Legendre, 3 stages",
    .order = 6,
};
