/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/point_kind.h"
#include "common/user_text.h"

enum { MOST_FRAMES = 1500, MOST_NUMBERS = 300000 };

/* Between two frames, some coordinate moves by about this fraction of the whole extent. */
#define SHORT_MOVE 0.03

/* The animated points and their coordinates. */
typedef struct film {
  arena *memory;
  const drawing *d;
  const scene *scene; /* NULL for an orbit */
  int n;
  int axes;
  /* n * axes columns; NULL for a coordinate that is always 0, such as z of a point in the plane */
  const double **columns;
  const double *t;
  const char *names[3];
  size_t stride;
  size_t frames;
} film;

/* The column of a position.  Positions are usually contiguous and in the model's order, which gives
 * a first guess. */
static int column_of(const drawing *d, const scene *s, int entry)
{
  const plot_table *t = &d->table;
  const int first = s->points[0].at;
  const int guess = column_find(t, s->names[first]) + entry - first;
  return guess >= 0 && guess < t->n_names && !strcmp(t->names[guess], s->names[entry])
             ? guess
             : column_find(t, s->names[entry]);
}

void motion_use(drawing *d, const scene *s)
{
  for (int i = 0; i < s->n_points; i++) {
    for (int axis = 0; axis < s->points[i].axes; axis++) {
      const int column = column_of(d, s, s->points[i].at + axis);
      if (column >= 0) {
        drawing_use(d, column);
      }
    }
  }
}

/* Looks up the columns of the scene's points; returns 0 if one is missing. */
static int take_scene(film *f)
{
  static const char *const names[] = {"x", "y", "z"};
  const scene *s = f->scene;
  f->n = s->n_points;
  f->axes = s->axes;
  f->columns = ARENA_ARRAY(f->memory, f->n * f->axes + 1, const double *);
  memcpy(f->names, names, sizeof f->names);
  for (int i = 0; i < f->n; i++) {
    for (int axis = 0; axis < s->points[i].axes; axis++) {
      const int column = column_of(f->d, s, s->points[i].at + axis);
      const int at = column < 0 ? -1 : drawing_place(f->d, column);
      if (at < 0) {
        return 0;
      }
      f->columns[i * f->axes + axis] = f->d->values[at];
    }
  }
  return 1;
}

static int take_orbit(film *f, const overview *o)
{
  int found[2];
  if (!overview_orbit(f->d, o, found)) {
    return 0;
  }
  f->n = 1;
  f->axes = 2;
  f->columns = ARENA_ARRAY(f->memory, 2, const double *);
  for (int i = 0; i < 2; i++) {
    f->columns[i] = f->d->values[found[i]];
    f->names[i] = drawing_name(f->d, found[i]);
  }
  return 1;
}

static double value_at(const film *f, int i, size_t row)
{
  return f->columns[i] ? f->columns[i][row] : 0.0;
}

/* The largest extent of all points along an axis, over all rows. */
static double extent(const film *f)
{
  double largest = 0.0;
  for (int axis = 0; axis < f->axes; axis++) {
    double low = INFINITY;
    double high = -INFINITY;
    for (int i = axis; i < f->n * f->axes; i += f->axes) {
      for (size_t row = 0; row < f->d->table.rows; row++) {
        const double value = value_at(f, i, row);
        low = isfinite(value) ? fmin(low, value) : low;
        high = isfinite(value) ? fmax(high, value) : high;
      }
    }
    largest = high > low ? fmax(largest, high - low) : largest;
  }
  return largest;
}

/* The largest change of a coordinate from one row to the next, averaged over the rows. */
static double pace(const film *f)
{
  const size_t rows = f->d->table.rows;
  double sum = 0.0;
  for (size_t row = 1; row < rows; row++) {
    double largest = 0.0;
    for (int i = 0; i < f->n * f->axes; i++) {
      const double moved = fabs(value_at(f, i, row) - value_at(f, i, row - 1));
      largest = isfinite(moved) ? fmax(largest, moved) : largest;
    }
    sum += largest;
  }
  return rows > 1 ? sum / (double)(rows - 1) : 0.0;
}

/* Chooses the stride and the number of frames. */
static void choose_frames(film *f)
{
  const size_t rows = f->d->table.rows;
  const size_t fits = MOST_NUMBERS / (size_t)(f->n * f->axes);
  const size_t most = fits < 2 ? 2 : fits < MOST_FRAMES ? fits : MOST_FRAMES;
  const double moved = pace(f);
  const double wanted = moved > 0.0 ? SHORT_MOVE * extent(f) / moved : 1.0;
  const size_t all = (rows + most - 1) / most;
  f->stride = wanted < (double)all ? (size_t)fmax(1.0, wanted) : all;
  f->frames = (rows + f->stride - 1) / f->stride;
  f->frames = f->frames < most ? f->frames : most;
}

/* ---- as JSON ---- */

