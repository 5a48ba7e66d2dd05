/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse.c -- the builders that the actions of the parser call.
 */
#include "language/parse.h"

#include <string.h>

/* ---- limits ---- */

/* Counts a node of the file and stops the parser if the limit is exceeded. */
static void count_node(parse *p, span where)
{
  if (++p->nodes > SYNTAX_MAX_NODES && !p->stop) {
    p->stop = true;
    diagnostics_error(p->errors, where, "more than %d names, numbers and operators in one model",
                      SYNTAX_MAX_NODES);
  }
}

bool too_deep(parse *p, int depth, span where)
{
  if (depth <= SYNTAX_MAX_CHAIN) {
    return false;
  }
  diagnostics_error(p->errors, where, "more than %d terms in one expression; use sum(...)",
                    SYNTAX_MAX_CHAIN);
  return true;
}

bool nest(parse *p, span where)
{
  if (p->depth == SYNTAX_MAX_DEPTH) {
    diagnostics_error(p->errors, where, "nested too deeply (more than %d levels)",
                      SYNTAX_MAX_DEPTH);
    return false;
  }
  p->depth++;
  return true;
}

void unnest(parse *p)
{
  p->depth--;
}

const char *quoted(parse *p, span where)
{
  const int longest = 40;
  if (where.end - where.begin <= longest) {
    return arena_strndup(p->memory, p->text + where.begin, (size_t)(where.end - where.begin));
  }
  int end = where.begin + longest;
  while (end > where.begin && ((unsigned char)p->text[end] & 0xC0) == 0x80) {
    end--; /* do not cut inside a character */
  }
  return arena_printf(p->memory, "%.*s...", end - where.begin, p->text + where.begin);
}

/* ---- lists ---- */

#define APPEND(p, list, ...)                                                                       \
  do {                                                                                             \
    (list).at = arena_grow((p)->memory, (list).at, (list).n, &(list).room, sizeof *(list).at);     \
    (list).at[(list).n++] = (__VA_ARGS__);                                                         \
  } while (0)

static int deeper_of(int a, int b)
{
  return a > b ? a : b;
}

name_list names_add(parse *p, name_list list, syntax_name name)
{
  count_node(p, name.where);
  APPEND(p, list, name);
  return list;
}

expr_list exprs_add(parse *p, expr_list list, deep_expr e)
{
  APPEND(p, list, e.at);
  list.depth = deeper_of(list.depth, e.depth);
  return list;
}

binder_list binders_add(parse *p, binder_list list, deep_binder binder)
{
  count_node(p, binder.at.where);
  APPEND(p, list, binder.at);
  list.depth = deeper_of(list.depth, binder.depth);
  return list;
}

entry_list entries_add(parse *p, entry_list list, const syntax_expr *key, const syntax_value *value)
{
  count_node(p, value->where);
  APPEND(p, list, (syntax_table_entry){key, value});
  return list;
}

/* The text of a word `a`, `a-b`, `a-b-4`, ..., or NULL for any other expression. *has_number: 1 if
 * a part is a number. */
static const char *word_of(arena *a, const syntax_expr *e, int *has_number)
{
  const char *tail = "";
  *has_number = 0;
  for (; e->kind == SYNTAX_SUB && (e->b->kind == SYNTAX_NAME || e->b->kind == SYNTAX_NUMBER);
       e = e->a) {
    *has_number |= e->b->kind == SYNTAX_NUMBER;
    tail = arena_printf(a, "-%s%s", e->b->text, tail);
    if (strlen(tail) > 4 * SYNTAX_MAX_NAME) {
      return NULL;
    }
  }
  return e->kind == SYNTAX_NAME ? arena_printf(a, "%s%s", e->text, tail) : NULL;
}

setting_list settings_add(parse *p, setting_list list, syntax_name name, deep_expr value,
                          span value_where)
{
  count_node(p, name.where);
  int has_number = 0;
  const char *word = word_of(p->memory, value.at, &has_number);
  const syntax_expr *number = word && !has_number ? NULL : value.at;
  APPEND(p, list, (syntax_setting){name, word, number, value_where});
  return list;
}

/* ---- expressions ---- */

