/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/method_options.h -- methods, base methods and compositions on the command line: what their names mean, and which of
 * them go together.
 */
#ifndef SIDEWINDER_PROGRAM_METHOD_OPTIONS_H
#define SIDEWINDER_PROGRAM_METHOD_OPTIONS_H

#include "program/command.h"

/* The lists of names behind the help of a command, to be freed; NULL without memory. */
char *sw_method_options_help(void);

/* Fills *options with the defaults and what the run line says. */
void sw_method_options_begin(sw_options *options, const sw_run_defaults *run);

/* Names the base method: what --base says where base_named is 1, else that of the model's run line where the method is the one
 * that is named there, or one with the same choice; else the method's own. */
void sw_method_options_finish(sw_options *options, const sw_run_defaults *defaults, int base_named,
                              int bias_named);

/* Whether the method can do what is asked for of it: take its steps back, be composed.  Returns SW_EXIT_GOOD, or complains and
 * returns SW_EXIT_USAGE. */
int sw_method_options_check(const sw_invocation *call, const sw_options *options);

#endif
