/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/holonomic_state.h -- the data structures of holonomic.h.
 */
#ifndef SIDEWINDER_STEP_HOLONOMIC_STATE_H
#define SIDEWINDER_STEP_HOLONOMIC_STATE_H

#include "step/phase_plan.h"
#include "step/requirement.h"
#include "step/stages.h"

/* Dg and the slope S^T = Dg H_pp, by rows (holonomic_plan.h), at the positions of the start or the
 * end of a step. */
typedef struct sw_frame {
  double *jac;
  double *slope;
  double *sums;       /* m: sum_j |Dg_ij| */
  double *slope_sums; /* m: sum_j |S_ji| */
  int known;          /* 1 while the values belong to the current start or end */
} sw_frame;

typedef struct sw_holonomic {
  const sw_system *system;
  const double *k;
  const sw_phase_plan *plan;
  sw_requirement *g;
  sw_step *step;
  sw_frame start;     /* at q0 */
  sw_frame end;       /* at q1; jac is also Dg of the iterate */
  double *frames;     /* memory of both frames; holds Hess H while neither frame is known */
  double *force;      /* d: H_q */
  int force_at_start; /* 1 while `force` belongs to the current start */
  int force_at_end;   /* 1 while `force` belongs to the end of the step in the workspace */
  double *gradient;   /* 2d: gradient of H, if the model lacks separate H_q and H_p; else NULL */
  double *z1;         /* 2d: q1, and p_half without constraint forces, which becomes p1 */
  const double *at;   /* d: the positions of the last evaluation of g, q1 or q_free */
  double *velocity;   /* d: H_p of the last evaluation */
  /* 1 while `velocity` belongs to the current start; velocity_at_end: to the end */
  int velocity_at_start;
  int velocity_at_end;
  double *mass;   /* the constant H_pp */
  int has_mass;   /* 1 while `mass` belongs to the current parameters, at the start of a step */
  int mass_alone; /* 1 if H_pp is diagonal and H_p = H_pp p */
  double *free;   /* d: q_free */
  double *rho;    /* m */
  double *terms;  /* m: sum_j |Dg_ij H_p,j|, the absolute terms of rho */
  double *scale;  /* m: scales of rho */
  double *F;      /* m: rho/scale at sigma = 0 */
  double *factor; /* m: row factors of a product */
  /* m: measure_i/scale_i, which converts rows of sw_holonomic_matrix to units of rho's scales */
  double *weight;
  double *matrix;     /* values of sw_holonomic_matrix in the plan's pattern */
  double *hidden_jac; /* values of Drho if Dg has no derivative along a vector; else NULL */
} sw_holonomic;

/* The divisor of row i in a matrix of gradients. */
static inline double sw_frame_measure(const sw_frame *frame, int i)
{
  return sw_power_below(frame->sums[i]);
}

#endif
