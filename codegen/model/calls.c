/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls.c -- elementary functions and lets.
 *
 * The body of a let may use an argument as an index, as a number, or as both.  Each argument of a
 * call must fit this use; an index expression is passed as both.
 */
#include <string.h>

#include "common/user_text.h"
#include "language/foreign_words.h"
#include "model/formula_checks.h"

/* ---- functions ---- */

static checked function_call(checker *c, const syntax_expr *e, model_function function,
                             const bound *inner)
{
  if (!calls_count_good(c, e)) {
    return failed;
  }
  checked result = c->formula(c, e->args[0], inner);
  if (e->n_args == 1) {
    return expressions_call(c, function, e->where, &result, NULL);
  }
  for (int i = 1; i < e->n_args; i++) {
    checked next = c->formula(c, e->args[i], inner);
    result = expressions_call(c, function, e->where, &result, &next);
  }
  return result;
}

/* mod; min and max of integers. */
static checked index_call(checker *c, const syntax_expr *e, const bound *inner)
{
  if (!indices_is_index(c, e, inner, 1)) {
    diagnostics_error(c->d, e->where,
                      "mod(a, b) takes integers: sizes and index variables with + - * mod min max");
    return failed;
  }
  return calls_count_good(c, e) ? expressions_index(c, indices_any(c, e, inner)) : failed;
}

/* ---- lets ---- */

/* An index expression as the argument of a let; it is passed as a number as well. */
static checked index_argument(checker *c, const model_index *index, model_argument *argument)
{
  checked value = expressions_index(c, index);
  argument->index = index;
  argument->value = value.expr;
  return value;
}

static checked argument_of_let(checker *c, const syntax_expr *e, const declared *let, int j,
                               const bound *inner, model_argument *argument)
{
  const argument_use *use = &let->arguments[j];
  const char *name = let->let->arguments[j]->name;
  const bound *b = e->kind == SYNTAX_NAME ? scope_find(inner, e->text) : NULL;
  if (use->labels) {
    return index_argument(c, indices_for_set(c, e, use->labels, inner), argument);
  }
  if (b && !b->use && !b->binder->set->is_range) {
    if (!use->as_value && !use->as_integer) {
      return index_argument(c, indices_any(c, e, inner), argument);
    }
    diagnostics_error(c->d, e->where,
                      "'%s' runs over the labels of '%s', but argument '%s' of '%s' is used as %s",
                      e->text, b->binder->set->name, name, let->name,
                      use->as_integer ? "an integer index" : "a number");
    return failed;
  }
  if (indices_is_index(c, e, inner, use->as_integer)) {
    return index_argument(c, indices_any(c, e, inner), argument);
  }
  if (use->as_integer) {
    diagnostics_error(c->d, e->where,
                      "argument '%s' of '%s' is used as an index: it must consist of integers, "
                      "sizes and index variables with + - * mod min max",
                      name, let->name);
    return failed;
  }
  if (vectors_set(c, e, inner)) {
    diagnostics_error(
        c->d, e->where,
        "this is a vector over '%s', and the arguments of lets are numbers and indices",
        vectors_set(c, e, inner)->name);
    return failed;
  }
  checked value = c->formula(c, e, inner);
  argument->value = value.expr;
  return value;
}

/* Number of arguments in a call; the component of a vector is implicit. */
static int written_arguments(const declared *let)
{
  return let->let->n_arguments - (let->vector != NULL);
}

static checked refuse_vector(checker *c, const syntax_expr *e, const declared *let)
{
  const char *call = written_arguments(let) ? "(...)" : "";
  diagnostics_error(
      c->d, e->where,
      "'%s' is a vector over '%s': take a component, %s%s[...], or use it in dot, cross "
      "or norm2",
      let->name, let->vector->name, let->name, call);
  return failed;
}

