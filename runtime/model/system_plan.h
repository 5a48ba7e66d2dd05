/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model/system_plan.h -- what a model is at its sizes, shared by the files that make a system of it.
 *
 *   create.c            create and free: the order in which the rest is made
 *   given_sizes.c       sizes and arrays of indices that a caller gives
 *   model_sizes.c       index sets, arrays, families, defaults of parameters
 *   entries.c           names, bounds and initial states of entries
 *   plans.c             patterns of the model's own matrices
 *   placed.c            where their values go
 *   scratch.c           what the functions of one system write to
 *   fibre_patterns.c      patterns of the fibre flow's derivatives
 *   system_brackets.c   patterns of the brackets, and which entries of their factors meet where
 *   system_functions.c  the functions of a system: the model's own, or contractions.c for what it leaves out
 *   contractions.c      brackets and fibre flows, made of gradients and Hessians
 *
 * With J = (0 1; -1 0) and the gradients as rows, X_f = J f_z, and a bracket is {a,b} = a_z J b_z^T.  The
 * matrix whose columns are the X_{g_j}, J Dg^T, is called the field here.
 *
 * Memory, measured for a chain in three dimensions of 10^6 nodes: 1200 bytes for a constraint, and 1400 while
 * they are made, of which the patterns and values of the Jacobians and Hessians are most; nothing grows faster than the
 * entries.  A lean system (system.h) has the pattern of Dg alone, some 60 bytes.
 */
#ifndef SIDEWINDER_MODEL_SYSTEM_PLAN_H
#define SIDEWINDER_MODEL_SYSTEM_PLAN_H

#include <limits.h>
#include <stdlib.h>

#include "common/team.h"
#include "common/users.h"
#include "linear/sparse_product.h"
#include "model/given_sizes.h"
#include "model/system.h"
#include "sidewinder/model.h"
#include "sidewinder/sim.h"

typedef struct sw_plan sw_plan;

/* No number of entries may be larger: 2d x 2d patterns of it still count in ints. */
#define SW_PLAN_LIMIT (INT_MAX / 8)

/* Families, or arrays, one after the other: the entries of number f are start[f] .. start[f+1]-1. */
typedef struct sw_family_table {
  int n;
  const sw_family *family;
  int *start;   /* n + 1 */
  long **index; /* n; the indices of the instances that a filter selects, NULL without one */
} sw_family_table;

/* Values that change places among themselves, again and again in the same way: value first + i width + t is entry
 * first + i width + order[t], for i < times and t < width. */
typedef struct sw_repeat {
  int first;
  int times;
  int width;
  const int *order;
} sw_repeat;

/* Where the values of one of the model's matrices go. */
typedef struct sw_placed {
  int n; /* values that the model gives */
  int *
      place; /* the entry that each of them is added to; NULL where value e is entry e, or where what follows says it all */
  int repeats; /* 0 where an entry has several values, or there are too many of these */
  sw_repeat *repeat;
  int *order; /* of all of them */
} sw_placed;

/* Numbers of the matrices that a model gives: SW_PLACED_hamiltonian_hess, and so on. */
typedef enum sw_placed_matrix {
#define SW_PLACED_NUMBER(name, ...) SW_PLACED_##name,
  SW_MATRICES(SW_PLACED_NUMBER)
#undef SW_PLACED_NUMBER
      SW_PLACED_MATRICES
} sw_placed_matrix;

struct sw_plan {
  const sw_model *model;
  long *n;      /* the sizes, n_sizes, and the values of the arrays of indices */
  long *first;  /* n_sets: first element */
  int *count;   /* n_sets: number of elements */
  int *q_start; /* n_coordinates + 1 */
  int *k_start; /* n_parameters + 1 */
  sw_family_table constraints;
  sw_family_table observe;
  sw_family_table invariants;
  double *k_default; /* nk */

  sw_placed
      placed[SW_PLACED_MATRICES]; /* of the matrices that the model gives, by sw_placed_matrix */

  /* The field J Dg^T, where something is made of it: entry e is entry field_source[e] of Dg, times -1 from
   * field_split on. */
  sw_pattern field_pattern; /* 2d x m */
  int *field_source;
  int field_split;
  int *jac_start; /* m + 1: rows of Dg */

  /* Drho = D(Dg) X_H - field^T Hess H. */
  sw_product curvature; /* of field and Hess H's lower triangle, in the entries of Drho */
  int *along_place;     /* of the values of D(Dg), in the entries of Drho */

  /* N = Drho field.  Where no entry of D(Dg) is among those of Drho that meet one of the field, as for
   * constraints on q alone with a mass matrix, `reached` makes these and no others: then `left` of
   * nondegeneracy counts them, else all entries of Drho. */
  sw_product nondegeneracy;
  sw_product reached;
  int needs_hidden_jac;

  /* C = Dg field, but for its diagonal, which is 0. */
  sw_product coisotropy;

