/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shapes.c -- shapes of coordinates, parameters and index arrays.
 */
#include "model/checker.h"

#include <string.h>

int sets_shape(checker *c, const syntax_binders *binders, model_shape *shape)
{
  int good = 1;
  if (binders->condition) {
    diagnostics_error(c->d, binders->condition->where,
                      "an array has all entries of its sets: 'where' is not possible here");
    return 0;
  }
  if (binders->n > MODEL_MAX_BINDERS) {
    diagnostics_error(c->d, binders->where, "%d dimensions; an array has at most %d", binders->n,
                      MODEL_MAX_BINDERS);
    return 0;
  }
  const model_set **sets = ARENA_ARRAY(c->memory, binders->n + 1, const model_set *);
  for (int j = 0; j < binders->n; j++) {
    const syntax_binder *b = &binders->at[j];
    if (!b->index) {
      sets[j] = inline_array_set(c, &b->set);
    } else if (b->index->kind == SYNTAX_NAME) {
      const syntax_name name = {b->index->text, b->index->where};
      sets[j] = scope_set(c, &name);
    } else {
      diagnostics_error(c->d, b->where,
                        "a dimension is a set: its name, a range such as '1 .. 3', or labels");
    }
    if (sets[j]) {
      sets_enter(c, sets[j]);
    }
    good = good && sets[j];
  }
  if (!good) {
    return 0;
  }
  shape->n = binders->n;
  shape->sets = sets;
  shape->count = scope_count(c, binders->where, binders->n, sets);
  return shape->count >= 0;
}

/* Sets the array's part of a tuple and the position of its sample, according to the arrays
 * before it. */
static void shapes_place(const checker *c, model_indices *indices)
{
  const model_set *last = NULL;
  for (int i = 0; i < c->m->n_indices; i++) {
    const model_indices *other = c->indices[i];
    indices->part += indices->part > 0 && other->part > 0 && other->set == indices->set;
    if (other->target != indices->target) {
      continue;
    }
    if (other->set == indices->set) {
      indices->offset = other->offset;
      indices->shift = other->shift + 1;
    } else if (indices->shift == 0) {
      indices->offset += other->set == last ? 0 : other->set->count + 1;
      last = other->set;
    }
  }
}

void sets_indices(checker *c, const syntax_statement *s, declared *own)
{
  model_indices *indices = ARENA_NEW(c->memory, model_indices);
  model_shape shape = {0};
  own->failed = 1;
  indices->name = s->name.text;
  indices->number = c->m->n_indices;
  indices->where = s->name.where;
  indices->target = scope_set(c, &s->second);
  if (!indices->target || !sets_shape(c, &s->binders, &shape)) {
    return;
  }
  if (shape.n != 1) {
    diagnostics_error(c->d, s->name.where,
                      "an array of indices has one dimension: 'param %s[SET] in %s'", s->name.text,
                      s->second.text);
    return;
  }
  indices->set = shape.sets[0];
  sets_enter(c, indices->target);
  indices->part = s->is_data;
  shapes_place(c, indices);
  for (int i = 0; i < c->n_settings; i++) {
    const model_size_setting *given = &c->settings[i];
    if (given->elements && strcmp(given->name, indices->name) == 0) {
      indices->given = given->elements;
      indices->n_given = given->value;
    }
  }
  if (indices->set->count > 0 && indices->target->count == 0) {
    diagnostics_error(c->d, s->name.where, "'%s' has %ld entries, and '%s' has no elements",
                      s->name.text, indices->set->count, s->second.text);
    return;
  }
  own->failed = 0;
  own->indices = indices;
  c->indices[c->m->n_indices++] = indices;
}

void sets_coordinate(checker *c, const syntax_statement *s, declared *own)
{
  const int is_algebraic = s->kind == STATEMENT_ALGEBRAIC;
  const syntax_name p = names_conjugate(c, s);
  declared *conjugate = names_own(c, &p, c->order);
  declared *velocity = s->velocity.text ? names_own(c, &s->velocity, c->order) : NULL;
  model_coordinate *q = ARENA_NEW(c->memory, model_coordinate);
  q->name = is_algebraic ? p.text : s->name.text;
  q->momentum = is_algebraic ? s->name.text : p.text;
  q->velocity = s->velocity.text;
  q->where = s->name.where;
  q->is_time = s->has_time;
  q->is_algebraic = is_algebraic;
  if (!sets_shape(c, &s->binders, &q->shape)) {
    return;
  }
  own->coordinate = q;
  if (conjugate) {
    conjugate->coordinate = q;
  }
  if (velocity) {
    velocity->coordinate = q;
  }
  q->number = c->m->n_coordinates;
  c->coordinates[c->m->n_coordinates++] = q;
  q->offset = c->m->nq;
  c->m->nq += q->shape.count;
}
