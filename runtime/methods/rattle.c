/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rattle.c -- RATTLE (paper 000, Definition 1.4): SHAKE, followed by a slide along the last fibre
 * onto the hidden constraints:
 *
 *   z  = phi_h(Gamma_{h lambda}(z0)) with g(z) = 0,
 *   z1 = Gamma_{h sigma}(z) with rho(z1) = 0,   rho_i = {g_i,H}.
 *
 * RATTLE is a map of M^H. It has order min(r, 2) over a base method of order r, and is symplectic
 * or symmetric if phi_h is.  RATTLE over the adjoint of phi_h is its inverse (section 4).  Its
 * multipliers are lambda + sigma; over a symmetric base method, lambda and sigma both tend to half
 * of the multipliers of the differential equation.  The Jacobian of the slide at sigma = 0 is h N
 * on M, N_ij = {{g_i,H},g_j}.
 */
#include "methods/methods.h"

const sw_method sw_method_rattle = {
    .name = "rattle",
    .what = "shake, then along the fibre to a state with {g,H} = 0",
    .operation = {{.kind = SW_FIBRE},
                  {.kind = SW_BASE},
                  {.kind = SW_REQUIRE_G},
                  {.kind = SW_FIBRE},
                  {.kind = SW_REQUIRE_RHO}},
    .base = "verlet",
    .order_most = 2,
    .on_hidden = 1,
    .has_inverse = 1,
    .multiplier = {1.0, 1.0},
};
