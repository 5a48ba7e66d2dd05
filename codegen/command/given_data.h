/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * given_data.h -- data of --data for `check`.
 *
 * The model's program reads the file exactly as for a run, and prints the data (`info --given`).
 */
#ifndef SIDEWINDER_COMMAND_GIVEN_DATA_H
#define SIDEWINDER_COMMAND_GIVEN_DATA_H

#include "command/request.h"

/* Builds the program of a compiled model, unless it is cached, and examines the model with the data
 * of the file. */
outcome examine_data(arena *a, const request *r, compilation *c);

#endif
