/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ir_program.h -- the output of the symbolic stage: every function of one model as expressions, and
 * the structure that the stage found.  Later stages do not use GiNaC.
 */
#ifndef SIDEWINDER_EXPR_IR_PROGRAM_H
#define SIDEWINDER_EXPR_IR_PROGRAM_H

#include "expr/expr.h"
#include "model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The functions of the contract with the runtime, in the order of emission. */
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
  IR_FIBRE_INCREMENT, /* Gamma - z, if positions move, too */
  IR_OBSERVE,
  IR_INVARIANT,
  IR_FORCE,
  IR_FORCE_JAC,
  IR_EVENT,
  /* the next four are optional: expr/discrete_gradient.h */
  IR_DISCRETE_GRAD,
  IR_DISCRETE_GRAD_NEXT,
  IR_DISCRETE_JAC,
  IR_DISCRETE_JAC_NEXT,
  /* the next four are optional: expr/acceleration.c */
  IR_ACCELERATION,
  IR_ACCELERATION_JAC,
  IR_ACCELERATION_HESS,
  IR_CONSTRAINT_THIRD,
  IR_FUNCTIONS
} ir_function_id;

typedef struct ir_entry {
  int row;
  int col; /* 0 for vectors */
  const ir_expr *value;
} ir_entry;

/* A vector function has `rows` entries.  A matrix function has the entries that are not identically
 * zero, sorted by row and column.  rows is 0 if the model has no such function. */
typedef struct ir_function {
  int rows;
  int cols; /* 0 for vectors */
  int n;
  ir_entry *entries;
} ir_function;

typedef struct ir_state {
  const char *name;
  const ir_expr **z; /* 2d functions of k */
} ir_state;

typedef enum ir_mass { IR_MASS_GENERAL, IR_MASS_CONSTANT, IR_MASS_CONSTANT_DIAGONAL } ir_mass;

/* A bracket {g_i, g_j} that is not zero as an identity. */
typedef struct ir_pair {
  int i;
  int j;
  const ir_expr *bracket;
} ir_pair;

/* The reason why the fibre flow has no closed form, a phrase, and the constraint that causes it (-1
 * if the flow has a closed form). */
typedef struct ir_numerical {
  int constraint;
  const char *reason;
} ir_numerical;

/* The number of terms by the form of their discrete gradient (expr/discrete_gradient.h). */
typedef struct ir_discrete_terms {
  int quadratic;
  int of_one; /* functions of one named function */
  int of_several;
  int of_inner; /* functions of one inner expression without a name */
  int others;   /* terms with the midpoint formula in the state */
} ir_discrete_terms;

typedef struct ir_structure {
  int coupled; /* velocities in the largest block of M; 0 if the model gives H */
  int solved;  /* velocities in the largest block that the C solves numerically */
  int separable;
  int holonomic;
  ir_mass mass;
  int degree_H; /* -1 if not a polynomial */
  int degree_g;
  sw_force_kind force;                /* expr/forces.h */
  const char *const *constraint_kind; /* m phrases: "holonomic", "momentum only", ... */
  int n_pairs;                        /* number of pairs whose bracket was not proved zero */
  const ir_pair *pairs;
  const char *fibre; /* a phrase on the fibre flow */
  ir_numerical numerical;
  ir_discrete_terms discrete_H; /* all 0 without discrete gradients */
  ir_discrete_terms discrete_g;
} ir_structure;

/* An invariant I; conserved is 1 if {I,H} and all {I,g_i} vanish identically. */
typedef struct ir_invariant {
  int conserved;
} ir_invariant;

/* An instance of one of the terms whose sum is H. */
typedef struct ir_term_of_H {
  const ir_expr *value;
  span where; /* location of the term in the model's text */
} ir_term_of_H;

/* The bounds of a parameter, lower <= k <= upper; an open bound is excluded, and NULL is
 * infinite. */
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
  int n_forces; /* instances of forces */
  const char *const *force_names;
  const int *force_target; /* number of the momentum of each force, from 0 */
  const char *const *event_names;
  int n_events; /* instances of events */
  const double *k_default;
  const ir_expr *const *k_exact; /* the defaults as written, as expressions without inputs */
  const ir_bounds *k_bounds;     /* nk bounds */
  const int *k_array;            /* number of the declared array of each parameter entry */
  const int *q_array; /* number of the declared array of each position; its momentum has the same */
  int n_terms;
  const ir_term_of_H *terms; /* terms of H, in the model's order */
  /* function of q and, in place of p, velocities; NULL if the model gives H */
  const ir_expr *lagrangian;
  /* number of IR_LAMBDA inputs after the multipliers: the impulses of observables, and the weights
   * of accelerations */
  int n_weights;
  ir_function functions[IR_FUNCTIONS];
  int n_states;
  ir_state *states;
  int has_bath; /* 1 if states[n_states] is the heat bath (model.h) */
  ir_structure structure;
} ir_program;

/* The dotted name of entry i of z. */
static inline const char *ir_program_entry_name(const ir_program *p, int i)
{
  return i < p->nq ? p->q_names[i] : p->p_names[i - p->nq];
}

/* The number of inputs per space, as ir_code_create expects it. */
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
