/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sim/batch_internal.h -- the blocks of a batch.  Several threads may run blocks at the same
 * time, each with its own worker.
 */
#ifndef SIDEWINDER_SIM_BATCH_INTERNAL_H
#define SIDEWINDER_SIM_BATCH_INTERNAL_H

#include "sidewinder/batch.h"
#include "sim/sim_internal.h"

/* The data of one thread. */
typedef struct sw_batch_worker {
  sw_sim *sim;                 /* takes the steps that the stepper does not take */
  double *sum;                 /* m x lanes, of one block */
  double *kept;                /* dim x lanes: states of a block before steps of the stepper */
  double *kept_more;           /* more x lanes: the rest of these states */
  double *saved;               /* saved state of one trajectory */
  double *k;                   /* nk: parameters of one trajectory */
  double *of_stepper;          /* data that the stepper keeps between calls, in lanes */
  struct sw_lane_start *start; /* one for each lane of a block, if energies are watched */
  double *start_saved;         /* z, lambda and more of each lane at its `start` */
} sw_batch_worker;

/* Creates a worker for the batch.  Errors: SW_ERR_MEMORY. */
sw_status sw_batch_worker_create(const sw_batch *batch, sw_batch_worker **worker);
void sw_batch_worker_free(sw_batch_worker **worker);

/* The steps of one block, of as many trajectories as the batch has lanes. */
void sw_batch_run_block(sw_batch *batch, int block, sw_batch_worker *worker, double h, long steps);

#endif
