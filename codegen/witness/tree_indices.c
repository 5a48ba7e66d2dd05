/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_indices.c -- indices, conditions, sets, families and arrays: the numbering of instances and
 * entries.
 */
#include "witness/tree.h"

/* Applies a binary operation. The remainder by b > 0 is never negative. */
static long tree_indices_of_two(const tree *t, model_index_kind kind, long a, long b)
{
  switch (kind) {
  case INDEX_ADD:
    return a + b;
  case INDEX_SUB:
    return a - b;
  case INDEX_MUL:
    return a * b;
  case INDEX_MIN:
    return a < b ? a : b;
  case INDEX_MAX:
    return a < b ? b : a;
  case INDEX_MOD:
    if (b > 0) {
      return (a % b + b) % b;
    }
    jets_trouble(t->arithmetic, "an index is divided by what is not positive");
    return 0;
  default:
    jets_trouble(t->arithmetic, "it has an index that is not known here");
    return 0;
  }
}

/* The sample's entry for this element, at the sizes of the tree. */
static long tree_indices_entry(const tree *t, const model_indices *indices, long element)
{
  const model_set *target = indices->target;
  const long place = element - tree_first(t, indices->set);
  if (place < 0 || place >= tree_count(t, indices->set)) {
    jets_trouble(t->arithmetic, "an index is outside of its array");
    return tree_first(t, target);
  }
  return model_sample(indices, place, tree_first(t, target), tree_count(t, target));
}

long tree_index(const tree *t, const model_index *index)
{
  switch (index->kind) {
  case INDEX_INTEGER:
  case INDEX_LABEL:
    return index->value;
  case INDEX_SIZE:
    return t->sizes ? t->sizes[index->size->number] : index->size->value;
  case INDEX_VARIABLE:
    return t->environment[index->binder->slot];
  case INDEX_NEG:
    return -tree_index(t, index->a);
  case INDEX_ENTRY:
    return tree_indices_entry(t, index->indices, tree_index(t, index->a));
  default:
    return tree_indices_of_two(t, index->kind, tree_index(t, index->a), tree_index(t, index->b));
  }
}

static int holds(const tree *t, const model_condition *c)
{
  if (!c) {
    return 1;
  }
  switch (c->kind) {
  case CONDITION_AND:
    return holds(t, c->a) && holds(t, c->b);
  case CONDITION_OR:
    return holds(t, c->a) || holds(t, c->b);
  case CONDITION_NOT:
    return !holds(t, c->a);
  default:
    break;
  }
  long difference = tree_index(t, c->left) - tree_index(t, c->right);
  return (c->kind == CONDITION_EQ && difference == 0) ||
         (c->kind == CONDITION_NE && difference != 0) ||
         (c->kind == CONDITION_LT && difference < 0) ||
         (c->kind == CONDITION_LE && difference <= 0) ||
         (c->kind == CONDITION_GT && difference > 0) ||
         (c->kind == CONDITION_GE && difference >= 0);
}

long tree_first(const tree *t, const model_set *set)
{
  return set->is_range ? tree_index(t, set->lower) : 0;
}

long tree_count(const tree *t, const model_set *set)
{
  if (!set->is_range) {
    return set->count;
  }
  long n = tree_index(t, set->upper) - tree_first(t, set) + 1;
  return n > 0 ? n : 0;
}

static tree_instances instances_of(tree *t, int n, const model_binder *const binders[],
                                   const model_condition *condition)
{
  return (tree_instances){.t = t, .n = n, .binders = binders, .condition = condition, .number = -1};
}

static void set_variable(tree_instances *i, int j, long value)
{
  i->at[j] = value;
  i->t->environment[i->binders[j]->slot] = value;
}

/* Sets the variables from number j on to their first values; the bounds of their sets may depend on
 * earlier variables. Returns the number of the first variable whose set is empty, or n if there is
 * none. */
static int tree_indices_settle(tree_instances *i, int j)
{
  for (; j < i->n; j++) {
    const model_set *set = i->binders[j]->set;
    long count = tree_count(i->t, set);
    if (count == 0) {
      break;
    }
    set_variable(i, j, tree_first(i->t, set));
    i->last[j] = i->at[j] + count - 1;
  }
  return j;
}

