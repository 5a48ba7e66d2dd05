/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/cluster.h -- one cluster of constraints of a looped model, as a small model.
 *
 * The constraints of a looped model form equal clusters, such as rigid molecules, under two
 * conditions. All families of constraints have the same single index, and different values of the
 * index share no entry of q. A cluster has one constraint of each family and the positions that
 * these constraints read.
 *
 * Its H is the kinetic energy sum_j w_j p_j^2/2, with the inverse masses w as parameters. Forces
 * act between the solves of a step (step/holonomic.h). If a term of H reads positions of one
 * cluster only, its force is computed per cluster. If H has no other terms, as for molecules in a
 * field, the clusters move independently.
 */
#ifndef SIDEWINDER_FUSED_CLUSTER_H
#define SIDEWINDER_FUSED_CLUSTER_H

#include "expr/loops.h"

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
