/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shake.c -- SHAKE (paper 000, Definition 1.3):
 *
 *   z1 = phi_h(Gamma_{h lambda}(z0)) with g(z1) = 0.
 *
 * SHAKE is a map of the fibres of M: it starts anywhere on M, and all points of a fibre have the
 * same image.  It therefore has no inverse.  Over a base method of order r this map of fibres has
 * order min(r, 2).  It preserves the presymplectic form of M if phi_h is symplectic.  Its
 * multipliers are lambda.
 */
#include "methods/methods.h"

const sw_method sw_method_shake = {
    .name = "shake",
    .what = "along the fibre, then a base-method step to a state with g = 0",
    .operation = {{.kind = SW_FIBRE}, {.kind = SW_BASE}, {.kind = SW_REQUIRE_G}},
    .base = "verlet",
    .order_most = 2,
    .multiplier = {1.0},
};
