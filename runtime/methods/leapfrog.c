/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * leapfrog.c -- SHAKE as it was first written (paper 002, (12)-(14)), with momenta at half steps,
 *
 *   p_{n+1/2} = p_{n-1/2} - h (H_q(q_n) + Dg(q_n)^T lambda_n),   q_{n+1} = q_n + h H_p(p_{n+1/2}),   g(q_{n+1}) = 0,
 *
 * which is SHAKE over symplectic Euler.  The state is (q_n, p_{n-1/2}): the momenta of a row are half a step behind its positions,
 * and energies that are read there are off by O(h).  The momenta of the initial state are those of t_0, so that the first step
 * takes half of the force; after a change of the step from h to k the force acts for (h + k)/2.
 *
 * The positions are those of RATTLE over Verlet, of order 2, and 1/h (q_{n+1} - q_n) = H_p(p_{n+1/2}) is the same, too.
 * For constraints on the positions and a constant mass matrix.
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
