/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forward.h -- commands that are those of a model's program: `sidewinder run MODEL ...` becomes `PROGRAM run ...`.
 */
#ifndef SIDEWINDER_COMMAND_FORWARD_H
#define SIDEWINDER_COMMAND_FORWARD_H

#include "pipeline.h"

/* Whether the command is one of them. */
int is_forwarded(const char *command);

/* Builds the program, unless it is in the cache, and becomes it; returns where that has failed, or the words were
 * wrong or asked for help. */
outcome forward(arena *a, int argc, char **argv);

/* Prints how such a command is used. */
void forward_help(const char *command);

#endif
