/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/stage_plan.h -- a tableau prepared for one structure of H: the order of evaluation, and the
 * implicit unknowns.
 *
 * A value is the positions or the momenta of a stage or of the end. Equal rows of coefficients
 * share one value; a row of zeros is the start, and a row equal to b is the end. A slope is H_q and
 * H_p at a stage; stages with the same values share their slopes. For a separable H the force H_q
 * and the velocity H_p are separate slopes, at positions and at momenta alone. A value is known
 * when all of its slopes are, and a slope when its values are. Cycles are broken by a minimal set
 * of unknown values, positions first.
 *
 * Each slope is added to all values that need it as soon as it is evaluated, so slopes need no
 * memory.
 */
#ifndef SIDEWINDER_STEP_STAGE_PLAN_H
#define SIDEWINDER_STEP_STAGE_PLAN_H

#include "sidewinder/tableau.h"

enum {
  SW_VALUES_MOST = 2 * SW_TABLEAU_STAGES + 4,
  SW_SLOPES_MOST = 2 * SW_TABLEAU_STAGES,
  SW_PUSHES_MOST = SW_VALUES_MOST * SW_SLOPES_MOST / 2
};

/* The values of every method. */
enum { SW_VALUE_Q, SW_VALUE_P, SW_VALUE_Q1, SW_VALUE_P1, SW_VALUES_OF_ENDS };

typedef struct sw_stage_value {
  int half;     /* 0: positions, 1: momenta */
  int block;    /* index among the unknowns, -1 if explicit */
  int is_start; /* 1 if the value equals the start */
} sw_stage_value;

typedef struct sw_stage_slope {
  int q;       /* index of its position value; -1 for the velocity of a separable H */
  int p;       /* index of its momentum value; -1 for the force of a separable H */
  int hessian; /* index of the Hessian with its derivative */
  int force;   /* index among the slopes on which a multiplier can act, or -1 */
  int first;   /* pushes first .. last-1 add this slope */
  int last;
} sw_stage_slope;

/* value += h weight slope, with H_p for positions and H_q for momenta; the first push also adds the
 * start. */
typedef struct sw_stage_push {
  int value;
  int is_first;
  double weight; /* signed: -A_ij for momenta */
} sw_stage_push;

typedef struct sw_stage_plan {
  char name[SW_TABLEAU_NAME];
  int separable;
  int values;
  int slopes; /* in order of evaluation */
  int blocks; /* implicit values */
  /* slopes on which a constraint on the positions can act (SW_FORCED of methods/methods.h): H_q at
   * positions other than the start, if it moves momenta that a slope depends on */
  int forces;
  /* Hessians that derivatives need at the same time. A force and a velocity of a separable H share
   * one, at the positions of the force and the momenta of the velocity. Otherwise Hessians are used
   * one after the other. */
  int hessians;
  int hessian_at[SW_SLOPES_MOST][2]; /* the values at which each is evaluated */
  sw_stage_value value[SW_VALUES_MOST];
  int block_value[SW_VALUES_MOST];
  double sum[SW_VALUES_MOST]; /* sum of the weights of a value */
  sw_stage_slope slope[SW_SLOPES_MOST];
  sw_stage_push push[SW_PUSHES_MOST];
} sw_stage_plan;

/* Plans a valid tableau (sidewinder/tableau.h). separable: 1 if H(q,p) = T(p) + V(q). */
void sw_stage_plan_make(const sw_tableau *tableau, int separable, sw_stage_plan *plan);

/* Finds the slope at the start of a step that is also evaluated at its end under another number. It
 * need not be evaluated again if nothing moves its values between two steps. Returns its number at
 * the start and sets *at_end, or returns -1. */
int sw_stage_plan_carried(const sw_stage_plan *plan, int *at_end);

/* Weight of force i in the momenta of the end: b^ of its stage. */
double sw_stage_plan_force_weight(const sw_stage_plan *plan, int i);

/* Time of force i within a step: c of its stage. */
double sw_stage_plan_force_time(const sw_stage_plan *plan, int i);

/* Slope of force i. */
int sw_stage_plan_force_slope(const sw_stage_plan *plan, int i);

/* The c for which a step of a separable H with a linear H_p is a kick, a drift and a kick,
 *
 *   p <- p - c h H_q(q),   q1 = q + h H_p(p),   p1 = p - (1 - c) h H_q(q1),
 *
 * or -1 if there is none. */
double sw_stage_plan_kick(const sw_stage_plan *plan);

#endif
