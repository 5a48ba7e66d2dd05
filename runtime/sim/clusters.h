/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sim/clusters.h -- locates the clusters of a generated step (sidewinder/stepper.h) in a model at
 * its sizes.
 */
#ifndef SIDEWINDER_SIM_CLUSTERS_H
#define SIDEWINDER_SIM_CLUSTERS_H

#include "model/system.h"
#include "sidewinder/stepper.h"

typedef struct sw_cluster_places {
  const sw_clusters *table;
  long n;    /* number of clusters */
  int lanes; /* number of lanes of the generated code */
  long *at;  /* see sw_cluster_job: position j of cluster c has index at[j] + by[j] c */
  long *by;  /* see `at` */
  /* 1 if the positions of a cluster are contiguous and all strides `by` are equal */
  int is_row;
  long *row;      /* constraint a of cluster c has index row[a] + c */
  int is_alone;   /* 1 if all forces act within clusters and every position belongs to a cluster */
  int free;       /* number of positions outside of clusters */
  int *rest;      /* indices of these positions */
  int ready;      /* 1 if the members below belong to the present parameters */
  int fits;       /* 1 if positions that share one mass in the generated code have equal masses */
  int varies;     /* 1 if clusters differ in their parameters */
  double *k;      /* parameters of the first cluster, each copied to all lanes */
  double *each;   /* parameters of all clusters: parameter i of cluster c is each[i n + c] */
  long *negative; /* n: signs of N, see sw_cluster_job */
  double *state;  /* states of all clusters (sw_cluster_job) */
  /* 1 if `state` and `negative` belong to the simulation's state, as after steps of clusters */
  int is_current;
} sw_cluster_places;

/* Finds the clusters by the pattern of Dg.  Sets *places to NULL if the constraints do not form
 * such clusters.  The caller frees *places.  Errors: SW_ERR_MEMORY. */
sw_status sw_cluster_places_create(const sw_system *system, const sw_stepper *stepper,
                                   sw_cluster_places **places);
void sw_cluster_places_free(sw_cluster_places **places);

/* Reads the parameters k of the model and the diagonal `mass` of H_pp.  Returns places->fits. */
int sw_cluster_places_read(const sw_system *system, const double k[], const double mass[],
                           sw_cluster_places *places);

#endif
