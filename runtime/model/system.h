/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model/system.h -- a model at given sizes: what the runtime computes with.
 *
 * A model leaves out what can be computed of the rest (sidewinder/model.h), such as the brackets of one with
 * loops, which are contractions of gradients and Hessians.  A system has all functions, and the patterns
 * of all matrices, so that nothing else in the runtime has to know what the model has.
 *
 *   create.c        create and free
 *   validate.c      is this a model that the runtime can work with?
 *   entry_names.c   tables of names
 *   system_plan.h   what a model is at its sizes, and the files that make a system of it
 *   numerical_fibre.h  a fibre flow without a closed form
 *
 * What a system is made of is const and shared by all systems that were made like it (sw_system_share); what its functions
 * write to is scratch memory of its own: one system is for one thread at a time.  Nothing is allocated once it is made.
 */
#ifndef SIDEWINDER_MODEL_SYSTEM_H
#define SIDEWINDER_MODEL_SYSTEM_H

#include <stddef.h>
#include <stdint.h>

#include "linear/pattern.h"
#include "sidewinder/model.h"
#include "sidewinder/sim.h"

typedef struct sw_system sw_system;

/* What the numerical fibre flow has cost, and how good it was (model/numerical_fibre.h). */
typedef struct sw_fibre_counts {
  long flows;       /* and derivatives of flows */
  long steps;       /* of the integration */
  long evaluations; /* of Dg and of Hess(lambda . g) */
  double error;     /* largest estimated error of a flow, relative to the size of its result */
} sw_fibre_counts;

/* As sw_function and sw_lambda_function. */
typedef void sw_system_function(const sw_system *system, const double z[], const double k[],
                                double out[]);
typedef void sw_system_lambda_function(const sw_system *system, const double z[], const double k[],
                                       const double lambda[], double out[]);

/* As sw_pair_function and sw_pair_lambda_function. */
typedef void sw_system_pair_function(const sw_system *system, const double z[], const double z1[],
                                     const double k[], double out[]);
typedef void sw_system_pair_lambda_function(const sw_system *system, const double z[],
                                            const double z1[], const double k[],
                                            const double lambda[], double out[]);

/* The matrices that a model gives, where it has them: X(name, what it is a matrix of, arguments, rows, columns, whether it is the
 * lower triangle of a symmetric one, its name in messages).  Of H, or of the constraints G, of which there may be none; a function
 * of a STATE (z, k), with LAMBDA, or of a PAIR of states; d, dim = 2d and m are those of the system. */
#define SW_MATRICES(X)                                                                             \
  X(hamiltonian_hess, H, STATE, dim, dim, 1, "the Hessian of H")                                   \
  X(constraint_jac, G, STATE, m, dim, 0, "the Jacobian of the constraints")                        \
  X(constraint_hess, G, LAMBDA, dim, dim, 1, "the Hessian of the constraints")                     \
  X(hidden_jac, G, STATE, m, dim, 0, "the Jacobian of the hidden constraints")                     \
  X(nondegeneracy, G, STATE, m, m, 0, "the nondegeneracy matrix")                                  \
  X(coisotropy, G, STATE, m, m, 0, "the coisotropy matrix")                                        \
  X(fibre_flow_lambda, G, LAMBDA, dim, m, 0, "the derivative of the fibre flow")                   \
  X(fibre_flow_z, G, LAMBDA, dim, dim, 0, "the derivative of the fibre flow")                      \
  X(discrete_grad_next, H, PAIR, dim, dim, 0, "the derivative of the discrete gradient of H")      \
  X(discrete_jac, G, PAIR, m, dim, 0, "the discrete Jacobian of the constraints")                  \
  X(discrete_jac_next, G, PAIR_LAMBDA, dim, dim, 0, "the discrete Jacobian of the constraints")    \
  X(hamiltonian_third, H, LAMBDA, dim, dim, 1, "the third derivatives of H")                       \
  X(hamiltonian_fourth, H, LAMBDA, dim, dim, 1, "the fourth derivatives of H")                     \
  X(constraint_third, G, LAMBDA, d, d, 1, "the third derivatives of the constraints")              \
  X(constraint_fourth, G, LAMBDA, d, d, 1, "the fourth derivatives of the constraints")            \
  X(acceleration_jac, H, LAMBDA, d + m, dim + m, 0, "the derivative of the accelerations")         \
  X(acceleration_hess, H, LAMBDA, dim + m, dim + m, 1, "the Hessian of the accelerations")

struct sw_system {
  const sw_model *model; /* name, title, analysis, run, structure */

  /* 1 while it has no more than what steps of step/holonomic.h need: of its patterns that of Dg alone, and no function that
   * fills another one, or is made of such (sw_system_complete). */
  int is_lean;

