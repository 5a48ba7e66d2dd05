/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forward.h -- commands of a model's program: `sidewinder run MODEL ...` becomes `PROGRAM run ...`.
 */
#ifndef SIDEWINDER_COMMAND_FORWARD_H
#define SIDEWINDER_COMMAND_FORWARD_H

#include "pipeline.h"

/* Builds the program, unless it is cached, and replaces this process by it (exec).  Returns only
 * after an error, or if the words were wrong or asked for help. */
outcome forward(arena *a, const char *command, int argc, char **argv);

#endif
