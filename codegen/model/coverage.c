/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * coverage.c -- checks that an initial state sets each entry exactly once.
 *
 * Each assignment covers a box of the array: one element or a range in every dimension.  Pairwise
 * disjoint boxes cover the array if and only if their volumes add up to its size, so entries need
 * not be enumerated.
 */
#include "model/checker.h"

typedef struct box {
  long lower[MODEL_MAX_BINDERS];
  long upper[MODEL_MAX_BINDERS];
  const model_assignment *from;
} box;

static box box_of(const model_assignment *a)
{
  box b = {.from = a};
  for (int j = 0; j < a->coordinate->shape.n; j++) {
    const model_index *index = a->index[j];
    if (index->kind == INDEX_VARIABLE) {
      b.lower[j] = index->binder->set->first;
      b.upper[j] = b.lower[j] + index->binder->set->count - 1;
    } else {
      b.lower[j] = b.upper[j] = model_index_value(index, NULL);
    }
  }
  return b;
}

/* Number of entries of the box in the dimensions from `from` on. */
static long volume(const box *b, const model_shape *shape, int from)
{
  long v = 1;
  for (int j = from; j < shape->n; j++) {
    v *= b->upper[j] - b->lower[j] + 1;
  }
  return v;
}

/* Sets `at` to the first entry that two boxes share.  Returns 0 if there is none. */
static int common(const box *a, const box *b, const model_shape *shape, long at[])
{
  for (int j = 0; j < shape->n; j++) {
    long upper = a->upper[j] < b->upper[j] ? a->upper[j] : b->upper[j];
    at[j] = a->lower[j] > b->lower[j] ? a->lower[j] : b->lower[j];
    if (at[j] > upper) {
      return 0;
    }
  }
  return 1;
}

/* Reports, for each box, the first earlier box that overlaps it.  Returns 1 if all boxes are
 * disjoint. */
static int disjoint(checker *c, const char *name, const model_shape *shape, const box boxes[],
                    int n)
{
  long at[MODEL_MAX_BINDERS];
  int good = 1;
  for (int i = 1; i < n; i++) {
    int j = 0;
    while (j < i && !common(&boxes[j], &boxes[i], shape, at)) {
      j++;
    }
    if (j == i) {
      continue;
    }
    diagnostics_error(c->d, boxes[i].from->where, "%s is set twice",
                      model_entry_text(c->memory, name, shape, at));
    diagnostics_note(c->d, boxes[j].from->where, "it is set first here");
    good = 0;
  }
  return good;
}

/* Whether the boxes that intersect the slice at `value` of dimension j cover this slice. */
static int slice_full(const model_shape *shape, const box boxes[], int n, int j, long value)
{
  long whole = 1;
  for (int i = j + 1; i < shape->n; i++) {
    whole *= shape->sets[i]->count;
  }
  for (int i = 0; i < n; i++) {
    if (boxes[i].lower[j] <= value && value <= boxes[i].upper[j]) {
      whole -= volume(&boxes[i], shape, j + 1);
    }
  }
  return whole == 0;
}

/* Finds the first entry that n disjoint boxes leave uncovered.  In each dimension, it is at the
 * start of the set or just after a box. */
static void first_gap(const model_shape *shape, box boxes[], int n, long at[])
{
  for (int j = 0; j < shape->n; j++) {
    const model_set *set = shape->sets[j];
    int kept = 0;
    at[j] = set->first + set->count - 1;
    if (!slice_full(shape, boxes, n, j, set->first)) {
      at[j] = set->first;
    }
    for (int i = 0; i < n; i++) {
      long next = boxes[i].upper[j] + 1;
      if (next < at[j] && !slice_full(shape, boxes, n, j, next)) {
        at[j] = next;
      }
    }
    for (int i = 0; i < n; i++) {
      if (boxes[i].lower[j] <= at[j] && at[j] <= boxes[i].upper[j]) {
        boxes[kept++] = boxes[i];
      }
    }
    n = kept;
  }
}

/* Whether the initial state gives momenta rather than velocities. */
static int has_momenta(const model_init *init)
{
  int found = 0;
  for (int i = 0; i < init->n; i++) {
    const model_assignment *a = &init->assignments[i];
    found = found || (a->is_momentum && !a->is_velocity && !a->coordinate->is_algebraic);
  }
  return found;
}

static void check_array(checker *c, const model_init *init, const model_coordinate *q,
                        int is_momentum, box boxes[])
{
  const char *name = !is_momentum                        ? q->name
                     : q->velocity && !has_momenta(init) ? q->velocity
                                                         : q->momentum;
  long at[MODEL_MAX_BINDERS];
  long missing = q->shape.count;
  int n = 0;
  for (int i = 0; i < init->n; i++) {
    const model_assignment *a = &init->assignments[i];
    if (a->coordinate != q || a->is_momentum != is_momentum) {
      continue;
    }
    box next = box_of(a);
    if (volume(&next, &q->shape, 0) > 0) {
      boxes[n++] = next;
    }
  }
  if (!disjoint(c, name, &q->shape, boxes, n)) {
    return;
  }
  for (int i = 0; i < n; i++) {
    missing -= volume(&boxes[i], &q->shape, 0);
  }
  if (missing == 0) {
    return;
  }
  first_gap(&q->shape, boxes, n, at);
  const char *entry = model_entry_text(c->memory, name, &q->shape, at);
  if (missing == 1) {
    diagnostics_error(c->d, init->where, "initial state '%s' does not set %s", init->name, entry);
  } else {
    diagnostics_error(c->d, init->where, "initial state '%s' does not set %s and %ld more of '%s'",
                      init->name, entry, missing - 1, name);
  }
}

void coverage_check(checker *c, const model_init *init)
{
  box *boxes = ARENA_ARRAY(c->memory, init->n + 1, box);
  /* The number of states times coordinates is unbounded, so the loop ends after enough messages. */
  for (int j = 0; j < c->m->n_coordinates && diagnostics_count(c->d) < PRINTED_ERRORS; j++) {
    for (int is_momentum = 0; is_momentum < 2; is_momentum++) {
      check_array(c, init, c->m->coordinates[j], is_momentum, boxes);
    }
  }
}
