/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step/phase_kind.h -- what phases of all kinds are made of, and the kinds, each a table of what phase.h says of the functions of
 * these names.
 */
#ifndef SIDEWINDER_STEP_PHASE_KIND_H
#define SIDEWINDER_STEP_PHASE_KIND_H

#include "methods/methods.h"
#include "step/discrete.h"
#include "step/flows.h"
#include "step/phase_plan.h"
#include "step/requirement.h"
#include "step/stage_four.h"
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
  sw_variational variational; /* what a phase with a layer is, */
  sw_stage_four *stage_four;  /* or this, which the simulation has */
  const double *start;        /* 2d: where the phase starts */
  double *end;                /* 2d: the last of its states */

  double *u;              /* n: the unknowns, once they are solved for */
  double *argument;       /* m: h mu */
  double *slid;           /* 2d: Gamma_{h mu}(start); the end where the phase has no base method */
  double *made;           /* 2d: phi_h of that */
  double *change;         /* 2d: of an increment */
  const double *before;   /* 2d each: for a combination, where the phase before started, */
  const double *earlier;  /* and the step before, */
  const double *V_before; /* 2d x n each: and directions of these */
  const double *V_earlier;

  double *lambda;    /* multipliers in stages */
  double *at_stage;  /* the same number: g there */
  double *at_start;  /* m, if the plan closes: g at the start */
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

typedef struct sw_phase_kind {
  void (*carve)(sw_carver *c, sw_phase *s, size_t columns, int for_tangent);
  int (*begin)(sw_phase *s, const double z[]); /* s->start is z */
  void (*move)(sw_phase *s, const double u[]);
  /* NULL where there is nothing to solve for. */
  void (*values)(sw_phase *s, const double u[], double F[]);
  void (*jacobian)(sw_phase *s, double J[]);
  void (*along)(sw_phase *s);
  const double *(*directions)(sw_phase *s, int n, const double V[], const double DU[], double DF[]);
  void (*increment)(sw_phase *s, sw_two_sums to); /* NULL where a step is not made of increments */
} sw_phase_kind;

extern const sw_phase_kind
    sw_phase_of_operations; /* phase_operations.c: a fibre, a base method, a requirement */

#endif
