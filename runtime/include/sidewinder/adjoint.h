/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/adjoint.h -- the gradient of a loss over a trajectory.
 *
 *   L = sum_{j=0..n} l_j(z_j),   z_{j+1} = Phi(z_j; h, k, u_j)
 *
 * for n steps of the method, from the state of a simulation. Backwards through the steps, with the
 * exact derivatives of the step (sw_sim_pullback),
 *
 *   lambda_n = dl_n/dz,   lambda_j = dl_j/dz + (dPhi/dz_j)^T lambda_{j+1},
 *   dL/dz_0 = lambda_0,   dL/dk = sum_j (dPhi/dk)^T lambda_{j+1},   likewise h and u_j.
 *
 * This is the gradient of the computed L, up to rounding and the tolerance of the solves: the
 * discrete adjoint. The backward pass needs the states in reverse order. Between `checkpoints` kept
 * states, it computes them again in the schedule of Griewank and Walther (ACM TOMS 26, 2000,
 * Algorithm 799), which needs the fewest forward steps for that memory.
 */
#ifndef SIDEWINDER_ADJOINT_H
#define SIDEWINDER_ADJOINT_H

#include "sidewinder/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The loss l_j(z): writes its value, and adds its derivative to the 2d values of `gradient`, which
 * are 0. It is called once for each step j = n, n-1, .., 0, with *value = 0; a step without a loss
 * changes neither. A nonzero result ends the computation with SW_ERR_STOPPED. */
typedef int sw_loss(void *user, long step, double t, const double z[], double *value,
                    double gradient[]);

/* Writes the inputs u_j (sw_sim_set_inputs) of the step from z_j to z_{j+1}. It is called several
 * times for the same step and must give the same values. Nonzero: as for a loss. */
typedef int sw_inputs_of_step(void *user, long step, double u[]);

typedef struct sw_trajectory {
  double h;   /* step size */
  long steps; /* n >= 0 */
  /* largest number of kept states, including z_0, at least 1; each has the size of a saved state
   * (sw_sim_save). n + 1 or more: no step is computed again */
  long checkpoints;
  sw_loss *loss;
  sw_inputs_of_step *inputs; /* NULL: the inputs of the simulation, for all steps */
  void *user;                /* argument of both functions */
} sw_trajectory;

/* Arrays of the caller for the derivatives; NULL: not wanted. */
typedef struct sw_gradient {
  double value; /* L */
  double *z0;   /* dL/dz_0, sw_sim_n_state(sim) values */
  /* dL/dk, nk values, without the dependence of z_0 on k. An entry of an input is the sum of its
   * derivatives over all steps */
  double *k;
  double *h;          /* dL/dh, 1 value */
  double *u;          /* dL/du_j, `steps` rows of sw_sim_n_inputs values */
  long forward_steps; /* steps computed forward; equals sw_gradient_forward_steps after success */
} sw_gradient;

/* Computes L and its derivatives. k, h and u need a model with derivatives along its parameters
 * (sw_sim_has_parameter_tangent). The simulation does not change: it is again in the state z_0, and
 * has its inputs and statistics of before. Allocates and frees memory. After a failure, the
 * derivatives are unspecified.
 * Errors: SW_ERR_ARGUMENT, SW_ERR_OPTION (no derivatives), SW_ERR_PARAMETER (an input outside its
 * bounds), SW_ERR_STOPPED, SW_ERR_MEMORY, SW_ERR_NOT_FINITE, and those of sw_sim_step. */
sw_status sw_sim_gradient(sw_sim *sim, const sw_trajectory *trajectory, sw_gradient *gradient);

/* The number of forward steps for a trajectory of n steps and c checkpoints,
 *
 *   r l - C(c+r, c+1),   l = n + 1 states,   C(c+r-1, c) < l <= C(c+r, c),
 *
 * without those within the n steps of the backward pass. -1 if n < 0 or c < 1; LONG_MAX
 * if it does not fit. */
long sw_gradient_forward_steps(long steps, long checkpoints);

#ifdef __cplusplus
}
#endif

#endif
