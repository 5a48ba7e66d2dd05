/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bdf2.c -- the two-step backward differentiation formula (paper 002, (35)-(37)), a non-symplectic
 * control, for constraints on the positions:
 *
 *   3/2 q_{n+1} - 2 q_n + 1/2 q_{n-1} =  h H_p(z_{n+1})
 *   3/2 p_{n+1} - 2 p_n + 1/2 p_{n-1} = -h (H_q(z_{n+1}) + Dg(q_{n+1})^T lambda_{n+1}),
 *   g(q_{n+1}) = 0,
 *
 * which is a step of size 2h/3 of the implicit Euler method from (4 z_n - z_{n-1})/3, with the
 * constraint force in its stage.  The state is (z_n, z_{n-1}).  If there is no z_{n-1} from a step
 * of the same size, RATTLE over Verlet makes the step.  Order 2; the method damps the energy and
 * stays on M and near M^H. The multipliers are those of the differential equation at the end of the
 * step.
 */
#include "methods/methods.h"

static const double two_thirds[] = {2.0 / 3.0};

static const sw_tableau implicit_euler = {"bdf2",     1,          two_thirds,
                                          two_thirds, two_thirds, two_thirds};

const sw_method sw_method_bdf2 = {
    .name = "bdf2",
    .what = "backward differentiation of order 2, for comparison; for g(q)",
    .operation = {{.kind = SW_COMBINE,
                   .combination = {.now = {4.0 / 3.0, 4.0 / 3.0},
                                   .earlier = {-1.0 / 3.0, -1.0 / 3.0}}},
                  {.kind = SW_FORCED},
                  {.kind = SW_REQUIRE_G}},
    .needs = SW_NEEDS_HOLONOMIC,
    .tableau = &implicit_euler,
    .order = 2,
    .earlier = 1,
    .start = &sw_method_rattle,
    .multiplier = {0.0, 1.5},
};