static syntax_expr *parse_node(parse *p, syntax_kind kind, span where)
{
  count_node(p, where);
  syntax_expr *e = ARENA_NEW(p->memory, syntax_expr);
  e->kind = kind;
  e->where = where;
  return e;
}

deep_expr expr_leaf(parse *p, syntax_kind kind, const char *text, span where)
{
  syntax_expr *e = parse_node(p, kind, where);
  e->text = text;
  return (deep_expr){e, 1};
}

deep_expr expr_unary(parse *p, syntax_kind kind, deep_expr a, span where)
{
  syntax_expr *e = parse_node(p, kind, where);
  e->a = a.at;
  return (deep_expr){e, a.depth + 1};
}

deep_expr expr_binary(parse *p, syntax_kind kind, deep_expr a, deep_expr b, span where)
{
  syntax_expr *e = parse_node(p, kind, where);
  e->a = a.at;
  e->b = b.at;
  return (deep_expr){e, deeper_of(a.depth, b.depth) + 1};
}

deep_expr expr_apply(parse *p, syntax_kind kind, syntax_name name, expr_list args, span where)
{
  syntax_expr *e = parse_node(p, kind, where);
  e->text = name.text;
  e->name_where = name.where;
  e->n_args = (int)args.n;
  e->args = args.at;
  return (deep_expr){e, args.depth + 1};
}

deep_expr expr_reduce(parse *p, syntax_kind kind, binder_list binders, deep_condition condition,
                      deep_expr body, span where)
{
  syntax_expr *e = parse_node(p, kind, where);
  int last = condition.at ? condition.at->where.end : binders.at[binders.n - 1].where.end;
  e->binders = binders_make(binders, condition, (span){binders.at[0].where.begin, last});
  e->a = body.at;
  return (deep_expr){e, deeper_of(body.depth, condition.depth) + 1};
}

deep_expr expr_if(parse *p, deep_condition condition, deep_expr a, deep_expr b, span where)
{
  syntax_expr *e = parse_node(p, SYNTAX_IF, where);
  e->binders.condition = condition.at;
  e->a = a.at;
  e->b = b.at;
  return (deep_expr){e, deeper_of(condition.depth, deeper_of(a.depth, b.depth)) + 1};
}

deep_expr expr_component(parse *p, deep_expr call, expr_list args, span where)
{
  syntax_expr *e = parse_node(p, SYNTAX_COMPONENT, where);
  e->a = call.at;
  e->n_args = (int)args.n;
  e->args = args.at;
  return (deep_expr){e, deeper_of(call.depth, args.depth) + 1};
}

/* ---- conditions, binders, values ---- */

deep_set set_named(parse *p, deep_expr e, span where)
{
  if (e.at->kind != SYNTAX_NAME) {
    diagnostics_error(p->errors, where,
                      "a set is expected here: its name, a range '1 .. N', or a list '{x, y}'");
    return (deep_set){{.name = {"", where}, .where = where}, e.depth};
  }
  return (deep_set){{.name = {e.at->text, where}, .where = where}, e.depth};
}

deep_set set_range(deep_expr lower, deep_expr upper, span where)
{
  return (deep_set){{.lower = lower.at, .upper = upper.at, .where = where},
                    deeper_of(lower.depth, upper.depth)};
}

deep_set set_list(expr_list items, span where)
{
  return (deep_set){{.n_items = (int)items.n, .items = items.at, .where = where}, items.depth};
}

deep_binder binder_over(syntax_name name, deep_set set, span where)
{
  return (deep_binder){{.name = name, .set = set.at, .where = where}, set.depth};
}

deep_binder binder_over_parts(parse *p, syntax_name first, name_list rest, deep_set set, span where)
{
  syntax_name *parts = ARENA_ARRAY(p->memory, rest.n + 1, syntax_name);
  const char *name = arena_printf(p->memory, "(%s", first.text);
  parts[0] = first;
  for (size_t i = 0; i < rest.n; i++) {
    parts[i + 1] = rest.at[i];
    /* No set has tuples of that many parts, so the name need not include all of them. */
    name = i < SYNTAX_MAX_NAME ? arena_printf(p->memory, "%s,%s", name, rest.at[i].text) : name;
  }
  return (deep_binder){{.name = {arena_printf(p->memory, "%s)", name), where},
                        .n_parts = (int)rest.n + 1,
                        .parts = parts,
                        .set = set.at,
                        .where = where},
                       set.depth};
}