  /* dGamma/dz = 1 + ... of the families' flows: entries of the ones, and the two that entry e of
   * Hess(lambda . g) goes to, at 2e and 2e + 1, -1 for none; of the values of family_flow_z. */
  int is_composed; /* 1 where the fibre flow is made of the families' */
  int *one_place;  /* 2d */
  int *shift_place;
  int *flow_place;
  int flow_places;
  int has_shift; /* whether there is a family that is no SW_FIBRE_FLOW */
  int has_flow;

  sw_users users; /* systems that share the plan; all else is const once it is made */
};

/* Scratch memory of the functions of one system, one block. */
typedef struct sw_scratch {
  double *gradient; /* 2d: grad H */
  double *velocity; /* 2d: X_H */
  double *state;    /* 2d */
  double *jac;
  double *hess_H;
  double *hess_g; /* of lambda . g */
  double *field;
  double *hidden_jac; /* or those entries of it that N takes */
  double *given;      /* what a model's function writes, before it is added up */
} sw_scratch;

/* ---- model_sizes.c ---- */

/* From the settings to the defaults of the parameters; fills in the members above them and those of
 * *system that are numbers.  Errors, *fault and message as of sw_system_measure. */
sw_status sw_plan_size(sw_system *system, const sw_given *given, sw_index_fault *fault,
                       char message[]);
void sw_plan_size_free(sw_plan *plan);

/* Writes ", at N = 5, M = 7", up to 4 sizes, to text. */
#define SW_SIZES_TEXT 200
void sw_plan_sizes_text(const sw_plan *plan, char text[SW_SIZES_TEXT]);

/* ---- placed.c ---- */

/* Finds out how *placed, with its places, is repeated, where each of so many entries has one value.  Errors: SW_ERR_MEMORY. */
sw_status sw_placed_find(sw_placed *placed, int entries);
void sw_placed_free(sw_placed *placed);

/* Whether values have to be brought to their places, and out, `entries` values, where they are there. */
static inline int sw_placed_moves(const sw_placed *placed)
{
  return placed->place || placed->repeats > 0;
}
void sw_placed_settle(sw_team *team, const sw_placed *placed, const double given[], int entries,
                      double out[]);

/* ---- listed.c ---- */

/* The places of one of the model's matrices, with room for `more` behind them; sw_listed_free, also after a
 * failure.  Errors and message as of sw_plan_make. */
typedef struct sw_listed {
  int n;
  int *row;
  int *col;
} sw_listed;
sw_status sw_plan_list(const sw_plan *plan, const sw_places *places, const char *what, int rows,
                       int cols, size_t more, sw_listed *list, char message[]);
void sw_listed_free(sw_listed *list);

/* Writes that the model has an entry there, which is outside of what is to be given of a rows x cols matrix. */
void sw_say_outside(const char *what, int row, int col, int rows, int cols, char message[]);

/* ---- plans.c ---- */

/* Patterns of *system and plans.  Errors: SW_ERR_SIZE, where more values are given than an
 * int can count, SW_ERR_ARGUMENT, where one is outside of its matrix, SW_ERR_MEMORY. */
sw_status sw_plan_make(sw_system *system, char message[]);

/* Only the pattern of Dg, and of the fibre flow what has no pattern. */
sw_status sw_plan_make_lean(sw_system *system, char message[]);
void sw_plan_free(sw_system *system);

/* ---- scratch.c ---- */

/* Scratch memory for a system whose plan is made, released with free(); NULL where there is none. */
sw_scratch *sw_scratch_create(const sw_system *system);

/* n ints, 0, and not NULL where n = 0. */
static inline int *sw_plan_ints(size_t n)
{
  return calloc(n + 1, sizeof(int));
}

/* ---- fibre_patterns.c, system_brackets.c ---- */

/* The parts of sw_plan_make for the derivatives of a fibre flow that the model does not have itself, and for
 * products.  Errors as of sw_plan_make. */
sw_status sw_plan_flow(sw_system *system, char message[]);
sw_status sw_plan_hidden_jac(sw_system *system);
sw_status sw_plan_nondegeneracy(sw_system *system);
sw_status sw_plan_coisotropy(sw_system *system);

/* ---- system_functions.c ---- */

/* Sets the functions of *system: NULL where there is nothing for them to compute. */
void sw_plan_functions(sw_system *system);

/* out[place[t]] += values[t] for t < n. */
static inline void sw_add_at(int n, const int place[], const double values[], double out[])
{
  for (int t = 0; t < n; t++) {
    out[place[t]] += values[t];
  }
}

/* ---- contractions.c ---- */

sw_system_function sw_contract_hidden;
sw_system_function sw_contract_hidden_scale;
sw_system_function sw_contract_hidden_jac;
sw_system_function sw_contract_coisotropy;
sw_system_function sw_contract_nondegeneracy;
sw_system_lambda_function sw_compose_flow;
sw_system_lambda_function sw_compose_flow_lambda;
sw_system_lambda_function sw_compose_flow_z;
sw_system_lambda_function sw_shift_increment; /* where all constraints are on the positions */
sw_system_lambda_function sw_compose_increment;

#endif
