/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * indices.c -- index expressions.
 *
 * An index over a range is an integer expression of integers, sizes, index variables and entries of
 * index arrays, with + - * mod min max.  An index over a label set is a label, a variable over that
 * set, or an entry with values in it.  An argument of a let may be either, according to its uses.
 */
#include <stdlib.h>
#include <string.h>

#include "common/user_text.h"
#include "model/checker.h"
#include "model/formula_checks.h"

/* Integers with more digits exceed MODEL_MAX_INDEX. */
enum { INTEGER_DIGITS = 15 };

static int is_integer_literal(const syntax_expr *e)
{
  size_t n = strlen(e->text);
  return n <= INTEGER_DIGITS && strspn(e->text, "0123456789") == n;
}

int indices_function(const checker *c, const syntax_expr *e, model_index_kind *kind)
{
  static const model_index_kind kinds[] = {INDEX_MOD, INDEX_MIN, INDEX_MAX};
  for (int i = 0; i < 3 && e->kind == SYNTAX_CALL && !calls_is_let(c, e->text); i++) {
    if (!strcmp(e->text, model_index_function(kinds[i]))) {
      *kind = kinds[i];
      return 1;
    }
  }
  return 0;
}

/* 1 for a call of an index function whose arguments are indices. */
static int is_index_call(const checker *c, const syntax_expr *e, const bound *inner, int arguments)
{
  model_index_kind kind;
  int good = indices_function(c, e, &kind);
  for (int i = 0; i < e->n_args && good; i++) {
    good = indices_is_index(c, e->args[i], inner, arguments);
  }
  return good;
}

int indices_is_index(const checker *c, const syntax_expr *e, const bound *inner, int arguments)
{
  const bound *b = NULL;
  const declared *d = NULL;
  switch (e->kind) {
  case SYNTAX_NUMBER:
    return is_integer_literal(e);
  case SYNTAX_NAME:
    b = scope_find(inner, e->text);
    if (b) {
      return !b->use || arguments;
    }
    d = names_find(c, e->text);
    return d && d->kind == NAME_SIZE;
  case SYNTAX_NEG:
    return indices_is_index(c, e->a, inner, arguments);
  case SYNTAX_ADD:
  case SYNTAX_SUB:
  case SYNTAX_MUL:
    return indices_is_index(c, e->b, inner, arguments) &&
           indices_is_index(c, e->a, inner, arguments);
  case SYNTAX_CALL:
    return is_index_call(c, e, inner, arguments);
  case SYNTAX_REFERENCE:
    return indices_array(c, e) && !scope_find(inner, e->text);
  default:
    return 0;
  }
}

const model_indices *indices_array(const checker *c, const syntax_expr *e)
{
  const declared *d = e->kind == SYNTAX_REFERENCE ? names_find(c, e->text) : NULL;
  return d && d->kind == NAME_INDICES ? d->indices : NULL;
}

static const model_index *variable(checker *c, const bound *b, span where)
{
  if (!b->fixed) {
    return indices_variable(c->memory, b->binder, where);
  }
  model_index *index = ARENA_COPY(c->memory, model_index, b->fixed);
  index->where = where;
  return index;
}

const model_set *indices_labels_of(const bound *b)
{
  if (b->use) {
    return b->use->labels;
  }
  return b->binder->set->is_range ? NULL : b->binder->set;
}

static const model_index *integer_literal(checker *c, const syntax_expr *e)
{
  if (is_integer_literal(e)) {
    return indices_integer(c->memory, strtol(e->text, NULL, 10), e->where);
  }
  diagnostics_error(c->d, e->where,
                    "%s cannot be an index: an index is an integer of at most %d digits", e->text,
                    INTEGER_DIGITS);
  return NULL;
}

static const model_index *integer_name(checker *c, const syntax_expr *e, const bound *inner)
{
  const bound *b = scope_find(inner, e->text);
  const declared *d = b ? NULL : names_find(c, e->text);
  if (b && !b->use && !b->binder->set->is_range) {
    diagnostics_error(c->d, e->where,
                      "'%s' runs over the labels of '%s': it has no numeric value and cannot be "
                      "part of an integer index",
                      e->text, b->binder->set->name);
    return NULL;
  }
  if (b) {
    if (b->use) {
      b->use->as_integer = 1;
    }
    return variable(c, b, e->where);
  }
  if (!d) {
    names_unknown(c, e->where, e->text, 1u << NAME_SIZE, inner);
    return NULL;
  }
  if (d->kind != NAME_SIZE) {
    diagnostics_error(c->d, e->where,
                      "'%s' is %s and cannot be an index, which consists of integers, sizes and "
                      "index variables",
                      e->text, names_kind(d->kind));
    return NULL;
  }
  return d->size ? indices_size(c->memory, d->size, e->where) : NULL;
}

