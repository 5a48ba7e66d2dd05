/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * jump.h -- has a solve gone to another root than the one that belongs to its start?
 *
 * Multipliers are found by Newton's method from zero, u_0 = 0.  Its first iterate u_1 solves the equations
 * linearised at zero, so it is what the state predicts: to leading order in h that N lambda = -{rho,H}, the
 * multipliers of the differential equation, and for what the base method makes of them.  Two things are true
 * of the root u that is connected with zero, where Newton's method has any right to be there:
 *
 *   |u - u_1| <= |u_1|   The theorem of Newton and Kantorovich: as long as it proves that there is a root, that
 *                        root is in this ball, and at its border two roots meet.
 *   det dF/du at u has the sign that it has at zero.  Along the path F(u(s)) = (1 - s) F(0) from zero to u it
 *                        does not vanish.
 *
 * For one multiplier and F of degree two, both hold exactly for the nearer root, whatever the step; for the
 * other root neither does.  A step is refused where the sign has changed, or where u is farther than
 * SW_JUMP_FACTOR |u_1| from u_1, in the largest norm of what each multiplier changes in the equations, and the
 * slides with u and with u_1 end more than SW_JUMP_SMALL of the state apart.  Measured: in all reference runs |u - u_1| stays below 0.8 |u_1|; jumps
 * to another root had 3.4, 13 and 5200.  The factor is between them, and leaves room for many multipliers and
 * large steps.
 *
 * The multipliers are round-off if F(0) is, at most SW_JUMP_ROUND_OFF, and they are divided by h.
 * Such a step is refused if the slide moves more than SW_JUMP_SMALL of the state.  A step at rest
 * (model/scale.h) takes its multipliers to be zero instead, also if its Jacobian is singular.  So does
 * a step that moves positions by at most SW_JUMP_REST of their size, if constraints depend on momenta.
 * If they do not, such a step keeps them: its
 * momenta, or what is left of the forces, are no larger than the round-off of g over h, which is
 * SW_JUMP_ROUND_OFF/SW_JUMP_SMALL, and 1000 for the condition of N and for sizes that are measured
 * from the origin; and what the slide adds to their normal part RATTLE takes away.  A block of
 * constraints on positions whose part of F(0) is round-off is not far from its u_1: it rests.
 *
 * SHAKE has no other check; for RATTLE the sign of det N at both ends of the step comes on top (component.c).
 * It costs a copy of the multipliers: the matrices are those of the solve.
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

/* A problem that remembers what Newton's method did first. */
typedef struct sw_watch {
  sw_team *team;      /* for long loops, NULL for one thread */
  sw_problem problem; /* what is watched */
  int n;              /* its unknowns */
  int m;              /* the first of them: the multipliers */
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

/* Starts to watch a problem of n unknowns, of which the first m are multipliers; the result is to be solved
 * in its place, from zero multipliers. */
sw_problem sw_watch_begin(sw_watch *watch, const sw_problem *problem, int n, int m);

/* What the multipliers tell, once a search has found the root u.  *distance is |u - u_1|/|u_1|, 0 where nothing was
 * to be compared. */
sw_jump sw_find_jump(const sw_watch *watch, sw_root root, const double u[], double *distance);

/* The same for SW_JUMP_FAR in each connected block of several: the multipliers of each block are
 * compared with its own u_1.  apart, predicted: m values each, of which as many as there are blocks
 * with multipliers are written: max |u - u_1| and max |u_1| in each.  Returns the largest quotient.
 * */
double sw_find_far_blocks(const sw_watch *watch, sw_root root, const double u[], double apart[],
                          double predicted[]);

/* Whether the multipliers of a block are too far from its u_1, and not only by the round-off of F.
 * */
static inline int sw_block_is_far(double apart, double predicted)
{
  return !(apart <= SW_JUMP_FACTOR * fmax(predicted, SW_JUMP_ROUND_OFF));
}

#endif
