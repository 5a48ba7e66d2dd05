/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * inits.c -- initial states.
 */
#include <string.h>

#include "model/checker.h"

static const char default_name[] = "default";

/* A state under construction. */
typedef struct state {
  model_init init;
  model_assignment *assignments;
  size_t capacity;
  int failed;
} state;

static const char *state_name(const syntax_statement *s)
{
  return s->second.text ? s->second.text : default_name;
}

/* `i in links`, or `links` alone: a variable over the dimension or a part of it. */
static const model_index *over_set(checker *c, const syntax_binder *b, const syntax_name *set_name,
                                   const model_set *dimension, const bound **inner,
                                   const model_binder **binder)
{
  const model_set *set = scope_set(c, set_name);
  model_index *index = NULL;
  if (!set) {
    return NULL;
  }
  if (set != dimension && !(set->is_range && dimension->is_range)) {
    diagnostics_error(c->d, set_name->where, "this index runs over '%s', not over '%s'",
                      dimension->name, set->name);
    return NULL;
  }
  if (set->count > 0 && (set->first < dimension->first ||
                         set->first + set->count > dimension->first + dimension->count)) {
    diagnostics_error(c->d, set_name->where, "%s = %ld .. %ld goes beyond %s = %ld .. %ld",
                      set->name, set->first, set->first + set->count - 1, dimension->name,
                      dimension->first, dimension->first + dimension->count - 1);
    return NULL;
  }
  if (b->name.text) {
    *inner = scope_add(c, *inner, &b->name, set);
    *binder = *inner ? (*inner)->binder : NULL;
  } else {
    *binder = scope_binder(c, set->name, set);
  }
  if (!*binder) {
    return NULL;
  }
  index = ARENA_NEW(c->memory, model_index);
  index->kind = INDEX_VARIABLE;
  index->binder = *binder;
  index->where = b->where;
  return index;
}

/* A label or a number. */
static const model_index *fixed(checker *c, const syntax_expr *e, const model_set *dimension)
{
  const model_index *index = indices_for_set(c, e, dimension, NULL);
  long at = 0;
  if (!index || !reach_bounded(c, index, e->where)) {
    return NULL;
  }
  at = model_index_value(index, NULL);
  if (at >= dimension->first && at < dimension->first + dimension->count) {
    return index;
  }
  diagnostics_error(c->d, e->where, "index %s is outside %s = %ld .. %ld",
                    text_index(c->memory, index, 0), dimension->name, dimension->first,
                    dimension->first + dimension->count - 1);
  return NULL;
}

static const model_index *one_index(checker *c, const syntax_binder *b, const model_set *dimension,
                                    const bound **inner, const model_binder **binder)
{
  const declared *d = NULL;
  if (b->name.text) {
    return over_set(c, b, &b->set, dimension, inner, binder);
  }
  if (b->index->kind == SYNTAX_NAME && sets_label(dimension, b->index->text) < 0) {
    const syntax_name name = {b->index->text, b->index->where};
    d = names_find(c, name.text);
    if (d && d->kind == NAME_SET) {
      return over_set(c, b, &name, dimension, inner, binder);
    }
  }
  return fixed(c, b->index, dimension);
}

/* The coordinate or momentum that a statement sets; NULL after an error. */
static const declared *target(checker *c, const syntax_statement *s)
{
  const declared *d = names_find(c, s->name.text);
  if (!d) {
    names_unknown(c, s->name.where, s->name.text, 1u << NAME_POSITION | 1u << NAME_MOMENTUM, NULL);
    return NULL;
  }
  if (d->kind != NAME_POSITION && d->kind != NAME_MOMENTUM) {
    diagnostics_error(c->d, s->name.where,
                      "'%s' is %s; an initial state gives values to coordinates and momenta",
                      s->name.text, names_kind(d->kind));
    return NULL;
  }
  if (!d->coordinate) {
    return NULL;
  }
  if (d->coordinate->is_algebraic && d->kind == NAME_MOMENTUM) {
    diagnostics_error(c->d, s->name.where,
                      "'%s' is the momentum of the algebraic variable '%s', and 0 in every initial "
                      "state; set '%s' only",
                      d->name, d->coordinate->name, d->coordinate->name);
    return NULL;
  }
  if (s->binders.condition) {
    diagnostics_error(c->d, s->binders.condition->where, "'where' is not possible in 'init'");
    return NULL;
  }
  if (s->binders.n != d->coordinate->shape.n) {
    diagnostics_error(c->d, s->name.where, "'%s' has %d %s, and %d %s given", d->name,
                      d->coordinate->shape.n, d->coordinate->shape.n == 1 ? "index" : "indices",
                      s->binders.n, s->binders.n == 1 ? "is" : "are");
    return NULL;
  }
  return d;
}

