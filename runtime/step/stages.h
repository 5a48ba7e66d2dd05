/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/stages.h -- a step of a base method, from its plan: values and directions.  (Patterns: step/reach.h.)
 *
 * A base method is a map y -> z1 by way of unknown stage values x, blocks of d positions or momenta:
 *
 *   values      r(y,x) = 0 defines x, and z1 = z1(y,x) is the result;
 *   directions  the exact linearisation of both in (y,x), applied to n directions at once.
 *
 * Slopes at the start of a step, where the step's multipliers do not move it, are evaluated once a step, and not
 * at all where the last step has ended with them (sw_stage_plan_carried).
 */
#ifndef SIDEWINDER_STEP_STAGES_H
#define SIDEWINDER_STEP_STAGES_H

#include "common/carver.h"
#include "model/scale.h"
#include "model/system.h"
#include "step/stage_plan.h"

typedef struct sw_stages {
  const sw_stage_plan *plan;
  const sw_system *system;
  const double *k;
  int is_forced;        /* 1 where constraints act in the stages, by the multipliers lambda */
  double of_force;      /* what H_q is multiplied with, 1 but for methods that say otherwise */
  const double *lambda; /* plan->forces x m, where it is forced */
  int is_fixed[SW_SLOPES_MOST]; /* slopes at a start that multipliers do not move */
  int known[SW_SLOPES_MOST];    /* of these: 1 while they are those of the present start */
  int is_solved
      [SW_SLOPES_MOST]; /* slopes that the equations of a step depend on through its unknowns */
  int start;            /* the slope that the last step has ended with, -1: none */
  int end;              /* what it was there */

  double *value
      [SW_VALUES_MOST]; /* d each, as their slopes make them; but the ends, which are in y and z1 */
  const double *at[SW_VALUES_MOST]; /* where they are read: in x where they are unknowns */
  double *slope[SW_SLOPES_MOST]; /* 2d each, H_q and H_p; one for all where they need not be kept */
  double *point;                 /* 2d */
  double *gradient;              /* 2d */
  double *hessian[SW_SLOPES_MOST]; /* one value per entry of H's pattern */
  double *dvalue[SW_VALUES_MOST];  /* d x n */
  double *dslope;                  /* 2d x n */
  double *made[SW_VALUES_MOST]; /* the last directions of the values, as their slopes make them */
  double *slid;                 /* 2d: of a fibre flow, of which the rest is the derivative */
  double *flow_lambda;          /* one value per entry of its pattern */
  double *flow_z;               /* likewise */
} sw_stages;

/* Sets the first members, and which slopes are fixed and carried. */
void sw_stages_open(sw_stages *s, const sw_system *system, const sw_stage_plan *plan, int is_forced,
                    const double k[]);

/* Then points the others at their arrays, for directions of n columns at most. */
void sw_stages_carve(sw_carver *c, size_t n, sw_stages *s);

/* Another start, or other parameters. */
void sw_stages_forget(sw_stages *s);

/* The start of the next step is the end of this one: the last values were those of the step. */
void sw_stages_next(sw_stages *s);

/* x, blocks x d: a first guess, from the slopes at y. */
void sw_stages_guess(sw_stages *s, double h, const double y[], double x[]);

/* r, as many values as x, and z1, 2d.  The arrays must not overlap, and stay where they are until the directions. */
void sw_stages_values(sw_stages *s, double h, const double y[], const double x[], double r[],
                      double z1[]);

/* Adds z1 - y at the last values, with errors relative to the step: sum_i h b_i times the slopes, evaluated once more. */
void sw_stages_increment(sw_stages *s, double h, sw_two_sums to);

/* The multipliers of the force in slope i: m values of lambda. */
const double *sw_stages_multipliers(const sw_stages *s, int i);

/* The positions of the last values where force number i acts, and the last directions of them, d x n. */
const double *sw_stages_forced_at(const sw_stages *s, int i);
const double *sw_stages_forced_along(const sw_stages *s, int i);

/* DR = r_y DY + r_x DX + r_lambda DL and DZ = z1_y DY + z1_x DX at the last values.  DY, DZ: 2d x n.  DX, DR: as many rows as x has
 * values, n columns; DL: plan->forces x m rows where it is forced.  of_unknowns: 1 where the directions are those of the unknowns of a step, and DZ is wanted for Dg alone: then slopes
 * that do not change along them, or that Dg does not see, are left out. */
void sw_stages_directions(sw_stages *s, double h, int n, int of_unknowns, const double DY[],
                          const double DL[], const double DX[], double DR[], double DZ[]);

/* How far the last values are from z0, the largest in each half: stages and end; and, where they are unknowns, by how much r
 * misses zero. */
sw_sizes sw_stages_moved(const sw_stages *s, const double z0[], const double r[]);

/* H_q (half 0) at the positions x, or H_p (half 1) at the momenta x, for a separable H: d values.  point, gradient:
 * 2d values of scratch. */
void sw_half_gradient(const sw_system *system, const double k[], int half, const double x[],
                      double point[], double gradient[], double out[]);

#endif
