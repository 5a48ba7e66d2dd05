/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * energy_momentum.c -- the energy-momentum method of O. Gonzalez, Physica D 132 (1999), equation
 * (21), for constraints that may also depend on momenta:
 *
 *   z1 = z + h J (DH(z,z1) + sum_i lambda_i Dg_i(z,z1)),  g(z1) = 0,   J f_z = (f_p, -f_q).
 *
 * Df is a discrete gradient, Df(z,z1).(z1 - z) = f(z1) - f(z), which the model provides
 * (sidewinder/model.h).  H is conserved: with D = DH + sum lambda_i Dg_i, H(z1) - H(z) +
 * lambda.(g(z1) - g(z)) = D.(z1 - z) = h D.J D = 0.  The method is a symmetric map of M, of order
 * 2, and not symplectic. rho = {g,H} is not conserved; in all known examples it stays bounded.
 */
#include "methods/methods.h"

const sw_method sw_method_energy_momentum = {
    .name = "energy-momentum",
    .what = "discrete gradients: conserves H and g, but not {g,H} = 0",
    .operation = {{.kind = SW_DISCRETE}, {.kind = SW_REQUIRE_G}},
    .needs = SW_NEEDS_DISCRETE,
    .order = 2,
    .begins_on_hidden = 1,
    .has_inverse = 1,
    .multiplier = {1.0},
};
