/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/holonomic_state.h -- what holonomic.h works with.
 */
#ifndef SIDEWINDER_STEP_HOLONOMIC_STATE_H
#define SIDEWINDER_STEP_HOLONOMIC_STATE_H

#include "step/phase_plan.h"
#include "step/requirement.h"
#include "step/stages.h"

/* Dg and the slope S^T = Dg H_pp, by rows (holonomic_plan.h), at the positions where a step starts or ends. */
typedef struct sw_frame {
  double *jac;
  double *slope;
  double *sums;       /* m: sum_j |Dg_ij| */
  double *slope_sums; /* m: sum_j |S_ji| */
  int known;          /* 1 while they are those of the present start or end */
} sw_frame;

typedef struct sw_holonomic {
  const sw_system *system;
  const double *k;
  const sw_phase_plan *plan;
  sw_requirement *g;
  sw_step *step;
  sw_frame start; /* at q0 */
  sw_frame end;   /* at q1; Dg is also that of the iterate */
  double *
      frames; /* the memory of both, and, while neither is known, of what the model gives of Hess H */
  double *force;      /* d: H_q, */
  int force_at_start; /* 1 while it is that of the present start, */
  int force_at_end;   /* or of the end of the step that stands in the workspace */
  double *gradient;   /* 2d, where the model has no halves of it; else NULL */
  double *z1;         /* 2d: q1, and p_half without the part of the constraints, which becomes p1 */
  const double *at;   /* d: the positions where g was last asked for, q1 or q_free */
  double *velocity;   /* d: H_p where it was last asked for */
  int velocity_at_start; /* likewise */
  int velocity_at_end;
  double *mass;   /* H_pp, which is constant */
  int has_mass;   /* 1 while it is that of the present parameters, from where a step begins; */
  int mass_alone; /* 1 where it is diagonal and H_p is H_pp p */
  double *free;   /* d: q_free */
  double *rho;    /* m */
  double *terms;  /* m: sum_j |Dg_ij H_p,j|, the terms of rho */
  double *scale;  /* m: of rho */
  double *F;      /* m: rho/scale at sigma = 0 */
  double *factor; /* m: of the rows of a product */
  double *weight; /* m: in a slide, of what the matrix makes, in units of rho's scales */
  double *matrix; /* of sw_holonomic_matrix, values in the plan's pattern */
  double *
      hidden_jac; /* values of Drho, where there is no derivative of Dg along a vector; else NULL */
} sw_holonomic;

/* What row i of a matrix of gradients is divided by. */
static inline double sw_frame_measure(const sw_frame *frame, int i)
{
  return sw_power_below(frame->sums[i]);
}

#endif
