/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/noise.h -- the noise of a heat bath: the exact solution over a time h, without constraints,
 * of dp = -gamma p dt + sqrt(2 gamma kT) M^{1/2} dW with a constant M = H_pp^{-1},
 *
 *   p <- c p + sqrt(kT (1 - c^2)) M^{1/2} xi,   c = exp(-gamma h),   xi ~ N(0, 1),
 *
 * which keeps the distribution exp(-p.H_pp.p/(2 kT)).  With the Cholesky factorisation H_pp = L
 * L^T, M^{1/2} xi = L^{-T} xi.
 *
 * Followed by a projection p - Dg(q)^T sigma onto rho = 0, it keeps the same distribution on M^H if
 * c and kT are multiples of 1 there.  Momenta that H_pp or a constraint couples must therefore have
 * the same gamma and kT.
 *
 * xi follows from the counter-based generator Philox4x64-10 (J. K. Salmon, M. A. Moraes, R. O.
 * Dror, D. E. Shaw, SC11) and the transform of Box and Muller.  The key is the seed, and the
 * counter is (t0, n, trajectory, i/4) for coordinate i of a state at t0 + n h.  The noise after a
 * state thus depends on these alone: not on threads, processes, the order of trajectories, or
 * restarts.
 */
#ifndef SIDEWINDER_STEP_NOISE_H
#define SIDEWINDER_STEP_NOISE_H

#include "model/mass.h"

typedef struct sw_noise_key {
  double t0;
  double n;
  double seed;
  double trajectory;
} sw_noise_key;

/* Reasons to reject a bath or a step with noise. */
typedef enum sw_noise_fault {
  SW_NOISE_GOOD,
  SW_NOISE_VALUE,    /* kT or gamma of a coordinate is negative or not finite */
  SW_NOISE_NO_MASS,  /* its row of H_pp is not that of a positive definite matrix */
  SW_NOISE_NOT_EVEN, /* H_p at p = 0 is not 0: H is not even in this momentum */
  SW_NOISE_COUPLED,  /* two coupled coordinates differ in kT or gamma */
  SW_NOISE_BACKWARDS /* h < 0 */
} sw_noise_fault;

typedef struct sw_noise {
  const sw_system *system;
  const double *k;
  sw_mass mass;
  int is_known;  /* 1 if the members from k_of on belong to the parameters k_of */
  double *k_of;  /* nk */
  int degrees;   /* number of momenta with a mass */
  double *H_pp;  /* values of H_pp */
  double *given; /* scratch of sw_mass_values */
  double *bath;  /* 2d: kT, gamma */
  double *root;  /* rows of L, row i from column first[i] on; d values 1/L_ii if H_pp is diagonal */
  int *first;    /* d; NULL if H_pp is diagonal */
  size_t *start; /* d: index in root of L_ii */
  double *xi;    /* 2d: scratch */
  double *z;     /* 2d: the state after the noise */
  int fault_at[2]; /* the coordinates of a fault */
  void *block;     /* memory of the arrays of doubles */
} sw_noise;

/* Creates the noise of the model's bath with these parameters, which must outlive it like the
 * system. On failure *noise is NULL.  Errors: SW_ERR_MEMORY. */
sw_status sw_noise_create(const sw_system *system, const double k[], sw_noise **noise);
void sw_noise_free(sw_noise **noise);

/* Writes the state z after the noise over a time h to noise->z. */
sw_noise_fault sw_noise_apply(sw_noise *noise, double h, const sw_noise_key *key, const double z[]);

/* The number of momenta with a mass; 0 if there is a fault. */
int sw_noise_degrees(sw_noise *noise, const double z[]);

/* p.H_pp.p of the state z, once the noise has been applied.  Its mean is kT times the number of
 * degrees of freedom. */
double sw_noise_heat(sw_noise *noise, const double z[]);

#endif
