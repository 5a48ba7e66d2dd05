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

enum { SW_FUSED_PARTS_MOST = 32, SW_LANES_MOST = 8 };

/* What steps are made from, and where they have led.  Arrays over states, parameters and multipliers are in lanes: entry i of lane l is
 * at [i * lanes + l]. */
typedef struct sw_fused {
  const double *k;      /* nk parameters */
  double h;             /* size of a step, which is not zero */
  int parts;            /* a step is so many ones, */
  const double *factor; /* of the sizes factor[i] h */
  double tolerance;     /* of scaled residuals that no longer fall */
  double floor;         /* of scaled residuals where a step ends */
  int most_iterations;  /* of a solve */
  unsigned
      live; /* bits: the lanes that are to move; the state and the sums of the others are undefined afterwards */

  double *z;       /* 2d: the state, moved on by the steps that were taken */
  double *carry;   /* 2d: what rounding has left out of it, of compensated steps; else NULL */
  double *sum;     /* m: h times the multipliers of the last step that was taken */
  unsigned failed; /* bits: lanes, live ones, for which the next step is up to the general way */

  /* Of these steps, for each lane: the largest residuals, and counts. */
  double residual_g[SW_LANES_MOST], residual_rho[SW_LANES_MOST], residual_solve[SW_LANES_MOST];
  long solves[SW_LANES_MOST];
  long iterations[SW_LANES_MOST];
} sw_fused;

typedef struct sw_stepper {
  const char *digest; /* of the model's text and sizes, as in sw_model */
  const char *method; /* as sw_options has it */
  const char *base;
  int compensated; /* 1: the state is z + carry */
  /* Takes at most n steps from states on M (on M^H) with a regular N, the same number in all lanes that are live, and returns how many
   * it has taken.  With momenta of half a step before ("leapfrog"), after a step of the same size. */
  long (*steps)(sw_fused *f, long n);
  int lanes;          /* 0 is 1 */
  unsigned processor; /* what its machine code needs (SW_NEEDS_...) */
} sw_stepper;

enum { SW_NEEDS_AVX2 = 1, SW_NEEDS_AVX512 = 2 /* F, DQ and VL */ };

#ifdef __cplusplus
}
#endif

#endif
