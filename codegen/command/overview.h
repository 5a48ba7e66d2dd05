/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * overview.h -- what of a trajectory is worth a look: energy, invariants, residuals, multipliers, an orbit.
 */
#ifndef SIDEWINDER_COMMAND_OVERVIEW_H
#define SIDEWINDER_COMMAND_OVERVIEW_H

#include "command/plot_draw.h"
#include "command/plot_table.h"

/* Columns of a table, read once each. */
typedef struct drawing {
  arena *arena;
  plot_table table;
  int n;
  int *columns;    /* of the table */
  double **values; /* of each of them */
} drawing;

/* Opens a file; OUTCOME_GOOD, or else a message was printed. */
outcome drawing_open(arena *a, const char *path, drawing *d);

/* The place of a column among those that will be read: -1 where it is not there, or it is added. */
int drawing_place(const drawing *d, int column);
int drawing_use(drawing *d, int column);

/* Reads what is used; like drawing_open. */
outcome drawing_read(drawing *d);

/* The name of what is at a place. */
const char *drawing_name(const drawing *d, int at);

/* The column of that name; -1 where there is none. */
int column_find(const plot_table *t, const char *name);

enum { OVERVIEW_POSITIONS = 12, OVERVIEW_CURVES = 6, OVERVIEW_PANELS = 5 };

/* The columns of the overview, as places among those that are used; -1 where there is none. */
typedef struct overview {
  int t;
  int energy; /* the invariant that is called so, or the first one */
  int residuals[2];
  int n_positions; /* the first ones */
  int positions[OVERVIEW_POSITIONS];
  int n_invariants; /* but for the energy; the first ones */
  int invariants[OVERVIEW_CURVES];
  int n_multipliers; /* some of all_multipliers, evenly */
  int all_multipliers;
  int multipliers[OVERVIEW_CURVES];
} overview;

/* Finds them, and uses them. */
overview overview_look(drawing *d);

/* Once they are read: the panels that there are, and their number. */
int overview_panels(const drawing *d, const overview *o, panel panels[OVERVIEW_PANELS]);

/* The first two positions that move, which the orbit is drawn of; 0 where there are none. */
int overview_orbit(const drawing *d, const overview *o, int found[2]);

#endif
