/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * leapfrog.c -- SHAKE as it was originally formulated (paper 002, (12)-(14)), with momenta at half
 * steps, for constraints on the positions and a constant mass matrix:
 *
 *   p_{n+1/2} = p_{n-1/2} - h (H_q(q_n) + Dg(q_n)^T lambda_n),
 *   q_{n+1}   = q_n + h H_p(p_{n+1/2}),   g(q_{n+1}) = 0.
 *
 * This is SHAKE over symplectic Euler.  The state is (q_n, p_{n-1/2}): the momenta of an output row
 * are half a step earlier than its positions, and energies computed from the row have an error
 * O(h).  The initial momenta are those at t_0, so the first step applies half of the force.  If the
 * step size changes from h to k, the force acts for (h + k)/2.
 *
 * The positions are those of RATTLE over Verlet, of order 2, and so are the velocities 1/h (q_{n+1}
 * - q_n) = H_p(p_{n+1/2}).
 */
#include "methods/methods.h"

const sw_method sw_method_leapfrog = {
    .name = "leapfrog",
    .what = "SHAKE with momenta at half steps; for g(q), constant mass",
    .operation = {{.kind = SW_FIBRE}, {.kind = SW_BASE}, {.kind = SW_REQUIRE_G}},
    .needs = SW_NEEDS_HOLONOMIC | SW_NEEDS_CONSTANT_MASS,
    .tableau = &sw_base_euler_a.tableau,
    .order = 2,
    .staggered = 1,
    .multiplier = {1.0},
};
