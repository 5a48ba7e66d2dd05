/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * references.c -- names in formulas: calls of functions and lets, references with their indices.
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

checked calls_let(checker *c, const syntax_expr *e, declared *let, const bound *inner)
{
  int given = e->kind == SYNTAX_CALL ? e->n_args : 0;
  const vector_component *component = c->component;
  checked all = {NULL, NULL, let->uses, let->depth};
  int good = 1;
  if (!let->let) {
    return failed;
  }
  /* the component of a vector is an implicit argument */
  const int n = let->let->n_arguments - (let->vector != NULL);
  if (e->kind == SYNTAX_REFERENCE && let->vector && n == 0) {
    syntax_expr alone = *e;
    alone.kind = SYNTAX_NAME;
    return vectors_entry(c, e, &alone, let->vector, let->name, inner);
  }
  if (e->kind == SYNTAX_REFERENCE) {
    diagnostics_error(c->d, e->where, "'%s' is a let: write its arguments in parentheses, %s(...)",
                      let->name, let->name);
    return failed;
  }
  if (given != n) {
    diagnostics_error(c->d, e->where, "let '%s' has %d argument%s, and %d %s given", let->name, n,
                      n == 1 ? "" : "s", given, given == 1 ? "is" : "are");
    return failed;
  }
  if (let->vector && !component) {
    diagnostics_error(
        c->d, e->where,
        "'%s' is a vector over '%s': take a component, %s%s[...], or use it in dot, cross "
        "or norm2",
        let->name, let->vector->name, let->name, n ? "(...)" : "");
    return failed;
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
      if (indices_is_index(c, e, inner, 1)) {
        return calls_count_good(c, e) ? expressions_index(c, indices_any(c, e, inner)) : failed;
      }
      diagnostics_error(
          c->d, e->where,
          "mod(a, b) takes integers: sizes and index variables with + - * mod min max");
      return failed;
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

/* ---- names ---- */

/* The kinds of names that a formula may contain, for suggestions. */
enum {
  VALUE_KINDS = 1 << NAME_SIZE | 1 << NAME_PARAMETER | 1 << NAME_INDICES | 1 << NAME_POSITION |
                1 << NAME_MOMENTUM | 1 << NAME_VELOCITY | 1 << NAME_LET | 1 << NAME_HAMILTONIAN |
                1 << NAME_LAGRANGIAN | 1 << NAME_CONSTRAINT | 1 << NAME_INVARIANT
};

/* The indices of a reference; NULL after an error.  `what` is a description such as "parameter
 * 'm'".  If is_whole is 1, every combination of the sets' elements exists. */
static const model_index *const *reference_indices(checker *c, const syntax_expr *e, int n,
                                                   const model_set *const sets[], int is_whole,
                                                   const char *what, const bound *inner)
{
  int good = 1;
  int given = e->kind == SYNTAX_REFERENCE ? e->n_args : 0;
  int is_vector = c->component && given == n - 1;
  if (given != n && !is_vector) {
    const char *vector = given < n && is_whole
                             ? arena_printf(c->memory,
                                            "; without the last one it is a vector over '%s', "
                                            "for dot, cross and norm2",
                                            sets[n - 1]->name)
                             : "";
    if (n == 0) {
      diagnostics_error(c->d, e->where, "%s has no index", what);
    } else if (given == 0) {
      diagnostics_error(c->d, e->where, "%s needs %d %s%s", what, n, n == 1 ? "index" : "indices",
                        vector);
    } else {
      diagnostics_error(c->d, e->where, "%s needs %d %s, and %d %s given%s", what, n,
                        n == 1 ? "index" : "indices", given, given == 1 ? "is" : "are", vector);
    }
    return NULL;
  }
  const model_index **index = ARENA_ARRAY(c->memory, n + 1, const model_index *);
  for (int j = 0; j < n; j++) {
    index[j] = j == given ? c->component->index : indices_for_set(c, e->args[j], sets[j], inner);
    good = good && index[j];
  }
  return good ? index : NULL;
}

/* A leaf node with the indices of a reference. */
static checked reference(checker *c, const syntax_expr *e, model_expr *node, const declared *d,
                         const model_shape *shape, const bound *inner)
{
  const char *kind = strchr(names_kind(d->kind), ' ') + 1; /* without its article */
  const char *what = arena_printf(c->memory, "%s '%s'", kind, d->name);
  node->n_index = shape->n;
  int is_whole = !d->family || !d->family->condition;
  node->index = reference_indices(c, e, shape->n, shape->sets, is_whole, what, inner);
  return node->index ? expressions_node(c, node, NULL, NULL) : failed;
}

checked references_family(checker *c, const syntax_expr *e, model_expr_kind kind, const declared *d,
                          const bound *inner)
{
  if (!expressions_declared_before(c, e->where, d) || !d->family) {
    return failed;
  }
  model_expr *node = expressions_new(c, kind, e->where);
  node->family = d->family;
  model_shape shape = {d->family->n_binders, scope_sets(c, d->family), 0};
  checked result = reference(c, e, node, d, &shape, inner);
  if (kind == EXPR_CONSTRAINT) {
    result.uses = d->uses;
    result.depth = d->depth + 1;
  }
  return result;
}

/* A use of H or L as a whole. */
static checked references_whole(checker *c, const syntax_expr *e, const declared *d)
{
  model_expr_kind kind = d->kind == NAME_LAGRANGIAN ? EXPR_LAGRANGIAN : EXPR_HAMILTONIAN;
  checked inside = {NULL, NULL, d->uses, d->depth};
  if (!expressions_declared_before(c, e->where, d)) {
    return failed;
  }
  if (e->kind == SYNTAX_REFERENCE) {
    diagnostics_error(c->d, e->where, "%s '%s' has no index", names_kind(d->kind), d->name);
    return failed;
  }
  if (d->failed) {
    return failed;
  }
  return expressions_node(c, expressions_new(c, kind, e->where), &inside, NULL);
}

/* The kinds of names with entries. */
static const struct {
  model_expr_kind kind;
  unsigned uses;
} entries[] = {
    [NAME_PARAMETER] = {EXPR_PARAMETER, USES_PARAMETERS},
    [NAME_POSITION] = {EXPR_POSITION, USES_STATE},
    [NAME_MOMENTUM] = {EXPR_MOMENTUM, USES_STATE | USES_MOMENTUM},
    [NAME_VELOCITY] = {EXPR_VELOCITY, USES_STATE | USES_VELOCITY},
};

/* A parameter, coordinate, momentum or velocity. */
static checked references_entry(checker *c, const syntax_expr *e, const declared *d,
                                const bound *inner)
{
  checked result;
  unsigned uses = entries[d->kind].uses;
  if (d->kind == NAME_PARAMETER ? !d->parameter : !d->coordinate) {
    return failed;
  }
  if (d->coordinate && d->coordinate->is_algebraic) {
    uses = USES_STATE | (d->kind == NAME_MOMENTUM ? USES_ALGEBRAIC : USES_ALGEBRAIC_POSITION);
  }
  if (d->coordinate && d->coordinate->is_time) {
    uses = USES_STATE; /* in L as well: only time_extend inserts this velocity */
  }
  if (d->parameter && d->parameter->is_input) {
    uses |= USES_INPUT;
  }
  if (!expressions_allowed(c, expressions_name_place(e), uses, d->name)) {
    return failed;
  }
  model_expr *node = expressions_new(c, entries[d->kind].kind, e->where);
  node->parameter = d->parameter;
  node->coordinate = d->coordinate;
  result =
      reference(c, e, node, d, d->parameter ? &d->parameter->shape : &d->coordinate->shape, inner);
  result.uses = uses;
  return result;
}

/* The coordinate whose rate of change the name denotes in other notations: qdot, q_dot, q_d, dq;
 * NULL if there is none. */
static const declared *references_rate_of(const checker *c, const char *name)
{
  static const char *const endings[] = {"_dot", "dot", "_d"};
  const size_t length = strlen(name);
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
    const size_t n = strlen(endings[i]);
    const declared *d = length > n && strcmp(name + length - n, endings[i]) == 0
                            ? names_find(c, arena_strndup(c->memory, name, length - n))
                            : NULL;
    if (d && d->kind == NAME_POSITION && d->coordinate) {
      return d;
    }
  }
  const declared *d = name[0] == 'd' && name[1] ? names_find(c, name + 1) : NULL;
  return d && d->kind == NAME_POSITION && d->coordinate ? d : NULL;
}

static void unknown_value(checker *c, const syntax_expr *e, const bound *inner)
{
  const declared *rate = references_rate_of(c, e->text);
  const char *foreign = foreign_constant(e->text);
  if (rate && rate->coordinate->velocity) {
    diagnostics_error(c->d, expressions_name_place(e),
                      "'%s' is not declared; the velocity of '%s' is called '%s'", e->text,
                      rate->name, rate->coordinate->velocity);
  } else if (rate) {
    diagnostics_error(
        c->d, expressions_name_place(e),
        "'%s' is not declared; H is a function of '%s' and '%s': write the momentum, or "
        "'coord %s velocity v' with a 'lagrangian'",
        e->text, rate->name, rate->coordinate->momentum, rate->name);
  } else if (foreign) {
    diagnostics_error(c->d, expressions_name_place(e), "'%s' is not declared; %s", e->text,
                      foreign);
  } else {
    names_unknown(c, expressions_name_place(e), e->text, VALUE_KINDS, inner);
  }
}

static checked global(checker *c, const syntax_expr *e, const bound *inner)
{
  declared *d = names_find(c, e->text);
  model_function function;
  if (!d && calls_function(e->text, &function)) {
    diagnostics_error(c->d, e->where, "'%s' is a function: write %s(...)", e->text, e->text);
    return failed;
  }
  if (!d) {
    unknown_value(c, e, inner);
    return failed;
  }
  switch (d->kind) {
  case NAME_SIZE:
    if (d->size && e->kind == SYNTAX_REFERENCE) {
      diagnostics_error(c->d, e->where, "size '%s' has no index", d->name);
      return failed;
    }
    return d->size ? expressions_index(c, indices_for_set(c, e, NULL, NULL)) : failed;
  case NAME_INDICES:
    return expressions_index(c, indices_for_set(c, e, NULL, inner));
  case NAME_PARAMETER:
  case NAME_POSITION:
  case NAME_MOMENTUM:
  case NAME_VELOCITY:
    return references_entry(c, e, d, inner);
  case NAME_LET:
    return expressions_declared_before(c, e->where, d) ? calls_let(c, e, d, inner) : failed;
  case NAME_HAMILTONIAN:
  case NAME_LAGRANGIAN:
  case NAME_CONSTRAINT:
  case NAME_INVARIANT:
    return !expressions_allowed(c, e->where, d->uses, d->name) ? failed
           : d->kind == NAME_CONSTRAINT || d->kind == NAME_INVARIANT
               ? references_family(c, e, EXPR_CONSTRAINT, d, inner)
               : references_whole(c, e, d);
  case NAME_SET:
  case NAME_OBSERVE:
  case NAME_FORCE:
  case NAME_EVENT:
    break;
  }
  diagnostics_error(c->d, e->where, "'%s' is %s and has no value in a formula%s", d->name,
                    names_kind(d->kind), d->kind == NAME_SET ? "" : "; define it by a let");
  return failed;
}

checked references_name(checker *c, const syntax_expr *e, const bound *inner)
{
  const bound *b = scope_find(inner, e->text);
  if (!b) {
    return global(c, e, inner);
  }
  if (e->kind == SYNTAX_REFERENCE) {
    diagnostics_error(c->d, e->where, "'%s' is an index variable here and has no index", e->text);
    return failed;
  }
  if (b->use) {
    b->use->as_value = 1;
    model_expr *node = expressions_new(c, EXPR_ARGUMENT, e->where);
    node->argument = b->argument;
    return expressions_node(c, node, NULL, NULL);
  }
  if (!b->binder->set->is_range) {
    diagnostics_error(c->d, e->where, "'%s' runs over the labels of '%s' and has no numeric value",
                      e->text, b->binder->set->name);
    return failed;
  }
  return expressions_index(c, indices_for_set(c, e, NULL, inner));
}
