/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/plot.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command/plot_draw.h"
#include "command/plot_table.h"
#include "common/diagnostics.h"
#include "common/files.h"
#include "common/subcommands.h"
#include "common/user_text.h"

enum { MOST_CURVES = 50, MOST_CANDIDATES = 12 };

typedef struct plot_request {
  arena *arena;
  const char *file;
  const char *output;
  const char *x;
  const char **wanted; /* names of columns, as they were given */
  size_t n_wanted;
  size_t room;
  int helped;
} plot_request;

/* What is drawn: columns that are read once each, and panels made of them. */
typedef struct drawing {
  arena *arena;
  plot_table table;
  int n;
  int *columns;    /* of the table */
  double **values; /* of each of them */
} drawing;

static const struct argp_option options[] = {
    {"output", 'o', "FILE.svg", 0, "The picture; else FILE with another ending", 0},
    {"x", 'x', "NAME", 0, "The column of the horizontal axis (t)", 0},
    {0}};

static const char doc[] = "Draw columns of a trajectory over t, as SVG, with gnuplot."
                          "\vFILE is a .csv or .npy file that `run --out` has written.  COLUMNS "
                          "are names, separated by commas or blanks; an "
                          "array's name stands for all of its entries.  Without them three panels "
                          "are drawn: the change of the energy, the "
                          "residuals, and the orbit of the first two positions that move.";

