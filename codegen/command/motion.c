/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * motion.c -- points, bonds and frames of an animation.
 *
 * Every row is a frame if neighbouring rows differ much, or if all rows fit.  Otherwise rows are
 * skipped, so that a frame moves by a few hundredths of the whole extent.  A limit on the count of
 * numbers keeps the page small.
 *
 * JSON: axes; names of the axes; colours of curves; kinds, for each point an index into kind_names;
 * bonds, pairs of points; anchors, [point, x, y, (z)]; t; and frames, the flattened positions of
 * rows 0, stride, 2 stride, ...
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/overview.h"
#include "common/point_kind.h"
#include "common/user_text.h"
#include "expr/evaluate.h"

enum {
  MOST_READ =
      64 /* limit on the entries that an instance of a constraint reads; with more it is no bond */
};

/* Limit on the iterations of loops that are searched for bonds. */
#define MOST_ITERATIONS 1000000L

enum { SCENE_POINTS = 2000, SCENE_BONDS = 8000 /* limits; more are omitted */ };

typedef struct scene_point {
  int at;   /* number of its x in q; the other coordinates follow */
  int axes; /* 2 or 3: number of its coordinates */
} scene_point;

typedef struct scene_bond {
  int from;        /* number of a point */
  int to;          /* number of a point, or -1: a fixed place */
  double place[3]; /* the fixed place, if to is -1 */
} scene_bond;

struct scene {
  int axes; /* 2 or 3; 0 if the model has no points */
  int n_points;
  long all_points;
  scene_point *points;
  int n_bonds;
  int is_shortened; /* 1 if bonds were omitted */
  scene_bond *bonds;
  const char *const *names; /* nq: dotted names, as in the columns of a trajectory */
};

typedef struct finder {
  arena *memory;
  const compilation *c;
  scene *found;
  int *point_of; /* by entry of q: number of its point, or -1 */
} finder;

/* ---- points ---- */

/* Number of axes of a coordinate whose last index has exactly the labels x, y (and z); 0 for any
 * other. */
static int axes_of(const model_coordinate *q)
{
  static const char *const names[] = {"x", "y", "z"};
  const model_set *last = q->shape.n > 0 ? q->shape.sets[q->shape.n - 1] : NULL;
  if (!last || last->is_range || last->count < 2 || last->count > 3 || q->is_algebraic) {
    return 0;
  }
  for (long i = 0; i < last->count; i++) {
    if (strcmp(last->labels[i], names[i]) != 0) {
      return 0;
    }
  }
  return (int)last->count;
}

static void scene_add_points(finder *f, const model_coordinate *q, int axes)
{
  scene *s = f->found;
  s->axes = axes > s->axes ? axes : s->axes;
  s->all_points += q->shape.count / axes;
  for (long i = 0; i < q->shape.count && s->n_points < SCENE_POINTS; i += axes) {
    const int at = (int)(q->offset + i);
    for (int axis = 0; axis < axes; axis++) {
      f->point_of[at + axis] = s->n_points;
    }
    s->points[s->n_points++] = (scene_point){at, axes};
  }
}

static void scene_find_points(finder *f)
{
  const model *m = f->c->model;
  const char **names = ARENA_ARRAY(f->memory, m->nq + 1, const char *);
  for (int i = 0; i < m->n_coordinates; i++) {
    const model_coordinate *q = m->coordinates[i];
    const char *const *own = model_shape_names(f->memory, q->name, &q->shape);
    memcpy(names + q->offset, own, (size_t)q->shape.count * sizeof *names);
    const int axes = axes_of(q);
    if (axes > 0) {
      scene_add_points(f, q, axes);
    }
  }
  f->found->names = names;
}

/* ---- bonds ---- */

/* The points that an instance of a constraint reads. */
typedef struct reads {
  int n;
  int points[3];
  int others; /* 1 if it reads anything else: a momentum, another coordinate, an omitted point */
} reads;

static void read_entry(const finder *f, reads *r, long entry, int is_momentum)
{
  const int point = is_momentum ? -1 : f->point_of[entry];
  r->others |= point < 0;
  for (int i = 0; i < r->n; i++) {
    if (r->points[i] == point) {
      return;
    }
  }
  r->others |= r->n == 3;
  if (!r->others) {
    r->points[r->n++] = point;
  }
}

static void add_bond(finder *f, scene_bond bond)
{
  scene *s = f->found;
  s->is_shortened |= s->n_bonds == SCENE_BONDS;
  for (int i = s->n_bonds - 1; i >= 0 && i > s->n_bonds - MOST_READ; i--) {
    if (bond.to >= 0 && s->bonds[i].from == bond.from && s->bonds[i].to == bond.to) {
      return;
    }
  }
  if (s->n_bonds < SCENE_BONDS) {
    s->bonds[s->n_bonds++] = bond;
  }
}

static void add_pair(finder *f, const reads *r)
{
  if (!r->others && r->n == 2) {
    const int one = r->points[0];
    const int other = r->points[1];
    add_bond(f, one < other ? (scene_bond){.from = one, .to = other}
                            : (scene_bond){.from = other, .to = one});
  }
}

/* ---- bonds of an unrolled model ---- */

/* Finds the fixed place of a constraint on one point, from its n entries of the Jacobian. If the
 * constraint is a distance, its gradient is s (x - place); this is tested at several points x. */
