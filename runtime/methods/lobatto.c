/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lobatto.c -- Lobatto IIIA-IIIB with constraint forces in the stages, for constraints g(q) = 0 (L.
 * Jay, Symplectic partitioned Runge-Kutta methods for constrained Hamiltonian systems, SIAM J.
 * Numer. Anal. 33, 1996, 368-387; Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd
 * ed., section VII.1.4):
 *
 *   Q_i = q + h sum_j a_ij H_p(Q_j,P_j)
 *   P_i = p - h sum_j a^_ij (H_q(Q_j,P_j) + Dg(Q_j)^T lambda_j),   g(Q_i) = 0,     q1 = Q_s
 *   p1  = p - h sum_j b_j (H_q(Q_j,P_j) + Dg(Q_j)^T lambda_j)  with rho(q1,p1) = 0.
 *
 * As Q_1 = q and a^_i1 = b_1, the force of the first stage is an impulse at the start, Gamma_{h mu}
 * with mu = b_1 lambda_1.  The force of the last stage acts on p1 alone, like the slide of RATTLE.
 * With two stages the method is RATTLE over Verlet.  With s stages it has order 2s - 2 in positions
 * and momenta, and is symplectic and symmetric.  Its multipliers are sum_j b_j lambda_j.
 *
 * RATTLE over the same base method is a different method, of order 2: its impulses act at the ends
 * only.
 */
#include "methods/methods.h"

const sw_method sw_method_lobatto = {
    .name = "lobatto",
    .what = "Lobatto IIIA-IIIB with g(Q_i) = 0 at all stages; for g(q)",
    .operation = {{.kind = SW_FIBRE},
                  {.kind = SW_FORCED},
                  {.kind = SW_REQUIRE_G},
                  {.kind = SW_FIBRE},
                  {.kind = SW_REQUIRE_RHO}},
    .needs = SW_NEEDS_HOLONOMIC | SW_NEEDS_LOBATTO,
    .base = "lobatto-4",
    .on_hidden = 1,
    .has_inverse = 1,
    .multiplier = {1.0, 1.0},
};
