/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * triple_jump_6.c -- a composition of order 6 with 3 steps of a symmetric method of order 4: c =
 * (a, 1 - 2a, a) with a = 1/(2 - 2^(1/5)), so that sum c_i^5 = 0 (H. Yoshida, Phys. Lett. A 150,
 * 1990).
 */
#include "methods/compositions.h"

#define A 1.17467175808936338449507

static const double factor[] = {A, 1.0 - 2.0 * A, A};

const sw_composition sw_composition_triple_jump_6 = {
    .name = "triple-jump-6",
    .what = "order 6 over order 4; 3 substeps, the longest 1.35 h",
    .order = 6,
    .of_order = 4,
    .n = 3,
    .factor = factor,
};
