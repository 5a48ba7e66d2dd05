/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kahan_li_6.c -- a composition of order 6 with 9 steps (W. Kahan, R.-C. Li, Composition constants
 * for raising the orders of unconventional schemes for ordinary differential equations, Math.
 * Comp. 66, 1997; also Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd ed., section
 * V.3.2).
 */
#include "methods/compositions.h"

#define C1 0.39216144400731413927925056
#define C2 0.33259913678935943859974864
#define C3 (-0.70624617255763935980996482)
#define C4 0.08221359629355080023149045
#define C5 0.79854399093482996339895035

static const double factor[] = {C1, C2, C3, C4, C5, C4, C3, C2, C1};

const sw_composition sw_composition_kahan_li_6 = {
    .name = "kahan-li-6",
    .what = "order 6, 9 substeps, the longest 0.80 h",
    .order = 6,
    .of_order = 2,
    .n = 9,
    .factor = factor,
};
