/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fused/cluster_terms.h -- what a cluster (fused/cluster.h) reads of the model besides its positions, and what else acts on it.
 */
#ifndef SIDEWINDER_FUSED_CLUSTER_TERMS_H
#define SIDEWINDER_FUSED_CLUSTER_TERMS_H

/* Entry number `entry` of an array of parameters in the first cluster, and `by` more from each to the next. */
typedef struct fused_parameter {
  int array;
  long entry;
  long by;
  const char *name; /* what it is called in a cluster */
} fused_parameter;

/* A term of H that makes forces on a cluster which depend on more than its positions, or on what is in no cluster.  There is none of it where one of
 * these sets of the model is empty. */
typedef struct fused_others {
  int n;
  const int *sets;
} fused_others;

#endif
