/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/lyapunov_exponents.h -- Lyapunov exponents of a method's map along one trajectory.
 *
 * The exact derivative D of each step transports n directions, which are then orthonormalised,
 *
 *   D V = V' R,   lambda_i = (1/T) sum log R_ii        (G. Benettin, L. Galgani, A. Giorgilli,
 *                                                      J.-M. Strelcyn, Meccanica 15, 1980)
 *
 * The directions are tangent to M^H. (For SHAKE they lie in subspaces on M that the derivative maps
 * to each other; for energy-momentum they are projected after every step.) There are therefore 2(d
 * - m) exponents, in descending order. In the limit they form pairs +-lambda with sum zero. The sum
 * is checked before the limit: D preserves the symplectic volume of all 2(d - m) directions, so
 *
 *   sum_i log R_ii  =  log vol(V_0) - log vol(V_T),   vol(V) = sqrt |det( omega(v_i, v_j) )|,
 *
 * where omega is the form that the method preserves (checks/symplectic.h).
 */
#ifndef SIDEWINDER_CHECKS_LYAPUNOV_EXPONENTS_H
#define SIDEWINDER_CHECKS_LYAPUNOV_EXPONENTS_H

#include "sidewinder/sim.h"

typedef struct sw_lyapunov {
  sw_sim *sim;
  int n;
  int all;        /* the number of exponents, 2(d - m), with m independent constraints */
  double h;       /* size of the last step */
  double time;    /* T; its sign is that of h */
  double *V;      /* n times 2d values: orthonormal */
  double *logs;   /* n: sum of log R_ii */
  double *images; /* n times 2d values: scratch */
  double *form;   /* n x n: scratch */
  int *pivots;    /* n: scratch */
  void *memory;   /* of these arrays */
  double volume;  /* log vol(V_0); NaN unless n = all */
} sw_lyapunov;

/* The number of exponents, 2(d - m), with m independent constraints at the state. -1 if memory runs
 * out. */
int sw_lyapunov_count(sw_sim *sim);

/* Starts with n random directions, 1 <= n <= 2(d - m). Two steps of size h, which are taken but not
 * counted, make them tangent. Call sw_lyapunov_close in any case.
 * Errors: SW_ERR_ARGUMENT (n), SW_ERR_MEMORY, SW_ERR_SINGULAR (the directions became dependent),
 * and those of sw_sim_step and sw_sim_tangent. */
sw_status sw_lyapunov_open(sw_sim *sim, double h, int n, sw_lyapunov *lyapunov);
void sw_lyapunov_close(sw_lyapunov *lyapunov);

/* Takes one more step.
 * Errors: those of sw_lyapunov_open except SW_ERR_ARGUMENT. */
sw_status sw_lyapunov_step(sw_lyapunov *lyapunov, double h);

/* Current lambda_i, i = 0 .. n-1; NaN before the first step. */
double sw_lyapunov_exponent(const sw_lyapunov *lyapunov, int i);

/* sum_i lambda_i minus the part explained by the change of vol(V): zero up to round-off. NaN unless
 * n = all. */
double sw_lyapunov_sum_defect(sw_lyapunov *lyapunov);

/* max |lambda_i + lambda_{n-1-i}|, NaN unless n = all. */
double sw_lyapunov_pairing(const sw_lyapunov *lyapunov);

#endif
