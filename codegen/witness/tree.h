/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree.h -- values of a checked model's formulas, evaluated on its syntax tree.
 *
 * This code evaluates sets, sums, filters, lets, families and the order of entries by itself, as
 * docs/language.md defines them. It shares no code with the generator, so that a mistake in either
 * of them shows up as a difference. tree_indices.c evaluates indices, sets and families, tree.c
 * formulas, and tree_lagrangian.c H if the model gives L.
 */
#ifndef SIDEWINDER_WITNESS_TREE_H
#define SIDEWINDER_WITNESS_TREE_H

#include "model/model_limits.h"
#include "witness/jet.h"

/* A point at which a model is evaluated. The variables q, p have the numbers 0 .. 2d-1. */
typedef struct tree {
  const model *model;
  const long *sizes; /* sizes that override the model's, or NULL */
  jets *arithmetic;
  arb_ptr z;         /* 2d values */
  arb_ptr k;         /* nk: parameters */
  arb_ptr lambda;    /* m multipliers; NULL: none */
  long *environment; /* values of index variables, by slot */
  jet **arguments;   /* arguments of the let that is being evaluated */
  int in_lagrangian; /* 1: velocities are the variables d .. 2d-1, with the values of z */
  jet **velocity;    /* d: velocities as functions of (q, p), if known, else NULL */
  /* per let: 1 + the additional orders that its brackets need; 0: not computed yet */
  int *let_orders;
  int depth;
} tree;

/* Allocates the environment and let_orders in the arena. The caller sets the remaining members. */
tree tree_create(arena *a, const model *m, jets *arithmetic);

jet *tree_value(tree *t, const model_expr *e);

/* H; and all constraints, family after family. */
jet *tree_hamiltonian(tree *t);
void tree_constraints(tree *t, const jet *g[]);

/* sum_i lambda_i g_i of n constraints. */
jet *tree_combined(tree *t, int n, const jet *const g[]);

/* L as a function of positions and velocities; the values of both are in z. */
jet *tree_lagrangian(tree *t);

/* ---- tree_lagrangian.c: from L about v = 0, to two orders more than the result ---- */

/* For each entry of z: 1 if it is a momentum that belongs to a velocity in L.  Algebraic variables
 * have no velocity.  The caller frees the array. */
char *tree_moving(tree *t);

/* H = p.v - L, or NULL if it is unknown; and the d velocities v with L_v = p, an array that the
 * caller frees, or NULL if they are unknown. */
jet *tree_energy(tree *t, const jet *L);
jet **tree_velocities(tree *t, const jet *L);

/* Iterator over the combinations of index variables that a filter admits, in order, the last
 * variable fastest. tree_next sets the variables to the next combination and `number` to its number
 * from 0. It returns 0 at the end. */
typedef struct tree_instances {
  tree *t;
  int n;
  const model_binder *const *binders;
  const model_condition *condition;
  int is_begun;
  long at[MODEL_MAX_BINDERS]; /* present value of each variable */
  long last[MODEL_MAX_BINDERS];
  long number;
} tree_instances;

int tree_next(tree_instances *i);

/* Instances of a sum or product, of a family, and of the values of an array. tree_array_value gives
 * the value of the array at an instance. */
tree_instances tree_sum(tree *t, const model_expr *e);
tree_instances tree_family(tree *t, const model_family *family);
tree_instances tree_array(tree *t, const model_values *values);
const model_expr *tree_array_value(const model_values *values, const tree_instances *at);

/* Position of the entry with these indices in its array. */
long tree_place(const tree *t, const model_shape *shape, const model_index *const index[]);

/* Total number of instances of n families. */
long tree_families_count(tree *t, int n, const model_family *const families[]);

/* Value of an index; first element of a set (0 for labels), and number of its elements. */
long tree_index(const tree *t, const model_index *index);
long tree_first(const tree *t, const model_set *set);
long tree_count(const tree *t, const model_set *set);

/* Number of entries of one array, of all coordinates, and of all parameters. */
long tree_shape_count(const tree *t, const model_shape *shape);
long tree_coordinates_count(const tree *t);
long tree_parameters_count(const tree *t);

/* Number in q of the first entry of a coordinate, and number in k of the first entry of a
 * parameter. */
long tree_coordinate_start(const tree *t, const model_coordinate *coordinate);
long tree_parameter_start(const tree *t, const model_parameter *parameter);

/* Names such as "q.2.x": of the entry at a position of an array, and of the present instance of a
 * family. */
const char *tree_entry_name(arena *a, const tree *t, const char *name, const model_shape *shape,
                            long place);
const char *tree_instance_name(arena *a, const model_family *family, const tree_instances *at);

#endif
