/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/stage_plan.h -- a tableau made ready for one structure of H: what is computed in which order, and what has to
 * be solved for.
 *
 * Values are positions or momenta of a stage or of an end; rows of coefficients that are equal are one value, a row of
 * zeros is the start, a row that equals b the end.  Slopes are H_q and H_p where they are taken; stages with the
 * same values have the same slopes, and for a separable H the force H_q and the velocity H_p are slopes of their own, at
 * positions and at momenta alone.  A value is known when all slopes that it adds up are, a slope when its values
 * are; where that goes in circles, some values are unknowns, none of which could be spared, positions first.
 *
 * A slope is added to all values that it contributes to as soon as it is evaluated, so that slopes need no memory.
 */
#ifndef SIDEWINDER_STEP_STAGE_PLAN_H
#define SIDEWINDER_STEP_STAGE_PLAN_H

#include "sidewinder/tableau.h"

enum {
  SW_VALUES_MOST = 2 * SW_TABLEAU_STAGES + 4,
  SW_SLOPES_MOST = 2 * SW_TABLEAU_STAGES,
  SW_PUSHES_MOST = SW_VALUES_MOST * SW_SLOPES_MOST / 2
};

/* The values that every method has. */
enum { SW_VALUE_Q, SW_VALUE_P, SW_VALUE_Q1, SW_VALUE_P1, SW_VALUES_OF_ENDS };

typedef struct sw_stage_value {
  int half;     /* 0: positions, 1: momenta */
  int block;    /* its number among the unknowns, -1 where it is computed */
  int is_start; /* 1 where nothing is added to the start */
} sw_stage_value;

typedef struct sw_stage_slope {
  int q;       /* the values where it is taken; -1: none, for the velocity of a separable H */
  int p;       /* -1: none, for the force of a separable H */
  int hessian; /* the Hessian that its derivative is part of */
  int force;   /* its number among those that a multiplier can act on, -1: none */
  int first;   /* pushes first .. last-1 belong to it */
  int last;
} sw_stage_slope;

/* value += h weight slope, H_p for positions and H_q for momenta; the first one begins with the start. */
typedef struct sw_stage_push {
  int value;
  int is_first;
  double weight; /* of momenta with its sign: -A_ij */
} sw_stage_push;

typedef struct sw_stage_plan {
  char name[SW_TABLEAU_NAME];
  int separable;
  int values;
  int slopes; /* in the order of their evaluation */
  int blocks; /* values that are unknowns */
  int forces; /* slopes where a constraint on the positions can act (SW_FORCED of methods/methods.h): H_q at positions that
               * are not those of the start, which moves momenta that a slope depends on */
  int hessians; /* that are needed at the same time for derivatives: a force and a velocity of a separable H share
                 * one, at the positions of one and the momenta of the other; else they are used one after the other */
  int hessian_at[SW_SLOPES_MOST][2]; /* values */
  sw_stage_value value[SW_VALUES_MOST];
  int block_value[SW_VALUES_MOST];
  double sum[SW_VALUES_MOST]; /* of the weights of a value */
  sw_stage_slope slope[SW_SLOPES_MOST];
  sw_stage_push push[SW_PUSHES_MOST];
} sw_stage_plan;

/* For a usable tableau (sidewinder/tableau.h).  separable: whether H(q,p) = T(p) + V(q). */
void sw_stage_plan_make(const sw_tableau *tableau, int separable, sw_stage_plan *plan);

/* The slope at the start of a step that is also taken at its end, by another number of the plan: where nothing moves
 * these values between two steps, it need not be evaluated twice.  Returns the number of the slope at the start and
 * puts the other into *at_end, or returns -1. */
int sw_stage_plan_carried(const sw_stage_plan *plan, int *at_end);

/* How much of force number i acts on the momenta of the end: b^ of its stage. */
double sw_stage_plan_force_weight(const sw_stage_plan *plan, int i);

/* The time of force number i in a step, c of its stage. */
double sw_stage_plan_force_time(const sw_stage_plan *plan, int i);

/* The slope of force number i. */
int sw_stage_plan_force_slope(const sw_stage_plan *plan, int i);

/* The c for which a step of a separable H with a linear H_p is a kick, a drift and a kick,
 *
 *   p <- p - c h H_q(q),   q1 = q + h H_p(p),   p1 = p - (1 - c) h H_q(q1);   -1 where there is none. */
double sw_stage_plan_kick(const sw_stage_plan *plan);

#endif
