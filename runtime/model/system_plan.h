/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model/system_plan.h -- a model at its sizes: the data shared by the files that make a system of
 * it.
 *
 *   create.c            creates and frees systems, and calls the files below in order
 *   given_sizes.c       sizes and arrays of indices that a caller gives
 *   model_sizes.c       index sets, arrays, families, defaults of parameters
 *   entries.c           names, bounds and initial states of entries
 *   plans.c             patterns of all matrices, and the terms of the brackets' entries
 *   listed.c            the positions of a matrix's values, as the model lists them
 *   scratch.c           scratch memory of the functions of one system
 *   system_functions.c  the functions of a system: the model's own, or contractions
 *
 * With J = (0 1; -1 0) and gradients as rows, X_f = J f_z, and a bracket is {a,b} = a_z J b_z^T.
 * The matrix with the columns X_{g_j}, J Dg^T, is called the field here.
 *
 * Memory, measured for a chain of 10^6 nodes in three dimensions: 1200 bytes per constraint, and
 * 1400 during creation.  Most of it is patterns and values of the Jacobians and Hessians; nothing
 * grows faster than the entries.  A lean system (system.h) has the pattern of Dg alone, about 60
 * bytes per constraint.
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

/* The largest number of entries of arrays or families, so that ints can count 2d x 2d patterns. */
#define SW_PLAN_LIMIT (INT_MAX / 8)

/* Families or arrays, one after the other: entries start[f] .. start[f+1]-1 belong to number f. */
typedef struct sw_family_table {
  int n;
  const sw_family *family;
  int *start;   /* n + 1 */
  long **index; /* n: the indices of the instances that a filter selects; NULL without a filter */
} sw_family_table;

/* The mapping of a matrix's values from the model's order to the entries of the pattern. */
typedef struct sw_placed {
  int n;      /* number of values that the model gives */
  int *place; /* the entry to which each value is added; NULL if value e is entry e */
} sw_placed;

/* Numbers of the matrices that a model gives: SW_PLACED_hamiltonian_hess, ... */
typedef enum sw_placed_matrix {
#define SW_PLACED_NUMBER(name, ...) SW_PLACED_##name,
  SW_MATRICES(SW_PLACED_NUMBER)
#undef SW_PLACED_NUMBER
      SW_PLACED_MATRICES
} sw_placed_matrix;

struct sw_plan {
  const sw_model *model;
  long *n;      /* the sizes (n_sizes), followed by the values of the arrays of indices */
  long *first;  /* n_sets: the first element of each set */
  int *count;   /* n_sets: the number of elements of each set */
  int *q_start; /* n_coordinates + 1 */
  int *k_start; /* n_parameters + 1 */
  sw_family_table constraints;
  sw_family_table observe;
  sw_family_table invariants;
  sw_family_table events;
  double *k_default; /* nk */
  int *force_target; /* n_force: the momentum on which each instance acts */

  /* by sw_placed_matrix; unused for matrices that the model does not give */
  sw_placed placed[SW_PLACED_MATRICES];

  /* The field J Dg^T, if it is needed: entry e is entry field_source[e] of Dg, with the sign -1
   * from field_split on. */
  sw_pattern field_pattern; /* 2d x m */
  int *field_source;
  int field_split;
  int *jac_start; /* m + 1: the start of each row of Dg */

  /* Drho = D(Dg) X_H - field^T Hess H. */
  sw_product curvature; /* of the field and Hess H's lower triangle, with the entries of Drho */
  int *along_place;     /* for each value of D(Dg), its entry of Drho */

  /* N = Drho field.  Often no entry of D(Dg) contributes to N, as for constraints on q alone with a
   * mass matrix.  N is then computed from `reached` instead of from all of Drho. */
  sw_product nondegeneracy; /* its `left` refers to entries of `reached` or of Drho */
  sw_product reached;       /* only those entries of Drho that contribute to N */
  int needs_hidden_jac;     /* 1 if N is computed from all of Drho */

  /* C = Dg field, without its diagonal, which is 0. */
  sw_product coisotropy;

  /* dGamma/dz = 1 + the parts of the families' flows. */
  int is_composed; /* 1 if the fibre flow is composed of the families' flows */
  int *one_place;  /* 2d: the entries of the ones */
  /* the two entries to which entry e of Hess(lambda . g) is added, at 2e and 2e + 1; -1 for none */
  int *shift_place;
  int *flow_place; /* flow_places: the entries of the values of family_flow_z */
  int flow_places;
  int has_shift; /* 1 if a family is not SW_FIBRE_FLOW */
  int has_flow;  /* 1 if a family is SW_FIBRE_FLOW */

  sw_users users; /* systems that share the plan; all other members are const after creation */
};

/* Scratch memory of the functions of one system, in one block. */
typedef struct sw_scratch {
  double *gradient; /* 2d: grad H */
  double *velocity; /* 2d: X_H */
  double *state;    /* 2d */
  double *jac;
  double *hess_H;
  double *hess_g; /* Hess(lambda . g) */
  double *field;
  double *hidden_jac; /* Drho, or the entries of it that N uses */
  double *given;      /* the values that a function of the model writes, before they are added up */
} sw_scratch;

/* ---- model_sizes.c ---- */

/* Fills in the members up to the defaults of the parameters, and the counts of *system.  Errors,
 * *fault and message: see sw_system_measure. */
sw_status sw_plan_size(sw_system *system, const sw_given *given, sw_index_fault *fault,
                       char message[]);
void sw_plan_size_free(sw_plan *plan);

/* Writes up to 4 sizes to text, such as " at N = 5, M = 7". */
#define SW_SIZES_TEXT 200
void sw_plan_sizes_text(const sw_plan *plan, char text[SW_SIZES_TEXT]);

/* ---- listed.c ---- */

/* The positions of the values of a matrix, as the model lists them.  The caller frees *list, even
 * on failure.  Errors and message: see sw_plan_make. */
sw_status sw_plan_list(const sw_plan *plan, const sw_places *places, const char *what, int rows,
                       int cols, sw_gathered *list, char message[]);

/* Writes the message that the model has an entry outside the permitted part of a rows x cols
 * matrix. */
void sw_say_outside(const char *what, int row, int col, int rows, int cols, char message[]);

/* ---- plans.c ---- */

/* Makes the patterns of *system and the rest of the plan.  Errors: SW_ERR_SIZE if the number of
 * values overflows an int, SW_ERR_ARGUMENT if a value is outside its matrix, SW_ERR_MEMORY. */
sw_status sw_plan_make(sw_system *system, char message[]);

/* Makes the pattern of Dg only, for a lean system. */
sw_status sw_plan_make_lean(sw_system *system, char message[]);
void sw_plan_free(sw_system *system);

/* ---- scratch.c ---- */

/* Scratch memory for a system with a plan.  The caller frees it with free().  NULL if memory is
 * short. */
sw_scratch *sw_scratch_create(const sw_system *system);

/* n ints, all 0; not NULL if n is 0. */
static inline int *sw_plan_ints(size_t n)
{
  return calloc(n + 1, sizeof(int));
}

/* ---- system_functions.c ---- */

/* Sets the functions of *system.  They are NULL if they have nothing to compute. */
void sw_plan_functions(sw_system *system);

/* out[place[t]] += values[t] for t < n. */
static inline void sw_add_at(int n, const int place[], const double values[], double out[])
{
  for (int t = 0; t < n; t++) {
    out[place[t]] += values[t];
  }
}

#endif
