/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/stage_four.h -- a step of a variational integrator by the fixed-point iteration of paper 004
 * (sections 3, 4.2 to 4.4), with Anderson acceleration. It solves the equations of legendre.h and
 * variational_step.h with all multipliers as unknowns. The layer is then differentiated only along
 * weights (sweep.h), and memory is linear in d and in the entries of sparse matrices.
 *
 * First solve, for the state w1 at the start of the step: near and far are the times h alpha+ and h
 * alpha-. The unknowns are mu^, lambda^, nu_1, nu_2 and the feet of both ends; they give (x, mu) =
 * F+(w1). Second solve, for the state w2 = (q,v) at the end: near and far are exchanged. The
 * unknowns are w2, mu^, lambda^, nu_1, nu_2, the far foot, and theta, zeta with
 *
 *   R^q_near(w2) = x + Dg(x)^T theta,   (1 + D^2(theta.g)(x)) mu^ = mu + Dg(x)^T zeta,
 *   g(q) = 0,   Dg(q) v = 0.
 *
 * The momentum p_t of a clock (legendre.h) is not an unknown; it follows from the equation for mu_t
 * at both ends.
 *
 * Each iteration subtracts from the unknowns the solution of the equations for force-free motion,
 * with G = Dg and H_pp at the start of the step: the primed equations of Stage 4, five systems with
 * G G^T and one with G H_pp G^T.
 */
#ifndef SIDEWINDER_STEP_STAGE_FOUR_H
#define SIDEWINDER_STEP_STAGE_FOUR_H

#include "solve/fixed_point.h"
#include "step/requirement.h"
#include "step/sweep.h"

typedef struct sw_stage_four sw_stage_four;

/* Creates a solver for the model, methods and bias. All arguments must outlive it. On failure *made
 * is NULL.
 * Errors: SW_ERR_MEMORY. */
sw_status sw_stage_four_create(const sw_system *system, const double k[],
                               const sw_layer_method method[2], const double bias[2],
                               const sw_step *step, double tolerance, int max_iterations,
                               sw_stage_four **made);
void sw_stage_four_free(sw_stage_four **s);

/* z1 = the initial guess for the end of a step from z. Returns 0 if it is not finite. */
int sw_stage_four_guess(sw_stage_four *s, const double z[], double z1[]);

/* Solves for the end z1 of a measured step from z, starting with the guess in z1.
 * Errors: those of sw_fixed_point_solve, and SW_ERR_SINGULAR if Dg does not have full rank. */
sw_status sw_stage_four_solve(sw_stage_four *s, const double z[], double z1[],
                              sw_solve_report *report);

/* x = (qbar, mu), 2d values, for z and a step of size h: sw_legendre_values, with the tangent part
 * of mu.
 * Errors: those of sw_stage_four_solve. */
sw_status sw_stage_four_legendre(sw_stage_four *s, double h, sw_sizes size, const double z[],
                                 double x[]);

/* Returns the multipliers of the equation of motion at z. */
const double *sw_stage_four_lambda(sw_stage_four *s, const double z[]);

#endif
