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
  int is_logarithmic; /* 1 for a logarithmic y axis; values <= 0 are omitted */
  /* 1 for an orbit: drawn as points, with equal scales on both axes if that is sensible */
  int is_orbit;
  int n;
  curve *curves;
} panel;

/* Draws the panels below each other into the file `path`, which is replaced atomically.  No text of
 * the names reaches gnuplot's command language.  After a message, returns OUTCOME_WRONG if a panel
 * has no points, or OUTCOME_FAILED if gnuplot or a file failed. */
outcome plot_draw(arena *a, int n, const panel panels[], size_t rows, const char *path);

/* The colours of curves, such as "#3b82c4 #d9812e". */
const char *plot_colours(arena *a);

/* 1 if a panel has at least one point to show. */
int plot_has_points(const panel *p, size_t rows);

/* One panel as an SVG element for a page, without its title; NULL after a message if gnuplot
 * failed. */
const char *plot_svg(arena *a, const panel *p, size_t rows);

#endif
