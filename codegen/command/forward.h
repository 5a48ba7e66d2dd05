/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forward.h -- commands that are those of a model's program: `sidewinder run MODEL ...` becomes `PROGRAM run ...`.
 */
#ifndef SIDEWINDER_COMMAND_FORWARD_H
#define SIDEWINDER_COMMAND_FORWARD_H

#include "pipeline.h"

/* Builds the program, unless it is in the cache, and becomes it with that command; returns where that has failed, or the
 * words behind argv[0] were wrong or asked for help. */
outcome forward(arena *a, const char *command, int argc, char **argv);

#endif
