/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ensemble/ensemble_internal.h -- the members of an ensemble, for the files that save and restore
 * ensembles.
 */
#ifndef SW_ENSEMBLE_ENSEMBLE_INTERNAL_H
#define SW_ENSEMBLE_ENSEMBLE_INTERNAL_H

#include "common/team.h"
#include "sidewinder/ensemble.h"
#include "sim/batch_internal.h"

/* Maximum number of trajectories that a worker steps together, as a batch (sidewinder/batch.h).
 * The batch steps as many of them at once as the model's generated step has lanes.  A step is a map
 * of the state, so the results equal those of separate simulations. */
enum { SW_BLOCK = 16 };

typedef struct sw_ensemble_worker {
  sw_batch *batch; /* has SW_BLOCK slots */
  sw_batch_worker *worker;
  sw_sim *sim;   /* owned by the worker */
  double *row;   /* n_values */
  sw_stats cost; /* cost of the steps of this worker */
} sw_ensemble_worker;

struct sw_ensemble {
  long count;
  int threads;
  long n_values;
  sw_measure *measure;
  void *user;
  size_t stride; /* values per trajectory in `saved` */
  long step;
  sw_team *team;
  sw_ensemble_worker *workers; /* threads */
  double *saved;               /* states: count * stride */
  /* parameters: count * nk; NULL if all trajectories have those of the workers' simulations */
  double *k;
  sw_energy_course *energy; /* count */
  sw_status *status;
  long *steps;
  char **message;   /* one per trajectory; NULL if it has not failed */
  double *values;   /* n_values * count */
  sw_stats earlier; /* cost of the steps before this ensemble was restored */
  /* writes a message about the last failed step of a simulation; NULL: use sw_sim_message */
  void (*words)(const sw_sim *sim, char message[]);
};

/* sw_ensemble_advance; measures values only if `measures` is 1. */
sw_status sw_ensemble_move(sw_ensemble *e, double h, long steps, int measures);

static inline int sw_ensemble_nk(const sw_ensemble *e)
{
  return sw_sim_nk(e->workers[0].sim);
}

#endif
