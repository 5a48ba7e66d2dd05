/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "language/time.h"

#include <string.h>

#include "language/rewrite.h"

/* Statements whose formulas may contain the time. */
enum {
  WITH_FORMULAS = 1 << STATEMENT_LET | 1 << STATEMENT_HAMILTONIAN | 1 << STATEMENT_LAGRANGIAN |
                  1 << STATEMENT_CONSTRAINT | 1 << STATEMENT_OBSERVE | 1 << STATEMENT_INVARIANT
};

static int time_is(const char *text, const char *name)
{
  return text && strcmp(text, name) == 0;
}

/* ---- search for the name ---- */

/* The first use of the name as a value in a formula, or NULL. Indices and conditions are skipped,
 * since they are integers. */
static const syntax_expr *time_find(const syntax_expr *e, const char *name,
                                    const rewrite_scope *outer)
{
  if (!e) {
    return NULL;
  }
  if (e->kind == SYNTAX_NAME) {
    return time_is(e->text, name) && !rewrite_is_bound(outer, name) ? e : NULL;
  }
  const rewrite_scope inner = {&e->binders, NULL, outer};
  const syntax_expr *found = time_find(e->a, name, &inner);
  found = found ? found : time_find(e->b, name, &inner);
  for (int j = 0; e->kind == SYNTAX_CALL && j < e->n_args && !found; j++) {
    found = time_find(e->args[j], name, &inner);
  }
  return found;
}

static const syntax_expr *find_in(const syntax_statement *s, const char *name)
{
  const rewrite_scope arguments = {&s->binders, s->kind == STATEMENT_LET ? s : NULL, NULL};
  const syntax_expr *found =
      1u << s->kind & WITH_FORMULAS ? time_find(s->a, name, &arguments) : NULL;
  return found || s->kind != STATEMENT_CONSTRAINT ? found : time_find(s->b, name, &arguments);
}

/* ---- H with p_t ---- */

/* a + p_t or a - p_t, at the source range of a. */
static const syntax_expr *with_momentum(arena *a, syntax_kind kind, const syntax_expr *e)
{
  syntax_expr *momentum = rewrite_node(a, SYNTAX_NAME, e->where);
  syntax_expr *result = rewrite_node(a, kind, e->where);
  momentum->text = TIME_MOMENTUM_NAME;
  result->a = e;
  result->b = momentum;
  return result;
}

/* The name of H or of L, and its replacement in other statements. */
typedef struct given {
  const char *name;
  syntax_kind undo; /* operation with p_t that restores the expression of the file */
} given;

static const syntax_expr *undone(void *context, arena *a, const syntax_expr *name,
                                 const rewrite_scope *inner)
{
  const given *H = context;
  return time_is(name->text, H->name) && !rewrite_is_bound(inner, H->name)
             ? with_momentum(a, H->undo, name)
             : name;
}

static const syntax_statement *extend(arena *a, const syntax_statement *s, given both[2])
{
  if (s->kind == STATEMENT_HAMILTONIAN || s->kind == STATEMENT_LAGRANGIAN) {
    int is_lagrangian = s->kind == STATEMENT_LAGRANGIAN;
    syntax_statement *copy = ARENA_NEW(a, syntax_statement);
    *copy = *s;
    copy->a = with_momentum(a, is_lagrangian ? SYNTAX_SUB : SYNTAX_ADD, s->a);
    copy->has_time = 1;
    return copy;
  }
  for (int i = 0; i < 2 && both[i].name && 1u << s->kind & WITH_FORMULAS; i++) {
    s = rewrite_statement(a, s, undone, &both[i]);
  }
  return s;
}

/* ---- statements added after the file's ---- */

static syntax_statement *time_added(arena *a, syntax_statement_kind kind, const char *name,
                                    span where)
{
  syntax_statement *s = ARENA_NEW(a, syntax_statement);
  s->kind = kind;
  s->where = where;
  s->name = (syntax_name){name, where};
  return s;
}

/* init NAME = 0, for the initial state of another statement. */
static const syntax_statement *time_start(arena *a, const syntax_statement *other, const char *name)
{
  syntax_statement *s = time_added(a, STATEMENT_INIT, name, other->where);
  syntax_value *value = ARENA_NEW(a, syntax_value);
  syntax_expr *zero = rewrite_node(a, SYNTAX_NUMBER, other->where);
  zero->text = "0";
  value->expr = zero;
  value->where = other->where;
  s->second = other->second;
  s->value = value;
  return s;
}

