/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * euler_b.c -- symplectic Euler with implicit positions (paper 000, section 5.1.3).
 *
 *   q1 = q + h H_p(q1,p),   p1 = p - h H_q(q1,p)
 *
 * Order 1, symplectic; its adjoint is euler-a.  Explicit if H is separable, since H_p then does not
 * depend on q1.
 */
#include "methods/bases.h"

static const double A[] = {1.0};
static const double A_hat[] = {0.0};
static const double b[] = {1.0};

const sw_base sw_base_euler_b = {
    .tableau = {"euler-b", 1, A, b, A_hat, b},
    .what = "symplectic Euler, q implicit",
    .order = 1,
};
