/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/size_options.h -- the sizes of a looped model on the command line.
 *
 * Parameters and initial states have as many entries as the sizes say, so --size is carried out before a
 * command looks at its other options, wherever it stands among them.
 */
#ifndef SIDEWINDER_PROGRAM_SIZE_OPTIONS_H
#define SIDEWINDER_PROGRAM_SIZE_OPTIONS_H

#include "program/command.h"

/* Takes every "--size NAME=VALUE" and "--size=NAME=VALUE" out of the call's arguments, and makes
 * call->system with these sizes.  Returns SW_EXIT_GOOD, or complains and returns another exit code; then
 * call->system is NULL.  may_be_lean: it may be one that does without what steps seldom need (sw_system_create_lean). */
int sw_sizes_open(sw_invocation *call, int may_be_lean);

#endif
