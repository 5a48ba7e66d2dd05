/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sidewinder/events.h -- states between steps: at the zeros of the model's events, and at given
 * times.
 *
 * A step is a map Phi_h of the state for every h. A state between steps is the end of a trial step
 * Phi_{theta h}(z), 0 < theta <= 1, from the start z of a step of size h. So it lies on M, or on
 * M^H, as the ends of steps do, and has the order of the method. A crossing of event e is a root
 * theta of
 *
 *   f(theta) = e(Phi_{theta h}(z), k),
 *
 * found by Brent's method (R. P. Brent, Algorithms for Minimization without Derivatives, 1973,
 * chapter 4) to about eps h in time. Trial steps use a second simulation: the run goes on from
 * Phi_h(z) bit for bit, statistics included, as if no event had been requested.
 *
 * A step is searched if f has different signs at its ends. A value 0 at the end of a step counts as
 * a crossing, a value 0 at its start does not. If the signs are equal, the parabola through the
 * last three ends of steps (in the first step, f at the middle) tells whether |f| may have a small
 * minimum inside. Trial steps then look for the minimum; if f changes its sign there, both
 * crossings are found. A motion that only touches f = 0 gives two crossings or none, depending on
 * rounding errors. More than two zeros of one event within a step are not separated; take smaller
 * steps. A change of parameters or inputs between steps is no crossing.
 */
#ifndef SIDEWINDER_EVENTS_H
#define SIDEWINDER_EVENTS_H

#include "sidewinder/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The number of instances of the model's events, their kinds (0 <= i < number) and their values at
 * the current state. sw_sim_name gives names, with SW_EVENT. */
int sw_sim_n_event(const sw_sim *sim);
sw_event_kind sw_sim_event_kind(const sw_sim *sim, int i);
void sw_sim_event(sw_sim *sim, double out[]);

/* The reason why the simulation's method has no states between steps: "leapfrog" and "bdf2" need a
 * previous step of the same size. "" if it has. Static storage. */
const char *sw_sim_between_objection(const sw_sim *sim);

/* Gives *trial, a simulation created by sw_sim_create_like from *start or from the same simulation,
 * the state, time, parameters and statistics of *start, then takes one step of size h with it.
 * *start does not change.
 * Errors: SW_ERR_OPTION (sw_sim_between_objection), and those of sw_sim_step; sw_sim_message(trial)
 * describes them. */
sw_status sw_sim_step_from(sw_sim *trial, const sw_sim *start, double h);

/* One crossing. */
typedef struct sw_crossing {
  int event;     /* number of the event */
  int direction; /* 1: its value rises through 0; -1: it falls */
  int stops;     /* 1 if the event ends the run */
  double part;   /* theta */
  double t;
} sw_crossing;

/* Callback for every crossing, in the order of time; those of one step come after the step. `at` is
 * in the located state, with the run's parameters, for reading; it is valid during the call. A
 * nonzero result ends the run after the step, with SW_ERR_STOPPED. */
typedef int sw_crossing_observer(sw_sim *at, const sw_crossing *crossing, void *user);

/* The search for crossings in the runs of one simulation. */
typedef struct sw_events sw_events;

/* Creates the search for *sim, with a second simulation that shares read-only data with it. Both
 * may be freed in any order. On failure *events is NULL.
 * Errors: SW_ERR_OPTION if the model has no events or sw_sim_between_objection has a reason,
 * SW_ERR_MEMORY. */
sw_status sw_events_create(const sw_sim *sim, sw_events **events);

/* Does nothing if `events` or *events is NULL. */
void sw_events_free(sw_events **events);

/* sw_sim_run that also reports crossings; observe and `cross` may be NULL, `user` belongs to both.
 * *sim must be the simulation of sw_events_create.
 *
 * A crossing of an event that stops ends the run with SW_OK: *sim is then in the located state, and
 * later crossings of that step are discarded. A run that goes on from there does not report this
 * crossing again. The observer is called at that state, too.
 * If a trial step fails, the run ends with its status at the start of the step, whose state is
 * restored bit for bit; sw_sim_message(sim) gives the event and the part of the step.
 * Errors: those of sw_sim_run; those of sw_sim_step in trial steps; SW_ERR_NOT_FINITE if the value
 * of an event is not finite. */
sw_status sw_events_run(sw_events *events, sw_sim *sim, double h, long steps, sw_observer *observe,
                        sw_crossing_observer *cross, void *user);

/* The crossing that stopped the last run; NULL if none did. *events owns it. */
const sw_crossing *sw_events_stopped(const sw_events *events);

#ifdef __cplusplus
}
#endif

#endif
