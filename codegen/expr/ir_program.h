/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ir_program.h -- what the symbolic stage hands on: every function of one model as expressions, and what
 * the analysis found.  No GiNaC from here on.
 */
#ifndef SIDEWINDER_EXPR_IR_PROGRAM_H
#define SIDEWINDER_EXPR_IR_PROGRAM_H

#include "expr/expr.h"
#include "model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The functions of the contract with the runtime, in the order in which they are emitted. */
typedef enum ir_function_id {
  IR_HAMILTONIAN,
  IR_HAMILTONIAN_GRAD,
  IR_HAMILTONIAN_HESS,
  IR_CONSTRAINT,
  IR_CONSTRAINT_SCALE,
  IR_CONSTRAINT_JAC,
  IR_CONSTRAINT_HESS,
  IR_HIDDEN,
  IR_HIDDEN_SCALE,
  IR_HIDDEN_JAC,
  IR_COISOTROPY,
  IR_NONDEGENERACY,
  IR_FIBRE_FLOW,
  IR_FIBRE_FLOW_LAMBDA,
  IR_FIBRE_FLOW_Z,
  IR_FIBRE_INCREMENT, /* Gamma - z, where momenta are not all that moves */
  IR_OBSERVE,
  IR_INVARIANT,
  IR_DISCRETE_GRAD, /* these where they are asked for: expr/discrete_gradient.h, */
  IR_DISCRETE_GRAD_NEXT,
  IR_DISCRETE_JAC,
  IR_DISCRETE_JAC_NEXT,
  IR_ACCELERATION, /* and expr/acceleration.h */
  IR_ACCELERATION_JAC,
  IR_ACCELERATION_HESS,
  IR_CONSTRAINT_THIRD,
  IR_FUNCTIONS
} ir_function_id;

typedef struct ir_entry {
  int row;
  int col; /* 0 for a vector */
  const ir_expr *value;
} ir_entry;

/* A vector function has rows entries; a matrix function has the entries that are not identically zero,
 * sorted by row and column.  rows = 0 where the model has no such function. */
typedef struct ir_function {
  int rows;
  int cols; /* 0 for a vector */
  int n;
  ir_entry *entries;
} ir_function;

typedef struct ir_state {
  const char *name;
  const ir_expr **z; /* 2d values, functions of k */
} ir_state;

typedef enum ir_mass { IR_MASS_GENERAL, IR_MASS_CONSTANT, IR_MASS_CONSTANT_DIAGONAL } ir_mass;

/* {g_i, g_j} that is not zero as an identity. */
typedef struct ir_pair {
  int i;
  int j;
  const ir_expr *bracket;
} ir_pair;

/* Why the fibre flow has no closed form: constraint `constraint` (-1: it has one), reason a phrase. */
typedef struct ir_numerical {
  int constraint;
  const char *reason;
} ir_numerical;

/* How many terms have a discrete gradient of each form (expr/discrete_gradient.h). */
typedef struct ir_discrete_terms {
  int quadratic;
  int of_one; /* name, */
  int of_several;
  int of_inner; /* expression that has no name */
  int others;   /* by the midpoint formula in the state */
} ir_discrete_terms;

typedef struct ir_structure {
  int coupled; /* velocities in the largest block of M; 0 where H is given */
  int solved;  /* and in the largest of those that the C solves for with numbers */
  int separable;
  int holonomic;
  ir_mass mass;
  int degree_H; /* -1: no polynomial */
  int degree_g;
  const char *const *constraint_kind; /* m phrases: "holonomic", "momentum only", ... */
  int n_pairs;                        /* pairs whose bracket was not proved zero */
  const ir_pair *pairs;
  const char *fibre; /* phrase */
  ir_numerical numerical;
  ir_discrete_terms discrete_H; /* all 0 where there are no discrete gradients */
  ir_discrete_terms discrete_g;
} ir_structure;

/* An invariant I: whether {I,H} and all {I,g_i} vanish identically. */
typedef struct ir_invariant {
  int conserved;
} ir_invariant;

/* An instance of one of the terms that H is the sum of. */
typedef struct ir_term_of_H {
  const ir_expr *value;
  span where; /* the term, in the model's text */
} ir_term_of_H;

/* Where a parameter may lie: lower <= k <= upper, without a bound that is open; NULL: infinite. */
typedef struct ir_bounds {
  mpq_srcptr lower;
  mpq_srcptr upper;
  int lower_closed;
  int upper_closed;
} ir_bounds;

typedef struct ir_program {
  int nq;
  int nc;
  int nk;
  const char *const *q_names; /* dotted: "q.1.x" */
  const char *const *p_names;
  const char *const *k_names;
  const char *const *c_names;
  int n_observe;
  const char *const *observe_names;
  int n_invariants;
  const char *const *invariant_names;
  const ir_invariant *invariants;
  const double *k_default;
  const ir_expr *const *k_exact; /* the defaults as they are written, without inputs */
  const ir_bounds *k_bounds;     /* nk */
  const int *k_array;            /* the number of the declared array that the entry belongs to */
  const int *q_array;            /* likewise; a position and its momentum have one */
  int n_terms;
  const ir_term_of_H *terms; /* of H, in the model's order */
  const ir_expr *lagrangian; /* in q and, for p, velocities; NULL where the model gives H */
  int n_weights;             /* inputs lambda behind the multipliers */
  ir_function functions[IR_FUNCTIONS];
  int n_states;
  ir_state *states;
  ir_structure structure;
} ir_program;

/* The dotted name of entry i of z. */
static inline const char *ir_program_entry_name(const ir_program *p, int i)
{
  return i < p->nq ? p->q_names[i] : p->p_names[i - p->nq];
}

/* Inputs per space: sizes for ir_code_create. */
static inline void ir_program_sizes(const ir_program *p, int size[IR_SPACES])
{
  size[IR_K] = p->nk;
  size[IR_LAMBDA] = p->nc + p->n_weights;
  size[IR_Z] = 2 * p->nq;
  size[IR_NEXT] = 2 * p->nq;
  size[IR_VALUE] = 0;
}

#ifdef __cplusplus
}
#endif

#endif