/* Goes to the next combination, admitted by the filter or not. Returns 0 at the end. */
static int tree_indices_advance(tree_instances *i)
{
  int j = i->n;
  if (!i->is_begun) {
    i->is_begun = 1;
    j = tree_indices_settle(i, 0);
    if (j == i->n) {
      return 1;
    }
  }
  while (j-- > 0) {
    if (i->at[j] < i->last[j] && jets_afford(i->t->arithmetic, 1)) {
      set_variable(i, j, i->at[j] + 1);
      j = tree_indices_settle(i, j + 1);
      if (j == i->n) {
        return 1;
      }
    }
  }
  return 0;
}

int tree_next(tree_instances *i)
{
  /* Evaluations since the last call may have changed the same variables. */
  for (int j = 0; i->number >= 0 && j < i->n; j++) {
    set_variable(i, j, i->at[j]);
  }
  while (jets_afford(i->t->arithmetic, 1) && tree_indices_advance(i)) {
    if (holds(i->t, i->condition)) {
      i->number++;
      return 1;
    }
  }
  return 0;
}

long tree_shape_count(const tree *t, const model_shape *shape)
{
  long n = 1;
  for (int j = 0; j < shape->n; j++) {
    n *= tree_count(t, shape->sets[j]);
  }
  return n;
}

long tree_place(const tree *t, const model_shape *shape, const model_index *const index[])
{
  long place = 0;
  for (int j = 0; j < shape->n; j++) {
    const model_set *set = shape->sets[j];
    place = place * tree_count(t, set) + tree_index(t, index[j]) - tree_first(t, set);
  }
  return place;
}

long tree_coordinate_start(const tree *t, const model_coordinate *coordinate)
{
  const model *m = t->model;
  long start = 0;
  for (int i = 0; i < m->n_coordinates && m->coordinates[i] != coordinate; i++) {
    start += tree_shape_count(t, &m->coordinates[i]->shape);
  }
  return start;
}

long tree_parameter_start(const tree *t, const model_parameter *parameter)
{
  const model *m = t->model;
  long start = 0;
  for (int i = 0; i < m->n_parameters && m->parameters[i] != parameter; i++) {
    start += tree_shape_count(t, &m->parameters[i]->shape);
  }
  return start;
}

long tree_coordinates_count(const tree *t)
{
  return tree_coordinate_start(t, NULL);
}

long tree_parameters_count(const tree *t)
{
  return tree_parameter_start(t, NULL);
}

tree_instances tree_sum(tree *t, const model_expr *e)
{
  return instances_of(t, e->n_binders, e->binders, e->condition);
}

tree_instances tree_family(tree *t, const model_family *family)
{
  return instances_of(t, family->n_binders, family->binders, family->condition);
}

long tree_families_count(tree *t, int n, const model_family *const families[])
{
  long count = 0;
  for (int f = 0; f < n; f++) {
    tree_instances each = tree_family(t, families[f]);
    while (tree_next(&each)) {
      count++;
    }
  }
  return count;
}

tree_instances tree_array(tree *t, const model_values *values)
{
  return instances_of(t, values->n_binders, values->binders, NULL);
}

const model_expr *tree_array_value(const model_values *values, const tree_instances *at)
{
  return values->body ? values->body : values->table[at->number];
}

/* ---- names ---- */

static const char *add_element(arena *a, const char *name, const model_set *set, long value)
{
  return set->is_range ? arena_printf(a, "%s.%ld", name, value)
                       : arena_printf(a, "%s.%s", name, set->labels[value]);
}

const char *tree_entry_name(arena *a, const tree *t, const char *name, const model_shape *shape,
                            long place)
{
  long at[MODEL_MAX_BINDERS] = {0};
  for (int j = shape->n - 1; j >= 0; j--) {
    long count = tree_count(t, shape->sets[j]);
    at[j] = count > 0 ? place % count : 0;
    place = count > 0 ? place / count : 0;
  }
  for (int j = 0; j < shape->n; j++) {
    const model_set *set = shape->sets[j];
    name = add_element(a, name, set, tree_first(t, set) + at[j]);
  }
  return name;
}

const char *tree_instance_name(arena *a, const model_family *family, const tree_instances *at)
{
  const char *name = family->name;
  for (int j = 0; j < family->n_binders; j++) {
    const model_binder *binder = family->binders[j];
    name = add_element(a, name, binder->set, at->t->environment[binder->slot]);
  }
  return name;
}
