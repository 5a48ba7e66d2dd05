/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kahan_li_8.c -- a composition of order 8 with 17 steps (W. Kahan, R.-C. Li, Composition constants
 * for raising the orders of unconventional schemes for ordinary differential equations, Math.
 * Comp. 66, 1997; also Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd ed., section
 * V.3.2).
 */
#include "methods/compositions.h"

#define C1 0.13020248308889008087881763
#define C2 0.56116298177510838456196441
#define C3 (-0.38947496264484728640807860)
#define C4 0.15884190655515560089621075
#define C5 (-0.39590389413323757733623154)
#define C6 0.18453964097831570709183254
#define C7 0.25837438768632204729397911
#define C8 0.29501172360931029887096624
#define C9 (-0.60550853383003451169892108)

static const double factor[] = {C1, C2, C3, C4, C5, C6, C7, C8, C9, C8, C7, C6, C5, C4, C3, C2, C1};

const sw_composition sw_composition_kahan_li_8 = {
    .name = "kahan-li-8",
    .what = "order 8, 17 substeps, the longest 0.61 h",
    .order = 8,
    .of_order = 2,
    .n = 17,
    .factor = factor,
};
