/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model/system.h -- a model at given sizes, as the runtime uses it.
 *
 * A model may omit functions that follow from others (sidewinder/model.h).  For example, brackets
 * of a model with loops are contractions of gradients and Hessians.  A system has all functions,
 * and the patterns of all matrices, so that the rest of the runtime does not depend on what the
 * model omits.
 *
 *   create.c           creates and frees systems
 *   validate.c         checks that the runtime can use a model
 *   entry_names.c      tables of names
 *   system_plan.h      the model at its sizes, and the files that make a system from it
 *   numerical_fibre.h  a fibre flow without a closed form
 *
 * The plan and the patterns are const and shared by all systems made with sw_system_share.  Each
 * system has its own scratch memory for its functions, so one system serves one thread at a time.
 * Nothing is allocated after creation.
 */
#ifndef SIDEWINDER_MODEL_SYSTEM_H
#define SIDEWINDER_MODEL_SYSTEM_H

#include <stddef.h>
#include <stdint.h>

#include "linear/pattern.h"
#include "sidewinder/model.h"
#include "sidewinder/sim.h"

typedef struct sw_system sw_system;

/* The cost and the accuracy of the numerical fibre flow (model/numerical_fibre.h). */
typedef struct sw_fibre_counts {
  long flows;       /* number of flows and of derivatives of flows */
  long steps;       /* number of integration steps */
  long evaluations; /* number of evaluations of Dg and of Hess(lambda . g) */
  double error;     /* largest estimated error of a flow, relative to the size of its result */
} sw_fibre_counts;

/* See sw_function and sw_lambda_function. */
typedef void sw_system_function(const sw_system *system, const double z[], const double k[],
                                double out[]);
typedef void sw_system_lambda_function(const sw_system *system, const double z[], const double k[],
                                       const double lambda[], double out[]);

/* See sw_pair_function and sw_pair_lambda_function. */
typedef void sw_system_pair_function(const sw_system *system, const double z[], const double z1[],
                                     const double k[], double out[]);
typedef void sw_system_pair_lambda_function(const sw_system *system, const double z[],
                                            const double z1[], const double k[],
                                            const double lambda[], double out[]);

/* The matrices that a model may give: X(name, of, arguments, rows, columns, triangle, name in
 * messages).  `of` is H, or G for the constraints, of which there may be none.  The arguments are a
 * STATE (z, k), a state with LAMBDA, or a PAIR of states.  `triangle` is 1 for the lower triangle
 * of a symmetric matrix. d, dim = 2d and m are those of the system. */
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
  X(acceleration_hess, H, LAMBDA, dim + m, dim + m, 1, "the Hessian of the accelerations")         \
  X(force_jac, H, STATE, d, dim, 0, "the derivative of the forces")

struct sw_system {
  const sw_model *model; /* provides name, title, analysis, run and structure */

  /* 1 if the system has only what the steps of step/holonomic.h need: the pattern of Dg and no
   * other one, and no function that fills another matrix or needs one (sw_system_complete). */
  int is_lean;
  /* 1 for a lifted model (sw_model.lifted).  `structure` then describes H at constant k and s,
   * which keep their values at the start of a step. */
  int is_lifted;

  int nq;
  int nc;
  int nk;
  int n_observe;
  int n_invariant;
  int n_event;
  int n_init;
  int n_force; /* instances of the families of forces */

  const double *k_default; /* nk */
  int is_given; /* 1 if k_default differs from the model's own defaults (sw_system_set_defaults) */
  int first_init; /* the model's initial state that has number 0 in the system; normally 0 */

