/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sim/batch_internal.h -- the blocks of a batch, which several threads may run at the same time, each with a worker of its own.
 */
#ifndef SIDEWINDER_SIM_BATCH_INTERNAL_H
#define SIDEWINDER_SIM_BATCH_INTERNAL_H

#include "sidewinder/batch.h"
#include "sim/sim_internal.h"

/* What a thread needs for itself. */
typedef struct sw_batch_worker {
  sw_sim *sim;                 /* takes the steps that no stepper takes */
  double *sum;                 /* m x lanes, of one block */
  double *kept;                /* dim x lanes, of one block, */
  double *kept_more;           /* and more x lanes */
  double *saved;               /* of one trajectory, */
  double *k;                   /* and nk */
  double *of_stepper;          /* what the stepper keeps, in lanes */
  struct sw_lane_start *start; /* for each lane of one block, if energies are looked at, */
  double *start_saved;         /* and its z, lambda and more then */
} sw_batch_worker;

/* Errors: SW_ERR_MEMORY. */
sw_status sw_batch_worker_create(const sw_batch *batch, sw_batch_worker **worker);
void sw_batch_worker_free(sw_batch_worker **worker);

/* Blocks of so many trajectories as a batch has lanes, and the steps of one of them. */
int sw_batch_blocks(const sw_batch *batch);
void sw_batch_run_block(sw_batch *batch, int block, sw_batch_worker *worker, double h, long steps);

#endif
