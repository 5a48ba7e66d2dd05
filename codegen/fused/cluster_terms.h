/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/cluster_terms.h -- parameters that a cluster (fused/cluster.h) reads, and other terms of H
 * that act on it.
 */
#ifndef SIDEWINDER_FUSED_CLUSTER_TERMS_H
#define SIDEWINDER_FUSED_CLUSTER_TERMS_H

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

#endif
