/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/batch.h -- many trajectories of one model, which take the same steps side by side.
 *
 * Each trajectory is what a simulation of its own (sidewinder/sim.h) would make of its state and its parameters, bit for bit: where
 * the model has its step as straight-line code, as many trajectories are moved at once as a vector register of this processor has
 * doubles, and one that such code leaves alone takes that step by the general way.  One that fails stops where it is, and disturbs no other.
 *
 * A batch belongs to one thread at a time; batches that are made like one another share what is constant.
 * Pointers are never NULL unless it says so.
 */
#ifndef SIDEWINDER_BATCH_H
#define SIDEWINDER_BATCH_H

#include "sidewinder/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_batch sw_batch;

/* `count` trajectories, each of which is what the simulation is: its time, state and parameters, its method and options.  They are moved by
 * the widest of options.lanes that this processor has.  *like only has to live until this returns, its model longer than
 * the batch.  Needs 2d + nk + m doubles and some 150 bytes for each, and another simulation.  NULL in *batch on failure.
 * Errors: SW_ERR_ARGUMENT for count < 1, SW_ERR_MEMORY. */
sw_status sw_batch_create(const sw_sim *like, int count, sw_batch **batch);

/* NULL, or a pointer to NULL, is fine. */
void sw_batch_free(sw_batch **batch);

int sw_batch_count(const sw_batch *batch);
int sw_batch_lanes(
    const sw_batch *batch); /* how many are moved at once; 1 without straight-line code */

/* Trajectory i becomes what *sim is, a simulation of the same model, sizes and options.  It may run, also where it had stopped.
 * Errors: SW_ERR_ARGUMENT if there is no trajectory i; then nothing is changed. */
sw_status sw_batch_put(sw_batch *batch, int i, const sw_sim *sim);

/* A simulation that is what trajectory i is, with statistics of its own.  It is the batch's, and is another one after the next call of any of these
 * functions with this batch; whatever the caller does with it is no trajectory's until it is put there.  NULL if there is no trajectory i. */
sw_sim *sw_batch_get(sw_batch *batch, int i);

/* Takes `steps` steps of size h with each trajectory that has not stopped; one that fails stops before the step that has failed.  Returns SW_OK, or
 * the status of the first trajectory that has stopped.
 * Errors: SW_ERR_ARGUMENT (steps < 0, or h is no step size, sw_sim_step; then nothing is done), those of sw_sim_step. */
sw_status sw_batch_run(sw_batch *batch, double h, long steps);

/* SW_OK, or why the trajectory has stopped; and that in words, until the next call.  If there is no trajectory i:
 * SW_ERR_ARGUMENT, its text, NaN and zeros. */
sw_status sw_batch_status(const sw_batch *batch, int i);
const char *sw_batch_message(sw_batch *batch, int i);

double sw_batch_time(const sw_batch *batch, int i);
sw_stats sw_batch_stats(const sw_batch *batch, int i); /* since it was put in */

/* The states as they lie in memory: entry e of trajectory i is at [((i / lanes) 2d + e) lanes + i % lanes]. */
const double *sw_batch_states(const sw_batch *batch);

#ifdef __cplusplus
}
#endif

#endif