static void scene_find_place(finder *f, const ir_entry entries[], int n, const scene_point *p,
                             const double k[])
{
  const ir_program *program = f->c->program;
  double *z = ARENA_ARRAY(f->memory, 2 * program->nq + 1, double);
  double at_origin[3] = {0.0, 0.0, 0.0};
  double slope = 0.0;
  ir_evaluator *e = ir_evaluator_create(f->c->context);
  const ir_values values = {.in = {[IR_K] = k, [IR_Z] = z}};
  int is_distance = n == p->axes;
  /* Step 0 is at the origin, step i at a point where only axis i is not 0, the last step at a
   * greater distance. */
  for (int step = 0; step <= p->axes + 1 && is_distance; step++) {
    const int axis = step == 0 ? -1 : (step - 1) % p->axes;
    const double moved = step > p->axes ? 3.0 : 1.0;
    for (int i = 0; i < p->axes; i++) {
      z[p->at + i] = i == axis ? moved : 0.0;
    }
    ir_evaluator_begin(e, &values);
    for (int i = 0; i < n; i++) {
      const double value = ir_evaluator_value(e, entries[i].value);
      if (step == 0) {
        at_origin[i] = value;
      }
      slope = step == 1 && i == 0 ? value - at_origin[0] : slope;
      const double expected = at_origin[i] + (i == axis ? moved * slope : 0.0);
      is_distance =
          is_distance && fabs(value - expected) <= 1e-9 * fabs(slope) + 1e-9 * fabs(value);
    }
  }
  ir_evaluator_free(e);
  if (is_distance && slope != 0.0) {
    scene_bond bond = {.from = f->point_of[p->at], .to = -1};
    for (int i = 0; i < n; i++) {
      bond.place[i] = 0.0 - at_origin[i] / slope;
    }
    add_bond(f, bond);
  }
}

static void find_unrolled(finder *f, const double k[])
{
  const ir_program *p = f->c->program;
  const ir_function *jacobian = &p->functions[IR_CONSTRAINT_JAC];
  for (int first = 0, last = 0; first < jacobian->n; first = last) {
    reads r = {.n = 0};
    for (; last < jacobian->n && jacobian->entries[last].row == jacobian->entries[first].row;
         last++) {
      const int col = jacobian->entries[last].col;
      read_entry(f, &r, col, col >= p->nq);
    }
    add_pair(f, &r);
    if (!r.others && r.n == 1) {
      scene_find_place(f, jacobian->entries + first, last - first, &f->found->points[r.points[0]],
                       k);
    }
  }
}

/* ---- bonds of a looped model ---- */

/* Adds the entries that the kernel of a part reads, in all iterations of the part's own loops. */
static void read_part(const finder *f, const ir_part *part, long environment[], long *left,
                      reads *r)
{
  const ir_nest *nest = &part->nest;
  const ir_kernel *kernel = &part->kernel;
  for (long round = 0;
       model_binders_next(round, nest->n, nest->binders, nest->condition, environment) &&
       --*left > 0 && !r->others;
       round++) {
    for (int i = 0; i < kernel->gradient.n; i++) {
      const int row = kernel->gradient.entries[i].row;
      const ir_reference *site = &kernel->sites[row % kernel->n_sites];
      const model_coordinate *q = site->coordinate;
      read_entry(f, r, q->offset + model_shape_offset(&q->shape, site->index, environment),
                 row >= kernel->n_sites);
    }
  }
}

static void find_looped(finder *f)
{
  const ir_loops *l = f->c->loops;
  long *environment = ARENA_ARRAY(f->memory, l->n_slots + 1, long);
  long left = MOST_ITERATIONS;
  for (int i = 0; i < l->n_constraints; i++) {
    const ir_looped_family *family = &l->constraints[i];
    const ir_nest *nest = &family->nest;
    for (long round = 0;
         model_binders_next(round, nest->n, nest->binders, nest->condition, environment) &&
         left > 0;
         round++) {
      reads r = {.n = 0};
      for (int j = 0; j < family->n_parts; j++) {
        read_part(f, &family->parts[j], environment, &left, &r);
      }
      add_pair(f, &r);
    }
  }
  f->found->is_shortened |= left <= 0;
}

const scene *scene_find(arena *a, const compilation *c, const double k[])
{
  scene *found = ARENA_NEW(a, scene);
  finder f = {.memory = a, .c = c, .found = found};
  const long nq = c->model->nq;
  f.point_of = ARENA_ARRAY(a, nq + 1, int);
  for (long i = 0; i < nq; i++) {
    f.point_of[i] = -1;
  }
  found->points = ARENA_ARRAY(a, SCENE_POINTS, scene_point);
  found->bonds = ARENA_ARRAY(a, SCENE_BONDS, scene_bond);
  scene_find_points(&f);
  if (found->n_points > 0 && c->loops) {
    find_looped(&f);
  } else if (found->n_points > 0 && c->program) {
    find_unrolled(&f, k ? k : c->program->k_default);
  }
  return found;
}

/* ---- frames ---- */

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
  return isfinite(value) ? json_loads(text, JSON_DECODE_ANY, NULL) : json_null();
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
  json_t *object =
      json_pack("{si sb sI so ss}", "axes", f->axes, "is_orbit", !f->scene, "stride",
                (json_int_t)f->stride, "names", names, "colours", plot_colours(f->memory));
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
