/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * references.c -- names in formulas: their meaning and their indices.
 */
#include <string.h>

#include "language/foreign_words.h"
#include "model/formula_checks.h"

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

static checked references_size(checker *c, const syntax_expr *e, const declared *d)
{
  if (e->kind == SYNTAX_REFERENCE) {
    diagnostics_error(c->d, e->where, "size '%s' has no index", d->name);
    return failed;
  }
  return expressions_index(c, indices_for_set(c, e, NULL, NULL));
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
  checked result = failed;
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
    return d->size ? references_size(c, e, d) : failed;
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
    if (expressions_allowed(c, e->where, d->uses, d->name)) {
      result = references_whole(c, e, d);
    }
    return result;
  case NAME_CONSTRAINT:
  case NAME_INVARIANT:
    if (expressions_allowed(c, e->where, d->uses, d->name)) {
      result = references_family(c, e, EXPR_CONSTRAINT, d, inner);
    }
    return result;
  case NAME_SET:
  case NAME_OBSERVE:
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