  /* As the members of sw_model with these names.  The patterns, NAME_pattern, are sorted by row and
   * column. */
  sw_system_function *hamiltonian;
  sw_system_function *hamiltonian_grad;
  /* H_q and H_p alone, d values each, for a separable H(q,p) = T(p) + V(q).  H_q reads no p, and
   * H_p no q.  NULL if the model has no such functions. */
  sw_system_function *hamiltonian_grad_q;
  sw_system_function *hamiltonian_grad_p;
  sw_system_function *hamiltonian_hess;
  sw_system_function *constraint;
  sw_system_function *constraint_scale;
  sw_system_function *constraint_jac;
  sw_system_lambda_function *constraint_hess;
  /* Row i is g_i,zz v, with the pattern of Dg.  The argument lambda contains v (2d values).  NULL
   * if the model has no such function. */
  sw_system_lambda_function *constraint_jac_along;
  sw_system_function *hidden;
  sw_system_function *hidden_scale;
  sw_system_function *hidden_jac;
  sw_system_function *coisotropy;
  sw_system_function *nondegeneracy;
  sw_system_lambda_function *fibre_flow;
  sw_system_lambda_function *fibre_flow_lambda;
  sw_system_lambda_function *fibre_flow_z;
  /* Gamma_lambda(z) - z with errors relative to itself; NULL if only Gamma is known
   * (sw_has_increment). */
  sw_system_lambda_function *fibre_increment;
  sw_system_lambda_function *observe;
  sw_system_function *invariant;
  sw_system_function *event; /* n_event values; NULL without events */
  /* F, d values, and its derivative in z, d x 2d: sums over the instances of each target.  NULL
   * without forces. */
  sw_system_function *force;
  sw_system_function *force_jac;
  /* Discrete gradients; NULL if the model has none. */
  sw_system_pair_function *discrete_grad;
  sw_system_pair_function *discrete_grad_next;
  sw_system_pair_function *discrete_jac;
  sw_system_pair_lambda_function *discrete_jac_next;

  /* For variational integrators; the arguments (z, weights) are those of sw_model.  NULL if the
   * model has none. */
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

  /* shared, like the arrays of the patterns */
  struct sw_plan *plan;
  struct sw_fibre *fibre; /* NULL if the closed form of the fibre flow is used */

  /* Set if the system omits some of the model's constraints (model/reduced.h), else NULL. */
  struct sw_system *whole;        /* owned: a system with all constraints */
  struct sw_reduction *reduction; /* shared */
  struct sw_reduced_scratch *reduced_scratch;

  /* Not shared: a team for long loops, owned by the simulation (NULL for one thread), and scratch
   * memory. */
  struct sw_team *team;
  struct sw_scratch *scratch;
  struct sw_fibre_scratch *fibre_scratch; /* NULL if `fibre` is NULL */
};

/* Size in bytes of the message of a failed sw_system_create. */
#define SW_SYSTEM_MESSAGE 512

/* Makes a system of *model, which must outlive it.  Omitted sizes have their defaults.  On failure
 * *system is NULL, and the message (SW_SYSTEM_MESSAGE bytes, or NULL) gives the reason unless the
 * status alone says it.  Errors: SW_ERR_ABI, SW_ERR_ARGUMENT, SW_ERR_SIZE, SW_ERR_MEMORY. */
sw_status sw_system_create(const sw_model *model, int n_sizes, const sw_size sizes[],
                           sw_system **system, char message[]);

/* As sw_system_create, but makes a lean system if step/holonomic.h can do the model's steps and
 * there are at least SW_LEAN_CONSTRAINTS constraints.  Fewer constraints would save too little
 * memory. */
sw_status sw_system_create_lean(const sw_model *model, int n_sizes, const sw_size sizes[],
                                sw_system **system, char message[]);
#define SW_LEAN_CONSTRAINTS 1000

/* An invalid entry of an array of indices: the number of the array and of the entry, from 0. entry
 * is -1 if the array as a whole is wrong, and both are -1 if no array is. */
typedef struct sw_index_fault {
  int array;
  long entry;
} sw_index_fault;

/* As sw_system_create, but the system has only numbers, names, bounds, defaults and initial states,
 * and no functions.  If an entry of an array of indices is invalid, *fault identifies it; fault may
 * be NULL. */
sw_status sw_system_measure(const sw_model *model, int n_sizes, const sw_size sizes[],
                            sw_system **system, sw_index_fault *fault, char message[]);

/* Makes the missing parts of a lean system in place; the system then no longer shares its plan.  On
 * failure nothing has changed.  Errors: SW_ERR_MEMORY. */
sw_status sw_system_complete(sw_system *system);

/* Makes another system that shares the plan of *like and has its own scratch memory.  *like may be
 * in use in another thread, and the two may be freed in any order.  On failure *system is NULL.
 * Errors: SW_ERR_MEMORY. */
sw_status sw_system_share(const sw_system *like, sw_system **system);

/* Makes a system without the constraints that are proved to follow from others (model/reduced.h).
 * It shares all read-only data with *system, and the two may be freed in any order.  On failure
 * *reduced is NULL.  Errors: SW_ERR_MEMORY. */
sw_status sw_system_reduce(sw_system *system, sw_system **reduced);

/* The system with all constraints: that from which *system was reduced, or *system itself. */
static inline const sw_system *sw_system_whole(const sw_system *system)
{
  return system->whole ? system->whole : system;
}

