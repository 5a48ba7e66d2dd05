/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vs.c -- SHAKE with velocities at full steps (paper 002, (15)-(18)), for constraints on the
 * positions and a constant mass matrix:
 *
 *   p_{n+1/2} = p_n - h/2 (H_q(q_n) + Dg(q_n)^T lambda_n),
 *   q_{n+1}   = q_n + h H_p(p_{n+1/2}),   g(q_{n+1}) = 0,
 *   p_{n+1}   = p_{n+1/2} - h/2 (H_q(q_{n+1}) + Dg(q_{n+1})^T lambda_{n+1}).
 *
 * lambda_{n+1} is the multiplier of the next step.  This step must therefore solve for it, with the
 * solve of the next step up to p_{n+3/2}; then p_{n+1} = (p_{n+1/2} + p_{n+3/2})/2.  A step has two
 * solves and three evaluations of the force.
 *
 * The positions are those of RATTLE over Verlet, of order 2; the momenta differ from M^H by O(h^2).
 * The first step drops the part of p_0 along the constraint normals.  From its end on the method is
 * reversible, since p_n is then the mean of two half steps: n steps, a change of sign of p and n -
 * 1 steps lead back to the end of the first step.  The multipliers are (lambda_n + lambda_{n+1})/2.
 */
#include "methods/methods.h"

const sw_method sw_method_vs = {
    .name = "vs",
    .what = "SHAKE with momenta at full steps; for g(q), constant mass",
    .operation = {{.kind = SW_FIBRE},
                  {.kind = SW_BASE, .force = 0.5},
                  {.kind = SW_REQUIRE_G},
                  {.kind = SW_FIBRE},
                  {.kind = SW_BASE},
                  {.kind = SW_REQUIRE_G},
                  {.kind = SW_COMBINE, .combination = {.now = {0.0, 0.5}, .before = {1.0, 0.5}}}},
    .needs = SW_NEEDS_HOLONOMIC | SW_NEEDS_CONSTANT_MASS,
    .tableau = &sw_base_euler_a.tableau,
    .order = 2,
    .multiplier = {1.0, 0.5},
};
