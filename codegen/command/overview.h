/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * overview.h -- the default selection of curves from a trajectory: energy, invariants, residuals,
 * multipliers, and an orbit; and the frames of an animation.
 */
#ifndef SIDEWINDER_COMMAND_OVERVIEW_H
#define SIDEWINDER_COMMAND_OVERVIEW_H

#include <jansson.h>

#include "command/plot_draw.h"
#include "compilation.h"
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

/* ---- motion.c ----
 *
 * The frames of an animation, selected from the rows of a trajectory.  It shows the points and
 * bonds of a scene, or else the point of the orbit. */

/* The part of a model that can be drawn in space: points and bonds between them.
 *
 * Points are entries of positions whose last index has the labels x, y, or x, y, z, as in the
 * frames of `run --out FILE.xyz`. Two points are bonded if a constraint on positions reads these
 * two and no other coordinate. A point is bonded to a fixed place if a constraint prescribes its
 * distance from that place, like the rod of a pendulum. */
typedef struct scene scene;

/* Finds the scene. k: the c->program->nk parameters of an unrolled model, which determine fixed
 * places; NULL: the defaults. */
const scene *scene_find(arena *a, const compilation *c, const double k[]);

/* Marks the columns of the points for reading; call before drawing_read. */
void motion_use(drawing *d, const scene *s);

/* The animation: `motion`, a JSON object; `note`, a caption; and `turns`, true if the view can be
 * turned, in three dimensions.  NULL if nothing moves.  Call after drawing_read. */
json_t *motion_make(arena *a, const drawing *d, const overview *o, const scene *s);

#endif