void check_data(parse *p, const syntax_expr *e)
{
  if (e->kind != SYNTAX_NAME || strcmp(e->text, "data") != 0) {
    diagnostics_error(
        p->errors, e->where,
        "a set is a range '1 .. N', labels '{x, y}', or 'data', which a run is given");
  }
}

void check_on(parse *p, syntax_name word)
{
  if (strcmp(word.text, "on") != 0) {
    diagnostics_error(p->errors, word.where,
                      "a force names the momentum that it changes: force NAME on MOMENTUM = ...");
  }
}

bool event_word(parse *p, syntax_name word, int given, int *flags)
{
  static const char *const words[] = {"rising", "falling", "stop", "record"};
  const unsigned old = (unsigned)given;
  for (unsigned i = 0; i < 4; i++) {
    const unsigned both = i < 2 ? EVENT_RISING | EVENT_FALLING : EVENT_STOP | EVENT_RECORD;
    if (strcmp(word.text, words[i]) == 0 && !(old & both)) {
      *flags = (int)(old | 1u << i);
      return true;
    }
    if (strcmp(word.text, words[i]) == 0) {
      diagnostics_error(p->errors, word.where, "an event is %s",
                        i < 2 ? "'rising' or 'falling', or without these words both"
                              : "'stop' or 'record', or without these words 'record'");
      return false;
    }
  }
  diagnostics_error(p->errors, word.where,
                    "unexpected '%s'; an event reads 'event NAME: expression == value', then "
                    "'rising' or 'falling', then 'stop' or 'record'; a product needs '*'",
                    word.text);
  return false;
}

void check_bath(parse *p, syntax_name kT, syntax_name friction)
{
  const int first = strcmp(kT.text, "kT") == 0;
  if (!first || strcmp(friction.text, "friction") != 0) {
    diagnostics_error(
        p->errors, first ? friction.where : kT.where,
        "a heat bath has a temperature and a friction: bath kT = ..., friction = ...");
  }
}

static syntax_condition *condition_node(parse *p, syntax_condition_kind kind, span where)
{
  count_node(p, where);
  syntax_condition *c = ARENA_NEW(p->memory, syntax_condition);
  c->kind = kind;
  c->where = where;
  return c;
}

deep_condition condition_compare(parse *p, syntax_condition_kind kind, deep_expr left,
                                 deep_expr right, span where)
{
  syntax_condition *c = condition_node(p, kind, where);
  c->left = left.at;
  c->right = right.at;
  return (deep_condition){c, deeper_of(left.depth, right.depth) + 1};
}

deep_condition condition_join(parse *p, syntax_condition_kind kind, deep_condition a,
                              deep_condition b, span where)
{
  syntax_condition *c = condition_node(p, kind, where);
  c->a = a.at;
  c->b = b.at;
  return (deep_condition){c, deeper_of(a.depth, b.depth) + 1};
}

syntax_binders binders_make(binder_list list, deep_condition condition, span where)
{
  return (syntax_binders){(int)list.n, list.at, condition.at, where};
}

const syntax_value *value_expr(parse *p, deep_expr e, span where)
{
  syntax_value *v = ARENA_NEW(p->memory, syntax_value);
  v->expr = e.at;
  v->where = where;
  return v;
}

const syntax_value *value_table(parse *p, entry_list entries, span where)
{
  syntax_value *v = ARENA_NEW(p->memory, syntax_value);
  v->n_entries = (int)entries.n;
  v->entries = entries.at;
  v->where = where;
  return v;
}

void statement_add(parse *p, syntax_statement statement)
{
  if (p->n_statements == SYNTAX_MAX_STATEMENTS) {
    if (!p->stop) {
      p->stop = true;
      diagnostics_error(p->errors, statement.where, "more than %d statements in one model",
                        SYNTAX_MAX_STATEMENTS);
    }
    return;
  }
  p->statements =
      arena_grow(p->memory, p->statements, p->n_statements, &p->room, sizeof *p->statements);
  p->statements[p->n_statements++] = ARENA_COPY(p->memory, syntax_statement, &statement);
}
