/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * by_hand.h -- hand-written RATTLE over Stormer-Verlet for two models, as a lower bound for the
 * cost of the runtime's steps.
 *
 * The states are those of models/chain.sw and models/water_box.sw, z = (q, p) in the same order.
 * The equations are the same, too: each step finds both multipliers by Newton's method from zero,
 * down to round-off.  That is, until the residual is at most half a unit of round-off, scaled as in
 * the runtime, or no longer decreases.  The code uses shortcuts that a general program cannot: it
 * hard-codes the sparsity, keeps forces from one step to the next, and checks only convergence.
 */
#ifndef BENCH_BY_HAND_H
#define BENCH_BY_HAND_H

/* The accumulated cost of runs. */
typedef struct by_hand_cost {
  long
      /* Newton iterations: of the whole chain; for water, the mean over its molecules */
      iterations;
  long steps;
} by_hand_cost;

/* ---- the chain ---- */

/* Parameters of models/chain.sw. */
typedef struct by_hand_chain_model {
  int nodes; /* N >= 2 */
  double a;
  double gravity;
  double kappa;
  const double *m; /* N masses, not owned */
} by_hand_chain_model;

typedef struct by_hand_chain by_hand_chain;

/* The multipliers solve a tridiagonal system.  The pinned node is eliminated: its position and
 * momentum must be zero, and do not change.  Returns NULL if there is no memory. */
by_hand_chain *by_hand_chain_create(const by_hand_chain_model *model);
void by_hand_chain_free(by_hand_chain *chain);

/* Takes `steps` steps of size h from z: 6 N values, a point of M^H.  Adds to *cost.  Returns 0,
 * or 1 if a solve did not converge; z is then undefined. */
int by_hand_chain_run(by_hand_chain *chain, double h, long steps, double z[], by_hand_cost *cost);

/* ---- water ---- */

/* Parameters of models/water_box.sw; sites O, H1, H2. */
typedef struct by_hand_water_model {
  int molecules; /* W >= 1 */
  int forces;    /* 1: all pairs of molecules interact */
  double m[3];
  double along[3];
  double across[3];
  double charge[3];
  double coulomb;
  double sigma;
  double epsilon;
  double well;
  double radius;
} by_hand_water_model;

typedef struct by_hand_water by_hand_water;

/* Each molecule is solved by itself: three equations for its three bonds.  Returns NULL if there
 * is no memory. */
by_hand_water *by_hand_water_create(const by_hand_water_model *model);
void by_hand_water_free(by_hand_water *water);
const by_hand_water_model *by_hand_water_model_of(const by_hand_water *water);

/* As by_hand_chain_run; z: 18 W values. */
int by_hand_water_run(by_hand_water *water, double h, long steps, double z[], by_hand_cost *cost);

/* As by_hand_water_run without forces between molecules: eight molecules at once, for a
 * processor with AVX-512.  Returns 1 also if there is no memory. */
int by_hand_water_run_8(const by_hand_water_model *model, double h, long steps, double z[]);

#endif
