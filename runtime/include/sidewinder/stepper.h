/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/stepper.h -- steps of one small model with one method as straight-line C, which the generator writes into
 * NAME_step.c.
 *
 * Such a step solves the same equations as the general one, to round-off, and takes nothing for granted: it ends on M (and, for methods
 * that keep it, on M^H), finite, with N regular and of the same signs, or it is not taken, and the general way makes it from the same
 * state, or says why there is none.
 */
#ifndef SIDEWINDER_STEPPER_H
#define SIDEWINDER_STEPPER_H

#ifdef __cplusplus
extern "C" {
#endif

/* What steps are made from, and where they have led. */
typedef struct sw_fused {
  const double *k;      /* nk parameters */
  double h;             /* size of a step, which is not zero */
  int parts;            /* a step is so many ones, */
  const double *factor; /* of the sizes factor[i] h */
  double tolerance;     /* of scaled residuals that no longer fall */
  double floor;         /* of scaled residuals where a step ends */
  int most_iterations;  /* of a solve */

  double *z;   /* 2d: the state, moved on by the steps that were taken */
  double *sum; /* m: h times the multipliers of the last step that was taken */

  double residual_g, residual_rho, residual_solve; /* the largest of all these steps */
  long solves;
  long iterations;
} sw_fused;

typedef struct sw_stepper {
  const char *digest; /* of the model's text and sizes, as in sw_model */
  const char *method; /* as sw_options has it */
  const char *base;
  /* Takes at most n steps from a state on M (on M^H) with a regular N, and returns how many it has taken. */
  long (*steps)(sw_fused *f, long n);
} sw_stepper;

/* An N with smaller pivots, relative to the entries of their columns, is left to the general way. */
#define SW_FUSED_PIVOT 1e-6

/* How far multipliers may be from those after Newton's first change, relative to these, unless the slides end closer together than
 * SW_FUSED_SMALL of the state; the general way takes up to 2 (runtime/checks/jump.h). */
#define SW_FUSED_FAR   1.0
#define SW_FUSED_SMALL 1e-3

/* How far stage values that are unknowns may be from their first guesses, relative to the size of the state: the equations of stages have
 * other roots for large steps. */
#define SW_FUSED_REACH 0.1

/* Residuals: those below are round-off, and half a unit of it, as in runtime/solve/solver.h. */
#define SW_FUSED_ROUND_OFF 1e-14
#define SW_FUSED_TARGET    (0.5 * 2.2204460492503131e-16)

#define SW_FUSED_LARGER(a, b) ((a) > (b) ? (a) : (b))

/* Whether the Jacobian of a solve depends on its unknowns: SW_FUSED_KIND. */
#define SW_FUSED_LINEAR 0
#define SW_FUSED_NEWTON 1

enum { SW_FUSED_PARTS_MOST = 32 };

/* Whether an odd number of bits is set. */
static inline int sw_fused_is_odd(unsigned bits)
{
  bits ^= bits >> 8;
  bits ^= bits >> 4;
  bits ^= bits >> 2;
  return (int)((bits ^ bits >> 1) & 1u);
}

#ifdef __cplusplus
}
#endif

#endif
