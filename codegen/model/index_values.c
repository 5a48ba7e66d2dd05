/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/index_values.h"
#include "model/formula_checks.h"

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

/* ---- interval arithmetic ---- */

static reach_interval product(reach_interval a, reach_interval b)
{
  reach_interval result = {0, 0, a.good && b.good};
  const long x[2] = {a.lower, a.upper};
  const long y[2] = {b.lower, b.upper};
  for (int i = 0; i < 4; i++) {
    long value = 0;
    if (__builtin_mul_overflow(x[i / 2], y[i % 2], &value)) {
      result.good = 0;
    }
    result.lower = i == 0 || value < result.lower ? value : result.lower;
    result.upper = i == 0 || value > result.upper ? value : result.upper;
  }
  return result;
}

static long smaller(long x, long y)
{
  return x < y ? x : y;
}

static long larger(long x, long y)
{
  return x > y ? x : y;
}

/* Whether the divisor is positive is checked elsewhere. */
static reach_interval remainder_of(reach_interval a, reach_interval b)
{
  if (a.lower >= 0 && a.upper < b.lower) {
    return a;
  }
  if (a.lower == a.upper && b.lower == b.upper) {
    long value = model_index_modulo(a.lower, b.lower);
    return (reach_interval){value, value, 1};
  }
  return (reach_interval){0, larger(b.upper - 1, 0), 1};
}

static reach_interval operation(const model_index *index, reach_interval a, reach_interval b)
{
  switch (index->kind) {
  case INDEX_ADD:
    return (reach_interval){a.lower + b.lower, a.upper + b.upper, 1};
  case INDEX_SUB:
    return (reach_interval){a.lower - b.upper, a.upper - b.lower, 1};
  case INDEX_MUL:
    return product(a, b);
  case INDEX_MOD:
    return remainder_of(a, b);
  case INDEX_MIN:
    return (reach_interval){smaller(a.lower, b.lower), smaller(a.upper, b.upper), 1};
  case INDEX_MAX:
    return (reach_interval){larger(a.lower, b.lower), larger(a.upper, b.upper), 1};
  default:
    return (reach_interval){-a.upper, -a.lower, 1};
  }
}

/* Any element that an array of indices may have; that of the sample where the place is known. */
static reach_interval entry(const model_indices *indices, reach_interval place)
{
  const model_set *target = indices->target;
  if (place.good && place.lower == place.upper) {
    long value =
        model_sample(indices, place.lower - indices->set->first, target->first, target->count);
    return (reach_interval){value, value, 1};
  }
  return (reach_interval){target->first, target->first + target->count - 1, place.good};
}

/* Parts beyond the limit become 0 and bad, so that sums of two parts cannot overflow. */
reach_interval reach_interval_of(const model_index *index, reach_variable *variable,
                                 const void *context)
{
  reach_interval result = {index->value, index->value, 1};
  switch (index->kind) {
  case INDEX_INTEGER:
  case INDEX_LABEL:
    break;
  case INDEX_SIZE:
    result.lower = result.upper = index->size->value;
    break;
  case INDEX_VARIABLE:
    result = variable(context, index->binder);
    break;
  case INDEX_ENTRY:
    result = entry(index->indices, reach_interval_of(index->a, variable, context));
    break;
  default: {
    reach_interval a = reach_interval_of(index->a, variable, context);
    reach_interval b =
        index->b ? reach_interval_of(index->b, variable, context) : (reach_interval){0, 0, 1};
    result = operation(index, a, b);
    result.good = result.good && a.good && b.good;
    break;
  }
  }
  if (result.lower < -MODEL_MAX_INDEX || result.upper > MODEL_MAX_INDEX) {
    result.good = 0;
  }
  if (!result.good) {
    result.lower = result.upper = 0;
  }
  return result;
}

static reach_interval over_set(const void *context, const model_binder *binder)
{
  const model_set *set = binder->set;
  (void)context;
  return (reach_interval){set->first, set->first + set->count - 1, 1};
}

reach_interval reach_hull(const model_index *index)
{
  return reach_interval_of(index, over_set, NULL);
}

int reach_constant(const model_index *index, long *value)
{
  reach_interval i = {0, 0, 0};
  if (!model_index_has(index, INDEX_VARIABLE)) {
    i = reach_hull(index);
  }
  *value = i.lower;
  return i.good && i.lower == i.upper;
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

int reach_bounded_condition(checker *c, const model_condition *condition, span where)
{
  if (condition->left) {
    return reach_bounded(c, condition->left, where) && reach_bounded(c, condition->right, where);
  }
  return reach_bounded_condition(c, condition->a, where) &&
         (!condition->b || reach_bounded_condition(c, condition->b, where));
}

/* ---- search ---- */

static void provide_environment(checker *c)
{
  if (c->n_environment >= c->m->n_slots) {
    return;
  }
  c->n_environment = 2 * c->m->n_slots;
  c->environment = ARENA_ARRAY(c->memory, c->n_environment, long);
}

static solve *within_reach(checker *c, const reach *r)
{
  solve *s = solve_create(c);
  provide_environment(c);
  for (; r; r = r->outer) {
    if (r->condition) {
      solve_require(s, r->condition, 1);
    }
  }
  return s;
}

int reach_miss(checker *c, const reach *r, const reach_target *target)
{
  if (target->set) {
    const model_set *set = target->set;
    long last = set->first + set->count - 1;
    reach_interval all = reach_hull(target->indices[0]);
    if (all.good && all.lower >= set->first && all.upper <= last) {
      return 0;
    }
    if (model_index_has(target->indices[0], INDEX_ENTRY)) {
      return -1; /* what a sample has says nothing of other data */
    }
    solve *s = within_reach(c, r);
    solve_require_outside(s, target->indices[0], set->first, last);
    return solve_point(s);
  }
  solve *s = within_reach(c, r);
  solve_replace(s, target->n, target->family->binders, target->indices);
  solve_require(s, target->family->condition, 0);
  return solve_point(s);
}

/* ---- divisors ---- */

static int check_divisor(checker *c, const reach *r, const model_index *divisor, span where)
{
  const model_set positive = {.first = 1, .count = MODEL_MAX_INDEX};
  const reach_target target = {&positive, NULL, 1, &divisor};
  int missed = reach_miss(c, r, &target);
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

/* An entry of an array of indices is one of its set's. */
static int check_entry(checker *c, const reach *r, const model_index *entry, span where)
{
  const reach_target target = {entry->indices->set, NULL, 1, &entry->a};
  int missed = reach_miss(c, r, &target);
  if (missed) {
    diagnostics_error(c->d, where, "the index %s of '%s' %s outside %s",
                      text_index(c->memory, entry->a, 0), entry->indices->name,
                      missed > 0 ? "is" : "may be", text_range(c->memory, entry->indices->set));
  }
  return !missed;
}

int reach_divisors(checker *c, const reach *r, const model_index *index, span where)
{
  return (!index->a || reach_divisors(c, r, index->a, where)) &&
         (!index->b || reach_divisors(c, r, index->b, where)) &&
         (index->kind != INDEX_MOD || !index->b || check_divisor(c, r, index->b, where)) &&
         (index->kind != INDEX_ENTRY || check_entry(c, r, index, where));
}

int reach_divisors_condition(checker *c, const reach *r, const model_condition *condition,
                             span where)
{
  if (condition->left) {
    return reach_divisors(c, r, condition->left, where) &&
           reach_divisors(c, r, condition->right, where);
  }
  return reach_divisors_condition(c, r, condition->a, where) &&
         (!condition->b || reach_divisors_condition(c, r, condition->b, where));
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
