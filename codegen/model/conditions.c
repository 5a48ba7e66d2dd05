/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conditions.c -- conditions on indices, after `where` and `if`.
 */
#include "model/checker.h"

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
