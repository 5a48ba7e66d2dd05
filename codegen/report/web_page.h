/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * web_page.h -- the record of facts, and what a run has shown, as one HTML file that needs nothing else: no network, no other file.
 */
#ifndef SIDEWINDER_REPORT_WEB_PAGE_H
#define SIDEWINDER_REPORT_WEB_PAGE_H

#include "compilation.h"

/* A row of a table: what, and its value. */
typedef struct web_row {
  const char *what;
  const char *value;
} web_row;

typedef struct web_figure {
  const char *title;
  const char *svg;
} web_figure;

/* What is shown of a run.  Texts are escaped here, but for svg and motion. */
typedef struct web_run {
  const char *command; /* by which it can be repeated */
  const char *message; /* why it has ended early; "" where it has not */
  int n_rows;
  const web_row *rows;
  const char *motion;  /* JSON for the animation (command/motion.h), NULL where there is none */
  const char *note;    /* what of the run it shows */
  int is_turned;       /* 1: in space, so that it can be turned */
  const char *missing; /* why there are no figures, or not all of them; "" else */
  int n_figures;
  const web_figure *figures;
} web_run;

/* The page; run is NULL where there was none, as for a model that is refused.  c->summary must be there. */
const char *web_page(arena *a, const compilation *c, const web_run *run);

#endif
