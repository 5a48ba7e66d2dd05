/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ensemble/ensemble_internal.h -- what an ensemble is made of, for the files that keep one and go on with it.
 */
#ifndef SW_ENSEMBLE_ENSEMBLE_INTERNAL_H
#define SW_ENSEMBLE_ENSEMBLE_INTERNAL_H

#include "common/team.h"
#include "ensemble/block.h"
#include "sidewinder/ensemble.h"

typedef struct sw_ensemble_worker {
  sw_stepping_tools tools;
  sw_sim *sim;   /* the one of its tools */
  double *row;   /* n_values */
  sw_stats cost; /* of the steps that it has taken */
} sw_ensemble_worker;

struct sw_ensemble {
  long count;
  int threads;
  long n_values;
  sw_measure *measure;
  void *user;
  size_t stride; /* values of a trajectory in `saved` */
  long step;
  sw_team *team;
  sw_ensemble_worker *workers; /* threads */
  double *saved;               /* count * stride */
  double *k;                   /* count * nk; NULL: all have those of the workers' simulations */
  sw_energy_course *energy;
  sw_status *status;
  long *steps;
  char **message;        /* NULL where there is none */
  double *values;        /* n_values * count */
  sw_stats earlier;      /* of steps that another ensemble has taken, which this one goes on with */
  sw_block_words *words; /* NULL: those of the library */
};

/* sw_ensemble_advance, which only measures where `measures` is 1. */
sw_status sw_ensemble_move(sw_ensemble *e, double h, long steps, int measures);

static inline int sw_ensemble_nk(const sw_ensemble *e)
{
  return sw_sim_nk(e->workers[0].sim);
}

#endif