/* A coordinate with five digits; null unless it is finite. */
static json_t *coordinate(double value)
{
  char text[32];
  snprintf(text, sizeof text, "%.5g", value);
  return isfinite(value) ? json_real(strtod(text, NULL)) : json_null();
}

/* Adds for each point the number of its kind, and the names of the kinds. */
static void put_kinds(json_t *to, const film *f)
{
  enum { MOST = 32 };
  const char *names[MOST];
  int n = 0;
  json_t *kinds = json_array();
  json_t *kind_names = json_array();
  for (int i = 0; i < f->n; i++) {
    size_t length = 0;
    const char *kind =
        f->scene ? sw_point_kind(f->scene->names[f->scene->points[i].at], &length) : "";
    const char *name = arena_strndup(f->memory, kind, length);
    int at = sw_text_place(name, names, (size_t)n);
    if (at < 0 && n < MOST) {
      at = n;
      names[n++] = name;
      json_array_append_new(kind_names, json_string(name));
    }
    json_array_append_new(kinds, json_integer(at >= 0 ? at : 0));
  }
  json_object_set_new(to, "kinds", kinds);
  json_object_set_new(to, "kind_names", kind_names);
}

static void put_bonds(json_t *to, const film *f)
{
  json_t *bonds = json_array();
  json_t *anchors = json_array();
  for (int i = 0; f->scene && i < f->scene->n_bonds; i++) {
    const scene_bond *b = &f->scene->bonds[i];
    json_t *bond = json_pack("[i]", b->from);
    if (b->to >= 0) {
      json_array_append_new(bond, json_integer(b->to));
    }
    for (int axis = 0; b->to < 0 && axis < f->axes; axis++) {
      json_array_append_new(bond, coordinate(b->place[axis]));
    }
    json_array_append_new(b->to >= 0 ? bonds : anchors, bond);
  }
  json_object_set_new(to, "bonds", bonds);
  json_object_set_new(to, "anchors", anchors);
}

static json_t *as_json(const film *f)
{
  json_t *names = json_array();
  json_t *t = json_array();
  json_t *frames = json_array();
  for (int axis = 0; axis < f->axes; axis++) {
    json_array_append_new(names, json_string(f->names[axis]));
  }
  for (size_t i = 0; i < f->frames; i++) {
    json_t *frame = json_array();
    for (int j = 0; j < f->n * f->axes; j++) {
      json_array_append_new(frame, coordinate(value_at(f, j, i * f->stride)));
    }
    json_array_append_new(t, json_real(f->t[i * f->stride]));
    json_array_append_new(frames, frame);
  }
  json_t *object = json_pack("{si sb sI so}", "axes", f->axes, "is_orbit", !f->scene, "stride",
                             (json_int_t)f->stride, "names", names);
  put_kinds(object, f);
  put_bonds(object, f);
  json_object_set_new(object, "t", t);
  json_object_set_new(object, "frames", frames);
  return object;
}

/* "every row of the 1001 that the run wrote", or which rows are shown. */
static const char *said_of_rows(const film *f)
{
  const size_t rows = f->d->table.rows;
  const size_t last = (f->frames - 1) * f->stride;
  const char *each =
      f->stride == 1 ? "every row" : arena_printf(f->memory, "one row in %zu", f->stride);
  return last + f->stride >= rows
             ? arena_printf(f->memory, "%s of the %zu that the run wrote", each, rows)
             : arena_printf(f->memory, "%s of the first %zu, to t = %.6g; the run wrote %zu", each,
                            last + 1, f->t[last], rows);
}

static const char *said(const film *f)
{
  arena *a = f->memory;
  const char *rows = said_of_rows(f);
  if (!f->scene) {
    return arena_printf(a, "%s over %s: %s.", f->names[1], f->names[0], rows);
  }
  const scene *s = f->scene;
  const char *of =
      s->all_points > s->n_points ? arena_printf(a, ", the first of %ld", s->all_points) : "";
  const char *bonds = !s->n_bonds ? ""
                      : s->is_shortened
                          ? "; a line joins what a constraint couples (some are left out)"
                          : "; a line joins what a constraint couples";
  return arena_printf(a, "%d point%s%s: %s%s.%s", s->n_points, s->n_points == 1 ? "" : "s", of,
                      rows, bonds, f->axes == 3 ? " Drag to turn." : "");
}

json_t *motion_make(arena *a, const drawing *d, const overview *o, const scene *s)
{
  film f = {.memory = a, .d = d, .scene = s->n_points > 0 ? s : NULL};
  if (o->t < 0 || !(f.scene ? take_scene(&f) : take_orbit(&f, o))) {
    return NULL;
  }
  f.t = d->values[o->t];
  choose_frames(&f);
  json_t *made = json_pack("{so so}", "motion", as_json(&f), "note", json_string(said(&f)));
  if (f.axes == 3) {
    json_object_set_new(made, "turns", json_true());
  }
  return made;
}
