/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/ensemble.h -- many trajectories of one model, on several threads.
 *
 * An ensemble has the model, sizes, method and options of one simulation. Each trajectory, numbered
 * from 0, has its own state, parameters and status. Trajectories are independent: if a step fails,
 * that trajectory stops at its last good state, its status gives the reason, and the others
 * continue. Results agree bit for bit for any number of threads and for any division of the steps
 * into calls. (One exception: an energy that is out of its scale for fewer than 256 steps is
 * noticed only if a call ends during these steps.)
 *
 * sw_ensemble_create allocates the memory for steps, once per thread. One thread at a time may call
 * functions of an ensemble; the ensemble starts its own worker threads.
 */
#ifndef SIDEWINDER_ENSEMBLE_H
#define SIDEWINDER_ENSEMBLE_H

#include <stdint.h>

#include "sidewinder/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_ensemble sw_ensemble;

/* Callback that writes n_values values for one trajectory. `sim` has the trajectory's state,
 * parameters and multipliers; `step` is the number of steps since the ensemble was created. Several
 * threads call it at the same time; `worker` numbers them from 0. */
typedef void sw_measure(sw_sim *sim, long step, int worker, double values[], void *user);

typedef struct sw_ensemble_options {
  long count;          /* number of trajectories, at least 1 */
  int threads;         /* 1 to SW_THREADS_MOST; default 1 */
  long n_values;       /* number of values that `measure` writes; default 0 */
  sw_measure *measure; /* NULL: no measurements */
  void *user;          /* passed to `measure` */
} sw_ensemble_options;

/* Fills *options with the defaults above and count = 1. */
void sw_ensemble_options_init(sw_ensemble_options *options);

/* Creates an ensemble whose trajectories start with the state and the parameters of *like. Noise
 * (sw_sim_set_seed) has the seed of *like; the number of trajectory i is that of *like plus i.
 * *like may be freed after the call; its model must outlive the ensemble. On failure *ensemble is
 * NULL. Errors: SW_ERR_ARGUMENT; SW_ERR_MEMORY, also if a thread cannot be started. */
sw_status sw_ensemble_create(const sw_sim *like, const sw_ensemble_options *options,
                             sw_ensemble **ensemble);

/* Frees *ensemble and sets it to NULL. Does nothing if `ensemble` or *ensemble is NULL. */
void sw_ensemble_free(sw_ensemble **ensemble);

/* Copies a state (2d values) at time t, or parameters (nk values), into trajectory i. After
 * sw_ensemble_set_state a failed trajectory runs again.
 * Errors: those of sw_sim_set_state and sw_sim_set_parameters; SW_ERR_MEMORY; SW_ERR_ARGUMENT if
 * there is no trajectory i. On an error nothing changes. */
sw_status sw_ensemble_set_state(sw_ensemble *ensemble, long i, double t, const double z[]);
sw_status sw_ensemble_set_parameters(sw_ensemble *ensemble, long i, const double k[]);

/* Projects the states of all trajectories onto the constraint manifold (sw_sim_project). A
 * trajectory fails if the projection fails, or if it moves the positions or momenta by more than
 * `most` times their size (docs/programs.md); INFINITY disables this limit. A failed trajectory has
 * an error status and a step count of -1.
 * Errors: SW_ERR_MEMORY. */
sw_status sw_ensemble_project(sw_ensemble *ensemble, double most);

/* Takes `steps` >= 0 steps of size h with all trajectories that have not failed, and measures them.
 * Errors: SW_ERR_ARGUMENT if steps < 0 or if sw_sim_step would refuse h; then nothing is done.
 * Failures of trajectories go to their statuses. */
sw_status sw_ensemble_advance(sw_ensemble *ensemble, double h, long steps);

/* Callback at the start, after each every-th step and after the last step. A nonzero result ends
 * the run with SW_ERR_STOPPED. */
typedef int sw_ensemble_observer(const sw_ensemble *ensemble, long step, void *user);

/* Takes `steps` further steps and calls `observe` unless it is NULL. */
sw_status sw_ensemble_run(sw_ensemble *ensemble, double h, long steps, long every,
                          sw_ensemble_observer *observe, void *user);

long sw_ensemble_count(const sw_ensemble *ensemble);
long sw_ensemble_step(const sw_ensemble *ensemble);   /* steps since creation */
long sw_ensemble_failed(const sw_ensemble *ensemble); /* trajectories whose status is not SW_OK */

/* Data of trajectory i: its status; its failure in words, "" if the status is SW_OK; its number of
 * steps, -1 if it could not start; its last good state (2d values); its parameters (nk values). If
 * there is no trajectory i: SW_ERR_ARGUMENT, its text, -1 and NULL. */
sw_status sw_ensemble_status(const sw_ensemble *ensemble, long i);
const char *sw_ensemble_message(const sw_ensemble *ensemble, long i);
long sw_ensemble_steps(const sw_ensemble *ensemble, long i);
const double *sw_ensemble_state(const sw_ensemble *ensemble, long i);
const double *sw_ensemble_parameters(const sw_ensemble *ensemble, long i);

/* The last measurements: value j of all trajectories is values[j count .. (j+1) count - 1], NaN for
 * failed trajectories. NULL if options.measure is NULL. */
const double *sw_ensemble_values(const sw_ensemble *ensemble);

/* Total cost of all trajectories, and their largest residuals. */
sw_stats sw_ensemble_stats(const sw_ensemble *ensemble);

/* Writes the mean, the unbiased variance and n_levels quantiles of n values to out, 2 + n_levels
 * values. Sums are compensated and in the order of the values. The quantile at level p in [0, 1]
 * interpolates linearly between the sorted values at position p (n - 1), so levels 0 and 1 give the
 * minimum and the maximum. All results are NaN if n = 0 or if a value is NaN; the variance is NaN
 * if n = 1. `sorted` is scratch for n values; it may be `values`, which is then sorted in place. */
void sw_statistics(long n, const double values[], int n_levels, const double levels[],
                   double sorted[], double out[]);

/* Counter-based random numbers for coordinate c of trajectory i: uniform in (0, 1), and normal with
 * mean 0 and variance 1. The result depends on (seed, i, c) alone, not on the order of calls. */
double sw_draw_uniform(uint64_t seed, uint64_t i, uint64_t c);
double sw_draw_normal(uint64_t seed, uint64_t i, uint64_t c);

#ifdef __cplusplus
}
#endif

#endif
