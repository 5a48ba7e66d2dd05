/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * by_hand.h -- RATTLE over Stormer-Verlet for two models, written by hand: the limits that the runtime is
 * compared with.
 *
 * The states are those of models/chain.sw and models/water_box.sw, z = (q, p) in the same order, and so are
 * the equations: both multipliers are found by Newton's method from zero, for each step anew, and down to
 * round-off (until the residual is at most half a unit of it, scaled as in the runtime, or no longer falls).
 * What the hand may do, and a general program may not, is done: sparsity is built in, forces are kept from
 * one step to the next, and nothing is checked but convergence.
 */
#ifndef BENCH_BY_HAND_H
#define BENCH_BY_HAND_H

/* What a run has cost. */
typedef struct by_hand_cost {
  long
      iterations; /* of Newton's method: of the whole chain; of the water, the mean of its molecules */
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

/* The multipliers solve a tridiagonal system.  The pinned node is eliminated: its position and momentum
 * stay what they are, which have to be zero.  Returns NULL where there is no memory. */
by_hand_chain *by_hand_chain_create(const by_hand_chain_model *model);
void by_hand_chain_free(by_hand_chain *chain);

/* z: 6 N values, a point of M^H, moved by so many steps of size h.  cost is added to.  Returns 0, or 1
 * where a solve did not converge; z is of no use then. */
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

/* Each molecule is solved by itself, as three equations for its three bonds.  Returns NULL where there is
 * no memory. */
by_hand_water *by_hand_water_create(const by_hand_water_model *model);
void by_hand_water_free(by_hand_water *water);
const by_hand_water_model *by_hand_water_model_of(const by_hand_water *water);

/* As by_hand_chain_run; z: 18 W values. */
int by_hand_water_run(by_hand_water *water, double h, long steps, double z[], by_hand_cost *cost);

/* The same of molecules without forces between them, eight at once, for a processor with AVX-512.  Returns 1 also where there is no
 * memory. */
int by_hand_water_run_8(const by_hand_water_model *model, double h, long steps, double z[]);

#endif
