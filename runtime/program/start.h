/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/start.h -- the simulation that settings ask for, at its initial state.
 */
#ifndef SW_PROGRAM_START_H
#define SW_PROGRAM_START_H

#include <stdio.h>

#include "program/run_settings.h"
#include "sim/sim_internal.h"

/* Writes how far a projection has moved the initial state in words, "" where there was no projection. */
enum { SW_MOVED_TEXT = 160 };
void sw_moved_text(const sw_settings *settings, const sw_moved *moved, char text[SW_MOVED_TEXT]);

/* Prints "projection" and that text as a line, if there is one. */
void sw_moved_print(const sw_settings *settings, const sw_moved *moved, FILE *stream);

/* Complains, with another exit code than SW_EXIT_GOOD, where initial state number `init` of the model, which is z, has an entry that is
 * not finite: by its formula, or since no line of the model sets it at these sizes. */
int sw_start_check(const sw_invocation *call, const sw_system *system, int init, const double z[]);

/* Writes the initial state into z (2d values).  Returns SW_EXIT_GOOD, or complains and returns another exit code. */
int sw_start_state(const sw_invocation *call, const sw_settings *settings, double z[]);

/* Makes a simulation with these parameters at t = 0, with no state of its own yet. */
int sw_start_create(const sw_invocation *call, const sw_settings *settings, sw_sim **sim);

/* The same, at the initial state, projected where that was asked for; one where H is not finite is refused, and
 * so is a projection that moves it too far.  Each returns SW_EXIT_GOOD, or complains, sets *sim to NULL and
 * returns another exit code. */
int sw_start(const sw_invocation *call, const sw_settings *settings, sw_sim **sim, sw_moved *moved);

#endif
