/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program/size_options.h -- the sizes and the data of a looped model on the command line.
 *
 * The sizes decide the number of parameters and of entries of a state.  So --size and --data are
 * parsed before all other options, regardless of their position.
 */
#ifndef SIDEWINDER_PROGRAM_SIZE_OPTIONS_H
#define SIDEWINDER_PROGRAM_SIZE_OPTIONS_H

#include "program/command.h"

/* Removes every "--size NAME=VALUE", "--size=NAME=VALUE" and "--data FILE" from the call's
 * arguments, and creates call->system with these sizes and data.  may_be_lean: 1 allows a system
 * without the parts that steps seldom need (sw_system_create_lean).
 *
 * Returns SW_EXIT_GOOD; or complains, sets call->system to NULL and returns another exit code.
 * The caller passes *data to sw_data_free in every case; it is NULL without --data.  If the words
 * ask for help or for the schema of data, only call->system->model is set. */
int sw_sizes_open(sw_invocation *call, int may_be_lean, sw_data **data);

#endif