  int nq;
  int nc;
  int nk;
  int n_observe;
  int n_invariant;
  int n_init;

  const double *k_default; /* nk */
  int is_given;   /* 1 where these are others than the model's own (sw_system_set_defaults) */
  int first_init; /* the model's initial state that is number 0 here; 0 */

  /* As the members of the same names in sw_model; patterns, NAME_pattern, are sorted by row and column. */
  sw_system_function *hamiltonian;
  sw_system_function *hamiltonian_grad;
  /* H_q and H_p alone, d values each, for a separable H(q,p) = T(p) + V(q): the first reads no p, the second
   * no q.  NULL where the model has no such functions. */
  sw_system_function *hamiltonian_grad_q;
  sw_system_function *hamiltonian_grad_p;
  sw_system_function *hamiltonian_hess;
  sw_system_function *constraint;
  sw_system_function *constraint_scale;
  sw_system_function *constraint_jac;
  sw_system_lambda_function *constraint_hess;
  /* Row i is g_i,zz v, with the pattern of Dg, for v (2d values) in the place of lambda.  NULL where the
   * model has no such function. */
  sw_system_lambda_function *constraint_jac_along;
  sw_system_function *hidden;
  sw_system_function *hidden_scale;
  sw_system_function *hidden_jac;
  sw_system_function *coisotropy;
  sw_system_function *nondegeneracy;
  sw_system_lambda_function *fibre_flow;
  sw_system_lambda_function *fibre_flow_lambda;
  sw_system_lambda_function *fibre_flow_z;
  /* Gamma_lambda(z) - z with errors relative to itself; NULL where only Gamma is known (sw_has_increment). */
  sw_system_lambda_function *fibre_increment;
  sw_system_lambda_function *observe;
  sw_system_function *invariant;
  /* Discrete gradients; NULL where the model has none. */
  sw_system_pair_function *discrete_grad;
  sw_system_pair_function *discrete_grad_next;
  sw_system_pair_function *discrete_jac;
  sw_system_pair_lambda_function *discrete_jac_next;

  /* For variational integrators, of (z, weights) as in sw_model; NULL where the model has none. */
  sw_system_lambda_function *acceleration;
  sw_system_lambda_function *acceleration_jac;
  sw_system_lambda_function *acceleration_hess;
  sw_system_lambda_function *constraint_third;
  sw_system_lambda_function *hamiltonian_third;
  sw_system_lambda_function *hamiltonian_fourth;
  sw_system_lambda_function *constraint_fourth;

#define SW_PATTERN_OF(name, ...) sw_pattern name##_pattern;
  SW_MATRICES(SW_PATTERN_OF)
#undef SW_PATTERN_OF

  /* Shared, as the arrays of the patterns are. */
  struct sw_plan *plan;
  struct sw_fibre *fibre; /* NULL where the fibre flow has a closed form, which is used */

  /* Of a system without some of the model's constraints (model/reduced.h), else NULL. */
  struct sw_system *whole;        /* its own system with all of them */
  struct sw_reduction *reduction; /* shared */
  struct sw_reduced_scratch *reduced_scratch;

  /* Its own. */
  struct sw_team *team; /* that shares out long loops; the simulation's, NULL for one thread */
  struct sw_scratch *scratch;
  struct sw_fibre_scratch *fibre_scratch; /* NULL where fibre is */
};

/* Room for the message of a failed sw_system_create. */
#define SW_SYSTEM_MESSAGE 512

/* Makes *system of *model, which must outlive it.  Sizes that are not given have their defaults.  On failure *system is NULL and the message, of SW_SYSTEM_MESSAGE bytes or
 * NULL, says why ("" where the status says it all).  Errors: SW_ERR_ABI, SW_ERR_ARGUMENT, SW_ERR_SIZE,
 * SW_ERR_MEMORY. */
sw_status sw_system_create(const sw_model *model, int n_sizes, const sw_size sizes[],
                           sw_system **system, char message[]);

/* The same, but lean where the model is one that step/holonomic.h can take the steps of and has at least
 * SW_LEAN_CONSTRAINTS constraints: what fewer take is not worth the exception. */
sw_status sw_system_create_lean(const sw_model *model, int n_sizes, const sw_size sizes[],
                                sw_system **system, char message[]);
#define SW_LEAN_CONSTRAINTS 1000

/* An entry of an array of indices that is no element of the array's target: numbers of the array and, from 0, of the entry; -1 where what
 * is wrong is not an entry, and where it is no array. */
typedef struct sw_index_fault {
  int array;
  long entry;
} sw_index_fault;

/* The same, but of the system only numbers, names, bounds, defaults and initial states are there, and no function.  Where the sizes are refused
 * for an entry of an array of indices, *fault, which may be NULL, says for which. */
