/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/ensemble.h -- many trajectories of one model, on several threads.
 *
 * An ensemble has the model, the sizes, the method and the options of one simulation, and a state, parameters and a status for
 * each of its trajectories, which are numbered from 0.  Trajectories know nothing of each other: where a step of one fails, that one
 * stays where it was, its status says why, and the others go on.  Every result is the same, bit for bit, for any number
 * of threads, and for any division of the steps among calls.  (One exception: an energy that is out of its scale for less than 256 steps
 * is noticed if a call ends then.)
 *
 * What a step needs is allocated in sw_ensemble_create, once for each thread.  An ensemble is for one thread at a time, which has
 * others work for it.
 */
#ifndef SIDEWINDER_ENSEMBLE_H
#define SIDEWINDER_ENSEMBLE_H

#include <stdint.h>

#include "sidewinder/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_ensemble sw_ensemble;

/* Writes n_values values of one trajectory; sim is at its state, with its parameters and multipliers, and step steps have been
 * taken since the ensemble was made.  Called by several threads at the same time, each with another worker, from 0 on. */
typedef void sw_measure(sw_sim *sim, long step, int worker, double values[], void *user);

typedef struct sw_ensemble_options {
  long count;          /* trajectories, at least 1 */
  int threads;         /* 1 to SW_THREADS_MOST; 1 */
  long n_values;       /* that `measure` writes; 0 */
  sw_measure *measure; /* NULL: nothing is measured */
  void *user;          /* for `measure` */
} sw_ensemble_options;

/* Fills *options with the defaults above, and one trajectory. */
void sw_ensemble_options_init(sw_ensemble_options *options);

/* Makes an ensemble whose trajectories all begin in the state of *like, with its parameters.  *like only has to live until this
 * returns, its model longer than the ensemble.  On failure *ensemble is NULL.
 * Errors: SW_ERR_ARGUMENT, SW_ERR_MEMORY (also where a thread cannot be started). */
sw_status sw_ensemble_create(const sw_sim *like, const sw_ensemble_options *options,
                             sw_ensemble **ensemble);

/* Releases all that *ensemble owns, and sets it to NULL.  NULL, or a pointer to NULL, is fine. */
void sw_ensemble_free(sw_ensemble **ensemble);

/* The state of trajectory i, 2d values, at time t, from which it begins anew, also where it has failed; or its parameters, nk
 * values; both are copied.  Errors: those of
 * sw_sim_set_state and sw_sim_set_parameters; SW_ERR_MEMORY; SW_ERR_ARGUMENT if there is no trajectory i.  Then nothing is changed. */
sw_status sw_ensemble_set_state(sw_ensemble *ensemble, long i, double t, const double z[]);
sw_status sw_ensemble_set_parameters(sw_ensemble *ensemble, long i, const double k[]);

/* Moves the states of all trajectories to the constraint manifold (sw_sim_project).  One that moves positions or momenta by more
 * than the part `most` of their size (docs/programs.md), or that fails, has a status and -1 steps from then on.  Infinity allows anything.
 * Errors: SW_ERR_MEMORY. */
sw_status sw_ensemble_project(sw_ensemble *ensemble, double most);

/* Takes `steps` steps of size h, at least 0, with all trajectories that have not failed, and measures them.
 * Errors: SW_ERR_ARGUMENT (steps < 0, or h is no step size, sw_sim_step; then nothing is done); what trajectories fail with is in their status. */
sw_status sw_ensemble_advance(sw_ensemble *ensemble, double h, long steps);

/* Called at the start, after each every-th step and after the last one; anything but 0 ends the run with SW_ERR_STOPPED. */
typedef int sw_ensemble_observer(const sw_ensemble *ensemble, long step, void *user);

/* Takes `steps` steps, counted from where the ensemble is, and has the observer look at its rows; NULL: nobody looks. */
sw_status sw_ensemble_run(sw_ensemble *ensemble, double h, long steps, long every,
                          sw_ensemble_observer *observe, void *user);

long sw_ensemble_count(const sw_ensemble *ensemble);
long sw_ensemble_step(const sw_ensemble *ensemble);   /* steps since it was made */
long sw_ensemble_failed(const sw_ensemble *ensemble); /* trajectories whose status is not SW_OK */

/* Of trajectory i (if there is none, SW_ERR_ARGUMENT, its text, -1 and NULL): its status; why, in words, "" where that is SW_OK; how many steps it has taken, -1 where it could not begin; and
 * its last good state and its parameters, 2d and nk values. */
sw_status sw_ensemble_status(const sw_ensemble *ensemble, long i);
const char *sw_ensemble_message(const sw_ensemble *ensemble, long i);
long sw_ensemble_steps(const sw_ensemble *ensemble, long i);
const double *sw_ensemble_state(const sw_ensemble *ensemble, long i);
const double *sw_ensemble_parameters(const sw_ensemble *ensemble, long i);

/* What was measured last: value j of all trajectories is values[j count .. (j+1) count - 1], NaN of those that have failed.  NULL where
 * nothing is measured. */
const double *sw_ensemble_values(const sw_ensemble *ensemble);

/* What all trajectories have cost, and the largest residuals of any. */
sw_stats sw_ensemble_stats(const sw_ensemble *ensemble);

/* Mean, unbiased variance and quantiles of n values, in this order in out: 2 + n_levels values.  Sums are taken in the order of the
 * values, compensated.  A quantile at level p in [0, 1] is that of the n sorted values at place p (n - 1), between two of them by linear
 * interpolation, so that 0 and 1 are the smallest and the largest.  All are NaN where n = 0 or a value is NaN; the variance is where
 * n = 1.  `sorted` has room for n values and may be `values`, which are then no longer in their order. */
void sw_statistics(long n, const double values[], int n_levels, const double levels[],
                   double sorted[], double out[]);

/* A number that depends on its place alone: that of coordinate c of trajectory i with this seed, uniform in (0, 1), and a normal
 * one of mean 0 and variance 1.  They are the same whoever draws them, in any order. */
double sw_draw_uniform(uint64_t seed, uint64_t i, uint64_t c);
double sw_draw_normal(uint64_t seed, uint64_t i, uint64_t c);

#ifdef __cplusplus
}
#endif

#endif
