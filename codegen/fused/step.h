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

#include "expr/loops.h"
#include "fused/values.h"
#include "methods/methods.h"
#include "sidewinder/stepper.h"

/* ---- elimination (elimination.c) ---- */

/* Gaussian elimination of a small sparse matrix as straight-line code over its nonzero entries.
 * There are no row exchanges; the caller must check the pivots and the accuracy of the solution. */

/* A = L U, in place, in the order of elimination. The strict lower triangle becomes that of L, the
 * rest becomes U. NULL is zero. */
typedef struct fused_matrix {
  int n;
  int is_free; /* 1: the order of pivots may be chosen; 0: it is the order of the rows */
  int order[FUSED_UNKNOWNS_MOST]; /* order of elimination */
  const ir_expr *at[FUSED_UNKNOWNS_MOST][FUSED_UNKNOWNS_MOST];
  const ir_expr *over_pivot[FUSED_UNKNOWNS_MOST]; /* 1/U_ii */
} fused_matrix;

/* Factorises m; the names of the values begin with `name`. Returns 0 if a pivot is always zero. A
 * free order is chosen to reduce fill-in and the dependence of pivots on each other: a chain is
 * eliminated from both ends. */
int fused_factorise(fused_values *f, const char *name, fused_matrix *m);

/* x <- A^{-1} x, with the factors. */
void fused_solve(fused_values *f, const char *name, const fused_matrix *m, const ir_expr *x[]);

/* x <- A^{-1} x by cofactors and one division, for an unfactorised matrix of at most
 * FUSED_COFACTORS_MOST rows. This has a shorter chain of dependent operations than divisions by
 * pivots. Returns the determinant, or NULL if it is always zero. */
enum { FUSED_COFACTORS_MOST = 3 };
const ir_expr *fused_solve_by_cofactors(fused_values *f, const char *name, const fused_matrix *m,
                                        const ir_expr *x[]);

/* ---- the step ---- */

typedef struct fused_phase {
  int n; /* number of unknowns; the first m are the arguments of the fibre flow */
  int m;
  /* number of unknowns that are h times multipliers in stages; they follow the arguments, m for
   * each stage in which constraints act */
  int forces;
  double force_weight[FUSED_UNKNOWNS_MOST]; /* weight of each of these in the momenta at the end */
  /* For the first m: h times the multiplier is per_arctan times arctan of the unknown (rotation.c);
   * NULL: it is the unknown. */
  const ir_expr *per_arctan[FUSED_UNKNOWNS_MOST];
  const ir_expr *unknown[FUSED_UNKNOWNS_MOST];
  const ir_expr
      *per_angle[FUSED_UNKNOWNS_MOST]; /* derivative of an unknown by its angle; NULL: no angle */
  /* initial values of the unknowns */
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
  /* The same where a slide ends that does not lead to M^H; NULL: N need not be examined there. */
  const ir_expr *slid_pivot[FUSED_UNKNOWNS_MOST];
  /* Sums of |dg_i/dz_j| over the positions [0] and over the momenta [1]. They bound how far a slide
   * by 1 moves the other half. */
  const ir_expr *slopes_of_g[2][FUSED_UNKNOWNS_MOST];
  char *is_moved[FUSED_UNKNOWNS_MOST];           /* 2d: 1 if a slide by g_i moves entry n of z */
  const ir_expr *scale_g[FUSED_UNKNOWNS_MOST];   /* scale of g_i at a state */
  const ir_expr *scale_rho[FUSED_UNKNOWNS_MOST]; /* scale of rho_i at a state; NULL without M^H */
  const ir_expr *g[FUSED_UNKNOWNS_MOST];         /* g at the end; rho likewise */
  const ir_expr *rho[FUSED_UNKNOWNS_MOST];
  /* Multipliers at a state, if those of the step are these at its end; NULL: they are unknowns. */
  const ir_expr *lambda[FUSED_UNKNOWNS_MOST];
} fused_step;

/* ---- without constraints that follow from others (kept.c) ---- */

/* The model without the constraints i with follows[i], with those of its functions from which steps
 * are composed, except the functions of variational integrators, which take no redundant
 * constraints. The others keep their order, as in runtime/model/reduced.h. */
const ir_program *fused_reduced_program(ir_context *c, const ir_program *p, const char follows[]);

/* ---- composition (compose.c) ---- */

/* When entries of the state are updated: AT_ONCE: at the end. ADVANCING: as soon as they are final.
 * CUT: the step has two phases, and all entries are updated between them (fused/step.h). */
typedef enum fused_shape { FUSED_AT_ONCE, FUSED_ADVANCING, FUSED_CUT } fused_shape;

/* Composes the step of a method over a base method, with a carry if it is compensated. Returns NULL
 * if there is no such step; *refusal then gives the reason, a phrase about the model. */
