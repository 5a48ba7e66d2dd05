/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/phase.h -- one solve of a step: operations of a method (methods/methods.h) up to a requirement f = g or rho.
 *
 * Unknowns u = (mu, lambda, x): the m multipliers of its FIBRE, those of the stages where constraints act (FORCED), and the stage
 * values that have to be solved for.  Equations, scaled as scale.h says,
 *
 *   F(u; z) = ( f(end)/scale_f,  g(Q_i)/scale_g,  r(y,x)/scale_x ),
 *
 * where z is the start of the phase and `end` what its operations make of it.  There are three evaluators: values
 * (F and end), directions (their derivatives along directions of z and u) and patterns (phase_plan.h).  The Newton
 * matrix dF/du, the derivative of the whole step by the implicit function theorem (tangent.c), and sparsity follow from
 * them for any method.  Directions of columns of the Newton matrix that do not meet are taken together.
 */
#ifndef SIDEWINDER_STEP_PHASE_H
#define SIDEWINDER_STEP_PHASE_H

#include "solve/solver.h"
#include "step/phase_kind.h"

/* Points *s at its arrays, with `columns` directions taken together; for_tangent: also along directions of z. */
void sw_phase_carve(sw_carver *c, sw_phase *s, size_t columns, int for_tangent);

/* Once all arrays are there. */
void sw_phase_open(sw_phase *s);

/* Another start, or other parameters. */
void sw_phase_forget(sw_phase *s);

/* Starts from z, with zero multipliers and first guesses in s->u; a combination is made.  The first phase with stages measures how far the
 * step moves without constraints.  Returns 0 where a scale is not finite. */
int sw_phase_begin(sw_phase *s, const double z[]);

/* F, n values; leaves the states, and f at the end in s->required. */
void sw_phase_values(sw_phase *s, const double u[], double F[]);

/* The states alone. */
void sw_phase_move(sw_phase *s, const double u[]);

/* dF/du at the u of the last sw_phase_values, one value per entry of the plan's pattern. */
void sw_phase_jacobian(sw_phase *s, double J[]);

/* These two in the form that solver.h asks for, with a phase as the context. */
void sw_phase_residual(void *context, const double u[], double F[]);
void sw_phase_derivative(void *context, const double u[], double J[]);

static inline sw_problem sw_phase_problem(sw_phase *s)
{
  return (sw_problem){sw_phase_residual, sw_phase_derivative, s};
}

/* The end's and F's derivatives at the u of the last values, times n directions V of the start (2d x n) and DU of the
 * unknowns: the first returned, 2d x n, and DF.  DU, DF: unknowns x n.  sw_phase_along makes ready for it. */
void sw_phase_along(sw_phase *s);
const double *sw_phase_directions(sw_phase *s, int n, const double V[], const double DU[],
                                  double DF[]);

/* Adds end - start, 2d values, of the last values: added up of what the fibre and the base method add, so that it has errors
 * relative to the step and not to the state.  Only for phases of operations without discrete gradients, over a tableau or
 * flows of parts of H. */
void sw_phase_increment(sw_phase *s, sw_two_sums to);

#endif
