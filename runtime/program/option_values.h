/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/option_values.h -- the values of options as a command's parser reads them: names of a list, and numbers.
 *
 * Each function returns 0, or EINVAL once the error has been printed; the value then means nothing.
 */
#ifndef SW_PROGRAM_OPTION_VALUES_H
#define SW_PROGRAM_OPTION_VALUES_H

#include <argp.h>
#include <stddef.h>

/* *choice: the number of the name that equals arg; errors call it `kind`. */
error_t sw_option_number(struct argp_state *state, const char *kind, const char *arg,
                         const char *const names[], size_t count, int *choice);

/* *choice: the name itself, of a list that ends with NULL. */
error_t sw_option_choose(struct argp_state *state, const char *kind, const char *arg,
                         const char *const *names, const char **choice);

/* The value of --option, an integer from lowest to highest (LONG_MAX: to any). */
error_t sw_option_integer(struct argp_state *state, const char *option, const char *arg,
                          long lowest, long highest, long *value);

/* A number of seconds, at least 0. */
error_t sw_option_seconds(struct argp_state *state, const char *option, const char *arg,
                          double *seconds);

/* A finite decimal number; and one between 0 and 1. */
error_t sw_option_real(struct argp_state *state, const char *option, const char *arg,
                       double *value);
error_t sw_option_tolerance(struct argp_state *state, const char *option, const char *arg,
                            double *tolerance);

#endif
