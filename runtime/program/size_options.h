/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/size_options.h -- the sizes and the data of a looped model on the command line.
 *
 * Parameters and initial states have as many entries as the sizes say, so --size and --data are carried out before a
 * command looks at its other options, wherever it stands among them.
 */
#ifndef SIDEWINDER_PROGRAM_SIZE_OPTIONS_H
#define SIDEWINDER_PROGRAM_SIZE_OPTIONS_H

#include "program/command.h"

/* Takes every "--size NAME=VALUE" and "--size=NAME=VALUE", and "--data FILE", out of the call's arguments, and makes call->system with these
 * sizes and data.  Returns SW_EXIT_GOOD, or complains and returns another exit code; then call->system is NULL.  *data, which is NULL
 * without --data, is to be given to sw_data_free in every case.  may_be_lean: it may be one that does without what steps seldom need
 * (sw_system_create_lean).  Where the words ask for help, or for the schema of data, nothing but call->system->model is there. */
int sw_sizes_open(sw_invocation *call, int may_be_lean, sw_data **data);

#endif