static int assignment(checker *c, const syntax_statement *s, model_assignment *result)
{
  const declared *d = target(c, s);
  const model_binder **binders = NULL;
  const model_index **index = NULL;
  const bound *inner = NULL;
  values_checked values = {0};
  int n = 0;
  if (!d) {
    return 0;
  }
  binders = ARENA_ARRAY(c->memory, s->binders.n + 1, const model_binder *);
  index = ARENA_ARRAY(c->memory, s->binders.n + 1, const model_index *);
  for (int j = 0; j < s->binders.n; j++) {
    const model_binder *binder = NULL;
    index[j] = one_index(c, &s->binders.at[j], d->coordinate->shape.sets[j], &inner, &binder);
    if (!index[j]) {
      return 0;
    }
    if (binder) {
      binders[n++] = binder;
    }
  }
  c->what = arena_printf(c->memory, "initial state '%s'", state_name(s));
  c->forbidden = USES_STATE | USES_MULTIPLIER;
  if (!values_check(c, s->value, n, binders, inner, &values)) {
    return 0;
  }
  result->coordinate = d->coordinate;
  result->is_momentum = d->kind == NAME_MOMENTUM;
  result->index = index;
  result->values = values.values;
  result->where = s->name.where;
  return 1;
}

static state *find_state(state states[], int n, const char *name)
{
  for (int i = 0; i < n; i++) {
    if (strcmp(states[i].init.name, name) == 0) {
      return &states[i];
    }
  }
  return NULL;
}

static void add_assignment(checker *c, model_assignment next, state *to)
{
  to->assignments = arena_grow(c->memory, to->assignments, (size_t)to->init.n, &to->capacity,
                               sizeof *to->assignments);
  to->assignments[to->init.n++] = next;
  to->init.assignments = to->assignments;
}

static void add_statement(checker *c, const syntax_statement *s, state *to)
{
  model_assignment next = {0};
  if (assignment(c, s, &next)) {
    add_assignment(c, next, to);
  } else {
    to->failed = 1;
  }
}

/* The momenta of algebraic variables start at 0 without being asked to.  A state that sets all that it must
 * has more statements than this adds; beyond the errors that are printed, incomplete ones get nothing. */
static void add_algebraic(checker *c, state *to)
{
  int wanted = diagnostics_count(c->d) < PRINTED_ERRORS;
  for (int j = 0; wanted && j < c->m->n_coordinates; j++) {
    if (c->m->coordinates[j]->is_algebraic) {
      add_assignment(c, algebraic_start(c, c->m->coordinates[j]), to);
    }
  }
}

void inits_check(checker *c)
{
  state *states = ARENA_ARRAY(c->memory, c->tree->n + 1, state);
  const model_init **list = ARENA_ARRAY(c->memory, c->tree->n + 1, const model_init *);
  int n = 0;
  for (int i = 0; i < c->tree->n; i++) {
    const syntax_statement *s = c->tree->statements[i];
    state *to = NULL;
    if (s->kind != STATEMENT_INIT) {
      continue;
    }
    to = find_state(states, n, state_name(s));
    if (!to) {
      to = &states[n++];
      to->init.name = state_name(s);
      to->init.where = s->second.text ? s->second.where : s->where;
      if (s->second.text && !names_check_length(c, &s->second)) {
        to->failed = 1;
      }
    }
    c->order = i;
    add_statement(c, s, to);
  }
  for (int i = 0; i < n; i++) {
    list[i] = &states[i].init;
    if (!states[i].failed) {
      add_algebraic(c, &states[i]);
      coverage_check(c, list[i]);
    }
  }
  c->m->n_inits = n;
  c->m->inits = list;
}
