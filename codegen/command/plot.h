/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot.h -- the command `plot`: columns of a trajectory as SVG, drawn by gnuplot.
 */
#ifndef SIDEWINDER_COMMAND_PLOT_H
#define SIDEWINDER_COMMAND_PLOT_H

#include "pipeline.h"

/* Runs the command on its words. */
outcome plot_command(arena *a, int argc, char **argv);

#endif
