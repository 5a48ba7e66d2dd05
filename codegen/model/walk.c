/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * walk.c -- values of indices, enumeration of binders, positions and names of entries.
 *
 * The checker has bounded every index expression that is evaluated on a checked model, so the
 * arithmetic here needs no overflow checks.
 */
#include "model/model.h"

#include <assert.h>

#include "model/model_limits.h"

long model_index_modulo(long x, long n)
{
  return n <= 0 ? 0 : x % n < 0 ? x % n + n : x % n;
}

int model_index_has(const model_index *index, model_index_kind kind)
{
  return index && (index->kind == kind || model_index_has(index->a, kind) ||
                   model_index_has(index->b, kind));
}

long model_sample(const model_indices *indices, long at, long first, long count)
{
  if (indices->given) {
    return at >= 0 && at < indices->n_given ? indices->given[at] : first;
  }
  long round = count > 0 && at > 0 ? at / count : 0;
  return first + model_index_modulo(at + indices->offset + indices->shift * (1 + round), count);
}

long model_index_value(const model_index *index, const long environment[])
{
  long a = index->a ? model_index_value(index->a, environment) : 0;
  long b = index->b ? model_index_value(index->b, environment) : 0;
  switch (index->kind) {
  case INDEX_INTEGER:
  case INDEX_LABEL:
    return index->value;
  case INDEX_SIZE:
    return index->size->value;
  case INDEX_VARIABLE:
    return environment[index->binder->slot];
  case INDEX_ADD:
    return a + b;
  case INDEX_SUB:
    return a - b;
  case INDEX_MUL:
    return a * b;
  case INDEX_NEG:
    return -a;
  case INDEX_MOD:
    return model_index_modulo(a, b);
  case INDEX_MIN:
    return a < b ? a : b;
  case INDEX_MAX:
    return a > b ? a : b;
  case INDEX_ENTRY:
    return model_sample(index->indices, a - index->indices->set->first,
                        index->indices->target->first, index->indices->target->count);
  }
  assert(0);
  return 0;
}

int model_condition_holds(model_condition_kind kind, long difference)
{
  switch (kind) {
  case CONDITION_EQ:
    return difference == 0;
  case CONDITION_NE:
    return difference != 0;
  case CONDITION_LT:
    return difference < 0;
  case CONDITION_LE:
    return difference <= 0;
  case CONDITION_GT:
    return difference > 0;
  case CONDITION_GE:
    return difference >= 0;
  case CONDITION_AND:
  case CONDITION_OR:
  case CONDITION_NOT:
    break;
  }
  assert(0);
  return 0;
}

model_condition_kind model_condition_opposite(model_condition_kind kind)
{
  static const model_condition_kind opposite[] = {
      [CONDITION_EQ] = CONDITION_NE,  [CONDITION_NE] = CONDITION_EQ, [CONDITION_LT] = CONDITION_GE,
      [CONDITION_LE] = CONDITION_GT,  [CONDITION_GT] = CONDITION_LE, [CONDITION_GE] = CONDITION_LT,
      [CONDITION_AND] = CONDITION_OR, [CONDITION_OR] = CONDITION_AND};
  return opposite[kind];
}

static int walk_condition_value(const model_condition *condition, const long environment[])
{
  if (condition->left) {
    return model_condition_holds(condition->kind,
                                 model_index_value(condition->left, environment) -
                                     model_index_value(condition->right, environment));
  }
  int a = walk_condition_value(condition->a, environment);
  switch (condition->kind) {
  case CONDITION_NOT:
    return !a;
  case CONDITION_AND:
    return a && walk_condition_value(condition->b, environment);
  default:
    return a || walk_condition_value(condition->b, environment);
  }
}

long model_shape_offset(const model_shape *shape, const model_index *const index[],
                        const long environment[])
{
  long at = 0;
  for (int j = 0; j < shape->n; j++) {
    const model_set *set = shape->sets[j];
    at = at * set->count + (model_index_value(index[j], environment) - set->first);
  }
  return at;
}

static long first_of(const model_set *set, const long environment[])
{
  return set->is_dependent ? model_index_value(set->lower, environment) : set->first;
}

static long last_of(const model_set *set, const long environment[])
{
  return set->is_dependent ? model_index_value(set->upper, environment)
                           : set->first + set->count - 1;
}

/* Sets the binders from number j on to their first elements.  Returns the number of the first
 * binder with an empty set, n if there is none. */
static int walk_settle(int j, int n, const model_binder *const binders[], long environment[])
{
  for (; j < n; j++) {
    const model_set *set = binders[j]->set;
    environment[binders[j]->slot] = first_of(set, environment);
    if (environment[binders[j]->slot] > last_of(set, environment)) {
      break;
    }
  }
  return j;
}

/* Advances to the next combination of the values of all binders, the last fastest, by
 * incrementing a binder before number j.  Returns 0 after the last combination. */
static int walk_advance(int j, int n, const model_binder *const binders[], long environment[])
{
  while (j-- > 0) {
    long *value = &environment[binders[j]->slot];
    if (*value < last_of(binders[j]->set, environment)) {
      ++*value;
      j = walk_settle(j + 1, n, binders, environment);
      if (j == n) {
        return 1;
      }
    }
  }
  return 0;
}

