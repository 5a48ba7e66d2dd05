/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gauss_4.c -- Gauss-Legendre with two stages, collocation at (1 -+ sqrt(3)/3)/2 (Hairer, Lubich,
 * Wanner, Geometric Numerical Integration, 2nd ed., section II.1.3).
 *
 *   a = ( 1/4               1/4 - sqrt(3)/6 )     b = (1/2, 1/2)
 *       ( 1/4 + sqrt(3)/6   1/4             )
 *
 * Order 4, symplectic, symmetric.
 */
#include "methods/bases.h"

#define ROOT_3_BY_6 0.288675134594812882

static const double A[] = {0.25, 0.25 - ROOT_3_BY_6, 0.25 + ROOT_3_BY_6, 0.25};
static const double b[] = {0.5, 0.5};

const sw_base sw_base_gauss_4 = {
    .tableau = {"gauss-4", 2, A, b, A, b},
    .what = "Gauss-Legendre, 2 stages",
    .order = 4,
};
