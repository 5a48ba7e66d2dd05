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

const model_binder *scope_binder(checker *c, const char *name, const model_set *set)
{
  model_binder *b = ARENA_NEW(c->memory, model_binder);
  b->name = name;
  b->set = set;
  b->slot = c->m->n_slots++;
  return b;
}

bound *scope_add(checker *c, const bound *outer, const syntax_name *name, const model_set *set)
{
  const declared *global = names_find(c, name->text);
  const bound *other = scope_find(outer, name->text);
  bound *b = NULL;
  if (!names_check_length(c, name)) {
    return NULL;
  }
  if (global && global->order > c->order) {
    global = NULL; /* what is declared further down cannot be meant here */
  }
  if (global || other) {
    diagnostics_error(c->d, name->where, "'%s' would hide %s of the same name; rename it",
                      name->text, global ? names_kind(global->kind) : "another variable");
    diagnostics_note(c->d, global ? global->where : other->where, "'%s' is declared here",
                     name->text);
    return NULL;
  }
  b = ARENA_NEW(c->memory, bound);
  b->binder = scope_binder(c, name->text, set);
  b->where = name->where;
  b->outer = outer;
  return b;
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
    if (sets[j]->count == 0) {
      return 0;
    }
  }
  for (int j = 0; j < n; j++) {
    if (__builtin_mul_overflow(count, sets[j]->count, &count) || count > MODEL_MAX_INSTANCES) {
      diagnostics_error(c->d, where, "more than %ld entries; the product of the sets is too large",
                        MODEL_MAX_INSTANCES);
      return -1;
    }
  }
  return count;
}

int scope_binders_check(checker *c, const syntax_binders *syntax, const bound *outer,
                        scope_binders *result)
{
  const model_binder *binders[MODEL_MAX_BINDERS];
  const model_set *sets[MODEL_MAX_BINDERS];
  int good = 1;
  memset(result, 0, sizeof *result);
  result->inner = outer;
  if (syntax->n > MODEL_MAX_BINDERS) {
    diagnostics_error(c->d, syntax->where, "%d index variables; at most %d are possible here",
                      syntax->n, MODEL_MAX_BINDERS);
    return 0;
  }
  for (int j = 0; j < syntax->n; j++) {
    const syntax_binder *b = &syntax->at[j];
    const bound *inner = NULL;
    if (!b->name.text) {
      diagnostics_error(c->d, b->where, "an index variable is expected here, such as 'i in %s'",
                        b->index->kind == SYNTAX_NAME ? b->index->text : "node");
      good = 0;
      continue;
    }
    sets[j] = scope_set(c, &b->set);
    inner = sets[j] ? scope_add(c, result->inner, &b->name, sets[j]) : NULL;
    if (!inner) {
      good = 0;
      continue;
    }
    binders[j] = inner->binder;
    result->inner = inner;
  }
  if (!good || scope_count(c, syntax->where, syntax->n, sets) < 0) {
    return 0;
  }
  const model_binder **kept = ARENA_ARRAY(c->memory, syntax->n + 1, const model_binder *);
  for (int j = 0; j < syntax->n; j++) {
    kept[j] = binders[j];
  }
  result->n = syntax->n;
  result->binders = kept;
  if (syntax->condition) {
    result->condition = indices_condition(c, syntax->condition, result->inner);
    return result->condition != NULL;
  }
  return 1;
}
