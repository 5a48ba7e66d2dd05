/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/cluster.h -- one cluster of the constraints of a looped model as a small model of its own.
 *
 * The constraints of a looped model fall into equal clusters, such as rigid molecules, where all families of constraints have the
 * same one index, and two values of it share no entry of q.  A cluster has one constraint of each family and the positions that
 * these read; its H is the kinetic energy sum_j w_j p_j^2/2, whose inverse masses w are parameters: forces act between the solves
 * of a step (step/holonomic.h).  Those of terms of H that read the positions of one cluster alone are known by themselves: where there are no other terms,
 * as for molecules in a field, clusters move without each other.
 */
#ifndef SIDEWINDER_FUSED_CLUSTER_H
#define SIDEWINDER_FUSED_CLUSTER_H

#include "expr/loops.h"
#include "fused/cluster_terms.h"

typedef struct fused_cluster {
  const ir_program *
      program; /* nc constraints, those of the families in their order; nq positions in the order of the model's */
  int n_values; /* of the program's nk parameters the first; the others are inverse masses: */
  const fused_parameter *values;
  int n_masses;
  const int *
      mass_of; /* nq: which of these is that of a position; for all sizes and parameters, as far as the model tells */
  const int *n_columns;      /* nc: how many positions constraint i reads, */
  const int *const *columns; /* and which, ascending */
  const ir_expr *const
      *force;   /* nq: H_q of the terms that act within clusters, in the inputs of the program, */
  int n_others; /* and all others in which there are positions */
  const fused_others *others;
} fused_cluster;

/* The program has what a step is composed from (fused/compose.h), and nothing else.  NULL where the constraints are no such clusters,
 * and why, a phrase about the model, in *refusal. */
const fused_cluster *fused_cluster_of(ir_context *c, const model *m, const ir_loops *loops,
                                      const char **refusal);

#endif
