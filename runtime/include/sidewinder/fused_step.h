/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/fused_step.h -- constants and helpers for generated steps (NAME_step.c).
 */
#ifndef SIDEWINDER_FUSED_STEP_H
#define SIDEWINDER_FUSED_STEP_H

#include "sidewinder/lanes.h"
/* acceptance.h must follow lanes.h, which defines SW_AT_MOST for vectors. */
#include "sidewinder/acceptance.h"
#include "sidewinder/stepper.h"

/* Smallest pivot of N, relative to the entries of its column, that generated code accepts. */
#define SW_FUSED_PIVOT 1e-6

/* 1 if N, which may become singular, stays regular between the ends of a step with the pivots
 * `before` and `now`; otherwise the general solver decides (runtime/sim/singular_ahead.c). far: the
 * largest distance of the multipliers from their first values, relative to these.  At a point where
 * branches of s^3 = s q meet, far is at least 2/(1 + 2 now/before); half of that is declined. */
#define SW_FUSED_STEADY(far, before, now)                                                          \
  SW_AT_MOST((far) * (fabs(before) + 2.0 * fabs(now)), fabs(before))

/* Largest distance of the multipliers from their values after the first Newton correction, relative
 * to these values. The limit does not apply if the slides end closer together than SW_FUSED_SMALL
 * times the state. The general solver allows 2, in weights that are powers of two
 * (runtime/checks/step_check.h). (With 1, generated code took one step of 600,000 random steps of
 * double_pendulum by vs that the general solver refuses.) */
#define SW_FUSED_FAR   0.8
#define SW_FUSED_SMALL 1e-3

/* SW_FUSED_STEADY ignores the distance of multipliers whose slides end closer together than this
 * part of the state. */
#define SW_FUSED_TINY 1e-10

/* Largest length of a slide of SHAKE that is not limited by SW_FUSED_TURN, relative to the entries
 * that it moves. Generated code examines N at the end of slides alone, the general solver at more
 * points of long ones. (Without this limit, generated code took 7 of 26,000 random steps of
 * rest_mixed_discrete that the general solver refuses; their slides turned more than once.) */
#define SW_FUSED_SLIDE 2.0

/* Largest distance of implicit stage values from their initial guesses, relative to the size of the
 * state: the stage equations have other roots for large steps. The second limit applies if the
 * multipliers moved little after the first Newton correction. (With 0.1 for both, generated code
 * took 13 of 300,000 random steps of charged_sphere over midpoint that the general solver refuses;
 * their distances exceeded 0.048, and their multipliers had moved by 0.15 or more.) */
#define SW_FUSED_REACH       0.04
#define SW_FUSED_REACH_STILL 0.1
#define SW_FUSED_IN_REACH(reach, far, size)                                                        \
  (SW_AT_MOST(reach, SW_FUSED_REACH) |                                                             \
   (SW_AT_MOST(reach, SW_FUSED_REACH_STILL) & SW_AT_MOST(far, 0.1 * (size))))

/* Factor on these distances if the multipliers act only at the end of a step, which is itself
 * unknown. (With 1, generated code took 4 of 100,000 random steps of mirror by bdf2 that the
 * general solver refuses; their distances exceeded 0.028.) */
#define SW_FUSED_IMPLICIT 2.0

/* Largest tangent of half the angle of a rotating slide (codegen/fused/rotation.c). In this
 * variable Newton's method finds roots that the general solver does not find in the multiplier.
 * Angles must therefore be small; the second limit applies if the multipliers moved little after
 * the first Newton correction. (Without these limits, generated code found other roots in 0.1 % of
 * random steps of two_constraints over verlet, and of hopf over euler-b.) */
#define SW_FUSED_TURN       0.16
#define SW_FUSED_TURN_STILL 0.35
#define SW_FUSED_IN_TURN(turn, far, size)                                                          \
  (SW_AT_MOST(turn, SW_FUSED_TURN) |                                                               \
   (SW_AT_MOST(turn, SW_FUSED_TURN_STILL) & SW_AT_MOST(far, 0.1 * (size))))

/* Scaled residuals below SW_FUSED_ROUND_OFF are round-off; SW_FUSED_TARGET is eps/2. As in
 * runtime/solve/solver.h. */
#define SW_FUSED_ROUND_OFF 1e-14
#define SW_FUSED_TARGET    (0.5 * 2.2204460492503131e-16)

/* Values of SW_FUSED_KIND: whether the Jacobian of a solve depends on the unknowns. */
#define SW_FUSED_LINEAR 0
#define SW_FUSED_NEWTON 1

/* Cost of the steps of each lane, and the largest residuals at their ends. */
typedef struct tally {
  whole solves;
  whole iterations;
  number residual_solve;
  number residual_g;
  number residual_rho;
} tally;

/* Phi of an n x n matrix A, entry by entry in lanes. `kept` caches h, A and Phi of the last call;
 * Phi is recomputed only if h or A changed in a lane. */
static inline const double *sw_find_phi(const sw_fused *f, double kept[], int n, number h,
                                        const number matrix[])
{
  const int entries = n * n;
  double *Phi = kept + (1 + entries) * SW_LANES;
  double lane_of[4 * SW_PHI_MOST * SW_PHI_MOST];
  truth same = SW_EQUAL(SW_LOAD(kept, 0), h);

  for (int i = 0; i < entries; i++) {
    same = (truth)(same & SW_EQUAL(SW_LOAD(kept, 1 + i), matrix[i]));
  }
  if (!SW_ANY(SW_NOT(same))) {
    return Phi;
  }
  SW_STORE(kept, 0, h);
  for (int i = 0; i < entries; i++) {
    SW_STORE(kept, 1 + i, matrix[i]);
  }
  for (int lane = 0; lane < SW_LANES; lane++) {
    for (int i = 0; i < entries; i++) {
      lane_of[i] = kept[(1 + i) * SW_LANES + lane];
    }
    f->phi(n, kept[lane], lane_of, lane_of + entries, lane_of + 2 * entries);
    for (int i = 0; i < entries; i++) {
      Phi[i * SW_LANES + lane] = lane_of[entries + i];
    }
  }
  return Phi;
}

/* True if an odd number of bits is set. */
static inline truth sw_is_odd(whole bits)
{
  bits ^= bits >> 16;
  bits ^= bits >> 8;
  bits ^= bits >> 4;
  bits ^= bits >> 2;
  bits ^= bits >> 1;
  return SW_TRUTH(bits & 1);
}

static inline void sw_show_tally(const tally *t, sw_fused *f)
{
  SW_STORE(f->residual_g, 0, t->residual_g);
  SW_STORE(f->residual_rho, 0, t->residual_rho);
  SW_STORE(f->residual_solve, 0, t->residual_solve);
  SW_STORE_WHOLE(f->solves, t->solves);
  SW_STORE_WHOLE(f->iterations, t->iterations);
}

/* Returns 1 if a lane in `which` gives up its step, and stores those lanes in f->failed. */
static inline int sw_gives_up(sw_fused *f, truth which)
{
  if (!SW_ANY(which)) {
    return 0;
  }
  f->failed = SW_LANES_OF(which);
  return 1;
}

#endif
