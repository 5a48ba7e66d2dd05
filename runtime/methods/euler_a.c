/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * euler_a.c -- symplectic Euler with implicit momenta (paper 000, section 5.1.3).
 *
 *   p1 = p - h H_q(q,p1),   q1 = q + h H_p(q,p1)
 *
 * Order 1, symplectic; its adjoint is euler-b.  Explicit if H is separable, since H_q then does not
 * depend on p1.
 */
#include "methods/bases.h"

static const double A[] = {0.0};
static const double A_hat[] = {1.0};
static const double b[] = {1.0};

const sw_base sw_base_euler_a = {
    .tableau = {"euler-a", 1, A, b, A_hat, b},
    .what = "symplectic Euler, p implicit",
    .order = 1,
};
