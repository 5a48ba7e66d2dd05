/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree.h -- values of a checked model's formulas, straight from its syntax tree.
 *
 * Sets, sums, filters, lets, families and the order of entries are evaluated here by themselves, as
 * docs/language.md defines them, and not by what the generator uses, so that a mistake in either is seen.
 * tree_indices.c has indices, sets and families, tree.c the formulas, tree_lagrangian.c what L makes of H.
 */
#ifndef SIDEWINDER_WITNESS_TREE_H
#define SIDEWINDER_WITNESS_TREE_H

#include "model/model_limits.h"
#include "witness/jet.h"

/* Where a model is evaluated.  Variables are numbered q then p, 0 .. 2d-1. */
typedef struct tree {
  const model *model;
  const long *sizes; /* other ones than the model has, or NULL */
  jets *arithmetic;
  arb_poly_struct *z; /* 2d values, or power series in time */
  arb_ptr k;          /* nk */
  arb_ptr lambda;     /* m; NULL where there are none */
  long *environment;  /* values of index variables, by slot */
  jet **arguments;    /* of the let that is being evaluated */
  int in_lagrangian;  /* velocities are the variables d .. 2d-1, with the values of z */
  jet **velocity;     /* d: what they are elsewhere, where it is known */
  int *
      let_orders; /* of each let, 1 more than the orders that its brackets ask for; 0: not known yet */
  int depth;
} tree;

/* The environment is allocated in the arena, the rest is set by the caller. */
tree tree_create(arena *a, const model *m, jets *arithmetic);

jet *tree_value(tree *t, const model_expr *e);

/* H, and all constraints, one after the other. */
jet *tree_hamiltonian(tree *t);
void tree_constraints(tree *t, const jet *g[]);

/* lambda . g of n constraints. */
jet *tree_combined(tree *t, int n, const jet *const g[]);

/* L in positions and velocities, as which z is taken. */
jet *tree_lagrangian(tree *t);

/* ---- tree_lagrangian.c: from L about v = 0, to two orders more than are asked for ---- */

/* For each entry of z whether it is a momentum that stands for a velocity in L, as those of algebraic variables do not; to be freed. */
char *tree_moving(tree *t);

/* H = p.v - L, and v where L_v = p, to be freed; NULL where that is not known. */
jet *tree_energy(tree *t, const jet *L);
jet **tree_velocities(tree *t, const jet *L);

/* The combinations of index variables that a filter admits, in order, the last variable fastest.  tree_next sets
 * the variables to the next one, and `number` to its number from 0, and returns 0 where there is none left. */
typedef struct tree_instances {
  tree *t;
  int n;
  const model_binder *const *binders;
  const model_condition *condition;
  int is_begun;
  long at[MODEL_MAX_BINDERS]; /* the present values, and the last ones beside those before */
  long last[MODEL_MAX_BINDERS];
  long number;
} tree_instances;

int tree_next(tree_instances *i);

/* Those of a sum or product; of a family; of the values of an array, which are tree_array_value at each of them. */
tree_instances tree_sum(tree *t, const model_expr *e);
tree_instances tree_family(tree *t, const model_family *family);
tree_instances tree_array(tree *t, const model_values *values);
const model_expr *tree_array_value(const model_values *values, const tree_instances *at);

/* Where an entry with these indices stands in its array. */
long tree_place(const tree *t, const model_shape *shape, const model_index *const index[]);

/* The number of instances of all n families. */
long tree_families_count(tree *t, int n, const model_family *const families[]);

/* An index; the first element of a set, from 0 for labels, and how many there are. */
long tree_index(const tree *t, const model_index *index);
long tree_first(const tree *t, const model_set *set);
long tree_count(const tree *t, const model_set *set);

/* Entries of an array, and of all coordinates and all parameters. */
long tree_shape_count(const tree *t, const model_shape *shape);
long tree_coordinates_count(const tree *t);
long tree_parameters_count(const tree *t);

/* First entry of a coordinate in q, of a parameter in k. */
long tree_coordinate_start(const tree *t, const model_coordinate *coordinate);
long tree_parameter_start(const tree *t, const model_parameter *parameter);

/* "q.2.x": name of the entry at that place of an array, and of the present instance of a family. */
const char *tree_entry_name(arena *a, const tree *t, const char *name, const model_shape *shape,
                            long place);
const char *tree_instance_name(arena *a, const model_family *family, const tree_instances *at);

#endif
