/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/stages.h -- a step of a base method, from its plan: values and directions. (Patterns:
 * step/reach.h.)
 *
 * A base method is a map y -> z1 through implicit stage values x, blocks of d positions or momenta:
 *
 *   values      r(y,x) = 0 defines x, and z1 = z1(y,x) is the result;
 *   directions  the exact linearisation of both in (y,x), applied to n directions at once.
 *
 * Slopes at the start of a step that do not depend on the step's multipliers are evaluated once per
 * step. They are reused from the end of the last step if possible (sw_stage_plan_carried).
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
  int is_forced;        /* 1 if constraint forces with the multipliers lambda act in the stages */
  double of_force;      /* factor on H_q; 1 unless the method sets another */
  const double *lambda; /* plan->forces x m, if is_forced */
  int is_fixed[SW_SLOPES_MOST];  /* 1 for slopes at the start that do not depend on multipliers */
  int known[SW_SLOPES_MOST];     /* for fixed slopes: 1 while they belong to the current start */
  int is_solved[SW_SLOPES_MOST]; /* 1 for slopes that depend on the unknowns of the step */
  int start; /* slope at the start that the last step evaluated at its end; -1: none */
  int end;   /* number of that slope at the end */

  double *
      value[SW_VALUES_MOST]; /* d each, as sums of slopes; except the ends, which are in y and z1 */
  const double *at[SW_VALUES_MOST]; /* pointers to the current values; into x for implicit values */
  /* 2d each, H_q and H_p; all point to one array if slopes need not be kept */
  double *slope[SW_SLOPES_MOST];
  double *point;                   /* 2d */
  double *gradient;                /* 2d */
  double *hessian[SW_SLOPES_MOST]; /* one value per entry of H's pattern */
  double *dvalue[SW_VALUES_MOST];  /* d x n */
  double *dslope;                  /* 2d x n */
  /* pointers to the last directions of the values, as sums of slopes */
  double *made[SW_VALUES_MOST];
  /* 2d: result of a fibre flow; the next two members are its derivatives */
  double *slid;
  double *flow_lambda; /* one value per entry of its pattern */
  double *flow_z;      /* one value per entry of its pattern */
} sw_stages;

/* Sets the first members, and determines the fixed and carried slopes. */
void sw_stages_open(sw_stages *s, const sw_system *system, const sw_stage_plan *plan, int is_forced,
                    const double k[]);

/* Then sets the array pointers, for at most n directions at once. */
void sw_stages_carve(sw_carver *c, size_t n, sw_stages *s);

/* Invalidates cached values, for another start or other parameters. */
void sw_stages_forget(sw_stages *s);

/* Makes the end of the last values the start of the next step. */
void sw_stages_next(sw_stages *s);

/* Initial guess x, blocks x d, from the slopes at y. */
void sw_stages_guess(sw_stages *s, double h, const double y[], double x[]);

/* Computes r, as many values as x, and z1, 2d. The arrays must not overlap, and must stay valid
 * until sw_stages_directions. */
void sw_stages_values(sw_stages *s, double h, const double y[], const double x[], double r[],
                      double z1[]);

/* Adds z1 - y at the last values, with errors relative to the step: sum_i h b_i times the slopes,
 * which are evaluated again. */
void sw_stages_increment(sw_stages *s, double h, sw_two_sums to);

/* The positions of the last values at which force i acts, and their last directions, d x n. */
const double *sw_stages_forced_at(const sw_stages *s, int i);
const double *sw_stages_forced_along(const sw_stages *s, int i);

/* DR = r_y DY + r_x DX + r_lambda DL and DZ = z1_y DY + z1_x DX at the last values. DY, DZ: 2d x n.
 * DX, DR: as many rows as x has values, n columns. DL: plan->forces x m rows, if is_forced.
 * of_unknowns: 1 for directions of a step's unknowns if DZ is needed only for Dg; then slopes are
 * skipped that are constant along the directions or do not affect Dg. */
void sw_stages_directions(sw_stages *s, double h, int n, int of_unknowns, const double DY[],
                          const double DL[], const double DX[], double DR[], double DZ[]);

/* The transpose of sw_stages_directions at the last values, for one direction, in two parts.  The
 * first begins with the weights of DZ (2d values, overwritten) and of DR.  Then the caller may add
 * weights of the positions at which force i acts, d values.  The second writes the weights of DY,
 * DL and DX.  Needs arrays for at least two directions. */
void sw_stages_pull_begin(sw_stages *s, double of_z1[], const double of_r[]);
double *sw_stages_forced_weights(sw_stages *s, int i);
void sw_stages_pull(sw_stages *s, double h, const double of_r[], double of_y[], double of_lambda[],
                    double of_x[]);

/* Largest distance of the last stage and end values from z0, for positions and momenta separately.
 * For implicit values, the residual r is included. */
sw_sizes sw_stages_moved(const sw_stages *s, const double z0[], const double r[]);

#endif
