/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * variational.c -- a variational integrator from any one-step method (G. W. Patrick, C. Cuell, R.
 * J. Spiteri, W. Zhang, On converting any one-step method to a variational integrator of the same
 * order; "paper 004"), for constraints g(q) = 0 and an H that is quadratic in the momenta.
 *
 * The one-step method R_t is an explicit Runge-Kutta method, its adjoint, or a caller's own method;
 * it may differ for t < 0.  It is applied to q' = v, v' = A(q,v), S' = L(q,v) (paper 004, (1.2) to
 * (1.4)).  A state (q,v) defines a curve from d-(q,v) = P(R^q_{h alpha-}(q,v)) to d+(q,v) =
 * P(R^q_{h alpha+}(q,v)) with the action L_h = R^S_{h alpha+} - R^S_{h alpha-}. P projects onto {g
 * = 0}: q^ = q + Dg(q)^T theta (3.2).  Two consecutive curves are critical for the sum of their
 * actions (section 2, stage 0 of section 3):
 *
 *   d+(w1) = d-(w2),   D L_h(w1) = lambda- D d-(w1) + mu D d+(w1),
 *   D L_h(w2) = lambda+ D d+(w2) - mu D d-(w2)   on T{g = 0}.
 *
 * If the formulas contain a time t (K = H(q,p,t) + p_t), A and L depend on it explicitly, and it is
 * not varied. p_t is the derivative of the action by t (step/variational_step.h).
 *
 * The state is z = (q, p) with p = L_v(q,v), so that v = H_p(z), on M^H. The step preserves the
 * pull-back of the canonical two-form by (d+, mu), not dq ^ dp.  Its multipliers are those of the
 * equation of motion at the end of the step.
 */
#include "methods/methods.h"

const sw_method sw_method_variational = {
    .name = "variational",
    .what = "variational integrator of an explicit base method; for g(q)",
    .operation = {{.kind = SW_LEGENDRE}},
    .needs = SW_NEEDS_HOLONOMIC | SW_NEEDS_ACCELERATION,
    .base = "rk4",
    .on_hidden = 1,
    .has_inverse = 1,
    .has_bias = 1,
    .multiplier = {1.0},
};
