/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/overview.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/user_text.h"

/* ---- columns ---- */

int column_find(const plot_table *t, const char *name)
{
  return sw_text_place(name, t->names, (size_t)t->n_names);
}

/* The outcome of reading, after its message. */
static outcome drawing_said(const drawing *d, sw_status status)
{
  if (status != SW_OK) {
    fprintf(stderr, "sidewinder: %s\n",
            status == SW_ERR_MEMORY ? "out of memory" : d->file->source.message);
  }
  return status == SW_OK             ? OUTCOME_GOOD
         : status == SW_ERR_ARGUMENT ? OUTCOME_WRONG
                                     : OUTCOME_FAILED;
}

outcome drawing_open(arena *a, const char *path, drawing *d)
{
  enum { MOST_VALUES = 50000000 /* in memory */ };
  static const sw_number_sets sets[2] = {{"trajectory", "columns"}};
  sw_number_table *file = ARENA_NEW(a, sw_number_table);
  *file =
      (sw_number_table){.source = {.path = path, .message = ARENA_ARRAY(a, SW_TEXT_MESSAGE, char)},
                        .sets = sets,
                        .most_values = MOST_VALUES};
  *d = (drawing){.arena = a, .file = file, .table = {.path = path}};
  const sw_status status = sw_number_table_open(file);
  if (status != SW_OK) {
    return drawing_said(d, status);
  }
  plot_table *t = &d->table;
  t->n_names = (int)file->width;
  t->names = file->names;
  const json_t *invariants = json_object_get(file->about, "invariants");
  t->invariants = ARENA_ARRAY(a, json_array_size(invariants) + 1, const char *);
  for (size_t i = 0; i < json_array_size(invariants); i++) {
    const char *name = json_string_value(json_array_get(invariants, i));
    if (name) {
      t->invariants[t->n_invariants++] = name;
    }
  }
  d->columns = ARENA_ARRAY(a, t->n_names, int);
  d->values = ARENA_ARRAY(a, t->n_names, double *);
  return OUTCOME_GOOD;
}

void drawing_close(drawing *d)
{
  sw_number_table_close(d->file);
}

int drawing_place(const drawing *d, int column)
{
  for (int i = 0; i < d->n; i++) {
    if (d->columns[i] == column) {
      return i;
    }
  }
  return -1;
}

int drawing_use(drawing *d, int column)
{
  const int place = drawing_place(d, column);
  if (place >= 0) {
    return place;
  }
  d->columns[d->n] = column;
  return d->n++;
}

outcome drawing_read(drawing *d)
{
  const size_t n = (size_t)d->n;
  size_t *to = ARENA_ARRAY(d->arena, d->table.n_names, size_t);
  double *rows = NULL;
  for (int i = 0; i < d->table.n_names; i++) {
    to[i] = n;
  }
  for (size_t i = 0; i < n; i++) {
    to[d->columns[i]] = i;
  }
  const sw_status status = sw_number_table_read(d->file, n, to, &rows, &d->table.rows);
  for (size_t i = 0; status == SW_OK && i < n; i++) {
    d->values[i] = ARENA_ARRAY(d->arena, d->table.rows, double);
    for (size_t row = 0; row < d->table.rows; row++) {
      d->values[i][row] = rows[row * n + i];
    }
  }
  free(rows);
  return drawing_said(d, status);
}

const char *drawing_name(const drawing *d, int at)
{
  return d->table.names[d->columns[at]];
}

/* ---- which ones ---- */

/* The energy column: the invariant "energy" or "H", or else the first invariant; -1 if there is
 * none. */
static int energy_column(const plot_table *t)
{
  static const char *const usual[] = {"energy", "H"};
  for (int i = 0; i < 2; i++) {
    if (column_find(t, usual[i]) >= 0) {
      return column_find(t, usual[i]);
    }
  }
  for (int i = 0; i < t->n_invariants; i++) {
    if (column_find(t, t->invariants[i]) >= 0) {
      return column_find(t, t->invariants[i]);
    }
  }
  return -1;
}

