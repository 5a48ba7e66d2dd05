/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * system/looped.h -- what a looped model is at given sizes, shared by the files that make it.
 *
 *   looped.c        open and close: the order in which the rest is made
 *   sizes.c         sizes, index sets, arrays, families, defaults of parameters
 *   entries.c       names and bounds of entries
 *   plans.c         patterns of the model's own matrices and of the fibre flow, scratch memory
 *   brackets.c      patterns of the brackets, and which entries of their factors meet where
 *   contractions.c  the functions of a system
 *
 * With J = (0 1; -1 0) and the gradients as rows, X_f = J f_z, and a bracket is {a,b} = a_z J b_z^T.  The
 * matrix whose columns are the X_{g_j}, J Dg^T, is called the field here.
 *
 * Memory, measured for a chain in three dimensions of 10^6 nodes: 1250 bytes for a constraint, of which the
 * patterns and values of the Jacobians and Hessians are most; nothing grows faster than the entries.
 */
#ifndef SIDEWINDER_SYSTEM_LOOPED_H
#define SIDEWINDER_SYSTEM_LOOPED_H

#include <limits.h>
#include <stdlib.h>

#include "sidewinder/model.h"
#include "sidewinder/sim.h"
#include "sparse/product.h"
#include "system/system.h"

/* No number of entries may be larger: 2d x 2d patterns of it still count in ints. */
#define SW_LOOPED_LIMIT (INT_MAX / 8)

/* Families, or arrays, one after the other: the entries of number f are start[f] .. start[f+1]-1. */
typedef struct sw_family_table {
  int n;
  const sw_family *family;
  int *start;   /* n + 1 */
  long **index; /* n; the indices of the instances that a filter selects, NULL without one */
} sw_family_table;

typedef struct sw_looped {
  const sw_loops *loops;
  long *n;      /* n_sizes */
  long *first;  /* n_sets: first element */
  int *count;   /* n_sets: number of elements */
  int *q_start; /* n_coordinates + 1 */
  int *k_start; /* n_parameters + 1 */
  sw_family_table constraints;
  sw_family_table observe;
  sw_family_table invariants;
  double *k_default; /* nk */

  /* Where the contributions of the model's matrices go. */
  int *hamiltonian_hess_place;
  int *jac_place;
  int *hess_place;

  /* The field J Dg^T: entry e is entry field_source[e] of Dg, times -1 from field_split on. */
  int *field_source;
  int field_split;
  int *jac_start; /* m + 1: rows of Dg */

  /* Drho = D(Dg) X_H - field^T Hess H. */
  sw_product curvature; /* of field and Hess H's lower triangle, in the entries of Drho */
  int *along_place;     /* of contributions to D(Dg), in the entries of Drho */

  /* N = Drho field.  Where no entry of D(Dg) is among those of Drho that meet one of the field, as for
   * constraints on q alone with a mass matrix, `reached` makes these and no others: then `left` of
   * nondegeneracy counts them, else all entries of Drho. */
  sw_product nondegeneracy;
  sw_product reached;
  int needs_along;

  /* C = Dg field, but for its diagonal, which is 0. */
  sw_product coisotropy;

  /* dGamma/dz = 1 + ...: entries of the ones, and the two that entry e of Hess(lambda . g) goes to, at
   * 2e and 2e + 1, -1 for none; of contributions to loops->fibre_flow_z. */
  int *one_place; /* 2d */
  int *shift_place;
  int *flow_place;
  int has_shift; /* whether there is a family that is no SW_FIBRE_FLOW */
  int has_flow;

  /* Scratch memory. */
  double *gradient; /* 2d: grad H */
  double *velocity; /* 2d: X_H */
  double *state;    /* 2d */
  double *hamiltonian_hess;
  double *jac;
  double *hess; /* of lambda . g */
  double *field;
  double *hidden_jac; /* or those entries of it that N takes */
} sw_looped;

/* ---- sizes.c ---- */

/* From the settings to the defaults of the parameters; fills in the members above them and those of
 * *system that are numbers.  Errors and message as of sw_looped_open. */
sw_status sw_looped_size(sw_system *system, int n_sizes, const sw_size sizes[], char message[]);
void sw_looped_size_free(sw_looped *looped);

/* Writes ", at N = 5, M = 7", up to 4 sizes, to text. */
#define SW_SIZES_TEXT 200
void sw_looped_sizes_text(const sw_looped *looped, char text[SW_SIZES_TEXT]);

/* ---- plans.c ---- */

/* Patterns of *system, plans and scratch memory.  Errors: SW_ERR_SIZE, where there are more
 * contributions than an int can count, SW_ERR_ARGUMENT, where one of them is at no place of its matrix,
 * SW_ERR_MEMORY. */
sw_status sw_looped_plan(sw_system *system, char message[]);
void sw_looped_plan_free(sw_system *system);

/* n ints, 0, and not NULL where n = 0. */
static inline int *sw_looped_ints(size_t n)
{
  return calloc(n + 1, sizeof(int));
}

/* ---- brackets.c ---- */

/* The part of sw_looped_plan that makes products.  Errors: SW_ERR_MEMORY. */
sw_status sw_looped_plan_brackets(sw_system *system);

/* ---- contractions.c ---- */

/* Sets the functions of *system: NULL where there is nothing for them to compute. */
void sw_looped_functions(sw_system *system);

#endif