/* Sets the binders to their first combination of values; 0 if there is none. */
static int walk_start(int n, const model_binder *const binders[], long environment[])
{
  for (int j = 0; j < n; j++) {
    if (!binders[j]->set->is_dependent && binders[j]->set->count == 0) {
      return 0;
    }
  }
  int empty = walk_settle(0, n, binders, environment);
  return empty == n || walk_advance(empty, n, binders, environment);
}

int model_binders_next(long round, int n, const model_binder *const binders[],
                       const model_condition *condition, long environment[])
{
  int found =
      round ? walk_advance(n, n, binders, environment) : walk_start(n, binders, environment);
  while (found && condition && !walk_condition_value(condition, environment)) {
    found = walk_advance(n, n, binders, environment);
  }
  return found;
}

long model_family_position(const model_family *family, const model_index *const index[],
                           const long environment[], long scratch[])
{
  long target[MODEL_MAX_BINDERS];
  long at = 0;
  for (int j = 0; j < family->n_binders; j++) {
    const model_set *set = family->binders[j]->set;
    long from_first = 0;
    target[j] = model_index_value(index[j], environment);
    from_first = target[j] - set->first;
    if (from_first < 0 || from_first >= set->count) {
      return -1;
    }
    at = at * set->count + from_first;
  }
  if (!family->condition) {
    return at;
  }
  for (at = 0;
       model_binders_next(at, family->n_binders, family->binders, family->condition, scratch);
       at++) {
    int same = 1;
    for (int j = 0; j < family->n_binders && same; j++) {
      same = scratch[family->binders[j]->slot] == target[j];
    }
    if (same) {
      return at;
    }
  }
  return -1;
}

const char *model_element_text(arena *a, const model_set *set, long value)
{
  return set->is_range ? arena_printf(a, "%ld", value) : set->labels[value];
}

static const char *with_element(arena *a, const char *name, const model_set *set, long value)
{
  return arena_printf(a, "%s.%s", name, model_element_text(a, set, value));
}

const char *model_entry_text(arena *a, const char *name, const model_shape *shape, const long at[])
{
  for (int j = 0; j < shape->n; j++) {
    name = arena_printf(a, "%s%s%s", name, j ? "," : "[",
                        model_element_text(a, shape->sets[j], at[j]));
  }
  return shape->n ? arena_printf(a, "%s]", name) : name;
}

void model_shape_place(const model_shape *shape, long entry, long at[])
{
  long stride = shape->count;
  for (int j = 0; j < shape->n; j++) {
    const model_set *set = shape->sets[j];
    stride /= set->count;
    at[j] = set->first + entry / stride % set->count;
  }
}

const char *const *model_shape_names(arena *a, const char *name, const model_shape *shape)
{
  const char **names = ARENA_ARRAY(a, shape->count + 1, const char *);
  for (long i = 0; i < shape->count; i++) {
    long at[MODEL_MAX_BINDERS];
    model_shape_place(shape, i, at);
    names[i] = name;
    for (int j = 0; j < shape->n; j++) {
      names[i] = with_element(a, names[i], shape->sets[j], at[j]);
    }
  }
  return names;
}

const char *const *model_family_names(arena *a, const model *m, const model_family *family)
{
  const char **names = ARENA_ARRAY(a, family->count + 1, const char *);
  long *environment = ARENA_ARRAY(a, m->n_slots + 1, long);
  for (long i = 0;
       model_binders_next(i, family->n_binders, family->binders, family->condition, environment);
       i++) {
    names[i] = family->name ? family->name : "";
    for (int j = 0; j < family->n_binders; j++) {
      const model_binder *b = family->binders[j];
      names[i] = with_element(a, names[i], b->set, environment[b->slot]);
    }
  }
  return names;
}

const char *model_function_name(model_function function)
{
  static const char *const names[FUNCTION_COUNT] = {
      [FUNCTION_SIN] = "sin",     [FUNCTION_COS] = "cos",   [FUNCTION_TAN] = "tan",
      [FUNCTION_ASIN] = "asin",   [FUNCTION_ACOS] = "acos", [FUNCTION_ATAN] = "atan",
      [FUNCTION_ATAN2] = "atan2", [FUNCTION_SINH] = "sinh", [FUNCTION_COSH] = "cosh",
      [FUNCTION_TANH] = "tanh",   [FUNCTION_EXP] = "exp",   [FUNCTION_LOG] = "log",
      [FUNCTION_SQRT] = "sqrt",   [FUNCTION_ABS] = "abs",   [FUNCTION_SIGN] = "sign",
      [FUNCTION_MIN] = "min",     [FUNCTION_MAX] = "max",
  };
  return (unsigned)function < FUNCTION_COUNT ? names[function] : NULL;
}

const char *model_index_function(model_index_kind kind)
{
  return kind == INDEX_MOD ? "mod" : kind == INDEX_MIN ? "min" : kind == INDEX_MAX ? "max" : NULL;
}