static int is_multiplier(const char *name)
{
  return !strncmp(name, "multiplier.", strlen("multiplier."));
}

/* The first columns that may be positions.  The state comes first in a table. */
static int candidates(const plot_table *t, int list[OVERVIEW_POSITIONS])
{
  static const char *const others[] = {
      "step", "t", "energy", "H", "residual_g", "residual_hidden", "work", "H_minus_work"};
  int n = 0;
  for (int i = 0; i < t->n_names && n < OVERVIEW_POSITIONS; i++) {
    const char *name = t->names[i];
    if (sw_text_place(name, t->invariants, (size_t)t->n_invariants) < 0 &&
        sw_text_place(name, others, sizeof others / sizeof *others) < 0 && !is_multiplier(name)) {
      list[n++] = i;
    }
  }
  return n;
}

/* Selects up to OVERVIEW_CURVES multipliers, evenly spaced. */
static void look_at_multipliers(drawing *d, overview *o)
{
  const plot_table *t = &d->table;
  int first = 0;
  while (first < t->n_names && !is_multiplier(t->names[first])) {
    first++;
  }
  while (first + o->all_multipliers < t->n_names &&
         is_multiplier(t->names[first + o->all_multipliers])) {
    o->all_multipliers++;
  }
  const int all = o->all_multipliers;
  o->n_multipliers = all < OVERVIEW_CURVES ? all : OVERVIEW_CURVES;
  for (int i = 0; i < o->n_multipliers; i++) {
    const int number =
        all <= OVERVIEW_CURVES ? i : (int)((long)i * (all - 1) / (OVERVIEW_CURVES - 1));
    o->multipliers[i] = drawing_use(d, first + number);
  }
}

static void look_at_invariants(drawing *d, overview *o, int energy)
{
  const plot_table *t = &d->table;
  for (int i = 0; i < t->n_invariants && o->n_invariants < OVERVIEW_CURVES; i++) {
    const int column = column_find(t, t->invariants[i]);
    if (column >= 0 && column != energy) {
      o->invariants[o->n_invariants++] = drawing_use(d, column);
    }
  }
}

overview overview_look(drawing *d)
{
  static const char *const residuals[] = {"residual_g", "residual_hidden"};
  overview o = {.t = -1, .energy = -1, .residuals = {-1, -1}};
  int list[OVERVIEW_POSITIONS];
  int column = column_find(&d->table, "t");
  o.t = column < 0 ? -1 : drawing_use(d, column);
  column = energy_column(&d->table);
  o.energy = column < 0 || o.t < 0 ? -1 : drawing_use(d, column);
  if (o.t >= 0) {
    look_at_invariants(d, &o, column);
    look_at_multipliers(d, &o);
  }
  for (int i = 0; i < 2; i++) {
    column = column_find(&d->table, residuals[i]);
    o.residuals[i] = column < 0 || o.t < 0 ? -1 : drawing_use(d, column);
  }
  o.n_positions = candidates(&d->table, list);
  for (int i = 0; i < o.n_positions; i++) {
    o.positions[i] = drawing_use(d, list[i]);
  }
  return o;
}

/* ---- the panels ---- */

/* Maximum minus minimum of the finite values. */
static double spread(const double values[], size_t rows)
{
  double low = INFINITY;
  double high = -INFINITY;
  for (size_t i = 0; i < rows; i++) {
    if (isfinite(values[i])) {
      low = fmin(low, values[i]);
      high = fmax(high, values[i]);
    }
  }
  return high > low ? high - low : 0.0;
}

/* The change since the first row. */
static const double *overview_change(arena *a, const double values[], size_t rows)
{
  double *changes = ARENA_ARRAY(a, rows + 1, double);
  for (size_t i = 0; i < rows; i++) {
    changes[i] = values[i] - values[0];
  }
  return changes;
}