/* An entry of an index array. */
static const model_index *entry(checker *c, const syntax_expr *e, const model_indices *indices,
                                const bound *inner)
{
  if (e->n_args != 1) {
    diagnostics_error(c->d, e->where, "array of indices '%s' needs 1 index, and %d are given",
                      indices->name, e->n_args);
    return NULL;
  }
  const model_index *at = indices_for_set(c, e->args[0], indices->set, inner);
  return at ? indices_entry(c->memory, indices, at, e->where) : NULL;
}

/* An entry of an index array over a range; reports any other reference. */
static const model_index *integer_entry(checker *c, const syntax_expr *e, const bound *inner)
{
  const model_indices *indices = indices_array(c, e);
  const declared *d = names_find(c, e->text);
  if (indices && indices->target->is_range) {
    return entry(c, e, indices, inner);
  }
  if (!indices && d && d->kind == NAME_INDICES) {
    if (!d->failed) {
      diagnostics_error(c->d, e->where,
                        "the ends of a set consist of integers and sizes, and '%s' is an array of "
                        "indices",
                        e->text);
    }
    return NULL;
  }
  if (indices) {
    diagnostics_error(c->d, e->where,
                      "'%s' has labels of '%s' for values, which are no numbers and cannot be part "
                      "of an integer index",
                      indices->name, indices->target->name);
    return NULL;
  }
  diagnostics_error(c->d, e->where,
                    "this is a real expression and cannot be an index, which consists of integers, "
                    "sizes and index variables with + - * mod min max");
  return NULL;
}

static const model_index *integer(checker *c, const syntax_expr *e, const bound *inner, int *parts);

/* mod(a, b), min(a, b, ...), max(a, b, ...) */
static const model_index *indices_call(checker *c, const syntax_expr *e, const bound *inner,
                                       int *parts)
{
  model_index_kind kind;
  const model_index *result = NULL;
  if (!indices_function(c, e, &kind)) {
    diagnostics_error(c->d, e->where,
                      "'%s(...)' is a real expression and cannot be an index, which consists of "
                      "integers, sizes and index variables with + - * mod min max",
                      e->text);
    return NULL;
  }
  if (!calls_count_good(c, e)) {
    return NULL;
  }
  for (int i = 0; i < e->n_args; i++) {
    const model_index *next = integer(c, e->args[i], inner, parts);
    if (!next) {
      return NULL;
    }
    result = result ? indices_operation(c->memory, kind, result, next, e->where) : next;
  }
  return result;
}

static const model_index *integer(checker *c, const syntax_expr *e, const bound *inner, int *parts)
{
  const model_index *a = NULL;
  const model_index *b = NULL;
  if (--*parts < 0) {
    diagnostics_error(c->d, e->where, "this index expression has more than %d parts",
                      MODEL_MAX_INDEX_PARTS);
    return NULL;
  }
  switch (e->kind) {
  case SYNTAX_NUMBER:
    return integer_literal(c, e);
  case SYNTAX_NAME:
    return integer_name(c, e, inner);
  case SYNTAX_NEG:
    a = integer(c, e->a, inner, parts);
    break;
  case SYNTAX_ADD:
  case SYNTAX_SUB:
  case SYNTAX_MUL:
    a = integer(c, e->a, inner, parts);
    b = a ? integer(c, e->b, inner, parts) : NULL;
    if (!b) {
      return NULL;
    }
    break;
  case SYNTAX_CALL:
    return indices_call(c, e, inner, parts);
  case SYNTAX_REFERENCE:
    return integer_entry(c, e, inner);
  default:
    diagnostics_error(c->d, e->where,
                      "this is a real expression and cannot be an index, which consists of "
                      "integers, sizes and index variables with + - * mod min max");
    return NULL;
  }
  if (!a) {
    return NULL;
  }
  return indices_operation(c->memory,
                           e->kind == SYNTAX_NEG   ? INDEX_NEG
                           : e->kind == SYNTAX_ADD ? INDEX_ADD
                           : e->kind == SYNTAX_SUB ? INDEX_SUB
                                                   : INDEX_MUL,
                           a, b, e->where);
}