/* SW_READS_MULTIPLIERS if the observable reads multipliers, plus SW_READS_IMPULSES if it reads
 * impulses (sw_model.reads_lambda). */
enum { SW_READS_MULTIPLIERS = 1, SW_READS_IMPULSES = 2 };
int sw_system_reads_lambda(const sw_system *system, int observable);

/* The kind of instance i of the events. */
sw_event_kind sw_system_event_kind(const sw_system *system, int i);

/* Lets the threads of a team share long loops. team NULL: one thread. */
static inline void sw_system_set_team(sw_system *system, struct sw_team *team)
{
  system->team = team;
  if (system->whole) {
    system->whole->team = team;
  }
}

/* Returns 1 if systems of the model have a fibre_increment: if all constraints are on the
 * positions, or if the model has increments of its closed form. */
int sw_has_increment(const sw_model *model);

/* Replaces a closed form of the fibre flow by numerical integration, to test either.  The patterns
 * of its derivatives change, so no simulation and no other system may share *system yet.  Errors:
 * SW_ERR_MEMORY; then nothing has changed. */
sw_status sw_system_integrate_fibre(sw_system *system);

/* Frees *system, and shared data if this is its last user, and sets the pointer to NULL. system and
 * *system may be NULL. */
void sw_system_free(sw_system **system);

/* ---- names, parameters, initial states (entries.c, entry_names.c) ---- */

/* Writes the name of entry i of this kind, such as "q.6.y", to buffer.  Returns buffer. */
const char *sw_system_name(const sw_system *system, sw_name_kind kind, int i,
                           char buffer[SW_NAME_BYTES]);

/* All names of this kind in one block of memory, which the caller frees.  NULL if memory is
 * short. */
const char **sw_system_names(const sw_system *system, sw_name_kind kind);

/* The same for n names that a callback writes. */
typedef const char *sw_namer(const void *context, size_t i, char buffer[SW_NAME_BYTES]);
const char **sw_names_create(size_t n, sw_namer *name, const void *context);

/* The bounds of entry i of k, and whether the entry may have this value; NaN and infinity are never
 * allowed. */
sw_bounds sw_system_bounds(const sw_system *system, int i);
int sw_system_is_input(const sw_system *system, int i); /* 1 if entry i of k is an input */
int sw_system_allows(const sw_system *system, int i, double value);
/* Writes bounds as an interval, such as "(0, inf)", or "" if there are none. */
void sw_bounds_text(sw_bounds of, char text[64]);
/* The bit of sw_bounds.closed that is set if the value must come from data. */
#define SW_NO_VALUE 4u
/* The message for a parameter without a value; it contains the name twice. */
#define SW_UNSET_WORDS                                                                             \
  "parameter %s comes from data and has no value: give it with --data FILE or --set %s=VALUE, or " \
  "by sw_sim_set_parameters"

/* The first entry of an array of parameters. count[] receives the number of elements of each of its
 * sets, at most `most`. */
int sw_system_parameter(const sw_system *system, int number, int most, int count[]);

/* The first element of a set. */
long sw_system_first(const sw_system *system, int set);

/* Replaces the default parameters by k.  No simulation of the system may exist yet. */
void sw_system_set_defaults(sw_system *system, const double k[]);

/* The number of the first parameter without a value (NaN), or nk if all have one. */
int sw_system_unset(const sw_system *system, const double k[]);

const char *sw_system_init_name(const sw_system *system, int i);

/* z = initial state i, 2d values; NaN for entries that the model does not set at these sizes. */
void sw_system_init(const sw_system *system, int i, const double k[], double z[]);

/* z = the bath (sw_model.bath) at the parameters k, 2d values. */
void sw_system_bath(const sw_system *system, const double k[], double z[]);

/* The sizes (n_sizes of the model), followed by the values of the model's arrays of indices. */
const long *sw_system_sizes(const sw_system *system);

/* A digest of the values of the arrays of indices: 64-bit FNV-1a over 64 bits per value.  Without
 * such arrays it is the digest of nothing. */
uint64_t sw_system_indices_digest(const sw_system *system);

/* Converts the result n of sw_system_sizes back to arguments of sw_system_create: n_sizes +
 * n_indices elements, whose arrays point into n.  The caller frees them.  NULL if memory is short.
 * (given_sizes.c) */
sw_size *sw_sizes_given(const sw_model *model, const long n[]);

#endif
