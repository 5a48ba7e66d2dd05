/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/phase.h -- one solve of a step: operations of a method (methods/methods.h) up to a
 * requirement f = g or rho.
 *
 * The unknowns are u = (lambda, lambda_i, x): the m multipliers of its FIBRE, those of the stages i
 * with constraint forces (FORCED), and the implicit stage values. The equations, scaled as in
 * scale.h, are
 *
 *   F(u; z) = ( f(end)/scale_f,  g(Q_i)/scale_g,  r(y,x)/scale_x ),
 *
 * where z is the start of the phase and `end` the result of its operations. There are three
 * evaluators: values (F and end), directions (their derivatives along directions of z and u) and
 * patterns (phase_plan.h). They determine, for any method, the Newton matrix dF/du, its sparsity,
 * and the derivative of the whole step by the implicit function theorem (tangent.c). Directions of
 * columns of the Newton matrix that share no row are evaluated together.
 */
#ifndef SIDEWINDER_STEP_PHASE_H
#define SIDEWINDER_STEP_PHASE_H

#include "methods/methods.h"
#include "solve/solver.h"
#include "step/discrete.h"
#include "step/flows.h"
#include "step/phase_plan.h"
#include "step/requirement.h"
#include "step/stages.h"
#include "step/variational_step.h"

typedef struct sw_phase {
  const sw_system *system;
  const double *k;
  const sw_phase_plan *plan;
  sw_requirement *required;
  sw_step *step;              /* the step that contains the phase */
  sw_stages stages;           /* base method given by a tableau */
  sw_flow_step flow_step;     /* base method given by flows */
  sw_discrete discrete;       /* discrete gradients instead of a base method; then x is the end */
  sw_variational variational; /* variational phase */
  const double *start;        /* 2d: start of the phase */
  double *end;                /* 2d: end of the phase */

  double *u;              /* n: the unknowns; after the solve, the solution */
  double *h_lambda;       /* m: h lambda */
  double *slid;           /* 2d: Gamma_{h lambda}(start); the end if the phase has no base method */
  double *made;           /* 2d: phi_h(slid) */
  double *change;         /* 2d: scratch for an increment */
  const double *before;   /* 2d each, for a combination: start of the previous phase */
  const double *earlier;  /* start of the previous step */
  const double *V_before; /* 2d x n each: directions of these two states */
  const double *V_earlier;

  double *lambda;    /* multipliers in stages */
  double *at_stage;  /* values of g in the stages */
  double *at_start;  /* m: g at the start, if plan->closes */
  double *point;     /* 2d: the state at which g is evaluated in a stage */
  double *stage_jac; /* values of Dg in a stage */
  double *x;         /* stage values */
  double *r;         /* as many values: residuals of x */
  double *scale_x;   /* as many values: scales of x */
  int is_free;       /* 1 while the values belong to zero multipliers and the initial guess */

  double *flow;      /* values of dGamma/dlambda */
  double *flow_z;    /* values of dGamma/dz; only for directions of z */
  double *direction; /* one value per column: a row of the derivative of F */
  /* directions of the stage multipliers and stage values, one column per colour */
  double *seed;
  double *D_slid; /* 2d x columns */
  double *D_made; /* 2d x columns */
  double *D_r;    /* stage values x columns */
} sw_phase;

/* Sets the array pointers of *s, for `columns` directions at once. for_tangent: also for directions
 * of z. */
void sw_phase_carve(sw_carver *c, sw_phase *s, size_t columns, int for_tangent);

/* Initialises *s once all arrays are set. */
void sw_phase_open(sw_phase *s);

/* Invalidates cached values, for another start or other parameters. */
void sw_phase_forget(sw_phase *s);

/* Starts at z with zero multipliers and initial guesses in s->u; a combination (sw_combination) is
 * computed directly. The first phase with stages measures the displacement of the step without
 * constraints. Returns 0 if a scale is not finite. */
int sw_phase_begin(sw_phase *s, const double z[]);

/* F, n values, and dF/du at the last F, one value per entry of the plan's pattern: callbacks for
 * solver.h, whose context is a phase. The first also sets the states, and f at the end in
 * s->required. */
void sw_phase_values(void *context, const double u[], double F[]);
void sw_phase_jacobian(void *context, const double u[], double J[]);

static inline sw_problem sw_phase_problem(sw_phase *s)
{
  return (sw_problem){sw_phase_values, sw_phase_jacobian, s};
}

/* Computes the states alone. */
void sw_phase_move(sw_phase *s, const double u[]);

/* Derivatives of the end and of F at the u of the last values, times n directions V of the start
 * (2d x n) and DU of the unknowns. Returns the first, 2d x n, and writes the second to DF. DU, DF:
 * unknowns x n. Call sw_phase_along first. */
void sw_phase_along(sw_phase *s);
const double *sw_phase_directions(sw_phase *s, int n, const double V[], const double DU[],
                                  double DF[]);

/* The transpose of sw_phase_directions for one direction: of_z and of_u are the derivatives along z
 * and u of of_end . end - of_F . F.  Returns 0, without results, for phases over flows, with
 * discrete gradients, and of variational integrators.  Call sw_phase_along first.  Needs arrays for
 * at least two directions. */
int sw_phase_pull(sw_phase *s, const double of_end[], const double of_F[], double of_z[],
                  double of_u[]);

/* Adds end - start (2d values) of the last values, summed from the increments of the fibre and of
 * the base method, so that its errors are relative to the step and not to the state. Only for
 * phases without discrete gradients, over a tableau or over flows of parts of H. */
void sw_phase_increment(sw_phase *s, sw_two_sums to);

#endif
