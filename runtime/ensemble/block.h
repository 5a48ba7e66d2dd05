/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ensemble/block.h -- a few trajectories that one worker steps together: states in, states and statuses out.
 *
 * This is all that an ensemble knows about how steps are taken.  Each trajectory of a block becomes one of the worker's batch
 * (sidewinder/batch.h), which moves as many of them at once as the model's straight-line code has lanes; a step is a map of the state, so
 * that the results are those of a simulation of its own.
 */
#ifndef SW_ENSEMBLE_BLOCK_H
#define SW_ENSEMBLE_BLOCK_H

#include "sim/batch_internal.h"

/* Trajectories of a block, at most. */
enum { SW_BLOCK = 16 };

/* What a worker steps them with. */
typedef struct sw_stepping_tools {
  sw_batch *batch; /* of SW_BLOCK */
  sw_batch_worker *worker;
} sw_stepping_tools;

/* Errors: SW_ERR_MEMORY; sw_stepping_tools_free is to be called in every case. */
sw_status sw_stepping_tools_create(const sw_sim *like, sw_stepping_tools *tools);
void sw_stepping_tools_free(sw_stepping_tools *tools);

/* Says what the last step of a simulation has failed with. */
typedef void sw_block_words(const sw_sim *sim, char message[]);

/* Trajectory j has the j-th part of each array. */
typedef struct sw_block {
  long count;
  double *saved;   /* where they are, sw_sim_saved_count values each (sw_sim_save) */
  const double *k; /* their parameters, nk values each; NULL: those that the simulation has */
  sw_energy_course *energy; /* since their states were set */
  sw_status *status;        /* those that are not SW_OK are left alone */
  long *steps;              /* how many were taken is added */
  char **message;        /* why one has failed, to be freed; NULL where there is no memory for it */
  sw_block_words *words; /* NULL: those of sw_sim_message */
} sw_block;

/* Takes up to `steps` steps of size h with every trajectory of the block, and adds what that has cost to *cost.  A trajectory whose
 * step fails keeps the state before it, and has the step's status and message. */
void sw_block_advance(const sw_stepping_tools *tools, const sw_block *block, double h, long steps,
                      sw_stats *cost);

/* Puts the simulation where trajectory j is.  Errors: those of sw_sim_restore and sw_sim_set_parameters. */
sw_status sw_block_enter(sw_sim *sim, const sw_block *block, long j);

/* Notes that trajectory j has failed with the last failure of the simulation. */
void sw_block_fail(const sw_block *block, long j, sw_status status, const char *message);

#endif
