/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/holonomic.h -- SHAKE and RATTLE where most of the work can be saved: constraints g(q), and
 * H = T(p) + V(q) with a constant H_pp, over a base method that kicks, drifts and kicks (sw_stage_plan_kick):
 *
 *   p_half = p0 - h Dg(q0)^T lambda - c h H_q(q0),   q1 = q0 + h H_p(p_half),   p1 = p_half - (1-c) h H_q(q1)
 *
 * The positions are affine in lambda,
 *
 *   q1 = q_free - h^2 S0 lambda,   S = H_pp Dg(q)^T,          so   dg/dlambda = -h^2 Dg(q1) S0,
 *
 * and RATTLE's slide moves the momenta alone, so that rho = Dg(q1) H_p is affine in sigma,
 *
 *   H_p = H_p(p1) - h S1 sigma,                               and  drho/dsigma = -h Dg(q1) S1 = h N.
 *
 * Each iteration needs g, Dg and products of fixed patterns; H_q is evaluated once a step, since the next
 * one begins where this one ends, and so are Dg and S at both ends.
 */
#ifndef SIDEWINDER_STEP_HOLONOMIC_H
#define SIDEWINDER_STEP_HOLONOMIC_H

#include "step/phase_plan.h"
#include "step/requirement.h"
#include "step/stages.h"

/* H_q, Dg and S = H_pp Dg^T at the positions where a step starts or ends. */
typedef struct sw_frame {
  double *force;      /* d: H_q */
  double *jac;        /* values of Dg */
  double *slope;      /* values of S */
  double *sums;       /* m: sum_j |Dg_ij| */
  double *slope_sums; /* m: sum_j |S_ji| */
  int has_force;      /* 1 while force is that of the present start or end, */
  int known;          /* and the rest */
} sw_frame;

typedef struct sw_holonomic {
  const sw_system *system;
  const double *k;
  const sw_phase_plan *plan;
  sw_requirement *g;
  sw_step *step;
  sw_frame start;   /* at q0 */
  sw_frame end;     /* at q1; Dg is also that of the iterate */
  double *point;    /* 2d: where derivatives of H are taken */
  double *gradient; /* 2d */
  double *x;        /* d: p_half without the part of the constraints */
  double *z1;       /* 2d: q1 and, at the end, p1 */
  double *velocity; /* d: H_p where it was last asked for */
  int at_start;     /* 1 while that is at the momenta of the present start, */
  int at_end;       /* or of the end of the step that stands in the workspace */
  double *hessian;  /* of which H_pp is constant */
  int has_hessian;  /* 1 while it is that of the present parameters */
  double *free;     /* d: q_free */
  double *rho;      /* m */
  double *terms;    /* m: sum_j |Dg_ij H_p,j|, the terms of rho */
  double *scale;    /* m: of rho */
  double *F;        /* m: rho/scale at sigma = 0 */
  double *matrix;   /* of sw_holonomic_matrix, values in the plan's pattern */
  double *along;    /* values of Dg or of Drho: for the scale of rho */
} sw_holonomic;

/* Makes the frame that of a state z, unless it is. */
void sw_frame_at(sw_holonomic *s, sw_frame *frame, const double z[]);

/* Another start, or other parameters. */
void sw_holonomic_forget(sw_holonomic *s);

/* Starts a step as sw_phase_begin does.  Returns 0 where a scale is not finite. */
int sw_holonomic_begin(sw_holonomic *s);

/* F(lambda) = g(q1)/scale, m values.  Leaves q1 and g in the context. */
void sw_holonomic_residual(sw_holonomic *s, const double lambda[], double F[]);

/* dF/dlambda at the last sw_holonomic_residual. */
void sw_holonomic_jacobian(sw_holonomic *s, double J[]);

/* Ends SHAKE with the lambda of the last sw_holonomic_residual: p1. */
void sw_holonomic_end(sw_holonomic *s, const double lambda[]);

/* matrix = Dg S at a frame, each row divided by a measure of its gradient: -N but for these factors, and a
 * function of the positions alone, so that its sign and what it lacks are. */
double sw_holonomic_measure(const sw_frame *frame, int i);

void sw_holonomic_matrix(sw_holonomic *s, const sw_frame *frame);

/* Starts the slide from the end of SHAKE: F(0) and the matrix of F(sigma).  Returns 0 where a scale is not
 * finite. */
int sw_slide_begin(sw_holonomic *s);

/* F(sigma) = (rho - h Dg S sigma)/scale, m values. */
void sw_slide_residual(const sw_holonomic *s, const double sigma[], double F[]);

/* What is to be solved for with the matrix, so that its solution is the change of sigma which makes F vanish. */
void sw_slide_wanted(const sw_holonomic *s, const double F[], double b[]);

/* Ends the slide: p1, and rho of the end point itself. */
void sw_slide_end(sw_holonomic *s, const double sigma[]);

/* The end of this step is the start of the next. */
void sw_holonomic_commit(sw_holonomic *s);

/* Points *s at its arrays but for z1. */
void sw_holonomic_carve(sw_carver *c, sw_holonomic *s);

#endif
