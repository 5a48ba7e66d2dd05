/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/lyapunov_exponents.h -- Lyapunov exponents of a method's map along one trajectory.
 *
 * n directions are carried along by the exact derivative D of every step, and made orthonormal again after
 * it,
 *
 *   D V = V' R,   lambda_i = (1/T) sum log R_ii        (G. Benettin, L. Galgani, A. Giorgilli, J.-M. Strelcyn,
 *                                                      Meccanica 15, 1980)
 *
 * The directions are tangent to M^H (for SHAKE: to a space on M that its derivative maps to one such space
 * after the other; for energy-momentum: because they are projected there after every step), so that there are 2(d - m)
 * exponents, in descending order.  Their sum is zero and they
 * are pairs +-lambda, in the limit.  The sum is checked before the limit: D keeps the symplectic volume of
 * all 2(d - m) directions, so
 *
 *   sum_i log R_ii  =  log vol(V_0) - log vol(V_T),   vol(V) = sqrt |det( omega(v_i, v_j) )|,
 *
 * omega being the form that the method keeps (checks/symplectic.h).
 */
#ifndef SIDEWINDER_CHECKS_LYAPUNOV_EXPONENTS_H
#define SIDEWINDER_CHECKS_LYAPUNOV_EXPONENTS_H

#include "sidewinder/sim.h"

typedef struct sw_lyapunov {
  sw_sim *sim;
  int n;
  int all;        /* 2(d - m), with the number m of independent constraints: how many there are */
  double h;       /* of the last step */
  double time;    /* T; has the sign of h */
  double *V;      /* n times 2d values: orthonormal */
  double *logs;   /* n: sum of log R_ii */
  double *images; /* n times 2d values: scratch */
  double *form;   /* n x n: scratch */
  int *pivots;    /* n: scratch */
  double volume;  /* log vol(V_0); NaN unless n = all */
} sw_lyapunov;

/* How many exponents there are: 2(d - m), with the number m of constraints that are independent at the state.  -1 without memory. */
int sw_lyapunov_count(sw_sim *sim);

/* Starts with n random directions, 1 <= n <= 2(d - m), carried along by two steps of size h, which are taken
 * and do not count.  sw_lyapunov_close is to be called in every case.  Errors: SW_ERR_ARGUMENT (n),
 * SW_ERR_MEMORY, SW_ERR_SINGULAR (the directions became dependent), and those of sw_sim_step and
 * sw_sim_tangent. */
sw_status sw_lyapunov_open(sw_sim *sim, double h, int n, sw_lyapunov *lyapunov);
void sw_lyapunov_close(sw_lyapunov *lyapunov);

/* One more step.  Errors: the same, but SW_ERR_ARGUMENT. */
sw_status sw_lyapunov_step(sw_lyapunov *lyapunov, double h);

/* lambda_i as of now, i = 0 .. n-1; NaN before the first step. */
double sw_lyapunov_exponent(const sw_lyapunov *lyapunov, int i);

/* sum_i lambda_i, less what the change of vol(V) explains: zero but for round-off.  NaN unless n = all. */
double sw_lyapunov_sum_defect(sw_lyapunov *lyapunov);

/* max |lambda_i + lambda_{n-1-i}|, NaN unless n = all. */
double sw_lyapunov_pairing(const sw_lyapunov *lyapunov);

#endif
