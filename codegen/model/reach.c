/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reach.c -- which values an index takes.
 *
 * An index that is affine in its variables takes its extremes at corners of their box, which is exact
 * where no condition cuts the box, and costs the same for ten nodes and for a million.  Only what
 * this cannot decide is enumerated, over the variables that matter.
 */
#include <string.h>

#include "model/checker.h"

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

/* ---- bounds by interval arithmetic ---- */

typedef struct interval {
  long lower;
  long upper;
  int good; /* 0 where a part exceeds MODEL_MAX_INDEX */
} interval;

static interval interval_of(const model_index *index);

static interval product(interval a, interval b)
{
  interval result = {0, 0, a.good && b.good};
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

static interval operation(const model_index *index)
{
  interval a = interval_of(index->a);
  interval b = index->b ? interval_of(index->b) : (interval){0, 0, 1};
  interval result = {0, 0, a.good && b.good};
  switch (index->kind) {
  case INDEX_ADD:
    result.lower = a.lower + b.lower;
    result.upper = a.upper + b.upper;
    break;
  case INDEX_MUL:
    result = product(a, b);
    break;
  case INDEX_SUB:
    result.lower = a.lower - b.upper;
    result.upper = a.upper - b.lower;
    break;
  default:
    result.lower = -a.upper;
    result.upper = -a.lower;
    break;
  }
  return result;
}

/* Parts beyond the limit become 0 and bad, so that sums of two parts cannot overflow. */
static interval interval_of(const model_index *index)
{
  interval result = {index->value, index->value, 1};
  switch (index->kind) {
  case INDEX_INTEGER:
  case INDEX_LABEL:
    break;
  case INDEX_SIZE:
    result.lower = result.upper = index->size->value;
    break;
  case INDEX_VARIABLE:
    result.lower = index->binder->set->first;
    result.upper = result.lower + index->binder->set->count - 1;
    break;
  default:
    result = operation(index);
    break;
  }
  if (result.lower < -MODEL_MAX_INDEX || result.upper > MODEL_MAX_INDEX) {
    result.good = 0;
  }
  if (!result.good) {
    result.lower = result.upper = 0;
  }
  return result;
}

int reach_bounded(checker *c, const model_index *index, span where)
{
  if (interval_of(index).good) {
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

/* ---- extremes of affine indices ---- */

enum { AFFINE_TERMS = 16 };

typedef struct affine {
  long constant;
  int n;
  const model_binder *binder[AFFINE_TERMS];
  long factor[AFFINE_TERMS];
} affine;

/* The value of an index without variables. */
static int constant_index(const model_index *index, long *value)
{
  interval i = interval_of(index);
  *value = i.lower;
  return i.good && i.lower == i.upper;
}

static int add_term(affine *f, const model_binder *binder, long factor)
{
  int j = 0;
  while (j < f->n && f->binder[j] != binder) {
    j++;
  }
  if (j == AFFINE_TERMS) {
    return 0;
  }
  if (j == f->n) {
    f->n++;
    f->binder[j] = binder;
    f->factor[j] = 0;
  }
  return !__builtin_add_overflow(f->factor[j], factor, &f->factor[j]);
}

/* f += factor * index; 0 where the index is not affine. */
static int add_affine(affine *f, const model_index *index, long factor)
{
  long value = 0;
  if (constant_index(index, &value)) {
    return !__builtin_mul_overflow(value, factor, &value) &&
           !__builtin_add_overflow(f->constant, value, &f->constant);
  }
  switch (index->kind) {
  case INDEX_VARIABLE:
    return add_term(f, index->binder, factor);
  case INDEX_ADD:
    return add_affine(f, index->a, factor) && add_affine(f, index->b, factor);
  case INDEX_SUB:
    return add_affine(f, index->a, factor) && add_affine(f, index->b, -factor);
  case INDEX_NEG:
    return add_affine(f, index->a, -factor);
  case INDEX_MUL:
    if (constant_index(index->a, &value)) {
      return !__builtin_mul_overflow(value, factor, &value) && add_affine(f, index->b, value);
    }
    return constant_index(index->b, &value) && !__builtin_mul_overflow(value, factor, &value) &&
           add_affine(f, index->a, value);
  default:
    return 0;
  }
}

/* The largest (direction 1) or smallest (-1) value, and the corner where it is taken. */
static int extreme(const affine *f, long direction, long environment[], long *value)
{
  int good = 1;
  *value = f->constant;
  for (int j = 0; j < f->n && good; j++) {
    const model_set *set = f->binder[j]->set;
    int at_last = (f->factor[j] > 0) == (direction > 0);
    long at = at_last ? set->first + set->count - 1 : set->first;
    long part = 0;
    environment[f->binder[j]->slot] = at;
    good = !__builtin_mul_overflow(f->factor[j], at, &part) &&
           !__builtin_add_overflow(*value, part, value);
  }
  return good;
}

static int within(const model_set *set, long lower, long upper)
{
  return lower >= set->first && upper <= set->first + set->count - 1;
}

/* As reach_miss, by corners: -1 where they do not decide it. */
static int miss_by_corners(checker *c, int conditions, const reach_target *target)
{
  const model_index *index = target->indices[0];
  const model_set *set = target->set;
  interval all = interval_of(index);
  affine f = {0};
  long least = 0;
  long most = 0;
  if (within(set, all.lower, all.upper)) {
    return 0;
  }
  if (!add_affine(&f, index, 1) || !extreme(&f, -1, c->environment, &least) ||
      !extreme(&f, 1, c->environment, &most)) {
    return -1;
  }
  if (within(set, least, most)) {
    return 0;
  }
  if (conditions) {
    return -1;
  }
  if (within(set, most, most)) {
    extreme(&f, -1, c->environment, &least);
  }
  return 1;
}

/* ---- enumeration ---- */

typedef struct variables {
  const model_binder **at;
  size_t n;
  size_t capacity;
  long parts; /* of the expressions in which they were found */
} variables;

static void add_variables(checker *c, variables *v, const model_index *index)
{
  size_t j = 0;
  v->parts++;
  if (index->a) {
    add_variables(c, v, index->a);
  }
  if (index->b) {
    add_variables(c, v, index->b);
  }
  if (index->kind != INDEX_VARIABLE) {
    return;
  }
  while (j < v->n && v->at[j] != index->binder) {
    j++;
  }
  if (j < v->n) {
    return;
  }
  v->at = arena_grow(c->memory, v->at, v->n, &v->capacity, sizeof *v->at);
  v->at[v->n++] = index->binder;
}

static void add_condition_variables(checker *c, variables *v, const model_condition *condition)
{
  if (condition->left) {
    add_variables(c, v, condition->left);
    add_variables(c, v, condition->right);
    return;
  }
  add_condition_variables(c, v, condition->a);
  if (condition->b) {
    add_condition_variables(c, v, condition->b);
  }
}

/* Takes the cost of an enumeration from what is left; 0 where it is too much. */
static int afford(checker *c, const variables *v)
{
  long rounds = 1;
  long cost = 0;
  for (size_t j = 0; j < v->n; j++) {
    if (__builtin_mul_overflow(rounds, v->at[j]->set->count, &rounds) ||
        rounds > MODEL_MAX_ROUNDS) {
      return 0;
    }
  }
  if (__builtin_mul_overflow(rounds, v->parts + 1, &cost) || cost > c->rounds_left) {
    return 0;
  }
  c->rounds_left -= cost;
  return 1;
}

static int satisfied(const reach *r, const long environment[])
{
  for (; r; r = r->outer) {
    if (r->condition && !model_condition_value(r->condition, environment)) {
      return 0;
    }
  }
  return 1;
}

static int missed(const reach_target *target, long environment[])
{
  if (target->set) {
    long value = model_index_value(target->indices[0], environment);
    return !within(target->set, value, value);
  }
  for (int j = 0; j < target->n; j++) {
    environment[target->family->binders[j]->slot] =
        model_index_value(target->indices[j], environment);
  }
  return !model_condition_value(target->family->condition, environment);
}

static void provide_environment(checker *c)
{
  if (c->n_environment >= c->m->n_slots) {
    return;
  }
  c->n_environment = 2 * c->m->n_slots;
  c->environment = ARENA_ARRAY(c->memory, c->n_environment, long);
}

int reach_miss(checker *c, const reach *r, const reach_target *target)
{
  variables v = {0};
  variables own = {0};
  int decided = -1;
  provide_environment(c);
  for (int j = 0; j < target->n; j++) {
    add_variables(c, &own, target->indices[j]);
  }
  for (size_t j = 0; j < own.n; j++) {
    c->environment[own.at[j]->slot] = own.at[j]->set->first;
  }
  for (const reach *s = r; s; s = s->outer) {
    if (s->condition) {
      add_condition_variables(c, &v, s->condition);
    }
  }
  if (target->set) {
    decided = miss_by_corners(c, v.parts > 0, target);
  }
  if (decided >= 0) {
    return decided;
  }
  for (int j = 0; j < target->n; j++) {
    add_variables(c, &v, target->indices[j]);
  }
  if (!afford(c, &v)) {
    return -1;
  }
  for (int more = model_binders_first((int)v.n, v.at, NULL, c->environment); more;
       more = model_binders_next((int)v.n, v.at, NULL, c->environment)) {
    if (satisfied(r, c->environment) && missed(target, c->environment)) {
      return 1;
    }
  }
  return 0;
}

long reach_count(checker *c, const reach *r)
{
  variables v = {0};
  long count = 1;
  if (!r->condition) {
    for (int j = 0; j < r->n; j++) {
      count *= r->binders[j]->set->count;
    }
    return count;
  }
  provide_environment(c);
  add_condition_variables(c, &v, r->condition);
  v.n = 0;
  for (int j = 0; j < r->n; j++) {
    v.at = arena_grow(c->memory, v.at, v.n, &v.capacity, sizeof *v.at);
    v.at[v.n++] = r->binders[j];
  }
  if (!afford(c, &v)) {
    return -1;
  }
  count = 0;
  for (int more = model_binders_first(r->n, r->binders, r->condition, c->environment); more;
       more = model_binders_next(r->n, r->binders, r->condition, c->environment)) {
    count++;
  }
  return count;
}
