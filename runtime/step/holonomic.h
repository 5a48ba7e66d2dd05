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

#include "step/holonomic_loops.h"

/* Makes the frame that of a state z, unless it is. */
void sw_frame_at(sw_holonomic *s, sw_frame *frame, const double z[]);

/* Another start, or other parameters. */
void sw_holonomic_forget(sw_holonomic *s);

/* After sw_holonomic_forget where the state alone is another one: H_pp is still known, and where knows_force is 1 s->force is H_q there. */
void sw_holonomic_recall(sw_holonomic *s, int knows_force);

/* Finds H_pp unless it is known, which overwrites the end and both frames.  Returns 1 where it is diagonal and H_p is H_pp p. */
int sw_holonomic_find_mass(sw_holonomic *s, const double z[]);

/* H_q at the start of a step, or at its end, d values; known until the next one is asked for. */
const double *sw_holonomic_force(sw_holonomic *s, int at_end, const double z[]);

/* Kicks and drifts without constraints: p_half and q_free, and how far the step moves.  Returns 0 where that is not finite. */
int sw_holonomic_move(sw_holonomic *s);

/* Starts a step as sw_phase_begin does.  Returns 0 where a scale is not finite. */
int sw_holonomic_begin(sw_holonomic *s);

/* F(lambda) = g(q1)/scale, m values.  Leaves q1 and g in the context. */
void sw_holonomic_residual(sw_holonomic *s, const double lambda[], double F[]);

/* dF/dlambda at the last sw_holonomic_residual. */
void sw_holonomic_jacobian(sw_holonomic *s, double J[]);

/* Who makes its rows, for a solve with the right-hand side F; *of is scratch that has to outlive that. */
sw_row_maker sw_holonomic_jacobian_maker(sw_holonomic *s, double J[], const double F[],
                                         sw_frame_product *of);

/* Ends SHAKE with the lambda of the last sw_holonomic_residual: p1.  The frame of the end is left to sw_slide_begin, or sw_frame_at. */
void sw_holonomic_end(sw_holonomic *s, const double lambda[]);

/* matrix = Dg S at a frame, each row divided by a measure of its gradient (sw_frame_measure): -N but for these factors, and a
 * function of the positions alone, so that its sign and what it lacks are. */
void sw_holonomic_matrix(sw_holonomic *s, const sw_frame *frame);

/* The same without these divisions. */
void sw_holonomic_product(sw_holonomic *s, const sw_frame *frame, double values[]);

/* Starts the slide from the end of SHAKE: F(0), whose largest size is *largest, and what sw_slide_wanted makes of F(0).  Returns 0 where
 * a scale is not finite. */
int sw_slide_begin(sw_holonomic *s, double wanted[], double *largest);

/* After it, who makes the rows of sw_holonomic_matrix at the end, for a solve with the right-hand side `wanted`; *of is scratch that has to outlive
 * that. */
sw_row_maker sw_slide_maker(sw_holonomic *s, const double wanted[], sw_frame_product *of);

/* Ends the slide: p1, and rho of the end point itself. */
void sw_slide_end(sw_holonomic *s, const double sigma[]);

/* g, or rho where `hidden`, at a state in the place of the start or of the end, and its scales (scale.h) for these sizes; m values
 * each.  Only where s->hidden_jac is NULL.  Returns 0 where a scale is not finite. */
int sw_holonomic_judge(sw_holonomic *s, int hidden, const double z[], sw_sizes size, double value[],
                       double scale[], double sums[]);

/* The end of this step is the start of the next. */
void sw_holonomic_commit(sw_holonomic *s);

/* Points *s at its arrays but for z1. */
void sw_holonomic_carve(sw_carver *c, sw_holonomic *s);

#endif