sw_status sw_system_measure(const sw_model *model, int n_sizes, const sw_size sizes[],
                            sw_system **system, sw_index_fault *fault, char message[]);

/* Makes the rest of a lean system, in its place; what it shared with others it has for its own then.  On failure nothing has
 * changed.  Errors: SW_ERR_MEMORY. */
sw_status sw_system_complete(sw_system *system);

/* Makes *system another one of what *like is made of, with scratch memory of its own.  It may be done while *like is used
 * in another thread, and they may be freed in any order.  On failure *system is NULL.  Errors: SW_ERR_MEMORY. */
sw_status sw_system_share(const sw_system *like, sw_system **system);

/* Makes *reduced of a system whose model has constraints that are proved to follow from others: without
 * these (model/reduced.h).  It shares with *system all that neither writes to, and they may be freed in
 * any order.  On failure *reduced is NULL.  Errors: SW_ERR_MEMORY. */
sw_status sw_system_reduce(sw_system *system, sw_system **reduced);

/* The system that *system was reduced from, or *system if it is whole. */
static inline const sw_system *sw_system_whole(const sw_system *system)
{
  return system->whole ? system->whole : system;
}

/* Lets the threads of a team share its long loops; NULL: none. */
static inline void sw_system_set_team(sw_system *system, struct sw_team *team)
{
  system->team = team;
  if (system->whole) {
    system->whole->team = team;
  }
}

/* Whether systems of the model have a fibre_increment: for constraints on the positions alone, and where the model has that
 * of its closed form. */
int sw_has_increment(const sw_model *model);

/* Lets the fibre flow be integrated numerically from now on, although there is a closed form: a test of
 * either.  The patterns of its derivatives change, so no simulation, and no other system, may have been made of it yet.
 * Errors: SW_ERR_MEMORY; then nothing has changed. */
sw_status sw_system_integrate_fibre(sw_system *system);

/* Releases *system, with what it shares where nobody else does, and sets it to NULL; NULL, or a pointer to NULL, is fine. */
void sw_system_free(sw_system **system);

/* ---- names, parameters, initial states (entries.c, entry_names.c) ---- */

/* Writes the name of entry i of that kind to buffer, such as "q.6.y", and returns buffer. */
const char *sw_system_name(const sw_system *system, sw_name_kind kind, int i,
                           char buffer[SW_NAME_BYTES]);

/* All names of that kind as one block of memory, which the caller gives to free(); NULL without memory. */
const char **sw_system_names(const sw_system *system, sw_name_kind kind);

/* The same for n names that a function writes. */
typedef const char *sw_namer(const void *context, size_t i, char buffer[SW_NAME_BYTES]);
const char **sw_names_create(size_t n, sw_namer *name, const void *context);

/* Bounds of entry i of k, and whether it may have that value: NaN is not allowed anywhere. */
sw_bounds sw_system_bounds(const sw_system *system, int i);
int sw_system_allows(const sw_system *system, int i, double value);
/* Bounds as an interval, such as "(0, inf)"; "" where there are none. */
void sw_bounds_text(sw_bounds of, char text[64]);
/* The bit of sw_bounds.closed for an entry that data gives. */
#define SW_NO_VALUE 4u
/* What is said of one that has no value, with its name twice. */
#define SW_UNSET_WORDS                                                                             \
  "parameter %s comes from data and has no value: give it with --data FILE or --set %s=VALUE, or " \
  "by sw_sim_set_parameters"

/* The first entry of an array of parameters; how many elements each of its sets has goes to count[], with room for `most`. */
int sw_system_parameter(const sw_system *system, int number, int most, int count[]);

/* The first element of a set. */
long sw_system_first(const sw_system *system, int set);

/* k takes the place of the default parameters.  No simulation may have been made of the system yet. */
void sw_system_set_defaults(sw_system *system, const double k[]);

/* The number of the first parameter that has no value yet, which is NaN; nk where all have one. */
int sw_system_unset(const sw_system *system, const double k[]);

const char *sw_system_init_name(const sw_system *system, int i);

/* z = initial state i, 2d values; NaN where the model sets none at these sizes. */
void sw_system_init(const sw_system *system, int i, const double k[], double z[]);

/* The sizes that the system has, n_sizes of its model, and behind them the values of the model's arrays of indices. */
const long *sw_system_sizes(const sw_system *system);

/* A digest of the values of the arrays of indices, FNV-1a of their 64 bits each; of none, for a model without such arrays, it is that of
 * nothing. */
uint64_t sw_system_indices_digest(const sw_system *system);

/* What sw_system_create is to be given for such an array n: n_sizes + n_indices elements, whose arrays are those of n; to be
 * given to free(), NULL without memory.  (given_sizes.c) */
sw_size *sw_sizes_given(const sw_model *model, const long n[]);

#endif
