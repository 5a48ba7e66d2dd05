/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot_draw.h -- panels of curves, drawn by gnuplot.
 */
#ifndef SIDEWINDER_COMMAND_PLOT_DRAW_H
#define SIDEWINDER_COMMAND_PLOT_DRAW_H

#include <stddef.h>

#include "pipeline.h"

typedef struct curve {
  const char *name;
  const double *x;
  const double *y;
} curve;

typedef struct panel {
  const char *title;
  const char *x_name;
  const char *y_name;
  int is_logarithmic; /* on y; what is not above 0 is left out */
  int is_orbit;       /* points, and equal scales on both axes where that is sensible */
  int n;
  const curve *curves;
} panel;

/* Draws the panels below each other into the file `path`, which is replaced by a whole new one or not at all.
 * Nothing of what the names say reaches gnuplot's command language.  OUTCOME_WRONG after a message where a panel has
 * no point, OUTCOME_FAILED where gnuplot or a file has failed. */
outcome plot_draw(arena *a, int n, const panel panels[], size_t rows, const char *path);

/* Whether a panel shows anything. */
int plot_has_points(const panel *p, size_t rows);

/* One panel as an SVG element for a page, without its title; NULL after a message where gnuplot has failed. */
const char *plot_svg(arena *a, const panel *p, size_t rows);

#endif
