/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/stage_four.h -- a step of a variational integrator by the fixed-point iteration of paper 004 (sections 3, 4.2 to 4.4), with
 * Anderson acceleration: the equations of legendre.h and variational_step.h, posed with all of their multipliers as unknowns, so that
 * derivatives of the layer are only needed along weights (sweep.h), and all memory is linear in d and in the entries of sparse matrices.
 *
 * Of the state w1 where the step starts, with near and far the times h alpha+ and h alpha-, the unknowns are mu^, lambda^, nu_1, nu_2
 * and the feet of both ends, which give (x, mu) = F+(w1); of the state w2 = (q,v) where it ends, with near and far the other way
 * round, they are w2, mu^, lambda^, nu_1, nu_2, the far foot, and theta, zeta with
 *
 *   R^q_near(w2) = x + Dg(x)^T theta,   (1 + D^2(theta.g)(x)) mu^ = mu + Dg(x)^T zeta,   g(q) = 0,   Dg(q) v = 0.
 *
 * The momentum p_t of a clock (legendre.h) is none of the unknowns, and found from the equation for mu_t at both ends.
 *
 * An iteration subtracts from them what solves the equations of a motion without forces, with G = Dg and H_pp where the step starts: the
 * primed equations of Stage 4, five systems with G G^T and one with G H_pp G^T.
 */
#ifndef SIDEWINDER_STEP_STAGE_FOUR_H
#define SIDEWINDER_STEP_STAGE_FOUR_H

#include "solve/fixed_point.h"
#include "step/requirement.h"
#include "step/sweep.h"

typedef struct sw_stage_four sw_stage_four;

/* Makes one for that model and these methods and bias, which outlive it, as k and step do.  On failure *made is NULL.  Errors:
 * SW_ERR_MEMORY. */
sw_status sw_stage_four_create(const sw_system *system, const double k[],
                               const sw_layer_method method[2], const double bias[2],
                               const sw_step *step, double tolerance, int max_iterations,
                               sw_stage_four **made);
void sw_stage_four_free(sw_stage_four **s);

/* z1 = the first guess of the end of a step from z.  Returns 0 where it is not finite. */
int sw_stage_four_guess(sw_stage_four *s, const double z[], double z1[]);

/* The end of a step that has been measured, from z and that guess.  Errors: those of sw_fixed_point_solve, and SW_ERR_SINGULAR where
 * Dg has no full rank. */
sw_status sw_stage_four_solve(sw_stage_four *s, const double z[], double z1[],
                              sw_solve_report *report);

/* x = (qbar, mu), 2d values, of z and a step of size h: sw_legendre_values, with the tangent part of mu.  Errors: likewise. */
sw_status sw_stage_four_legendre(sw_stage_four *s, double h, sw_sizes size, const double z[],
                                 double x[]);

/* The multipliers of the equation of motion at z. */
const double *sw_stage_four_lambda(sw_stage_four *s, const double z[]);

#endif
