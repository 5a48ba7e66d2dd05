/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/holonomic.h -- SHAKE and RATTLE in the case with the largest savings: constraints g(q), and
 * H = T(p) + V(q) with a constant H_pp, over a base method that kicks, drifts and kicks
 * (sw_stage_plan_kick):
 *
 *   p_half = p0 - h Dg(q0)^T lambda - c h H_q(q0)
 *   q1 = q0 + h H_p(p_half),   p1 = p_half - (1-c) h H_q(q1)
 *
 * The positions are affine in lambda,
 *
 *   q1 = q_free - h^2 S0 lambda,   S = H_pp Dg(q)^T,     so   dg/dlambda = -h^2 Dg(q1) S0,
 *
 * and RATTLE's slide moves the momenta alone, so that rho = Dg(q1) H_p is affine in sigma,
 *
 *   H_p = H_p(p1) - h S1 sigma,                         and   drho/dsigma = -h Dg(q1) S1 = h N.
 *
 * Each iteration needs g, Dg and products of fixed patterns. H_q is evaluated once per step,
 * because the next step starts at the end of this one; so are Dg and S at both ends.
 */
#ifndef SIDEWINDER_STEP_HOLONOMIC_H
#define SIDEWINDER_STEP_HOLONOMIC_H

#include "solve/solver.h"
#include "step/holonomic_loops.h"

/* Computes the frame at the state z, unless it is already known. */
void sw_frame_at(sw_holonomic *s, sw_frame *frame, const double z[]);

/* Invalidates all cached values, for another start or other parameters. */
void sw_holonomic_forget(sw_holonomic *s);

/* Called after sw_holonomic_forget if only the state changed: H_pp stays valid. knows_force: 1 if
 * s->force is H_q at the new state. */
void sw_holonomic_recall(sw_holonomic *s, int knows_force);

/* Computes H_pp unless it is known; this overwrites the end and both frames. Returns 1 if H_pp is
 * diagonal and H_p = H_pp p. */
int sw_holonomic_find_mass(sw_holonomic *s, const double z[]);

/* H_q at the start or at the end of a step, d values. The array is valid until the next call. */
const double *sw_holonomic_force(sw_holonomic *s, int at_end, const double z[]);

/* Starts a step as sw_phase_begin does. Returns 0 if a scale is not finite. */
int sw_holonomic_begin(sw_holonomic *s);

/* F(lambda) = g(q1)/scale, m values, and dF/dlambda at the last F: callbacks for solver.h, whose
 * context is a sw_holonomic. The first leaves q1 and g there. */
void sw_holonomic_residual(void *context, const double lambda[], double F[]);
void sw_holonomic_jacobian(void *context, const double lambda[], double J[]);

/* Completes SHAKE with the lambda of the last sw_holonomic_residual: computes p1. The frame of the
 * end is computed later, by sw_slide_begin or sw_frame_at. */
void sw_holonomic_end(sw_holonomic *s, const double lambda[]);

/* matrix = Dg S at a frame, each row divided by the measure of its gradient (sw_frame_measure).
 * This is -N up to these factors. It depends on the positions alone, and so do its sign and its
 * rank. */
void sw_holonomic_matrix(sw_holonomic *s, const sw_frame *frame);

/* The same matrix without the divisions. */
void sw_holonomic_product(sw_holonomic *s, const sw_frame *frame, double values[]);

/* Starts the slide at the end of SHAKE: *largest = max |F_i(0)|, and `wanted` is the right-hand
 * side of sw_slide_wanted for F(0). Returns 0 if a scale is not finite. */
int sw_slide_begin(sw_holonomic *s, double wanted[], double *largest);

/* After sw_slide_begin: the callback that produces the rows of sw_holonomic_matrix at the end. *of
 * is scratch that must outlive the factorisation. */
sw_row_maker sw_slide_maker(sw_holonomic *s, sw_frame_product *of);

/* Completes the slide: computes p1, and rho at the end point. */
void sw_slide_end(sw_holonomic *s, const double sigma[]);

/* Computes g, or rho if `hidden` is 1, at a state with the positions of the start or of the end,
 * and its scales (scale.h) for these sizes; m values each. Only if s->hidden_jac is NULL. Returns 0
 * if a scale is not finite. */
int sw_holonomic_judge(sw_holonomic *s, int hidden, const double z[], sw_sizes size, double value[],
                       double scale[], double sums[]);

/* Makes the end of this step the start of the next. */
void sw_holonomic_commit(sw_holonomic *s);

/* Sets all array pointers of *s except z1. */
void sw_holonomic_carve(sw_carver *c, sw_holonomic *s);

/*
 * SHAKE's multipliers by Newton's method with full steps, in as few passes over the rows as
 * possible.
 *
 * The iterates agree bit for bit with solver.h, and the rules for stopping and refactorisation are
 * the same. This search gives up if a residual does not fall or is not finite, if the matrix lacks
 * pivots, or after too many iterations; then solver.h starts again.
 *
 * This search reduces the time of a step of a chain of 1000 from 1.7 to 1.3 times that of
 * hand-written code, and halves the time of a step of a pendulum (target bench_round).
 */

typedef struct sw_holonomic_search {
  const sw_solver *solver; /* provides the linear solver; drops no rows */
  double tolerance;
  long most_iterations; /* as in solver.h */
  double *first;        /* m: the first nonzero iterate, if there is more than one iteration */
  double *change;       /* m: scratch */
  double *other;        /* m: scratch */
  double *weights;      /* m: scratch, read by `root` */

  /* Results. */
  double at_zero;         /* max |F_i(0)| */
  sw_solve_report report; /* 0 iterations if zero is accepted */
  sw_root root;
} sw_holonomic_search;

/* Call after sw_holonomic_begin. Returns 1 with the solution in lambda (m values) and its positions
 * and g in the context. Returns 0 if solver.h must solve instead. */
int sw_holonomic_search_from_zero(sw_holonomic *s, sw_holonomic_search *search, double lambda[]);

#endif
