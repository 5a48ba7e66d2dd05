/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sets.c -- sizes, index sets, and the shapes of arrays.
 */
#include <string.h>

#include "model/formula_checks.h"
#include "model/index_values.h"

/* More sizes than this are not listed in a message. */
#define MAX_LISTED_SIZES 20

void sets_size(checker *c, const syntax_statement *s, declared *own)
{
  long value = numbers_integer(c, s->a, MODEL_MAX_SIZE, "a size");
  if (value < 0) {
    return;
  }
  model_size *size = ARENA_NEW(c->memory, model_size);
  size->name = s->name.text;
  size->value = value;
  size->is_data = s->is_data;
  size->where = s->name.where;
  own->size = size;
}

/* Where to report a setting, which has no place in the file: the first size, else the model line. */
static span settings_place(const checker *c)
{
  for (int i = 0; i < c->tree->n; i++) {
    if (c->tree->statements[i]->kind == STATEMENT_SIZE) {
      return c->tree->statements[i]->name.where;
    }
  }
  return c->tree->n ? c->tree->statements[0]->where : (span){0, 0};
}

/* The sizes that exist, for a message: "N, K". */
static const char *known_sizes(const checker *c)
{
  const char *list = "";
  int listed = 0;
  for (int i = 0; i < c->n_names; i++) {
    if (c->names[i].kind != NAME_SIZE) {
      continue;
    }
    if (listed == MAX_LISTED_SIZES) {
      return arena_printf(c->memory, "%s, ...", list);
    }
    list = arena_printf(c->memory, "%s%s%s", list, listed++ ? ", " : "", c->names[i].name);
  }
  return listed ? list : "none";
}

void sets_apply_settings(checker *c, int n, const model_size_setting settings[])
{
  for (int i = 0; i < n; i++) {
    const char *name = settings[i].name;
    declared *d = names_find(c, name);
    if (!d || d->kind != NAME_SIZE) {
      diagnostics_error(c->d, settings_place(c),
                        "--size %s=%ld: model '%s' has no size '%s' (its sizes: %s)", name,
                        settings[i].value, c->m->name ? c->m->name : "", name, known_sizes(c));
    } else if (settings[i].value < 0 || settings[i].value > MODEL_MAX_SIZE) {
      diagnostics_error(c->d, d->where, "--size %s=%ld: a size is an integer from 0 to %ld", name,
                        settings[i].value, MODEL_MAX_SIZE);
    } else if (d->size) {
      d->size->value = settings[i].value;
    }
  }
}

/* An end of a range: integers and sizes only, and what is made of them. */
static int is_constant_end(checker *c, const model_index *end, span where)
{
  span place = end->where.end > end->where.begin ? end->where : where;
  if (model_index_has(end, INDEX_ENTRY)) {
    diagnostics_error(c->d, place,
                      "the ends of this set consist of integers and sizes: an array of indices can "
                      "end a set only within the variable that it belongs to");
    return 0;
  }
  return reach_bounded(c, end, place) && reach_divisors(c, NULL, end, place);
}

const model_set *sets_between(checker *c, const char *name, const model_index *lower,
                              const model_index *upper, span where)
{
  if (!is_constant_end(c, lower, where) || !is_constant_end(c, upper, where)) {
    return NULL;
  }
  model_set *set = ARENA_NEW(c->memory, model_set);
  set->name = name;
  set->is_range = 1;
  set->lower = lower;
  set->upper = upper;
  set->first = model_index_value(lower, NULL);
  long last = model_index_value(upper, NULL);
  set->count = last < set->first ? 0 : last - set->first + 1;
  set->where = where;
  if (set->count > MODEL_MAX_INSTANCES) {
    diagnostics_error(c->d, where, "the set '%s' has %ld elements; at most %ld are possible",
                      set->name, set->count, MODEL_MAX_INSTANCES);
    return NULL;
  }
  return set;
}

void sets_range(checker *c, const syntax_statement *s, declared *own)
{
  const model_index *lower = indices_for_set(c, s->a, NULL, NULL);
  const model_index *upper = indices_for_set(c, s->b, NULL, NULL);
  if (lower && upper) {
    own->set = sets_between(c, s->name.text, lower, upper, s->name.where);
  }
}

void sets_enter(checker *c, const model_set *set)
{
  model *m = c->m;
  for (int i = 0; i < m->n_sets; i++) {
    if (c->sets[i] == set) {
      return;
    }
  }
  c->sets = arena_grow(c->memory, c->sets, (size_t)m->n_sets, &c->sets_capacity, sizeof *c->sets);
  c->sets[m->n_sets++] = set;
  m->sets = c->sets;
}

long sets_label(const model_set *set, const char *label)
{
  for (long i = 0; !set->is_range && i < set->count; i++) {
    if (strcmp(set->labels[i], label) == 0) {
      return i;
    }
  }
  return -1;
}

void sets_labels(checker *c, const syntax_statement *s, declared *own)
{
  model_set *set = ARENA_NEW(c->memory, model_set);
  const char **labels = ARENA_ARRAY(c->memory, s->n_labels + 1, const char *);
  set->name = s->name.text;
  set->labels = labels;
  set->where = s->name.where;
  if (s->n_labels > MODEL_MAX_LABELS) {
    diagnostics_error(c->d, s->name.where,
                      "the set '%s' has %d labels; at most %d are possible, use "
                      "a range '1 .. %d'",
                      set->name, s->n_labels, MODEL_MAX_LABELS, s->n_labels);
    return;
  }
  for (int i = 0; i < s->n_labels; i++) {
    const syntax_name *label = &s->labels[i];
    if (!names_check_length(c, label)) {
      continue;
    }
    long first = sets_label(set, label->text);
    if (first >= 0) {
      diagnostics_error(c->d, label->where, "the label '%s' stands twice in the set '%s'",
                        label->text, set->name);
      continue;
    }
    labels[set->count++] = label->text;
  }
  own->set = set;
}

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

/* Its part of a tuple, and where it has its samples, by the arrays before it. */
static void place(const checker *c, model_indices *indices)
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
  place(c, indices);
  if (indices->set->count > 0 && indices->target->count == 0) {
    diagnostics_error(c->d, s->name.where, "'%s' has %ld entries, and '%s' has no elements",
                      s->name.text, indices->set->count, s->second.text);
    return;
  }
  own->indices = indices;
}

void sets_coordinate(checker *c, const syntax_statement *s, declared *own, declared *momentum)
{
  model_coordinate *q = ARENA_NEW(c->memory, model_coordinate);
  q->name = s->name.text;
  q->momentum = lagrangian_momentum(c, s).text;
  q->velocity = s->velocity.text;
  q->where = s->name.where;
  q->is_time = s->has_time;
  if (!sets_shape(c, &s->binders, &q->shape)) {
    return;
  }
  if (own) {
    own->coordinate = q;
  }
  if (momentum) {
    momentum->coordinate = q;
  }
}
