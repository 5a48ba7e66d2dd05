/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * suzuki_4.c -- a composition of order 4 with 5 steps, c = (a, a, 1 - 4a, a, a), a = 1/(4 -
 * 4^(1/3)) (M. Suzuki, Phys. Lett. A 146, 1990).  Its errors are much smaller than those of the
 * triple jump.
 */
#include "methods/compositions.h"

#define A 0.414490771794375737142

static const double factor[] = {A, A, 1.0 - 4.0 * A, A, A};

const sw_composition sw_composition_suzuki_4 = {
    .name = "suzuki-4",
    .what = "order 4, 5 substeps, the longest 0.66 h",
    .order = 4,
    .of_order = 2,
    .n = 5,
    .factor = factor,
};
