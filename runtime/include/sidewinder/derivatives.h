/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/derivatives.h -- more exact derivatives of a step: its transpose, and those with
 * respect to the parameters and the step size.
 *
 * The functions extend sw_sim_tangent (sidewinder/sim.h).  They also compute the step from the
 * current state without committing it: state, time, lambda and statistics do not change.  They
 * allocate and free scratch memory.  N = sw_sim_n_state(sim); nk = sw_sim_nk(sim).
 */
#ifndef SIDEWINDER_DERIVATIVES_H
#define SIDEWINDER_DERIVATIVES_H

#include "sidewinder/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 1 if the functions below have the derivatives with respect to parameters: the model was generated
 * --with parameters, the base method is a tableau, and the method is not energy-momentum,
 * variational, leapfrog or bdf2. */
int sw_sim_has_parameter_tangent(const sw_sim *sim);

/* D, N x (nk + 1), column-major, for a step of size h: D[j N + i] = dz1_i/dk_j for j < nk, with
 * inputs as entries of k, and D[nk N + i] = dz1_i/dh.  The current state z0 is kept fixed.
 * The first call creates a hidden simulation, which is kept.
 * Errors: SW_ERR_ARGUMENT, SW_ERR_OPTION, SW_ERR_MEMORY, and those of sw_sim_step; D is then
 * unspecified. */
sw_status sw_sim_tangent_parameters(sw_sim *sim, double h, double D[]);

/* The transpose of the derivative of a step of size h, applied to lambda1 (N values):
 *
 *   lambda0  = (dz1/dz0)^T lambda1        N values; may be the same array
 *   gradient = gradient + (dz1/dk, dz1/dh)^T lambda1     nk + 1 values; NULL: not wanted
 *
 * For a function f(z1), lambda1 is its gradient, and lambda0 is the gradient of f(z1(z0)).  Each
 * solve F(u; z) = 0 of the step with end e(u; z) contributes
 *
 *   F_u^T mu = e_u^T lambda1,   lambda0 = e_z^T lambda1 - F_z^T mu.
 *
 * Over tableaux, the cost grows with d like that of a step.  Over flows, for energy-momentum and
 * for variational, it is that of sw_sim_tangent without its solves.  Needs sw_sim_has_tangent, and
 * for a gradient sw_sim_has_parameter_tangent.
 * Errors: SW_ERR_ARGUMENT, SW_ERR_OPTION, SW_ERR_MEMORY, and those of sw_sim_step; lambda0 is then
 * unspecified, and gradient unchanged. */
sw_status sw_sim_pullback(sw_sim *sim, double h, const double lambda1[], double lambda0[],
                          double gradient[]);

#ifdef __cplusplus
}
#endif

#endif
