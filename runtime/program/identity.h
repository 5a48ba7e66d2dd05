/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/identity.h -- the identity of a run, for its checkpoints: lines "KEY: VALUE" for all
 * inputs of the result except the parameters.
 */
#ifndef SW_PROGRAM_IDENTITY_H
#define SW_PROGRAM_IDENTITY_H

#include <stdio.h>

#include "program/settings.h"

/* Writes one line.  Control characters in the value become blanks; NULL becomes an empty
 * value. */
void sw_identity_line(FILE *file, const char *key, const char *value);

/* Writes the lines of the model, the method, the step and the initial state. */
void sw_identity_put(FILE *file, const sw_settings *settings);

#endif
