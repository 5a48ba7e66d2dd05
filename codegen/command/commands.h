/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * commands.h -- the commands of `sidewinder` that need more than a few lines of main.c.
 */
#ifndef SIDEWINDER_COMMAND_COMMANDS_H
#define SIDEWINDER_COMMAND_COMMANDS_H

#include "command/request.h"

/* Commands of a model's program: `sidewinder run MODEL ...` becomes `PROGRAM run ...`.
 *
 * Builds the program, unless it is cached, and replaces this process by it (exec).  Returns only
 * after an error, or if the words were wrong or asked for help. */
outcome forward(arena *a, const char *command, int argc, char **argv);

/* Data of --data for `check`.
 *
 * The model's program reads the file exactly as for a run, and prints the data (`info --given`).
 *
 * Builds the program of a compiled model, unless it is cached, and examines the model with the data
 * of the file. */
outcome examine_data(arena *a, const request *r, compilation *c);

/* The command `plot`: columns of a trajectory as SVG, drawn by gnuplot.
 *
 * Runs the command on its words. */
outcome plot_command(arena *a, int argc, char **argv);

/* The command `report`: a model, its verdicts and a run of it as one HTML page.
 *
 * Runs the command.  The page of a refused model gives the reasons.  If a step fails, the page
 * shows the run up to it.  It has the exit codes of `check` and `run`. */
outcome web_report(arena *a, int argc, char **argv);

#endif
