/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * binders.c -- `i in node, k in xyz where ...`: the variables of a sum or a family, and their
 * condition.
 */
#include <string.h>

#include "model/checker.h"

/* Adds the variable of one `i in set` to the scope, and its restriction to the condition.
 * Returns 0 after an error. */
static int add_binder(checker *c, const syntax_binder *b, int is_family, scope_binders *result,
                      const model_set **over)
{
  inline_members only;
  const model_set *set = inline_set(c, &b->set, result->inner, &only);
  const model_set *range = set;
  if (set && set->is_dependent && is_family) {
    range = inline_hull(c, set);
  }
  const bound *inner = range ? scope_bind(c, result->inner, b, range) : NULL;
  if (!inner) {
    return 0;
  }
  if (range != set) {
    result->condition = inline_joined(c, CONDITION_AND, result->condition,
                                      inline_is_between(c, inner->binder, set->lower, set->upper));
  }
  if (is_family) {
    sets_enter(c, range);
  }
  result->condition =
      inline_joined(c, CONDITION_AND, result->condition, inline_is_member(c, inner->binder, &only));
  result->inner = inner;
  *over = range;
  return 1;
}

int scope_binders_check(checker *c, const syntax_binders *syntax, const bound *outer, int is_family,
                        scope_binders *result)
{
  const model_binder **kept = ARENA_ARRAY(c->memory, syntax->n + 1, const model_binder *);
  const model_set *sets[MODEL_MAX_BINDERS];
  int good = 1;
  memset(result, 0, sizeof *result);
  result->inner = outer;
  result->binders = kept;
  if (syntax->n > MODEL_MAX_BINDERS) {
    diagnostics_error(c->d, syntax->where, "%d index variables; at most %d are possible here",
                      syntax->n, MODEL_MAX_BINDERS);
    return 0;
  }
  for (int j = 0; j < syntax->n; j++) {
    const syntax_binder *b = &syntax->at[j];
    if (!b->name.text) {
      const char *example = b->index && b->index->kind == SYNTAX_NAME ? b->index->text
                            : b->index                                ? "node"
                                                                      : text_folded(c, b->where);
      diagnostics_error(c->d, b->where, "an index variable is expected here, such as 'i in %s'",
                        example);
      good = 0;
    } else if (add_binder(c, b, is_family, result, &sets[j])) {
      kept[result->n++] = result->inner->binder;
    } else {
      good = 0;
    }
  }
  if (!good) {
    return 0;
  }
  /* the instances are then counted under the condition */
  int is_filtered = syntax->condition || result->condition;
  if (!is_filtered && scope_count(c, syntax->where, syntax->n, sets) < 0) {
    return 0;
  }
  if (syntax->condition) {
    const model_condition *where = indices_condition(c, syntax->condition, result->inner);
    result->condition = inline_joined(c, CONDITION_AND, result->condition, where);
    return where != NULL;
  }
  return 1;
}
