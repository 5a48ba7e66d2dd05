/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index_checks.c -- questions of the checker about the values of an index, and their messages.
 */
#include "model/index_values.h"

int reach_empty(const reach *r)
{
  for (; r; r = r->outer) {
    for (int j = 0; j < r->n; j++) {
      if (r->binders[j]->set->count == 0) {
        return 1;
      }
    }
  }
  return 0;
}

int reach_bounded(checker *c, const model_index *index, span where)
{
  if (reach_hull(index).good) {
    return 1;
  }
  diagnostics_error(c->d, where, "the index %s can exceed %ld in magnitude",
                    text_index(c->memory, index, 0), MODEL_MAX_INDEX);
  return 0;
}

/* ---- the values of an index ---- */

static solve *within_reach(checker *c, const reach *r)
{
  solve *s = solve_create(c);
  if (c->n_environment < c->m->n_slots) {
    c->n_environment = 2 * c->m->n_slots;
    c->environment = ARENA_ARRAY(c->memory, c->n_environment, long);
  }
  for (; r; r = r->outer) {
    if (r->condition) {
      solve_require(s, r->condition, 1);
    }
  }
  return s;
}

int reach_outside(checker *c, const reach *r, const model_index *index, const model_set *set)
{
  long last = set->first + set->count - 1;
  reach_interval all = reach_hull(index);
  if (all.good && all.lower >= set->first && all.upper <= last) {
    return 0;
  }
  if (model_index_has(index, INDEX_ENTRY)) {
    return -1; /* a sample proves nothing about other data */
  }
  solve *s = within_reach(c, r);
  solve_require_outside(s, index, set->first, last);
  return solve_point(s);
}

int reach_failing(checker *c, const reach *r, const model_condition *condition)
{
  solve *s = within_reach(c, r);
  solve_require(s, condition, 0);
  return solve_point(s);
}

/* ---- validity of an index in any context ---- */

static int check_divisor(checker *c, const reach *r, const model_index *divisor, span where)
{
  const model_set positive = {.first = 1, .count = MODEL_MAX_INDEX};
  int missed = reach_outside(c, r, divisor, &positive);
  if (missed > 0) {
    const char *text = divisor->kind == INDEX_INTEGER
                           ? ""
                           : arena_printf(c->memory, " %s", text_index(c->memory, divisor, 0));
    diagnostics_error(c->d, where, "the divisor%s of mod is %ld%s, and must be positive", text,
                      model_index_value(divisor, c->environment),
                      divisor->kind == INDEX_VARIABLE ? "" : text_witness(c, 1, &divisor));
  } else if (missed < 0) {
    diagnostics_error(c->d, where,
                      "too many combinations of index values to see that the divisor %s of mod is "
                      "positive",
                      text_index(c->memory, divisor, 0));
  }
  return !missed;
}

/* Checks that the index of an entry of an index array lies in the array's set. */
static int check_entry(checker *c, const reach *r, const model_index *entry, span where)
{
  int missed = reach_outside(c, r, entry->a, entry->indices->set);
  if (missed) {
    diagnostics_error(c->d, where, "the index %s of '%s' %s outside %s",
                      text_index(c->memory, entry->a, 0), entry->indices->name,
                      missed > 0 ? "is" : "may be", text_range(c->memory, entry->indices->set));
  }
  return !missed;
}

static int check_parts(checker *c, const reach *r, const model_index *index, span where)
{
  return (!index->a || check_parts(c, r, index->a, where)) &&
         (!index->b || check_parts(c, r, index->b, where)) &&
         (index->kind != INDEX_MOD || !index->b || check_divisor(c, r, index->b, where)) &&
         (index->kind != INDEX_ENTRY || check_entry(c, r, index, where));
}

int reach_good(checker *c, const reach *r, const model_index *index, span where)
{
  return reach_bounded(c, index, where) && check_parts(c, r, index, where);
}

int reach_good_condition(checker *c, const reach *r, const model_condition *condition, span where)
{
  if (condition->left) {
    return reach_good(c, r, condition->left, where) && reach_good(c, r, condition->right, where);
  }
  return reach_good_condition(c, r, condition->a, where) &&
         (!condition->b || reach_good_condition(c, r, condition->b, where));
}

long reach_place(checker *c, const char *what, const model_index *index, const model_set *set)
{
  if (!reach_good(c, NULL, index, index->where)) {
    return -1;
  }
  long at = model_index_value(index, NULL) - set->first;
  if (at >= 0 && at < set->count) {
    return at;
  }
  diagnostics_error(c->d, index->where, "%s %s is outside %s", what,
                    text_index(c->memory, index, 0), text_range(c->memory, set));
  return -1;
}

/* ---- counts ---- */

long reach_count(checker *c, const reach *r)
{
  solve *s = within_reach(c, r);
  for (int j = 0; j < r->n; j++) {
    solve_variable(s, r->binders[j]);
  }
  return solve_count(s);
}
