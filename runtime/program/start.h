/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/start.h -- creates the simulation that the settings describe, at its initial state.
 */
#ifndef SW_PROGRAM_START_H
#define SW_PROGRAM_START_H

#include <stdio.h>

#include "program/settings.h"
#include "sim/sim_internal.h"

/* Prints "projection" and the text of sw_moved_text as a line; nothing without a projection. */
void sw_moved_print(const sw_settings *settings, const sw_moved *moved, FILE *stream);

/* Complains and returns an exit code other than SW_EXIT_GOOD if z, initial state number `init`,
 * has an entry that is not finite.  Either its formula is undefined, or no line of the model sets
 * it at these sizes. */
int sw_start_check(const sw_invocation *call, const sw_system *system, int init, const double z[]);

/* Writes the initial state to z (2d values).  Returns SW_EXIT_GOOD, or complains and returns
 * another exit code. */
int sw_start_state(const sw_invocation *call, const sw_settings *settings, double z[]);

/* Creates a simulation with these parameters.  The caller must set its state. */
int sw_start_create(const sw_invocation *call, const sw_settings *settings, sw_sim **sim);

/* Creates a simulation at the initial state, which is projected if the settings ask for it.
 * Rejects a state with H not finite, and a projection that moves the state too far.  Both
 * functions return SW_EXIT_GOOD, or complain, set *sim to NULL and return another exit code. */
int sw_start(const sw_invocation *call, const sw_settings *settings, sw_sim **sim, sw_moved *moved);

#endif