static const model_index *whole_integer(checker *c, const syntax_expr *e, const bound *inner)
{
  int parts = MODEL_MAX_INDEX_PARTS;
  return integer(c, e, inner, &parts);
}

static const model_index *label(checker *c, const syntax_expr *e, const model_set *set,
                                const bound *inner)
{
  const bound *b = e->kind == SYNTAX_NAME ? scope_find(inner, e->text) : NULL;
  const model_indices *indices = indices_array(c, e);
  if (indices && indices->target == set) {
    return entry(c, e, indices, inner);
  }
  if (e->kind != SYNTAX_NAME) {
    diagnostics_error(c->d, e->where,
                      "an index over the label set '%s' is one of its labels or a variable "
                      "that runs over it",
                      set->name);
    return NULL;
  }
  if (b && b->use) {
    b->use->conflict |= b->use->labels && b->use->labels != set;
    b->use->labels = set;
    return variable(c, b, e->where);
  }
  if (b && b->binder->set != set) {
    diagnostics_error(c->d, e->where,
                      "'%s' runs over '%s'; an index over the label set '%s' is "
                      "expected here",
                      e->text, b->binder->set->name, set->name);
    diagnostics_note(c->d, b->where, "'%s' is declared here", e->text);
    return NULL;
  }
  if (b) {
    return variable(c, b, e->where);
  }
  long position = indices_position(set, e->text);
  if (position >= 0) {
    return indices_label(c->memory, set, position, e->where);
  }
  const char *near = diagnostics_count(c->d) < PRINTED_ERRORS
                         ? sw_text_nearest(e->text, set->labels, (size_t)set->count)
                         : NULL;
  diagnostics_error(c->d, e->where, "'%s' is neither a label of '%s' nor an index variable%s",
                    e->text, set->name, names_did_you_mean(c, near));
  diagnostics_note(c->d, set->where, "'%s' is declared here", set->name);
  return NULL;
}

/* Reports a likely label over a range: an unknown name without a similar known name.  Returns 1
 * if it was reported. */
static int is_label_of_range(checker *c, const syntax_expr *e, const model_set *set,
                             const bound *inner)
{
  if (!set || !set->is_range || e->kind != SYNTAX_NAME || scope_find(inner, e->text) ||
      names_find(c, e->text) || names_suggest(c, e->text, 1u << NAME_SIZE, inner)) {
    return 0;
  }
  diagnostics_error(c->d, e->where,
                    "'%s' is not declared; an index of the range '%s' consists of integers, "
                    "sizes and index variables, since a range has no labels",
                    e->text, set->name);
  return 1;
}

const model_index *indices_for_set(checker *c, const syntax_expr *e, const model_set *set,
                                   const bound *inner)
{
  if (is_label_of_range(c, e, set, inner)) {
    return NULL;
  }
  return set && !set->is_range ? label(c, e, set, inner) : whole_integer(c, e, inner);
}

const model_index *indices_any(checker *c, const syntax_expr *e, const bound *inner)
{
  const bound *b = e->kind == SYNTAX_NAME ? scope_find(inner, e->text) : NULL;
  const model_indices *indices = indices_array(c, e);
  if (indices && !indices->target->is_range) {
    return entry(c, e, indices, inner);
  }
  return b && !b->use && indices_labels_of(b) ? variable(c, b, e->where)
                                              : whole_integer(c, e, inner);
}

/* ---- conditions on indices, after `where` and `if` ---- */

static const model_set *comparison_labels(const checker *c, const syntax_expr *e,
                                          const bound *inner)
{
  const bound *b = e->kind == SYNTAX_NAME ? scope_find(inner, e->text) : NULL;
  const model_indices *indices = indices_array(c, e);
  if (indices && !indices->target->is_range) {
    return indices->target;
  }
  return b ? indices_labels_of(b) : NULL;
}

