/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conditions.c -- conditions on indices: what stands behind `where` and `if`.
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

/* The first part that is no index, such as the entry of an array; NULL where there is none. */
static const syntax_expr *real_part(const checker *c, const syntax_expr *e)
{
  model_index_kind kind;
  const syntax_expr *found = NULL;
  switch (e->kind) {
  case SYNTAX_NUMBER:
    return indices_is_index(c, e, NULL, 0) ? NULL : e;
  case SYNTAX_NAME:
    return NULL;
  case SYNTAX_NEG:
    return real_part(c, e->a);
  case SYNTAX_ADD:
  case SYNTAX_SUB:
  case SYNTAX_MUL:
    found = real_part(c, e->a);
    return found ? found : real_part(c, e->b);
  case SYNTAX_CALL:
    for (int i = 0; i < e->n_args && !found && indices_function(c, e, &kind); i++) {
      found = real_part(c, e->args[i]);
    }
    return found || indices_function(c, e, &kind) ? found : e;
  case SYNTAX_REFERENCE:
    return indices_array(c, e) ? NULL : e;
  default:
    return e;
  }
}

static int compare(checker *c, const syntax_condition *s, const bound *inner,
                   model_condition *condition)
{
  const model_set *set = comparison_labels(c, s->left, inner);
  const syntax_expr *real = real_part(c, s->left);
  real = real ? real : real_part(c, s->right);
  if (real) {
    diagnostics_error(
        c->d, real->where,
        "a condition compares integers, sizes and index variables, and this is a real "
        "expression");
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
    good = compare(c, s, inner, condition);
    break;
  }
  return good ? condition : NULL;
}
