/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/step.h -- a step of a small model as formulas, composed from the table of its method.
 *
 * The unknowns of a phase are the arguments of the fibre flow, and those entries of stage values
 * that cannot be computed explicitly. An argument is h times a multiplier, or the tangent of half
 * the angle of a rotation.
 */
#ifndef SIDEWINDER_FUSED_STEP_H
#define SIDEWINDER_FUSED_STEP_H

#include "fused/elimination.h"
#include "methods/methods.h"
#include "sidewinder/stepper.h"

typedef struct fused_phase {
  int n; /* number of unknowns; the first m are the arguments of the fibre flow */
  int m;
  /* number of unknowns that are h times multipliers in stages; they follow the arguments, m for
   * each stage in which constraints act */
  int forces;
  double force_weight[FUSED_UNKNOWNS_MOST]; /* weight of each of these in the momenta at the end */
  /* For the first m: h times the multiplier is per_arctan times arctan of the unknown (rotation.h);
   * NULL: it is the unknown. */
  const ir_expr *per_arctan[FUSED_UNKNOWNS_MOST];
  const ir_expr *unknown[FUSED_UNKNOWNS_MOST];
  const ir_expr
      *per_angle[FUSED_UNKNOWNS_MOST]; /* derivative of an unknown by its angle; NULL: no angle */
  /* derivative of an unknown by its angle; NULL: no angle */
  const ir_expr *guess[FUSED_UNKNOWNS_MOST];
  const ir_expr *F[FUSED_UNKNOWNS_MOST];          /* residual */
  const ir_expr *over_scale[FUSED_UNKNOWNS_MOST]; /* 1/scale of the residual */
  /* 1: an entry of a state, whose change from its guess is measured in this scale */
  char is_of_state[FUSED_UNKNOWNS_MOST];
  double multiplier; /* weight of the phase's multipliers in those of the step */
  int hidden;        /* 1: the first m equations are rho, 0: they are g */
  /* 1 if each pivot, and not just the determinant, must keep its sign during a solve. Several sign
   * changes may cancel if multipliers act at unknown positions, or in independent blocks. */
  int keeps_pivots;
  int keeps_first_sign; /* 1: the first determinant fixes the reference sign; 0: N does */
  int is_linear;        /* 1 if the Jacobian does not depend on the unknowns */
  const ir_expr *change[FUSED_UNKNOWNS_MOST];
  int n_pivots; /* number of pivots of the exact Jacobian; or 1 for its determinant */
  const ir_expr *pivot[FUSED_UNKNOWNS_MOST]; /* the pivots, or the determinant */
} fused_phase;

/* A part of H with an exact flow. If the flow is linear, hess is its Hessian, the lower
 * triangle. */
typedef struct fused_part {
  int is_linear; /* 0: its gradient is constant along the flow */
  const ir_function *grad;
  const ir_function *hess;
} fused_part;

/* The base method: stages of a tableau, or, if tableau is NULL, flows of parts of H, or nothing. */
typedef struct fused_base {
  const sw_tableau *tableau;
  int n_parts;
  const fused_part *parts;
  const ir_expr *const *force; /* d: the part of H_q that a cut step evaluates itself; NULL: none */
} fused_base;

/* Phi = integral_0^t e^(s A) ds of a linear flow, for a block of entries of z that A couples. */
enum { FUSED_BLOCK_OF_PHI_MOST = SW_PHI_MOST };
typedef struct fused_phi {
  int n;
  const ir_expr *t;    /* a value of the setup */
  const ir_expr **A;   /* n x n values of the setup; NULL: 0 */
  const ir_expr **Phi; /* n x n given values; NULL: 0 */
} fused_phi;

typedef struct fused_step {
  fused_values *values;
  int d;
  int dim; /* 2d, or 4d if a carry or the previous state is a part of the state */
  int m;
  int nk;
  int n_phases;
  fused_phase phase[SW_PHASES_MOST];
  const ir_expr *h;
  const ir_expr **k;      /* nk */
  const ir_expr *bias[2]; /* alpha-, alpha+ of a variational integrator, else NULL */
  const ir_expr **z;      /* dim: the start, followed by its carry or the previous state */
  const ir_expr **end;    /* dim: the end */
  const ir_expr *size_q;  /* max |q| at the start; size_p: max |p| */
  const ir_expr *size_p;
  /* phase after which the final entries overwrite the start; -1: they do so at the end of the
   * step */
  int advances;
  char *is_early; /* dim: 1 for these final entries of z */
  /* 2d: the state after the first phase of a cut step, else NULL. The caller adds forces to it, and
   * the second half reads the whole state again from the location of the start. */
  const ir_expr **reached;
  const ir_expr **force; /* d: forces at the state of a cut step, or NULL */

  int n_phis;
  size_t room_of_phis;
  fused_phi *phi;

  int n_blocks;                   /* number of blocks of N that are independent of each other */
  int block[FUSED_UNKNOWNS_MOST]; /* block number of each constraint */
  fused_matrix N;                 /* N at the state, before elimination */
  const ir_expr *N_pivot[FUSED_UNKNOWNS_MOST]; /* pivots of N */
  /* Sums of |dg_i/dz_j| over the positions [0] and over the momenta [1]. They bound how far a slide
   * by 1 moves the other half. */
  const ir_expr *slopes_of_g[2][FUSED_UNKNOWNS_MOST];
  char *is_moved[FUSED_UNKNOWNS_MOST];           /* 2d: 1 if a slide by g_i moves entry n of z */
  const ir_expr *scale_g[FUSED_UNKNOWNS_MOST];   /* scale of g_i at a state */
  const ir_expr *scale_rho[FUSED_UNKNOWNS_MOST]; /* scale of rho_i at a state */
  const ir_expr *g[FUSED_UNKNOWNS_MOST];         /* g at the end; rho likewise */
  const ir_expr *rho[FUSED_UNKNOWNS_MOST];
  /* Multipliers at a state, if those of the step are these at its end; NULL: they are unknowns. */
  const ir_expr *lambda[FUSED_UNKNOWNS_MOST];
} fused_step;

#endif
