/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/method_options.h -- methods, base methods and compositions on the command line: their
 * names, and the allowed combinations.
 */
#ifndef SIDEWINDER_PROGRAM_METHOD_OPTIONS_H
#define SIDEWINDER_PROGRAM_METHOD_OPTIONS_H

#include "program/command.h"

/* Returns the lists of names at the end of a command's help, to be freed by the caller; NULL if
 * memory is short. */
char *sw_method_options_help(void);

/* Fills *options with the defaults and the values of the model's run line. */
void sw_method_options_begin(sw_options *options, const sw_run_defaults *run);

/* Chooses the base method, in this order:
 * - the value of --base, if base_named is 1;
 * - the base method of the model's run line, if the method is the one named there or has the same
 *   choice;
 * - the default of the method. */
void sw_method_options_finish(sw_options *options, const sw_run_defaults *defaults, int base_named,
                              int bias_named);

/* Checks whether the method supports the requested options: reversed steps, composition.  Returns
 * SW_EXIT_GOOD, or complains and returns SW_EXIT_USAGE. */
int sw_method_options_check(const sw_invocation *call, const sw_options *options);

#endif
