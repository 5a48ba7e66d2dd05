/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/cluster_making.h -- a cluster in the making; private to fused/.
 */
#ifndef SIDEWINDER_FUSED_CLUSTER_MAKING_H
#define SIDEWINDER_FUSED_CLUSTER_MAKING_H

#include "fused/cluster_terms.h"
#include "fused/position.h"

enum { CLUSTER_POSITIONS_MOST = 64 };

typedef struct cluster {
  ir_context *context;
  arena *memory;
  const model *model;
  const ir_loops *loops;
  int d;
  position place[CLUSTER_POSITIONS_MOST];
  fused_parameter *values;
  size_t room;
  int n_values;
  int n_masses;
  int *mass_of;
  const ir_expr **force;
  int n_others;
  fused_others *others;
  ir_program *program;
  const char *refusal;
} cluster;

/* Finds c->d and c->place, ascending, or c->refusal. */
void cluster_find_positions(cluster *c);

/* Whether a set has the elements of the first family of constraints for all sizes. */
int cluster_counts(const cluster *c, const model_set *set);

/* The number of a position in the cluster, -1 where it has none. */
int cluster_number_of(const cluster *c, const position *p);

/* A formula of the kernel there in the entries of the cluster, whose positions all of its sites are, and in values, which become parameters of
 * the cluster.  NULL where one of these has no such form. */
const ir_expr *cluster_formula(cluster *c, const ir_kernel *k, const position_loops *loops,
                               const ir_expr *formula);

/* What a position or its momentum is called. */
const char *cluster_position_name(const cluster *c, int i, const char *name);

/* Finds c->force and c->others. */
void cluster_find_forces(cluster *c);

#endif
