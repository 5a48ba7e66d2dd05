/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * index1.c -- a symplectic Runge-Kutta method applied to an index-1 system itself (R. I. McLachlan,
 * K. Modin, O. Verdier, M. Wilkins, Symplectic integrators for index 1 constraints, SIAM J. Sci.
 * Comput. 35, 2013, arXiv 1207.4250):
 *
 *   Q_i = q + h sum_j a_ij H_p(Q_j,P_j,B_j),   P_i = p - h sum_j a^_ij H_q(Q_j,P_j,B_j),
 *   q1  = q + h sum_j b_j H_p(Q_j,P_j,B_j),    p1  = p - h sum_j b_j H_q(Q_j,P_j,B_j),
 *   H_beta(Q_i,P_i,B_i) = 0,                   H_beta(q1,p1,beta1) = 0.
 *
 * In the phase space where beta is a momentum and its position alpha is held at 0, these are stages
 * with constraint forces.  The slope of alpha is H_beta, so alpha = 0 at all stages is H_beta = 0
 * at all stages if A is invertible, and alpha1 = 0 follows.  The forces move the B_i alone, to any
 * values if A^ is invertible.  A slide along the fibre then solves for beta1.
 *
 * A Gauss method with s stages and alpha = 0 at all of them leads from alpha = e to (-1)^s e, so
 * rounding errors of alpha would add up.  Therefore alpha_i = (1 - c_i) alpha, which is 0 on M and
 * makes alpha1 = 0 from any start.
 *
 * The step is the base method's for the Hamiltonian H(q,p,B(q,p)), where B is the root of H_beta.
 * So it has the base method's order in q, p and beta, is symplectic if the base method is, and does
 * not depend on the beta that it starts from.  A canonical linear change of variables turns all
 * constraints that are linear in the positions into alpha = 0.  The multiplier of an algebraic
 * variable's constraint is (beta1 - beta)/h.
 */
#include "methods/methods.h"

const sw_method sw_method_index1 = {
    .name = "index1",
    .what = "the base method with H_beta = 0 at all stages; for linear g(q)",
    .operation = {{.kind = SW_FORCED, .closes = 1},
                  {.kind = SW_REQUIRE_G},
                  {.kind = SW_FIBRE},
                  {.kind = SW_REQUIRE_RHO}},
    .needs = SW_NEEDS_HOLONOMIC | SW_NEEDS_LINEAR | SW_NEEDS_INVERTIBLE,
    .base = "gauss-4",
    .on_hidden = 1,
    .has_inverse = 1,
    .multiplier = {1.0, 1.0},
};