/* begins_state: 1 if statement i is the first of its initial state. sets: 1 if the state gives a
 * value to the name. */
static int begins_state(const syntax_tree *tree, int i)
{
  const char *state = tree->statements[i]->second.text;
  for (int j = 0; j < i; j++) {
    const syntax_statement *s = tree->statements[j];
    if (s->kind == STATEMENT_INIT && (state ? time_is(s->second.text, state) : !s->second.text)) {
      return 0;
    }
  }
  return tree->statements[i]->kind == STATEMENT_INIT;
}

static int sets(const syntax_tree *tree, const char *state, const char *name)
{
  for (int j = 0; j < tree->n; j++) {
    const syntax_statement *s = tree->statements[j];
    if (s->kind == STATEMENT_INIT && time_is(s->name.text, name) &&
        (state ? time_is(s->second.text, state) : !s->second.text)) {
      return 1;
    }
  }
  return 0;
}

/* ---- the whole tree ---- */

/* The first use of the time in a formula; NULL if there is none, or if the model declares the name
 * itself. */
static const syntax_expr *first_use(const syntax_tree *tree)
{
  const syntax_expr *use = NULL;
  for (int i = 0; i < tree->n && !use; i++) {
    use = find_in(tree->statements[i], TIME_NAME);
  }
  return use && !rewrite_is_declared(tree, TIME_NAME) ? use : NULL;
}

static void check_momentum(diagnostics *d, const syntax_tree *tree, const syntax_expr *use)
{
  if (rewrite_is_declared(tree, TIME_MOMENTUM_NAME)) {
    diagnostics_error(d, use->where,
                      "'%s' is the time here, whose momentum is called '%s', and the model "
                      "declares that name for something else; call that otherwise, or declare "
                      "'coord %s momentum NAME' and add NAME to H yourself",
                      TIME_NAME, TIME_MOMENTUM_NAME, TIME_NAME);
  }
  for (int i = 0; i < tree->n; i++) {
    const syntax_statement *s = tree->statements[i];
    const syntax_expr *own = s->kind == STATEMENT_HAMILTONIAN || s->kind == STATEMENT_LAGRANGIAN
                                 ? find_in(s, TIME_MOMENTUM_NAME)
                                 : NULL;
    if (own) {
      diagnostics_error(d, own->where,
                        "'%s', the momentum of the time '%s', is added to H by itself; leave it "
                        "out here",
                        TIME_MOMENTUM_NAME, TIME_NAME);
    }
  }
}

const syntax_tree *time_extend(arena *a, diagnostics *d, const syntax_tree *tree)
{
  const syntax_expr *use = first_use(tree);
  if (!use) {
    return tree;
  }
  check_momentum(d, tree, use);
  given both[2] = {{NULL, SYNTAX_SUB}, {NULL, SYNTAX_ADD}};
  for (int i = 0; i < tree->n; i++) {
    const syntax_statement *s = tree->statements[i];
    if (s->kind == STATEMENT_HAMILTONIAN) {
      both[0].name = s->name.text;
    } else if (s->kind == STATEMENT_LAGRANGIAN) {
      both[0].name = s->second.text ? s->second.text : SYNTAX_ENERGY_NAME;
      both[1].name = s->name.text;
    }
  }
  syntax_tree *extended = ARENA_NEW(a, syntax_tree);
  const syntax_statement **list = ARENA_ARRAY(a, 3 * tree->n + 1, const syntax_statement *);
  syntax_statement *coordinate = time_added(a, STATEMENT_COORD, TIME_NAME, use->where);
  coordinate->second = (syntax_name){TIME_MOMENTUM_NAME, use->where};
  coordinate->has_time = 1;
  for (int i = 0; i < tree->n; i++) {
    list[i] = extend(a, tree->statements[i], both);
  }
  int n = tree->n;
  list[n++] = coordinate;
  static const char *const names[] = {TIME_NAME, TIME_MOMENTUM_NAME};
  for (int i = 0; i < tree->n; i++) {
    const syntax_statement *s = tree->statements[i];
    for (int j = 0; j < 2 && begins_state(tree, i); j++) {
      if (!sets(tree, s->second.text, names[j])) {
        list[n++] = time_start(a, s, names[j]);
      }
    }
  }
  extended->n = n;
  extended->statements = list;
  return extended;
}
