/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/batch.h -- many trajectories of one model that take the same steps side by side.
 *
 * Each trajectory agrees bit for bit with a simulation (sidewinder/sim.h) that has the same state
 * and parameters. If the model has generated straight-line steps, the batch moves as many
 * trajectories at once as a vector register holds doubles. If the generated code cannot take a step
 * of a trajectory, the general solver takes that step. A trajectory stops at its first failed step
 * and does not affect the others.
 *
 * A batch belongs to one thread at a time; batches created from one simulation share all read-only
 * data. Pointers must not be NULL unless the comment allows it.
 */
#ifndef SIDEWINDER_BATCH_H
#define SIDEWINDER_BATCH_H

#include "sidewinder/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_batch sw_batch;

/* Creates `count` trajectories that copy the time, state, parameters, method and options of *like.
 * The batch uses the widest stepper in options.lanes that this processor supports. *like may be
 * freed after the call; its model must outlive the batch. Memory: 2d + nk + m doubles and about 150
 * bytes per trajectory, and one simulation. On failure *batch is NULL.
 * Errors: SW_ERR_ARGUMENT if count < 1, SW_ERR_MEMORY. */
sw_status sw_batch_create(const sw_sim *like, int count, sw_batch **batch);

/* Does nothing if `batch` or *batch is NULL. */
void sw_batch_free(sw_batch **batch);

int sw_batch_count(const sw_batch *batch);
int sw_batch_lanes(
    const sw_batch *batch); /* number of trajectories moved at once; 1 without generated steps */

/* Copies *sim, a simulation of the same model, sizes and options, into trajectory i. A stopped
 * trajectory runs again.
 * Errors: SW_ERR_ARGUMENT if there is no trajectory i; then nothing changes. */
sw_status sw_batch_put(sw_batch *batch, int i, const sw_sim *sim);

/* Returns a simulation with the time, state and parameters of trajectory i and with its own
 * statistics. The batch owns the simulation and overwrites it at the next call with this batch. To
 * change the trajectory, pass the simulation to sw_batch_put. NULL if there is no trajectory i. */
sw_sim *sw_batch_get(sw_batch *batch, int i);

/* Takes `steps` steps of size h with each trajectory that has not stopped. A trajectory stops
 * before its first failed step. Returns SW_OK, or the status of the first trajectory, by number,
 * that has stopped.
 * Errors: SW_ERR_ARGUMENT if steps < 0 or if sw_sim_step would refuse h (then nothing is done);
 * those of sw_sim_step. */
sw_status sw_batch_run(sw_batch *batch, double h, long steps);

/* sw_batch_status returns SW_OK, or the failure that stopped trajectory i. sw_batch_message returns
 * that failure in words; the text is valid until the next call. If there is no trajectory i, the
 * functions return SW_ERR_ARGUMENT, its text, NaN, and zeros. */
sw_status sw_batch_status(const sw_batch *batch, int i);
const char *sw_batch_message(sw_batch *batch, int i);

double sw_batch_time(const sw_batch *batch, int i);
sw_stats sw_batch_stats(const sw_batch *batch, int i); /* since the last sw_batch_put */

/* The states in their memory layout: entry e of trajectory i is at [((i / lanes) 2d + e) lanes + i
 * % lanes]. */
const double *sw_batch_states(const sw_batch *batch);

#ifdef __cplusplus
}
#endif

#endif
