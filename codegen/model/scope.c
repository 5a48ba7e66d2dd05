/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scope.c -- bound variables: `i in node` of a sum or a family, and the arguments of a let.
 */
#include <string.h>

#include "model/checker.h"

const bound *scope_find(const bound *inner, const char *name)
{
  for (; inner; inner = inner->outer) {
    if (strcmp(inner->binder->name, name) == 0) {
      return inner;
    }
  }
  return NULL;
}

/* The enclosing variable with this name, or with a tuple part of this name; NULL if there is
 * none. */
static const bound *taken(const bound *inner, const char *name)
{
  for (; inner && strcmp(inner->binder->name, name) != 0; inner = inner->outer) {
    for (int i = 0; inner->parts && i < inner->parts->n_parts; i++) {
      if (strcmp(inner->parts->parts[i].text, name) == 0) {
        return inner;
      }
    }
  }
  return inner;
}

const model_set *const *scope_sets(const checker *c, const model_family *family)
{
  const model_set **sets = ARENA_ARRAY(c->memory, family->n_binders + 1, const model_set *);
  for (int j = 0; j < family->n_binders; j++) {
    sets[j] = family->binders[j]->set;
  }
  return sets;
}

/* Candidates: i, j, k, l, i1, j1, ... */
const char *scope_free_name(const checker *c, const bound *inner, int skipped)
{
  for (int n = 0;; n++) {
    const char *name = n < 4 ? arena_printf(c->memory, "%c", "ijkl"[n])
                             : arena_printf(c->memory, "%c%d", "ijkl"[n % 4], n / 4);
    if (!names_find(c, name) && !taken(inner, name) && skipped-- == 0) {
      return name;
    }
  }
}

const model_binder *scope_variable(checker *c, const bound **inner, const syntax_binder *b,
                                   const model_set *set, int number)
{
  if (b->name.text) {
    *inner = scope_bind(c, *inner, b, set);
    return *inner ? (*inner)->binder : NULL;
  }
  const declared *d = names_find(c, set->name);
  const char *name = d && d->kind == NAME_SET ? set->name : scope_free_name(c, NULL, number);
  return scope_binder(c, name, set);
}

const model_binder *scope_binder(checker *c, const char *name, const model_set *set)
{
  model_binder *b = ARENA_NEW(c->memory, model_binder);
  b->name = name;
  b->set = set;
  b->slot = c->m->n_slots++;
  return b;
}

/* 1 if a variable may have this name; otherwise reports the reason. */
static int is_free(checker *c, const bound *outer, const syntax_name *name)
{
  if (!names_check_length(c, name)) {
    return 0;
  }
  const declared *global = names_find(c, name->text);
  const bound *other = taken(outer, name->text);
  if (global && global->order > c->order) {
    global = NULL; /* a later declaration is not visible here */
  }
  if (global || other) {
    diagnostics_error(c->d, name->where, "'%s' would hide %s of the same name; rename it",
                      name->text, global ? names_kind(global->kind) : "another variable");
    diagnostics_note(c->d, global ? global->where : other->where, "'%s' is declared here",
                     name->text);
    return 0;
  }
  return 1;
}

static bound *add(checker *c, const bound *outer, const syntax_name *name, const model_set *set)
{
  bound *b = ARENA_NEW(c->memory, bound);
  b->binder = scope_binder(c, name->text, set);
  b->where = name->where;
  b->outer = outer;
  return b;
}

bound *scope_add(checker *c, const bound *outer, const syntax_name *name, const model_set *set)
{
  return is_free(c, outer, name) ? add(c, outer, name, set) : NULL;
}

const model_set *scope_set(checker *c, const syntax_name *name)
{
  const declared *d = names_find(c, name->text);
  if (!d) {
    names_unknown(c, name->where, name->text, 1u << NAME_SET, NULL);
    return NULL;
  }
  if (d->kind != NAME_SET) {
    diagnostics_error(c->d, name->where, "'%s' is %s; a set is expected here", name->text,
                      names_kind(d->kind));
    diagnostics_note(c->d, d->where, "'%s' is declared here", name->text);
    return NULL;
  }
  return d->set;
}

long scope_count(checker *c, span where, int n, const model_set *const sets[])
{
  long count = 1;
  for (int j = 0; j < n; j++) {
    if (!sets[j]->is_dependent && sets[j]->count == 0) {
      return 0;
    }
  }
  for (int j = 0; j < n; j++) {
    if (sets[j]->is_dependent) {
      continue;
    }
    if (__builtin_mul_overflow(count, sets[j]->count, &count) || count > MODEL_MAX_INSTANCES) {
      diagnostics_error(c->d, where, "more than %ld entries; the product of the sets is too large",
                        MODEL_MAX_INSTANCES);
      return -1;
    }
  }
  return count;
}

/* 1 if the elements of the set are tuples with as many parts as b has; otherwise reports the
 * fault. */
static int has_parts(checker *c, const syntax_binder *b, const model_set *set)
{
  int n = 0;
  int found = 1;
  while (found) {
    const declared *part = names_find(c, arena_printf(c->memory, "%s.%d", set->name, n + 1));
    if (part && part->failed) {
      return 0; /* reported already */
    }
    found = part != NULL;
    n += found;
  }
  if (n == 0) {
    diagnostics_error(c->d, b->where, "only a set of tuples has parts: 'set NAME = data in A * B'");
  } else if (n != b->n_parts) {
    diagnostics_error(c->d, b->where, "the elements of '%s' have %d %s, and %d are named here",
                      set->name, n, n == 1 ? "part" : "parts", b->n_parts);
  }
  return n == b->n_parts;
}

/* A variable over tuples with a unique generated name, and the names of the tuples' parts; NULL
 * after an error. */
static bound *scope_add_parts(checker *c, const bound *outer, const syntax_binder *b,
                              const model_set *set)
{
  if (!has_parts(c, b, set)) {
    return NULL;
  }
  bound *inner = add(c, outer, &b->name, set);
  const char **parts = ARENA_ARRAY(c->memory, b->n_parts, const char *);
  for (int i = 0; i < b->n_parts; i++) {
    if (!is_free(c, outer, &b->parts[i])) {
      return NULL;
    }
    for (int j = 0; j < i; j++) {
      if (!strcmp(parts[j], b->parts[i].text)) {
        diagnostics_error(c->d, b->parts[i].where, "two parts of a tuple are called '%s'",
                          parts[j]);
        return NULL;
      }
    }
    parts[i] = b->parts[i].text;
  }
  model_binder *binder = ARENA_COPY(c->memory, model_binder, inner->binder);
  binder->parts = parts;
  inner->binder = binder;
  inner->parts = b;
  return inner;
}

bound *scope_bind(checker *c, const bound *outer, const syntax_binder *b, const model_set *set)
{
  return b->n_parts == 0 ? scope_add(c, outer, &b->name, set) : scope_add_parts(c, outer, b, set);
}

const model_binder **scope_over_array(checker *c, const model_coordinate *q,
                                      const model_index ***index)
{
  const model_binder **binders = ARENA_ARRAY(c->memory, q->shape.n + 1, const model_binder *);
  *index = ARENA_ARRAY(c->memory, q->shape.n + 1, const model_index *);
  for (int j = 0; j < q->shape.n; j++) {
    binders[j] = scope_binder(c, scope_free_name(c, NULL, j), q->shape.sets[j]);
    (*index)[j] = indices_variable(c->memory, binders[j], q->where);
  }
  return binders;
}
