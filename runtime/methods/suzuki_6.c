/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * suzuki_6.c -- a composition of order 6 with 5 steps of a symmetric method of order 4: c = (a, a,
 * 1 - 4a, a, a) with a = 1/(4 - 4^(1/5)), so that sum c_i^5 = 0 (M. Suzuki, Phys. Lett. A 146,
 * 1990).
 */
#include "methods/compositions.h"

#define A 0.373065827733272824775863

static const double factor[] = {A, A, 1.0 - 4.0 * A, A, A};

const sw_composition sw_composition_suzuki_6 = {
    .name = "suzuki-6",
    .what = "order 6 over order 4; 5 substeps, the longest 0.49 h",
    .order = 6,
    .of_order = 4,
    .n = 5,
    .factor = factor,
};