const fused_step *fused_step_compose(ir_context *c, const ir_program *p, const sw_method *method,
                                     const fused_base *base, int compensated, fused_shape shape,
                                     const char **refusal);

/* ---- forms and blocks (forms.c, schedule.c) ---- */

/* Chooses the form of each value that minimises the cost of the whole step. */
void fused_choose_forms(const fused_step *s);

/* The blocks of a step. The last six belong to phase 0. Those of phase i follow at an offset of i *
 * FUSED_BLOCKS_OF_PHASE. */
enum {
  FUSED_BLOCK_SETUP,
  FUSED_BLOCK_FLOWS, /* values of the setup that depend on matrices of linear flows */
  /* Values of the state. Usually EARLY has those that depend only on entries that are final before
   * the last phase, and LATE has the rest. If the step is cut, EARLY has those of the first half,
   * LATE those of the second half; a value may be in both. */
  FUSED_BLOCK_EARLY,
  FUSED_BLOCK_LATE,
  FUSED_BLOCK_FORCE, /* forces, before either half */
  FUSED_BLOCK_BEGIN,
  FUSED_BLOCK_RESIDUAL,
  FUSED_BLOCK_CORRECT,
  FUSED_BLOCK_AFTER,
  /* Residual and change at zero unknowns, if Newton's method starts there; otherwise empty. */
  FUSED_BLOCK_START,
  FUSED_BLOCK_FIRST,
  FUSED_BLOCKS_OF_PHASE = 6
};
enum { FUSED_BLOCKS_MOST = FUSED_BLOCK_BEGIN + FUSED_BLOCKS_OF_PHASE * SW_PHASES_MOST };

/* n: the number of values of fused_values. */
typedef struct fused_schedule {
  char *is_in[FUSED_BLOCKS_MOST];   /* n: 1 if the block computes the value */
  char *is_read[FUSED_BLOCKS_MOST]; /* n: 1 if the block reads the value from another block */
  char *is_kept;                    /* n: 1 if one block computes the value and another reads it */
  /* n: formulas of this block's values; NULL: the common formulas of fused_values */
  const ir_expr **formula[FUSED_BLOCKS_MOST];
} fused_schedule;

/* The formula of a value that the block computes. */
const ir_expr *fused_formula_in(const fused_schedule *b, const fused_values *f, int block, int i);

/* 1 if Newton's method of this phase starts at zero unknowns, and there are few of them. With many
 * unknowns the elimination costs the same at zero, and its code is long. */
int fused_starts_at_zero(const fused_phase *p);

/* Returns NULL if a value would be read after the state has been overwritten. */
const fused_schedule *fused_schedule_create(arena *a, const fused_step *s);

/* ---- clusters (cluster.c) ---- */

/* One cluster of constraints of a looped model, as a small model.
 *
 * The constraints of a looped model form equal clusters, such as rigid molecules, under two
 * conditions. All families of constraints have the same single index, and different values of the
 * index share no entry of q. A cluster has one constraint of each family and the positions that
 * these constraints read.
 *
 * Its H is the kinetic energy sum_j w_j p_j^2/2, with the inverse masses w as parameters. Forces
 * act between the solves of a step (step/holonomic.h). If a term of H reads positions of one
 * cluster only, its force is computed per cluster. If H has no other terms, as for molecules in a
 * field, the clusters move independently. */

/* Entry of an array of parameters: number `entry` in the first cluster, and `by` more in each
 * further cluster. */
typedef struct fused_parameter {
  int array;
  long entry;
  long by;
  const char *name; /* name in the cluster's program */
} fused_parameter;

/* A term of H whose forces on a cluster depend on more than the cluster's positions. The term
 * vanishes if one of these sets of the model is empty. */
typedef struct fused_others {
  int n;
  const int *sets;
} fused_others;

typedef struct fused_cluster {
  /* nc constraints, in the order of their families; nq positions, in the order of the model's q */
  const ir_program *program;
  /* number of values among the program's nk parameters; they come first, the inverse masses
   * follow */
  int n_values;
  const fused_parameter *values;
  int n_masses;
  /* nq: number of the inverse mass of a position. Equal numbers mean equal masses for all sizes and
   * parameters. */
  const int *mass_of;
  const int *n_columns;      /* nc: number of positions that constraint i reads */
  const int *const *columns; /* nc: these positions, ascending */
  const ir_expr *const
      *force;   /* nq: H_q of the terms that act within clusters, in the inputs of the program */
  int n_others; /* number of all other terms of H that read positions */
  const fused_others *others;
} fused_cluster;

/* Creates the cluster. Its program has only the functions that a step is composed from
 * (fused/compose.c). Returns NULL if the constraints do not form such clusters; *refusal then gives
 * the reason, a phrase about the model. */
const fused_cluster *fused_cluster_of(ir_context *c, const model *m, const ir_loops *loops,
                                      const char **refusal);

#endif