/* 1 if the name denotes a real number, such as a coordinate or a parameter. */
static int is_real_name(const checker *c, const syntax_expr *e, const bound *inner)
{
  const declared *d = scope_find(inner, e->text) ? NULL : names_find(c, e->text);
  return d && d->kind != NAME_SIZE && d->kind != NAME_SET && d->kind != NAME_INDICES;
}

/* The first part of an expression that is not an index, such as a coordinate or an array entry;
 * NULL if there is none. */
static const syntax_expr *real_part(const checker *c, const syntax_expr *e, const bound *inner)
{
  model_index_kind kind;
  const syntax_expr *found = NULL;
  switch (e->kind) {
  case SYNTAX_NUMBER:
    return indices_is_index(c, e, NULL, 0) ? NULL : e;
  case SYNTAX_NAME:
    return is_real_name(c, e, inner) ? e : NULL;
  case SYNTAX_NEG:
    return real_part(c, e->a, inner);
  case SYNTAX_ADD:
  case SYNTAX_SUB:
  case SYNTAX_MUL:
    found = real_part(c, e->a, inner);
    return found ? found : real_part(c, e->b, inner);
  case SYNTAX_CALL:
    for (int i = 0; i < e->n_args && !found && indices_function(c, e, &kind); i++) {
      found = real_part(c, e->args[i], inner);
    }
    return found || indices_function(c, e, &kind) ? found : e;
  case SYNTAX_REFERENCE:
    return indices_array(c, e) ? NULL : e;
  default:
    return e;
  }
}

/* 1 if the name or reference is a position, momentum or velocity. */
static int is_state(const checker *c, const syntax_expr *e)
{
  const int is_name = e->kind == SYNTAX_NAME || e->kind == SYNTAX_REFERENCE;
  const declared *d = is_name ? names_find(c, e->text) : NULL;
  return d && (d->kind == NAME_POSITION || d->kind == NAME_MOMENTUM || d->kind == NAME_VELOCITY);
}

static int conditions_compare(checker *c, const syntax_condition *s, const bound *inner,
                              model_condition *condition)
{
  const model_set *set = comparison_labels(c, s->left, inner);
  const syntax_expr *real = real_part(c, s->left, inner);
  real = real ? real : real_part(c, s->right, inner);
  if (real) {
    diagnostics_error(c->d, real->where,
                      "a condition compares integers, sizes and index variables, and this is a "
                      "real expression%s",
                      is_state(c, real) ? "; H and the constraints are smooth formulas of the "
                                          "state: write abs(x), such as (x + abs(x))/2 for the "
                                          "positive part"
                                        : "");
    return 0;
  }
  if (!set) {
    set = comparison_labels(c, s->right, inner);
  }
  if (set && s->kind != SYNTAX_EQ && s->kind != SYNTAX_NE) {
    diagnostics_error(c->d, s->where,
                      "the labels of '%s' have no order: compare them with == or !=", set->name);
    return 0;
  }
  condition->left = indices_for_set(c, s->left, set, inner);
  condition->right = indices_for_set(c, s->right, set, inner);
  return condition->left && condition->right;
}

const model_condition *indices_condition(checker *c, const syntax_condition *s, const bound *inner)
{
  static const model_condition_kind kinds[] = {
      [SYNTAX_EQ] = CONDITION_EQ,   [SYNTAX_NE] = CONDITION_NE, [SYNTAX_LT] = CONDITION_LT,
      [SYNTAX_LE] = CONDITION_LE,   [SYNTAX_GT] = CONDITION_GT, [SYNTAX_GE] = CONDITION_GE,
      [SYNTAX_AND] = CONDITION_AND, [SYNTAX_OR] = CONDITION_OR, [SYNTAX_NOT] = CONDITION_NOT,
  };
  model_condition *condition = ARENA_NEW(c->memory, model_condition);
  int good = 0;
  condition->kind = kinds[s->kind];
  switch (s->kind) {
  case SYNTAX_AND:
  case SYNTAX_OR:
    condition->a = indices_condition(c, s->a, inner);
    condition->b = indices_condition(c, s->b, inner);
    good = condition->a && condition->b;
    break;
  case SYNTAX_NOT:
    condition->a = indices_condition(c, s->a, inner);
    good = condition->a != NULL;
    break;
  default:
    good = conditions_compare(c, s, inner, condition);
    break;
  }
  return good ? condition : NULL;
}
