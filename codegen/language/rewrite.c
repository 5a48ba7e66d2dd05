/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "language/rewrite.h"

#include <string.h>

/* A replacement applied to all formulas. */
typedef struct rewriting {
  arena *memory;
  rewrite_name *name;
  void *context;
} rewriting;

static int rewrite_is(const char *text, const char *name)
{
  return text && strcmp(text, name) == 0;
}

syntax_expr *rewrite_node(arena *a, syntax_kind kind, span where)
{
  syntax_expr *e = ARENA_NEW(a, syntax_expr);
  e->kind = kind;
  e->where = where;
  e->name_where = where;
  return e;
}

/* ---- declared and bound names ---- */

int rewrite_is_declared(const syntax_tree *tree, const char *name)
{
  for (int i = 0; i < tree->n; i++) {
    const syntax_statement *s = tree->statements[i];
    int declares = s->kind != STATEMENT_MODEL && s->kind != STATEMENT_INIT;
    /* its `second` is the name of a set, not a declaration */
    int is_of_set = s->kind == STATEMENT_INDICES;
    if (declares &&
        (rewrite_is(s->name.text, name) || (!is_of_set && rewrite_is(s->second.text, name)) ||
         rewrite_is(s->velocity.text, name))) {
      return 1;
    }
    for (int j = 0; s->kind == STATEMENT_LABELS && j < s->n_labels; j++) {
      if (rewrite_is(s->labels[j].text, name)) {
        return 1;
      }
    }
  }
  return 0;
}

static int binds(const syntax_binder *b, const char *name)
{
  int found = rewrite_is(b->name.text, name);
  for (int i = 0; i < b->n_parts; i++) {
    found = found || rewrite_is(b->parts[i].text, name);
  }
  return found;
}

int rewrite_is_bound(const rewrite_scope *inner, const char *name)
{
  for (const rewrite_scope *s = inner; s; s = s->outer) {
    for (int j = 0; s->binders && j < s->binders->n; j++) {
      if (binds(&s->binders->at[j], name)) {
        return 1;
      }
    }
    for (int j = 0; s->let && j < s->let->n_labels; j++) {
      if (rewrite_is(s->let->labels[j].text, name)) {
        return 1;
      }
    }
  }
  return 0;
}

/* ---- copies, only if something changes ---- */

static const syntax_expr *rewrite_expression(const rewriting *r, const syntax_expr *e,
                                             const rewrite_scope *outer);

static const syntax_expr *const *
expressions(const rewriting *r, int n, const syntax_expr *const list[], const rewrite_scope *outer)
{
  const syntax_expr **copy = ARENA_ARRAY(r->memory, n + 1, const syntax_expr *);
  int is_same = 1;
  for (int i = 0; i < n; i++) {
    copy[i] = rewrite_expression(r, list[i], outer);
    is_same = is_same && copy[i] == list[i];
  }
  return is_same ? list : copy;
}

static const syntax_condition *rewrite_condition(const rewriting *r, const syntax_condition *c,
                                                 const rewrite_scope *outer)
{
  if (!c) {
    return NULL;
  }
  syntax_condition next = *c;
  next.left = rewrite_expression(r, c->left, outer);
  next.right = rewrite_expression(r, c->right, outer);
  next.a = rewrite_condition(r, c->a, outer);
  next.b = rewrite_condition(r, c->b, outer);
  if (next.left == c->left && next.right == c->right && next.a == c->a && next.b == c->b) {
    return c;
  }
  syntax_condition *copy = ARENA_NEW(r->memory, syntax_condition);
  *copy = next;
  return copy;
}

/* The set of a binder may use earlier binders. `outer` already contains all of them, because names
 * are unique. */
static int binders(const rewriting *r, const syntax_binders *b, syntax_binders *copy,
                   const rewrite_scope *outer)
{
  syntax_binder *at = ARENA_ARRAY(r->memory, b->n + 1, syntax_binder);
  int is_same = 1;
  *copy = *b;
  for (int i = 0; i < b->n; i++) {
    const syntax_set *set = &b->at[i].set;
    at[i] = b->at[i];
    at[i].index = rewrite_expression(r, b->at[i].index, outer);
    at[i].set.lower = rewrite_expression(r, set->lower, outer);
    at[i].set.upper = rewrite_expression(r, set->upper, outer);
    at[i].set.items = expressions(r, set->n_items, set->items, outer);
    is_same = is_same && at[i].index == b->at[i].index && at[i].set.lower == set->lower &&
              at[i].set.upper == set->upper && at[i].set.items == set->items;
  }
  copy->at = is_same ? b->at : at;
  copy->condition = rewrite_condition(r, b->condition, outer);
  return is_same && copy->condition == b->condition;
}

static const syntax_expr *rewrite_expression(const rewriting *r, const syntax_expr *e,
                                             const rewrite_scope *outer)
{
  if (!e) {
    return NULL;
  }
  if (e->kind == SYNTAX_NAME) {
    return r->name(r->context, r->memory, e, outer);
  }
  const rewrite_scope inner = {&e->binders, NULL, outer};
  syntax_expr next = *e;
  int is_same = binders(r, &e->binders, &next.binders, &inner);
  next.a = rewrite_expression(r, e->a, &inner);
  next.b = rewrite_expression(r, e->b, &inner);
  next.args = expressions(r, e->n_args, e->args, &inner);
  if (is_same && next.a == e->a && next.b == e->b && next.args == e->args) {
    return e;
  }
  syntax_expr *copy = ARENA_NEW(r->memory, syntax_expr);
  *copy = next;
  return copy;
}

static const syntax_value *values(const rewriting *r, const syntax_value *v,
                                  const rewrite_scope *outer)
{
  if (!v) {
    return NULL;
  }
  syntax_value next = *v;
  syntax_table_entry *entries = ARENA_ARRAY(r->memory, v->n_entries + 1, syntax_table_entry);
  int is_same = 1;
  next.expr = rewrite_expression(r, v->expr, outer);
  for (int i = 0; i < v->n_entries; i++) {
    entries[i] = v->entries[i];
    entries[i].value = values(r, v->entries[i].value, outer);
    is_same = is_same && entries[i].value == v->entries[i].value;
  }
  if (is_same && next.expr == v->expr) {
    return v;
  }
  syntax_value *copy = ARENA_NEW(r->memory, syntax_value);
  *copy = next;
  copy->entries = entries;
  return copy;
}

const syntax_statement *rewrite_statement(arena *a, const syntax_statement *s, rewrite_name *name,
                                          void *context)
{
  const rewriting r = {a, name, context};
  const rewrite_scope inner = {&s->binders, s->kind == STATEMENT_LET ? s : NULL, NULL};
  syntax_statement next = *s;
  int is_same = binders(&r, &s->binders, &next.binders, &inner);
  next.a = rewrite_expression(&r, s->a, &inner);
  next.b = rewrite_expression(&r, s->b, &inner);
  next.value = values(&r, s->value, &inner);
  if (is_same && next.a == s->a && next.b == s->b && next.value == s->value) {
    return s;
  }
  syntax_statement *copy = ARENA_NEW(a, syntax_statement);
  *copy = next;
  return copy;
}
