/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * web_page.h -- the record of facts, and the results of a run, as one self-contained HTML file. It
 * needs no network and no other file.
 */
#ifndef SIDEWINDER_REPORT_WEB_PAGE_H
#define SIDEWINDER_REPORT_WEB_PAGE_H

#include "compilation.h"

/* A row of a table: a label and its value. */
typedef struct web_row {
  const char *what;
  const char *value;
} web_row;

typedef struct web_figure {
  const char *title;
  const char *svg;
} web_figure;

/* The results of a run to be shown. All texts except svg and motion are escaped by web_page. */
typedef struct web_run {
  const char *command; /* command that repeats the run */
  const char *message; /* why the run ended early, or "" */
  int n_rows;
  const web_row *rows;
  const char *motion;  /* JSON for the animation (command/motion.h), or NULL */
  const char *note;    /* description of the animation */
  int is_turned;       /* 1: three-dimensional, so the user can rotate it */
  const char *missing; /* why some or all figures are missing, or "" */
  int n_figures;
  const web_figure *figures;
} web_run;

/* Returns the page. run is NULL without a run, for example if the model is refused. c->summary must
 * be set. */
const char *web_page(arena *a, const compilation *c, const web_run *run);

#endif
