/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/scene.h"

#include <math.h>
#include <string.h>

#include "expr/evaluate.h"

enum {
  MOST_READ =
      64 /* limit on the entries that an instance of a constraint reads; with more it is no bond */
};

/* Limit on the iterations of loops that are searched for bonds. */
#define MOST_ITERATIONS 1000000L

typedef struct finder {
  arena *memory;
  const compilation *c;
  scene *found;
  int *point_of; /* by entry of q: number of its point, or -1 */
  scene_point *points;
  scene_bond *bonds;
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
    f->points[s->n_points++] = (scene_point){at, axes};
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
    if (bond.to >= 0 && f->bonds[i].from == bond.from && f->bonds[i].to == bond.to) {
      return;
    }
  }
  if (s->n_bonds < SCENE_BONDS) {
    f->bonds[s->n_bonds++] = bond;
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
      scene_find_place(f, jacobian->entries + first, last - first, &f->points[r.points[0]], k);
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
  for (int more = model_binders_first(nest->n, nest->binders, nest->condition, environment);
       more && --*left > 0 && !r->others;
       more = model_binders_next(nest->n, nest->binders, nest->condition, environment)) {
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
    for (int more = model_binders_first(nest->n, nest->binders, nest->condition, environment);
         more && left > 0;
         more = model_binders_next(nest->n, nest->binders, nest->condition, environment)) {
      reads r = {.n = 0};
      for (int j = 0; j < family->n_parts; j++) {
        read_part(f, &family->parts[j], environment, &left, &r);
      }
      add_pair(f, &r);
    }
  }
  f->found->is_shortened |= left <= 0;
}

scene scene_find(arena *a, const compilation *c, const double k[])
{
  scene found = {.axes = 0};
  finder f = {.memory = a, .c = c, .found = &found};
  const long nq = c->model->nq;
  f.point_of = ARENA_ARRAY(a, nq + 1, int);
  for (long i = 0; i < nq; i++) {
    f.point_of[i] = -1;
  }
  f.points = ARENA_ARRAY(a, SCENE_POINTS, scene_point);
  f.bonds = ARENA_ARRAY(a, SCENE_BONDS, scene_bond);
  scene_find_points(&f);
  if (found.n_points > 0 && c->loops) {
    find_looped(&f);
  } else if (found.n_points > 0 && c->program) {
    find_unrolled(&f, k ? k : c->program->k_default);
  }
  found.points = f.points;
  found.bonds = f.bonds;
  return found;
}
