/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "language/data_sets.h"

#include <string.h>

#include "language/rewrite.h"

/* Largest number of parts of a tuple. */
#define MOST_PARTS 8

/* Number of elements of each data set when the model is checked. The real numbers are known only at
 * run time. */
#define SAMPLE "4"

typedef struct extension {
  arena *memory;
  diagnostics *errors;
  const syntax_tree *tree;
  const syntax_statement **list;
  size_t n;
  size_t room;
} extension;

static void data_sets_append(extension *x, const syntax_statement *s)
{
  x->list = arena_grow(x->memory, x->list, x->n, &x->room, sizeof *x->list);
  x->list[x->n++] = s;
}

static syntax_statement *data_sets_added(extension *x, const syntax_statement *s,
                                         syntax_statement_kind kind, const char *name)
{
  syntax_statement *own = ARENA_NEW(x->memory, syntax_statement);
  own->kind = kind;
  own->where = s->where;
  own->name = (syntax_name){name, s->name.where};
  own->text_where = s->text_where;
  own->is_data = 1;
  data_sets_append(x, own);
  return own;
}

/* ---- sets ---- */

/* Gets the factors of A * B * C, which must be names. Returns their number, or -1 for any other
 * expression. */
static int data_sets_parts_of(const syntax_expr *e, const syntax_expr *parts[MOST_PARTS])
{
  if (e->kind == SYNTAX_NAME) {
    parts[0] = e;
    return 1;
  }
  int n = e->kind == SYNTAX_MUL && e->b->kind == SYNTAX_NAME ? data_sets_parts_of(e->a, parts) : -1;
  if (n < 0 || n == MOST_PARTS) {
    return -1;
  }
  parts[n] = e->b;
  return n + 1;
}

static const char *part_name(arena *a, const char *set, int part)
{
  return arena_printf(a, "%s.%d", set, part + 1);
}

static void data_sets_add_parts(extension *x, const syntax_statement *s)
{
  const syntax_expr *parts[MOST_PARTS];
  int n = data_sets_parts_of(s->a, parts);
  if (n < 0) {
    diagnostics_error(x->errors, s->a->where,
                      "tuples are made of sets: 'data in A * B', of at most %d", MOST_PARTS);
  }
  for (int i = 0; i < n; i++) {
    syntax_statement *own =
        data_sets_added(x, s, STATEMENT_INDICES, part_name(x->memory, s->name.text, i));
    syntax_binder *over = ARENA_NEW(x->memory, syntax_binder);
    syntax_expr *set = rewrite_node(x->memory, SYNTAX_NAME, s->name.where);
    set->text = s->name.text;
    *over = (syntax_binder){.index = set, .where = s->name.where};
    own->binders = (syntax_binders){.n = 1, .at = over, .where = s->name.where};
    own->second = (syntax_name){parts[i]->text, parts[i]->where};
  }
}

static void add_set(extension *x, const syntax_statement *s)
{
  const char *size = arena_printf(x->memory, "n_%s", s->name.text);
  syntax_statement *count = data_sets_added(x, s, STATEMENT_SIZE, size);
  syntax_statement *set = data_sets_added(x, s, STATEMENT_RANGE, s->name.text);
  syntax_expr *sample = rewrite_node(x->memory, SYNTAX_NUMBER, s->name.where);
  syntax_expr *one = rewrite_node(x->memory, SYNTAX_NUMBER, s->name.where);
  syntax_expr *last = rewrite_node(x->memory, SYNTAX_NAME, s->name.where);
  sample->text = SAMPLE;
  one->text = "1";
  last->text = size;
  count->a = sample;
  set->is_data = 0;
  set->a = one;
  set->b = last;
  if (s->a) {
    data_sets_add_parts(x, s);
  }
}

/* ---- tuples ---- */

/* Finds the statement `set NAME = data in ...`, or NULL. */
static const syntax_statement *tuples_of(const syntax_tree *tree, const char *set)
{
  for (int i = 0; i < tree->n; i++) {
    const syntax_statement *s = tree->statements[i];
    if (s->kind == STATEMENT_DATA && s->a && strcmp(s->name.text, set) == 0) {
      return s;
    }
  }
  return NULL;
}

/* The expression for part number `part` of a tuple, which replaces the part's name. */
static const syntax_expr *data_sets_entry(extension *x, const syntax_binder *b, int part,
                                          const syntax_expr *name)
{
  const syntax_statement *set = b->set.name.text ? tuples_of(x->tree, b->set.name.text) : NULL;
  const syntax_expr *parts[MOST_PARTS];
  int n = set ? data_sets_parts_of(set->a, parts) : 0;
  if (n != b->n_parts) {
    return name; /* the checker reports the error at the binder */
  }
  syntax_expr *e = rewrite_node(x->memory, SYNTAX_REFERENCE, name->where);
  syntax_expr *element = rewrite_node(x->memory, SYNTAX_NAME, name->where);
  const syntax_expr **index = ARENA_ARRAY(x->memory, 1, const syntax_expr *);
  element->text = b->name.text;
  index[0] = element;
  e->text = part_name(x->memory, set->name.text, part);
  e->n_args = 1;
  e->args = index;
  return e;
}

static const syntax_expr *part_for(void *context, arena *a, const syntax_expr *name,
                                   const rewrite_scope *inner)
{
  extension *x = context;
  (void)a;
  for (const rewrite_scope *s = inner; s; s = s->outer) {
    for (int j = 0; s->binders && j < s->binders->n; j++) {
      const syntax_binder *b = &s->binders->at[j];
      if (b->name.text && strcmp(b->name.text, name->text) == 0) {
        return name;
      }
      for (int i = 0; i < b->n_parts; i++) {
        if (strcmp(b->parts[i].text, name->text) == 0) {
          return data_sets_entry(x, b, i, name);
        }
      }
    }
  }
  return name;
}

/* ---- the whole tree ---- */

const syntax_tree *data_extend(arena *a, diagnostics *d, const syntax_tree *tree)
{
  extension x = {.memory = a, .errors = d, .tree = tree};
  for (int i = 0; i < tree->n; i++) {
    const syntax_statement *s = tree->statements[i];
    if (s->kind == STATEMENT_DATA) {
      add_set(&x, s);
    } else {
      data_sets_append(&x, rewrite_statement(a, s, part_for, &x));
    }
  }
  syntax_tree *extended = ARENA_NEW(a, syntax_tree);
  extended->n = (int)x.n;
  extended->statements = x.list;
  return extended;
}
