/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * baoab.c -- constrained Langevin dynamics, g-BAOAB (B. Leimkuhler and C. Matthews, Proc. R. Soc. A
 * 472, 2016):
 *
 *   dq = H_p dt,   dp = -H_q dt - Dg(q)^T dlambda - gamma p dt + sqrt(2 gamma kT) M^{1/2} dW,
 *   g(q) = 0,
 *
 * with a constant mass matrix M = H_pp^{-1}.  A step is B A O A B:
 *
 *   B   p <- p - h/2 H_q(q)
 *   A   q <- q + h/2 H_p(p),   g(q) = 0 at its end
 *   O   p <- c p + sqrt(kT (1 - c^2)) M^{1/2} xi,   c = exp(-gamma h),   xi ~ N(0, 1)   (noise.h)
 *
 * In the article, each of them ends with a projection of p onto the cotangent space, p - Dg(q)^T
 * sigma.  B and O leave q alone and map fibres to fibres, so the multipliers of the next A, or of
 * the projection at the end of the step, contain their projections.  Four solves thus give the ends
 * of the article's step.  If step/holonomic.h applies, sim/heat.c takes the same step in two
 * halves.
 *
 * The method keeps the distribution exp(-H/kT) on M^H with an error O(h^2).  Distributions of
 * positions are those of exp(-V/kT) times the measure of M in the metric of M^H, without the factor
 * sqrt(det N) of stiff springs (docs/sampling.md).
 */
#include "methods/methods.h"

static const double half[] = {0.5};
static const double zero[] = {0.0};

static const sw_tableau kick_drift = {"kick-drift", 1, zero, half, half, half};
static const sw_tableau drift_kick = {"drift-kick", 1, half, half, zero, half};

const sw_method sw_method_baoab = {
    .name = "baoab",
    .what = "Langevin dynamics in a heat bath; for g(q), constant mass",
    .operation = {{.kind = SW_FIBRE},
                  {.kind = SW_BASE},
                  {.kind = SW_REQUIRE_G},
                  {.kind = SW_FIBRE},
                  {.kind = SW_REQUIRE_RHO},
                  {.kind = SW_NOISE},
                  {.kind = SW_FIBRE},
                  {.kind = SW_BASE, .tableau = &drift_kick},
                  {.kind = SW_REQUIRE_G},
                  {.kind = SW_FIBRE},
                  {.kind = SW_REQUIRE_RHO}},
    .needs = SW_NEEDS_HOLONOMIC | SW_NEEDS_CONSTANT_MASS | SW_NEEDS_BATH,
    .tableau = &kick_drift,
    .order = 2,
    .on_hidden = 1,
    .multiplier = {1.0, 1.0, 1.0, 1.0},
};