/* A panel of curves over t: the columns with these indices, or their changes since the first row.
 * Returns 1 if there are any. */
static int over_time(const drawing *d, const overview *o, int n, const int at[], int is_change,
                     const char *title, panel *p)
{
  curve *c = ARENA_ARRAY(d->arena, n, curve);
  for (int i = 0; i < n; i++) {
    const double *values = d->values[at[i]];
    c[i] = (curve){drawing_name(d, at[i]), d->values[o->t],
                   is_change ? overview_change(d->arena, values, d->table.rows) : values};
  }
  *p = (panel){.title = title, .x_name = "t", .y_name = "", .n = n, .curves = c};
  return n > 0;
}

static int residual_panel(const drawing *d, const overview *o, panel *p)
{
  int at[2] = {0};
  int n = 0;
  for (int i = 0; i < 2; i++) {
    if (o->residuals[i] >= 0) {
      at[n++] = o->residuals[i];
    }
  }
  int exists = over_time(d, o, n, at, 0, "residuals", p);
  for (int i = 0; i < n; i++) {
    for (size_t row = 0; row < d->table.rows; row++) {
      p->is_logarithmic |= p->curves[i].y[row] > 0.0;
    }
  }
  return exists;
}

/* Multipliers start at the first step, so a single row has none. */
static int multiplier_panel(const drawing *d, const overview *o, panel *p)
{
  const char *title =
      o->n_multipliers < o->all_multipliers
          ? arena_printf(d->arena, "multipliers, %d of %d", o->n_multipliers, o->all_multipliers)
          : "multipliers";
  int exists = over_time(d, o, o->n_multipliers, o->multipliers, 0, title, p);
  curve *c = p->curves;
  for (int i = 0; i < p->n; i++) {
    c[i].name += strlen("multiplier."); /* keeps the name of the constraint */
  }
  if (o->all_multipliers == 1) {
    p->title = arena_printf(d->arena, "multiplier of %.60s", c[0].name);
  }
  return exists && d->table.rows > 1;
}

int overview_orbit(const drawing *d, const overview *o, int found[2])
{
  double spreads[OVERVIEW_POSITIONS];
  double largest = 0.0;
  int n = 0;
  for (int i = 0; i < o->n_positions; i++) {
    spreads[i] = spread(d->values[o->positions[i]], d->table.rows);
    largest = fmax(largest, spreads[i]);
  }
  /* Fixed coordinates still move by round-off. */
  for (int i = 0; i < o->n_positions && n < 2; i++) {
    if (spreads[i] > 1e-9 * largest) {
      found[n++] = o->positions[i];
    }
  }
  return n == 2;
}

static int orbit_panel(const drawing *d, const overview *o, panel *p)
{
  int found[2];
  if (!overview_orbit(d, o, found)) {
    return 0;
  }
  curve *c = ARENA_NEW(d->arena, curve);
  *c = (curve){drawing_name(d, found[1]), d->values[found[0]], d->values[found[1]]};
  *p = (panel){.title = "orbit",
               .x_name = drawing_name(d, found[0]),
               .y_name = drawing_name(d, found[1]),
               .is_orbit = 1,
               .n = 1,
               .curves = c};
  return 1;
}

int overview_panels(const drawing *d, const overview *o, panel panels[OVERVIEW_PANELS])
{
  const char *energy = o->energy < 0 ? "" : drawing_name(d, o->energy);
  int n = over_time(d, o, o->energy >= 0, &o->energy, 1,
                    arena_printf(d->arena, "change of %.60s", energy), &panels[0]);
  n += over_time(d, o, o->n_invariants, o->invariants, 1, "change of other invariants", &panels[n]);
  n += residual_panel(d, o, &panels[n]);
  n += multiplier_panel(d, o, &panels[n]);
  n += orbit_panel(d, o, &panels[n]);
  return n;
}