checked calls_let(checker *c, const syntax_expr *e, declared *let, const bound *inner)
{
  int given = e->kind == SYNTAX_CALL ? e->n_args : 0;
  const vector_component *component = c->component;
  checked all = {NULL, NULL, let->uses, let->depth};
  int good = 1;
  if (!let->let) {
    return failed;
  }
  if (e->kind == SYNTAX_REFERENCE && let->vector && written_arguments(let) == 0) {
    syntax_expr alone = *e;
    alone.kind = SYNTAX_NAME;
    return vectors_entry(c, e, &alone, let->vector, let->name, inner);
  }
  if (e->kind == SYNTAX_REFERENCE) {
    diagnostics_error(c->d, e->where, "'%s' is a let: write its arguments in parentheses, %s(...)",
                      let->name, let->name);
    return failed;
  }
  if (given != written_arguments(let)) {
    int n = written_arguments(let);
    diagnostics_error(c->d, e->where, "let '%s' has %d argument%s, and %d %s given", let->name, n,
                      n == 1 ? "" : "s", given, given == 1 ? "is" : "are");
    return failed;
  }
  if (let->vector && !component) {
    return refuse_vector(c, e, let);
  }
  if (!expressions_allowed(c, e->where, let->uses, let->name)) {
    return failed;
  }
  model_argument *arguments = ARENA_ARRAY(c->memory, given + 1, model_argument);
  c->component = NULL;
  for (int j = 0; j < given; j++) {
    checked value = argument_of_let(c, e->args[j], let, j, inner, &arguments[j]);
    good = good && value.expr;
    all.uses |= value.uses;
    all.depth = value.depth > all.depth ? value.depth : all.depth;
  }
  c->component = component;
  if (let->vector) {
    index_argument(c, component->index, &arguments[given]);
  }
  if (!good) {
    return failed;
  }
  model_expr *node = expressions_new(c, EXPR_LET, e->where);
  node->let = let->let;
  node->arguments = arguments;
  return expressions_node(c, node, &all, NULL);
}

/* Reports a call of a name that is neither a let nor a function. */
static void not_callable(checker *c, const syntax_expr *e, const declared *d, const bound *inner)
{
  static const char *const others[] = {"mod", "dot", "cross", "norm2"};
  const char *names[FUNCTION_COUNT + 4];
  if (d || scope_find(inner, e->text)) {
    diagnostics_error(c->d, e->where,
                      "'%s' is %s, not a function: indices are written in [ ], products with *",
                      e->text, d ? names_kind(d->kind) : "an index variable");
    return;
  }
  for (int i = 0; i < FUNCTION_COUNT; i++) {
    names[i] = model_function_name((model_function)i);
  }
  memcpy(&names[FUNCTION_COUNT], others, sizeof others);
  const char *near = names_suggest(c, e->text, 1u << NAME_LET, NULL);
  if (!near) {
    near = sw_text_nearest(e->text, names, FUNCTION_COUNT + 4);
  }
  const char *foreign = foreign_function(e->text);
  diagnostics_error(c->d, e->name_where, "there is no function '%s'%s", e->text,
                    foreign ? arena_printf(c->memory, "; %s", foreign)
                            : names_did_you_mean(c, near));
}

checked calls_check(checker *c, const syntax_expr *e, const bound *inner)
{
  model_function function;
  model_index_kind kind;
  declared *d = names_find(c, e->text);
  if (!calls_is_let(c, e->text)) {
    if (vectors_is_function(c, e)) {
      return vectors_call(c, e, inner);
    }
    if (indices_function(c, e, &kind) && (kind == INDEX_MOD || indices_is_index(c, e, inner, 0))) {
      return index_call(c, e, inner);
    }
    if (calls_function(e->text, &function)) {
      return function_call(c, e, function, inner);
    }
  }
  if (!d || d->kind != NAME_LET) {
    not_callable(c, e, d, inner);
    return failed;
  }
  return expressions_declared_before(c, e->where, d) ? calls_let(c, e, d, inner) : failed;
}
