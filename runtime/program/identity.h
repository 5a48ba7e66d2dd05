/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/identity.h -- which run a checkpoint belongs to: lines "KEY: VALUE" of all that its result depends on, but for the parameters.
 */
#ifndef SW_PROGRAM_IDENTITY_H
#define SW_PROGRAM_IDENTITY_H

#include <stdio.h>

#include "program/run_settings.h"

/* One line; line breaks and the like within the value become blanks, and NULL nothing. */
void sw_identity_line(FILE *file, const char *key, const char *value);

/* The model, the method, the step, and where it begins. */
void sw_identity_put(FILE *file, const sw_settings *settings);

#endif
