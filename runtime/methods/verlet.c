/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verlet.c -- Stormer-Verlet, euler-b o euler-a with h/2 each (paper 000, section 5.1.3).  The
 * method is Lobatto IIIA-IIIB with two stages (Hairer, Lubich, Wanner, Geometric Numerical
 * Integration, 2nd ed., section II.2.2).
 *
 *   P  = p - h/2 H_q(q,P)
 *   q1 = q + h/2 (H_p(q,P) + H_p(q1,P))
 *   p1 = P - h/2 H_q(q1,P)
 *
 * Order 2, symplectic, symmetric.  Explicit if H is separable; the last force of a step is then the
 * first force of the next one.
 */
#include "methods/bases.h"

static const double A[] = {0.0, 0.0, 0.5, 0.5};
static const double A_hat[] = {0.5, 0.0, 0.5, 0.0};
static const double b[] = {0.5, 0.5};

const sw_base sw_base_verlet = {
    .tableau = {"verlet", 2, A, b, A_hat, b},
    .what = "Stormer-Verlet",
    .order = 2,
};
