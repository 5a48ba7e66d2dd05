/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/cluster_making.h -- a cluster under construction; private to fused/.
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

/* Sets c->d and c->place, in ascending order, or c->refusal. */
void cluster_find_positions(cluster *c);

/* 1 if, for all sizes, a set has as many elements as the index set of the first family of
 * constraints. */
int cluster_counts(const cluster *c, const model_set *set);

/* Number of a position in the cluster; -1 if it is not one of the cluster's. */
int cluster_number_of(const cluster *c, const position *p);

/* Rewrites a formula of a kernel in the entries of the cluster. All sites of the kernel must be
 * positions of the cluster. Values of the kernel become parameters of the cluster. Returns NULL if
 * a value cannot be one. */
const ir_expr *cluster_formula(cluster *c, const ir_kernel *k, const position_loops *loops,
                               const ir_expr *formula);

/* Name of position i of the cluster, or of its momentum, formed from the name of the coordinate. */
const char *cluster_position_name(const cluster *c, int i, const char *name);

/* Sets c->force and c->others. */
void cluster_find_forces(cluster *c);

#endif
