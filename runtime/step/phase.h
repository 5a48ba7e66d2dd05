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

#include "methods/methods.h"
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
  sw_step *step;              /* of the step */
  sw_stages stages;           /* the base method, as a tableau, */
  sw_flow_step flow_step;     /* or as what a caller computes, */
  sw_discrete discrete;       /* or discrete gradients in its place; then x is the end */
  sw_variational variational; /* what a phase with a layer is */
  const double *start;        /* 2d: where the phase starts */
  double *end;                /* 2d: the last of its states */

  double *u;             /* n: the unknowns, once they are solved for */
  double *argument;      /* m: h mu */
  double *slid;          /* 2d: Gamma_{h mu}(start); the end where the phase has no base method */
  double *made;          /* 2d: phi_h of that */
  const double *before;  /* 2d each: for a combination, where the phase before started, */
  const double *earlier; /* and the step before */

  double *lambda;    /* multipliers in stages */
  double *at_stage;  /* the same number: g there */
  double *point;     /* 2d: where g is taken there */
  double *stage_jac; /* values of Dg there */
  double *x;         /* stage values */
  double *r;         /* the same number: what they miss */
  double *scale_x;   /* the same number */
  int is_free;       /* 1 while the values are those of zero multipliers and the first guess */

  double *flow;      /* values of dGamma/dlambda */
  double *flow_z;    /* values of dGamma/dz; for directions of z alone */
  double *direction; /* one value per column: one row of F's derivative */
  double *seed;      /* multipliers in stages and stage values x colours: their directions */
  double *D_slid;    /* 2d x columns */
  double *D_made;    /* 2d x columns */
  double *D_r;       /* stage values x columns */
} sw_phase;

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

/* The end's and F's derivatives at the u of the last values, times n directions V of the start (2d x n) and DU of the
 * unknowns: the first returned, 2d x n, and DF.  DU, DF: unknowns x n.  sw_phase_along makes ready for it. */
void sw_phase_along(sw_phase *s);
const double *sw_phase_directions(sw_phase *s, int n, const double V[], const double DU[],
                                  double DF[]);

/* The end of a combination along directions of the states that it is made of, 2d x n each. */
const double *sw_phase_combine_directions(sw_phase *s, int n, const double V[],
                                          const double V_before[], const double V_earlier[]);

#endif
