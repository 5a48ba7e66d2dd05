/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ensemble/block.h -- a few trajectories that one worker steps together.
 *
 * This is the only interface through which an ensemble takes steps.  Each trajectory of a block
 * becomes a trajectory of the worker's batch (sidewinder/batch.h).  The batch steps as many
 * trajectories at once as the model's generated step has lanes.  A step is a map of the state, so
 * the results equal those of separate simulations.
 */
#ifndef SW_ENSEMBLE_BLOCK_H
#define SW_ENSEMBLE_BLOCK_H

#include "sim/batch_internal.h"

/* Maximum number of trajectories in a block. */
enum { SW_BLOCK = 16 };

/* The objects with which a worker takes steps. */
typedef struct sw_stepping_tools {
  sw_batch *batch; /* has SW_BLOCK slots */
  sw_batch_worker *worker;
} sw_stepping_tools;

/* Errors: SW_ERR_MEMORY.  The caller must call sw_stepping_tools_free after an error as well. */
sw_status sw_stepping_tools_create(const sw_sim *like, sw_stepping_tools *tools);
void sw_stepping_tools_free(sw_stepping_tools *tools);

/* Writes a message about the last failed step of a simulation. */
typedef void sw_block_words(const sw_sim *sim, char message[]);

/* Arrays over trajectories: trajectory j has element j, or the j-th slice. */
typedef struct sw_block {
  long count;
  double *saved;            /* states, sw_sim_saved_count values each (sw_sim_save) */
  const double *k;          /* parameters, nk values each; NULL: those of the simulation */
  sw_energy_course *energy; /* energies since the states were set */
  sw_status *status;        /* trajectories with a status other than SW_OK are skipped */
  long *steps;              /* counters; the number of steps taken is added */
  /* reason of the failure, owned by the caller; NULL if there is none, or no memory for it */
  char **message;
  sw_block_words *words; /* NULL: use sw_sim_message */
} sw_block;

/* Takes up to `steps` steps of size h with every trajectory of the block, and adds their cost to
 * *cost.  If a step fails, the trajectory keeps the state before the step, and gets the status
 * and message of the step. */
void sw_block_advance(const sw_stepping_tools *tools, const sw_block *block, double h, long steps,
                      sw_stats *cost);

/* Loads the state and parameters of trajectory j into the simulation.  Errors: as sw_sim_restore
 * and sw_sim_set_parameters. */
sw_status sw_block_enter(sw_sim *sim, const sw_block *block, long j);

/* Records the failure of trajectory j. */
void sw_block_fail(const sw_block *block, long j, sw_status status, const char *message);

#endif
