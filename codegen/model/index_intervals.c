/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index_intervals.c -- interval bounds of index expressions.
 */
#include "model/index_values.h"

static reach_interval index_intervals_product(reach_interval a, reach_interval b)
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

static long index_intervals_larger(long x, long y)
{
  return x > y ? x : y;
}

/* The divisor is assumed to be positive; check_divisor (index_values.c) verifies this. */
static reach_interval remainder_of(reach_interval a, reach_interval b)
{
  if (a.lower >= 0 && a.upper < b.lower) {
    return a;
  }
  if (a.lower == a.upper && b.lower == b.upper) {
    long value = model_index_modulo(a.lower, b.lower);
    return (reach_interval){value, value, 1};
  }
  return (reach_interval){0, index_intervals_larger(b.upper - 1, 0), 1};
}

static reach_interval index_intervals_operation(const model_index *index, reach_interval a,
                                                reach_interval b)
{
  switch (index->kind) {
  case INDEX_ADD:
    return (reach_interval){a.lower + b.lower, a.upper + b.upper, 1};
  case INDEX_SUB:
    return (reach_interval){a.lower - b.upper, a.upper - b.lower, 1};
  case INDEX_MUL:
    return index_intervals_product(a, b);
  case INDEX_MOD:
    return remainder_of(a, b);
  case INDEX_MIN:
    return (reach_interval){smaller(a.lower, b.lower), smaller(a.upper, b.upper), 1};
  case INDEX_MAX:
    return (reach_interval){index_intervals_larger(a.lower, b.lower),
                            index_intervals_larger(a.upper, b.upper), 1};
  default:
    return (reach_interval){-a.upper, -a.lower, 1};
  }
}

/* Bounds of an entry: the sample's value if the index is known, else all of the target set. */
static reach_interval index_intervals_entry(const model_indices *indices, reach_interval place)
{
  const model_set *target = indices->target;
  if (place.good && place.lower == place.upper) {
    long value =
        model_sample(indices, place.lower - indices->set->first, target->first, target->count);
    return (reach_interval){value, value, 1};
  }
  return (reach_interval){target->first, target->first + target->count - 1, place.good};
}

/* Parts beyond the limit become 0 with good = 0, so sums of two parts cannot overflow. */
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
    result = index_intervals_entry(index->indices, reach_interval_of(index->a, variable, context));
    break;
  default: {
    reach_interval a = reach_interval_of(index->a, variable, context);
    reach_interval b =
        index->b ? reach_interval_of(index->b, variable, context) : (reach_interval){0, 0, 1};
    result = index_intervals_operation(index, a, b);
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

static reach_interval index_intervals_over_set(const void *context, const model_binder *binder)
{
  const model_set *set = binder->set;
  (void)context;
  return (reach_interval){set->first, set->first + set->count - 1, 1};
}

reach_interval reach_hull(const model_index *index)
{
  return reach_interval_of(index, index_intervals_over_set, NULL);
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
