/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checks/jump.h -- detects a solve that converged to a root that does not belong to its start.
 *
 * Newton's method finds the multipliers from u_0 = 0. Its first iterate u_1 solves the equations
 * linearised at zero, so it is the prediction from the state: to leading order in h it satisfies N
 * lambda = -{rho,H}, the equation for the multipliers of the differential equation, and likewise
 * for the base method's modification of them. The root u that is connected with zero satisfies two
 * conditions if Newton's method is applicable:
 *
 *   |u - u_1| <= |u_1|   by the theorem of Newton and Kantorovich: if it proves that a root
 *                        exists, the root is in this ball; at its border two roots meet.
 *   det dF/du at u has the same sign as at zero. On the path F(u(s)) = (1 - s) F(0) from zero
 *                        to u it does not vanish.
 *
 * For one multiplier and F of degree two, the nearer root satisfies both conditions for any step,
 * and the other root satisfies neither. A step is refused if the sign has changed. It is also
 * refused if two conditions hold: u is farther than SW_JUMP_FACTOR |u_1| from u_1, in the maximum
 * norm weighted by the effect of each multiplier on the equations; and the slides with u and with
 * u_1 end more than SW_JUMP_SMALL of the state apart. Measurements: in all reference runs |u - u_1|
 * stays below 0.8 |u_1|; jumps to another root had 3.4, 13 and 5200. The factor is between these
 * values, with a margin for many multipliers and large steps.
 *
 * If F(0) is round-off, at most SW_JUMP_ROUND_OFF, so are the multipliers, and they are divided by
 * h. Such a step is refused if the slide moves more than SW_JUMP_SMALL of the state. A step at rest
 * (model/scale.h) sets its multipliers to zero instead, even if its Jacobian is singular. A step
 * that moves positions by at most SW_JUMP_REST of their size does the same if constraints depend on
 * momenta. If constraints do not depend on momenta, such a step keeps its multipliers. Its momenta,
 * or the remaining forces, are then no larger than the round-off of g over h, which is
 * SW_JUMP_ROUND_OFF/SW_JUMP_SMALL, and 1000 for the condition of N and for sizes measured from the
 * origin; RATTLE removes the normal part that the slide adds to them. A block of constraints on
 * positions with a round-off F(0) is at rest, and its u counts as close to u_1.
 *
 * SHAKE has no other check; RATTLE also compares the sign of det N at both ends of the step
 * (component.c). The check costs a copy of the multipliers: the matrices are those of the solve.
 */
#ifndef SIDEWINDER_CHECKS_JUMP_H
#define SIDEWINDER_CHECKS_JUMP_H

#include <math.h>

#include "common/team.h"
#include "solve/solver.h"

#define SW_JUMP_FACTOR    2.0
#define SW_JUMP_SMALL     1e-3
#define SW_JUMP_ROUND_OFF 1e-14
#define SW_JUMP_REST      1e-8

/* Wraps a problem and records the first iterate of Newton's method. */
typedef struct sw_watch {
  sw_team *team;      /* for long loops, NULL for one thread */
  sw_problem problem; /* the wrapped problem */
  int n;              /* number of unknowns */
  int m;              /* number of multipliers, which are the first unknowns */
  int begun;          /* 1 once F(0) is known */
  double at_zero;     /* |F(0)|_inf */
  int known;          /* 0 until u_1 is known */
  double *first;      /* m: u_1 */
} sw_watch;

typedef enum sw_jump {
  SW_JUMP_NONE,
  SW_JUMP_SIGN, /* det dF/du has changed its sign */
  SW_JUMP_FAR,  /* u is too far from u_1 */
  SW_JUMP_NOISE /* F(0) was round-off, and so is u */
} sw_jump;

/* Starts to watch a problem of n unknowns, of which the first m are multipliers. Returns the
 * problem to solve instead, from zero multipliers. */
sw_problem sw_watch_begin(sw_watch *watch, const sw_problem *problem, int n, int m);

/* The verdict for the root u of a search. *distance is |u - u_1|/|u_1|, or 0 if nothing could be
 * compared. */
sw_jump sw_find_jump(const sw_watch *watch, sw_root root, const double u[], double *distance);

/* The distance for SW_JUMP_FAR with several connected blocks: each block's multipliers are compared
 * with their own u_1. Writes max |u - u_1| and max |u_1| of each block with multipliers to `apart`
 * and `predicted` (m values each). Returns the largest quotient. */
double sw_find_far_blocks(const sw_watch *watch, sw_root root, const double u[], double apart[],
                          double predicted[]);

/* 1 if the multipliers of a block are too far from its u_1, by more than the round-off of F. */
static inline int sw_block_is_far(double apart, double predicted)
{
  return !(apart <= SW_JUMP_FACTOR * fmax(predicted, SW_JUMP_ROUND_OFF));
}

#endif