static error_t parse(int key, char *value, struct argp_state *state)
{
  plot_request *r = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &r->helped;
    return 0;
  case 'o':
    r->output = value;
    return 0;
  case 'x':
    r->x = value;
    return 0;
  case ARGP_KEY_ARG:
    if (!r->file) {
      r->file = value;
      return 0;
    }
    for (char *name = strtok(value, ","); name; name = strtok(NULL, ",")) {
      r->wanted = arena_grow(r->arena, r->wanted, r->n_wanted, &r->room, sizeof *r->wanted);
      r->wanted[r->n_wanted++] = name;
    }
    return 0;
  case ARGP_KEY_END:
    if (!r->helped && (!r->file || (r->x && r->n_wanted == 0))) {
      argp_error(state, r->file ? "-x: which columns over it?" : "which file?");
      return EINVAL;
    }
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* ---- columns ---- */

static int find_column(const plot_table *t, const char *name)
{
  for (int i = 0; i < t->n_names; i++) {
    if (!strcmp(t->names[i], name)) {
      return i;
    }
  }
  return -1;
}

static int refuse_column(const plot_table *t, const char *name)
{
  const char *near = sw_text_nearest(name, t->names, (size_t)t->n_names);
  fprintf(stderr, "sidewinder: '%s' has no column '%.100s'%s%.100s%s\n", t->path, name,
          near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  return 0;
}

/* The place of a column among those that are read; it is added where it is not there. */
static int use(drawing *d, int column)
{
  for (int i = 0; i < d->n; i++) {
    if (d->columns[i] == column) {
      return i;
    }
  }
  d->columns[d->n] = column;
  return d->n++;
}

/* Appends the columns that a name stands for to list; returns 0 after a message. */
static int add_named(const plot_table *t, const char *name, int list[], int *n)
{
  const size_t length = strlen(name);
  const int exact = find_column(t, name);
  const int before = *n;
  for (int i = exact < 0 ? 0 : exact; i < t->n_names && *n <= MOST_CURVES; i++) {
    if (i == exact ||
        (exact < 0 && !strncmp(t->names[i], name, length) && t->names[i][length] == '.')) {
      list[(*n)++] = i;
    }
    if (i == exact) {
      break;
    }
  }
  if (*n > MOST_CURVES) {
    fprintf(stderr, "sidewinder: more than %d curves; name fewer columns\n", MOST_CURVES);
    return 0;
  }
  return *n > before ? 1 : refuse_column(t, name);
}

/* ---- what is drawn where columns are named ---- */

static outcome draw_named(drawing *d, const plot_request *r, const char *path)
{
  int list[MOST_CURVES + 1];
  curve curves[MOST_CURVES];
  int n = 0;
  const char *x = r->x ? r->x : "t";
  const int x_column = find_column(&d->table, x);
  if (x_column < 0) {
    refuse_column(&d->table, x);
    return OUTCOME_WRONG;
  }
  for (size_t i = 0; i < r->n_wanted; i++) {
    if (!add_named(&d->table, r->wanted[i], list, &n)) {
      return OUTCOME_WRONG;
    }
  }
  const int x_at = use(d, x_column);
  int at[MOST_CURVES];
  for (int i = 0; i < n; i++) {
    at[i] = use(d, list[i]);
  }
  if (!plot_table_read(d->arena, &d->table, d->n, d->columns, d->values)) {
    return d->table.is_unreadable ? OUTCOME_FAILED : OUTCOME_WRONG;
  }
  for (int i = 0; i < n; i++) {
    curves[i] = (curve){d->table.names[list[i]], d->values[x_at], d->values[at[i]]};
  }
  const int over_time = !strcmp(x, "t") || !strcmp(x, "step");
  const panel one = {.title = d->table.path,
                     .x_name = x,
                     .y_name = n == 1 ? curves[0].name : "",
                     .is_orbit = !over_time,
                     .n = n,
                     .curves = curves};
  return plot_draw(d->arena, 1, &one, d->table.rows, path);
}

/* ---- what is drawn where none are ---- */

/* The column of the energy: the invariant that is called so, or the first one; -1 where there is none. */
static int energy_column(const plot_table *t)
{
  static const char *const usual[] = {"energy", "H"};
  for (int i = 0; i < 2; i++) {
    if (find_column(t, usual[i]) >= 0) {
      return find_column(t, usual[i]);
    }
  }
  for (int i = 0; i < t->n_invariants; i++) {
    if (find_column(t, t->invariants[i]) >= 0) {
      return find_column(t, t->invariants[i]);
    }
  }
  return -1;
}

static int is_invariant(const plot_table *t, const char *name)
{
  for (int i = 0; i < t->n_invariants; i++) {
    if (!strcmp(t->invariants[i], name)) {
      return 1;
    }
  }
  return 0;
}

/* The first columns that may be positions: the state comes first. */
static int candidates(const plot_table *t, int list[MOST_CANDIDATES])
{
  static const char *const others[] = {"step", "t", "energy", "H", "residual_g", "residual_hidden"};
  int n = 0;
  for (int i = 0; i < t->n_names && n < MOST_CANDIDATES; i++) {
    int is_other = is_invariant(t, t->names[i]);
    for (size_t j = 0; j < sizeof others / sizeof *others; j++) {
      is_other = is_other || !strcmp(t->names[i], others[j]);
    }
    if (!is_other) {
      list[n++] = i;
    }
  }
  return n;
}

/* Highest less lowest of the finite values. */
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

/* The change of the energy since the first row. */
static const double *change(arena *a, const double values[], size_t rows)
{
  double *changes = ARENA_ARRAY(a, rows + 1, double);
  for (size_t i = 0; i < rows; i++) {
    changes[i] = values[i] - values[0];
  }
  return changes;
}

static int some_positive(const double values[], size_t rows)
{
  for (size_t i = 0; i < rows; i++) {
    if (values[i] > 0.0) {
      return 1;
    }
  }
  return 0;
}

/* The columns of the overview, as places among those that are read; -1 where there is none. */
typedef struct overview {
  int t;
  int energy;
  int residuals[2];
  int n_positions;
  int positions[MOST_CANDIDATES];
} overview;

static overview look(drawing *d)
{
  static const char *const residuals[] = {"residual_g", "residual_hidden"};
  overview o = {.t = -1, .energy = -1, .residuals = {-1, -1}};
  int list[MOST_CANDIDATES];
  int column = find_column(&d->table, "t");
  o.t = column < 0 ? -1 : use(d, column);
  column = energy_column(&d->table);
  o.energy = column < 0 || o.t < 0 ? -1 : use(d, column);
  for (int i = 0; i < 2; i++) {
    column = find_column(&d->table, residuals[i]);
    o.residuals[i] = column < 0 || o.t < 0 ? -1 : use(d, column);
  }
  o.n_positions = candidates(&d->table, list);
  for (int i = 0; i < o.n_positions; i++) {
    o.positions[i] = use(d, list[i]);
  }
  return o;
}

static const char *name_of(const drawing *d, int at)
{
  return d->table.names[d->columns[at]];
}

static int energy_panel(drawing *d, const overview *o, curve c[1], panel *p)
{
  if (o->energy < 0) {
    return 0;
  }
  c[0] = (curve){name_of(d, o->energy), d->values[o->t],
                 change(d->arena, d->values[o->energy], d->table.rows)};
  *p = (panel){.title = arena_printf(d->arena, "change of %.60s", name_of(d, o->energy)),
               .x_name = "t",
               .y_name = "",
               .n = 1,
               .curves = c};
  return 1;
}

static int residual_panel(drawing *d, const overview *o, curve c[2], panel *p)
{
  int n = 0;
  int positive = 0;
  for (int i = 0; i < 2; i++) {
    if (o->residuals[i] >= 0) {
      c[n++] = (curve){name_of(d, o->residuals[i]), d->values[o->t], d->values[o->residuals[i]]};
      positive = positive || some_positive(c[n - 1].y, d->table.rows);
    }
  }
  *p = (panel){.title = "residuals",
               .x_name = "t",
               .y_name = "",
               .is_logarithmic = positive,
               .n = n,
               .curves = c};
  return n > 0;
}

static int orbit_panel(drawing *d, const overview *o, curve c[1], panel *p)
{
  double spreads[MOST_CANDIDATES];
  double largest = 0.0;
  int found[2];
  int n = 0;
  for (int i = 0; i < o->n_positions; i++) {
    spreads[i] = spread(d->values[o->positions[i]], d->table.rows);
    largest = fmax(largest, spreads[i]);
  }
  /* What is held fast moves by round-off. */
  for (int i = 0; i < o->n_positions && n < 2; i++) {
    if (spreads[i] > 1e-9 * largest) {
      found[n++] = o->positions[i];
    }
  }
  if (n < 2) {
    return 0;
  }
  c[0] = (curve){name_of(d, found[1]), d->values[found[0]], d->values[found[1]]};
  *p = (panel){.title = "orbit",
               .x_name = name_of(d, found[0]),
               .y_name = name_of(d, found[1]),
               .is_orbit = 1,
               .n = 1,
               .curves = c};
  return 1;
}

static outcome draw_overview(drawing *d, const char *path)
{
  const overview o = look(d);
  curve curves[4];
  panel panels[3];
  int n = 0;
  if (!plot_table_read(d->arena, &d->table, d->n, d->columns, d->values)) {
    return d->table.is_unreadable ? OUTCOME_FAILED : OUTCOME_WRONG;
  }
  n += energy_panel(d, &o, curves, &panels[n]);
  n += residual_panel(d, &o, curves + 1, &panels[n]);
  n += orbit_panel(d, &o, curves + 3, &panels[n]);
  if (n == 0) {
    fprintf(stderr,
            "sidewinder: '%s' has neither an energy nor residuals nor positions that move; "
            "name the columns to be drawn\n",
            d->table.path);
    return OUTCOME_WRONG;
  }
  return plot_draw(d->arena, n, panels, d->table.rows, path);
}

/* ---- the command ---- */

/* FILE.csv or FILE.npy becomes FILE.svg. */
static const char *picture_of(arena *a, const plot_request *r)
{
  const char *slash = strrchr(r->file, '/');
  const char *dot = strrchr(slash ? slash : r->file, '.');
  const int length = dot ? (int)(dot - r->file) : (int)strlen(r->file);
  return r->output ? r->output : arena_printf(a, "%.*s.svg", length, r->file);
}

static outcome draw(const plot_request *r)
{
  arena *a = r->arena;
  drawing d = {.arena = a};
  const char *path = picture_of(a, r);
  if (!strcmp(path, r->file) || file_same(path, r->file)) {
    fprintf(stderr, "sidewinder: '%s' and '%s' are the same file\n", r->file, path);
    return OUTCOME_WRONG;
  }
  if (!plot_table_open(a, r->file, &d.table)) {
    return d.table.is_unreadable ? OUTCOME_FAILED : OUTCOME_WRONG;
  }
  d.columns = ARENA_ARRAY(a, MOST_CURVES + MOST_CANDIDATES, int);
  d.values = ARENA_ARRAY(a, MOST_CURVES + MOST_CANDIDATES, double *);
  outcome result = r->n_wanted > 0 ? draw_named(&d, r, path) : draw_overview(&d, path);
  if (result == OUTCOME_GOOD) {
    printf("%s\n", path);
  }
  return result;
}

outcome plot_command(arena *a, int argc, char **argv)
{
  const struct argp_child children[] = {{&sw_help_argp, 0, NULL, 0}, {0}};
  const struct argp parser = {options, parse, "FILE [COLUMNS]", doc, children, NULL, NULL};
  plot_request r = {.arena = a};
  int code = sw_words_parse(&parser, argc, argv, &r, &r.helped);
  return code < 0 ? draw(&r) : (outcome)code;
}
