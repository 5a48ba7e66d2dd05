/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sim/clusters.h -- where the clusters of a generated step (sidewinder/stepper.h) are in a model at its sizes.
 */
#ifndef SIDEWINDER_SIM_CLUSTERS_H
#define SIDEWINDER_SIM_CLUSTERS_H

#include "model/system.h"
#include "sidewinder/stepper.h"

typedef struct sw_cluster_places {
  const sw_clusters *table;
  long n;         /* clusters */
  int lanes;      /* that the code has */
  long *at;       /* positions of a cluster, as in sw_cluster_job, */
  long *by;       /* likewise, */
  int is_row;     /* likewise */
  long *row;      /* constraints */
  int is_alone;   /* 1 where all forces act within clusters, and all positions are in them */
  int free;       /* positions of no cluster, */
  int *rest;      /* and which */
  int ready;      /* 1 where these are those of the present parameters: */
  int fits;       /* whether positions that the code has one mass for have one, */
  int varies;     /* whether clusters differ in their parameters, */
  double *k;      /* those of a cluster, each in as many lanes, */
  double *each;   /* and of all: parameter i of cluster c is each[i n + c] */
  long *negative; /* n */
  double *state;  /* of all clusters (sw_cluster_job) */
  int is_current; /* 1 where these are the simulation's state and the signs of N there: after steps of clusters */
} sw_cluster_places;

/* Finds them by the pattern of Dg.  *places, to be freed, is NULL where the constraints are no such clusters, as where there are none.
 * Errors: SW_ERR_MEMORY. */
sw_status sw_cluster_places_create(const sw_system *system, const sw_stepper *stepper,
                                   sw_cluster_places **places);
void sw_cluster_places_free(sw_cluster_places **places);

/* Reads the parameters k of the model, and H_pp, the diagonal of which is mass.  Returns whether that fits. */
int sw_cluster_places_read(const sw_system *system, const double k[], const double mass[],
                           sw_cluster_places *places);

#endif
