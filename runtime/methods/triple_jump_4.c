/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * triple_jump_4.c -- a composition of order 4 with 3 steps, c = (a, 1 - 2a, a), a = 1/(2 - 2^(1/3))
 * (M. Creutz, A. Gocksch, Phys. Rev. Lett. 63, 1989; E. Forest, Technical Report, 1989; M.
 * Suzuki, Phys. Lett. A 146, 1990; H. Yoshida, Phys. Lett. A 150, 1990).
 */
#include "methods/compositions.h"

#define A 1.35120719195965763405

static const double factor[] = {A, 1.0 - 2.0 * A, A};

const sw_composition sw_composition_triple_jump_4 = {
    .name = "triple-jump-4",
    .what = "order 4, 3 substeps, the longest 1.70 h",
    .order = 4,
    .of_order = 2,
    .n = 3,
    .factor = factor,
};
