/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/step.h -- a step of a small model as formulas, composed from the table of its method.
 *
 * Unknowns of a phase are the arguments of the fibre flow, h times the multipliers or the tangents of half the angles by which they turn, and those entries of stage values that cannot be
 * computed one after the other.
 */
#ifndef SIDEWINDER_FUSED_STEP_H
#define SIDEWINDER_FUSED_STEP_H

#include "fused/elimination.h"
#include "methods/methods.h"
#include "sidewinder/stepper.h"

typedef struct fused_phase {
  int n; /* unknowns, of which the first m are arguments of the fibre flow, */
  int m;
  int forces; /* and so many after these h times multipliers in stages, m for each stage where constraints act, */
  double force_weight[FUSED_UNKNOWNS_MOST]; /* of which the momenta of the end have so much */
  /* Of the first m: h times the multiplier is this times arctan of the unknown (rotation.h); NULL: it is the unknown. */
  const ir_expr *per_arctan[FUSED_UNKNOWNS_MOST];
  const ir_expr *unknown[FUSED_UNKNOWNS_MOST];
  const ir_expr *per_angle
      [FUSED_UNKNOWNS_MOST]; /* by how much an unknown changes with its angle; NULL: it has none */
  const ir_expr *guess[FUSED_UNKNOWNS_MOST];      /* where Newton's method begins */
  const ir_expr *F[FUSED_UNKNOWNS_MOST];          /* what has to vanish, */
  const ir_expr *over_scale[FUSED_UNKNOWNS_MOST]; /* times this */
  char is_of_state
      [FUSED_UNKNOWNS_MOST]; /* 1: an entry of a state, which is compared with its guess by that scale */
  double multiplier;         /* how much of its multipliers is part of those of the step */
  int hidden;                /* 1: the first m are rho, else g */
  /* 1 where each pivot has to keep its sign in a solve, and not the determinant alone: several changes may cancel where multipliers act
   * at places that are unknown themselves, and in blocks that have nothing to do with each other.
   * */
  int keeps_pivots;
  int keeps_first_sign; /* 1 where the sign of the first determinant is taken, and not told from that of N */
  int is_linear; /* 1 where the Jacobian does not depend on the unknowns */
  const ir_expr *change[FUSED_UNKNOWNS_MOST];
  int n_pivots;                              /* of the exact Jacobian; or 1, for its determinant */
  const ir_expr *pivot[FUSED_UNKNOWNS_MOST]; /* these */
} fused_phase;

/* A part of H with an exact flow; its Hessian, the lower triangle, where that is linear. */
typedef struct fused_part {
  int is_linear; /* 0: its gradient is constant along the flow */
  const ir_function *grad;
  const ir_function *hess;
} fused_part;

/* The stages of a tableau, or, where that is NULL, flows of parts of H; or nothing. */
typedef struct fused_base {
  const sw_tableau *tableau;
  int n_parts;
  const fused_part *parts;
  const ir_expr *const *force; /* d: what a step that is cut adds itself of H_q; NULL: nothing */
} fused_base;

/* Phi = integral_0^t e^(s A) ds of a linear flow, for a block of entries of z that A connects. */
enum { FUSED_BLOCK_OF_PHI_MOST = SW_PHI_MOST };
typedef struct fused_phi {
  int n;
  const ir_expr *t;    /* a value of the setup, */
  const ir_expr **A;   /* n x n of them, NULL: 0, */
  const ir_expr **Phi; /* and n x n values that are given where these are, likewise */
} fused_phi;

typedef struct fused_step {
  fused_values *values;
  int d;
  int dim; /* 2d, or, where a carry or the state before belongs to the state, 4d */
  int m;
  int nk;
  int n_phases;
  fused_phase phase[SW_PHASES_MOST];
  const ir_expr *h;
  const ir_expr **k;      /* nk */
  const ir_expr *bias[2]; /* alpha-, alpha+ of a variational integrator, else NULL */
  const ir_expr **z;     /* dim: the start, with a carry or the state before it behind the state, */
  const ir_expr **end;   /* and the end */
  const ir_expr *size_q; /* max |q|, max |p| at the start */
  const ir_expr *size_p;
  int advances; /* phase after which what does not change any more takes the place of the start; -1: at the end of all */
  char *is_early; /* dim: which entries of z these are */
  /* 2d: where the first phase leads, where the step is cut there: forces are added to that outside, and what follows reads all
   * entries of the state anew, in the place of the start.  Else NULL. */
  const ir_expr **reached;
  const ir_expr **force; /* d: then forces at the state, or NULL */

  int n_phis;
  size_t room_of_phis;
  fused_phi *phi;

  int n_blocks;                                /* of N, that have nothing to do with each other, */
  int block[FUSED_UNKNOWNS_MOST];              /* and which one constraint i is in */
  fused_matrix N;                              /* at the state, before elimination, */
  const ir_expr *N_pivot[FUSED_UNKNOWNS_MOST]; /* and the pivots of that */
  /* sum_j |dg_i/dz_j| over the positions [0] and over the momenta [1]: by how much a slide by 1 moves the other half at most. */
  const ir_expr *slopes_of_g[2][FUSED_UNKNOWNS_MOST];
  char *is_moved[FUSED_UNKNOWNS_MOST]; /* 2d: whether a slide by g_i moves that entry of z */
  const ir_expr *scale_g[FUSED_UNKNOWNS_MOST];   /* of g_i, */
  const ir_expr *scale_rho[FUSED_UNKNOWNS_MOST]; /* and of rho_i, at a state */
  const ir_expr *g[FUSED_UNKNOWNS_MOST];         /* at the end */
  const ir_expr *rho[FUSED_UNKNOWNS_MOST];
  /* Multipliers at a state, where those of the step are these at its end; NULL: they are unknowns. */
  const ir_expr *lambda[FUSED_UNKNOWNS_MOST];
} fused_step;

#endif
