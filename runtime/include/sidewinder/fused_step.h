/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/fused_step.h -- what a generated step, NAME_step.c, is written with.
 */
#ifndef SIDEWINDER_FUSED_STEP_H
#define SIDEWINDER_FUSED_STEP_H

#include "sidewinder/lanes.h"
/* Behind SW_AT_MOST of lanes.h: */
#include "sidewinder/acceptance.h"
#include "sidewinder/stepper.h"

/* An N with smaller pivots, relative to the entries of their columns, is left to the general way. */
#define SW_FUSED_PIVOT 1e-6

/* Whether N, which may become singular, hardly can between the ends of a step, of which it has pivots before and after; else the general way judges
 * that (runtime/sim/surface.c).  far: the largest distance of multipliers from their first ones, relative to these.  On branches of s^3 = s q that
 * meet, it is 2/(1 + 2 after/before) at least; half of that is declined. */
#define SW_FUSED_STEADY(far, before, now)                                                          \
  SW_AT_MOST((far) * (fabs(before) + 2.0 * fabs(now)), fabs(before))

/* How far multipliers may be from those after Newton's first change, relative to these, unless the slides end closer together than
 * SW_FUSED_SMALL of the state; the general way takes up to 2, in weights that are powers of two (runtime/checks/jump.h).  (With 1, one of 600,000
 * random steps was taken that the general way refuses, of double_pendulum by vs.) */
#define SW_FUSED_FAR   0.8
#define SW_FUSED_SMALL 1e-3

/* How far stage values that are unknowns may be from their first guesses, relative to the size of the state, where multipliers have
 * moved much after Newton's first change, and where they have not: the equations of stages have other roots for large steps.  (Of
 * charged_sphere over midpoint, with 0.1 for both, 13 of 300,000 random steps were taken that the general way refuses, with
 * values beyond 0.048 and multipliers that had moved by 0.15 and more.) */
#define SW_FUSED_REACH       0.04
#define SW_FUSED_REACH_STILL 0.1
#define SW_FUSED_IN_REACH(reach, far, size)                                                        \
  (SW_AT_MOST(reach, SW_FUSED_REACH) |                                                             \
   (SW_AT_MOST(reach, SW_FUSED_REACH_STILL) & SW_AT_MOST(far, 0.1 * (size))))

/* So many times as far counts what is beyond the guesses where multipliers act at the end of a step alone, which is unknown itself.  (Of mirror by
 * bdf2, with 1, 4 of 100,000 random steps were taken that the general way refuses, beyond 0.028.) */
#define SW_FUSED_IMPLICIT 2.0

/* The largest tangent of half an angle of a slide that turns (codegen/fused/rotation.h).  Newton's method finds roots by it that it does not find
 * by the multiplier, as the general way does: so angles are small, or multipliers have hardly moved after Newton's first change.  (Without these bounds,
 * 0.1 % of random steps of two_constraints over verlet, and of hopf over euler-b.) */
#define SW_FUSED_TURN       0.16
#define SW_FUSED_TURN_STILL 0.35
#define SW_FUSED_IN_TURN(turn, far, size)                                                          \
  (SW_AT_MOST(turn, SW_FUSED_TURN) |                                                               \
   (SW_AT_MOST(turn, SW_FUSED_TURN_STILL) & SW_AT_MOST(far, 0.1 * (size))))

/* Residuals: those below are round-off, and half a unit of it, as in runtime/solve/solver.h. */
#define SW_FUSED_ROUND_OFF 1e-14
#define SW_FUSED_TARGET    (0.5 * 2.2204460492503131e-16)

/* Whether the Jacobian of a solve depends on its unknowns: SW_FUSED_KIND. */
#define SW_FUSED_LINEAR 0
#define SW_FUSED_NEWTON 1

/* What the steps of a lane have cost, and the largest residuals at their ends. */
typedef struct tally {
  whole solves;
  whole iterations;
  number residual_solve;
  number residual_g;
  number residual_rho;
} tally;

/* Phi of an n x n matrix A, entry by entry in lanes.  kept: h, A and Phi of the last time, which are kept where they are the same. */
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

/* Whether an odd number of these bits is set. */
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

/* Whether a lane gives its step up, for the general way: those that do. */
static inline int sw_gives_up(sw_fused *f, truth which)
{
  if (!SW_ANY(which)) {
    return 0;
  }
  f->failed = SW_LANES_OF(which);
  return 1;
}

#endif
