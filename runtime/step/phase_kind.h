/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/phase_kind.h -- the data of a phase, and the table of functions for each kind of phase.
 * phase.h describes the functions of the same names.
 */
#ifndef SIDEWINDER_STEP_PHASE_KIND_H
#define SIDEWINDER_STEP_PHASE_KIND_H

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

typedef struct sw_phase_kind {
  void (*carve)(sw_carver *c, sw_phase *s, size_t columns, int for_tangent);
  int (*begin)(sw_phase *s, const double z[]); /* with s->start = z */
  void (*move)(sw_phase *s, const double u[]);
  /* `values` and `jacobian` are NULL for kinds that Newton's method does not solve. */
  void (*values)(sw_phase *s, const double u[], double F[]);
  void (*jacobian)(sw_phase *s, double J[]);
  void (*along)(sw_phase *s);
  const double *(*directions)(sw_phase *s, int n, const double V[], const double DU[], double DF[]);
  void (*increment)(sw_phase *s, sw_two_sums to); /* NULL if a step is not a sum of increments */
} sw_phase_kind;

extern const sw_phase_kind
    sw_phase_of_operations; /* phase_operations.c: fibre, base method, requirement */

#endif
