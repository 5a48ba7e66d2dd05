/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * overview.h -- the default selection of curves from a trajectory: energy, invariants, residuals,
 * multipliers, and an orbit.
 */
#ifndef SIDEWINDER_COMMAND_OVERVIEW_H
#define SIDEWINDER_COMMAND_OVERVIEW_H

#include "command/plot_draw.h"
#include "io/number_table.h"

/* The names of a trajectory's file. */
typedef struct plot_table {
  const char *path;
  size_t rows; /* number of rows, after drawing_read */
  int n_names;
  const char **names;
  int n_invariants; /* number of invariants named in FILE.json, if it exists */
  const char **invariants;
} plot_table;

/* The columns of a table that are read, each once. */
typedef struct drawing {
  arena *arena;
  sw_number_table *file;
  plot_table table;
  int n;
  int *columns;    /* column numbers in the table */
  double **values; /* values of each of these columns */
} drawing;

/* Opens a file.  Any result except OUTCOME_GOOD comes after a message.  The caller calls
 * drawing_close in every case; the names are valid until then. */
outcome drawing_open(arena *a, const char *path, drawing *d);
void drawing_close(drawing *d);

/* The index of a column in d->columns.  drawing_place returns -1 for other columns; drawing_use
 * appends them. */
int drawing_place(const drawing *d, int column);
int drawing_use(drawing *d, int column);

/* Reads all used columns; results as for drawing_open. */
outcome drawing_read(drawing *d);

/* The column name for an index into d->columns. */
const char *drawing_name(const drawing *d, int at);

/* The number of the column with this name; -1 if there is none. */
int column_find(const plot_table *t, const char *name);

enum { OVERVIEW_POSITIONS = 12, OVERVIEW_CURVES = 6, OVERVIEW_PANELS = 5 };

/* The columns of the overview, as indices into drawing.columns; -1 if a column is missing. */
typedef struct overview {
  int t;
  int energy; /* the invariant "energy" or "H", or else the first invariant */
  int residuals[2];
  int n_positions; /* number of positions, the first columns of the state */
  int positions[OVERVIEW_POSITIONS];
  int n_invariants; /* number of other invariants, the first ones */
  int invariants[OVERVIEW_CURVES];
  int n_multipliers; /* number of selected multipliers, evenly spaced among all_multipliers */
  int all_multipliers;
  int multipliers[OVERVIEW_CURVES];
} overview;

/* Finds the columns and marks them for reading. */
overview overview_look(drawing *d);

/* Makes all panels that have data, after drawing_read.  Returns their number. */
int overview_panels(const drawing *d, const overview *o, panel panels[OVERVIEW_PANELS]);

/* Finds the first two positions that move, which form the orbit.  Returns 0 if there are none. */
int overview_orbit(const drawing *d, const overview *o, int found[2]);

#endif
