/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * inline_sets.c -- unnamed sets: 1 .. N-1, {1, 3}, {x, y}.
 *
 * A range with constant bounds is an ordinary set, and equal ranges share one set.  A range whose
 * bounds depend on outer variables is a new set; sums and products iterate over it directly, and a
 * family uses the range of all possible values with a condition.  A list is a range or a label set,
 * with the condition that the variable is one of the members.
 */
#include <string.h>

#include "model/checker.h"
#include "model/index_values.h"

static const model_set *keep(checker *c, const model_set *set)
{
  c->inline_sets = arena_grow(c->memory, c->inline_sets, c->n_inline_sets, &c->inline_sets_capacity,
                              sizeof *c->inline_sets);
  c->inline_sets[c->n_inline_sets++] = set;
  return set;
}

/* ---- ranges ---- */

static const char *range_name(checker *c, const model_index *lower, const model_index *upper)
{
  return arena_printf(c->memory, "%s .. %s", text_index(c->memory, lower, 0),
                      text_index(c->memory, upper, 0));
}

static const model_set *constant_range(checker *c, const char *name, const model_index *lower,
                                       const model_index *upper, span where)
{
  for (size_t i = 0; i < c->n_inline_sets; i++) {
    if (!strcmp(c->inline_sets[i]->name, name)) {
      return c->inline_sets[i];
    }
  }
  const model_set *set = sets_between(c, name, lower, upper, where);
  return set ? keep(c, set) : NULL;
}

static const model_set *range_between(checker *c, const char *name, const model_index *lower,
                                      const model_index *upper, span where)
{
  if (!model_index_has(lower, INDEX_VARIABLE) && !model_index_has(upper, INDEX_VARIABLE)) {
    return constant_range(c, name, lower, upper, where);
  }
  model_set *set = ARENA_NEW(c->memory, model_set);
  set->name = name;
  set->is_range = 1;
  set->is_dependent = 1;
  set->lower = lower;
  set->upper = upper;
  set->where = where;
  return set;
}

static const model_set *range(checker *c, const syntax_set *s, const bound *inner)
{
  const model_index *lower = indices_for_set(c, s->lower, NULL, inner);
  const model_index *upper = indices_for_set(c, s->upper, NULL, inner);
  return lower && upper ? range_between(c, range_name(c, lower, upper), lower, upper, s->where)
                        : NULL;
}

/* ---- lists of integers ---- */

static const model_index *inline_sets_extreme(checker *c, model_index_kind kind, int n,
                                              const model_index *const items[])
{
  const model_index *result = items[0];
  for (int i = 1; i < n; i++) {
    long a = 0;
    long b = 0;
    if (result->kind == INDEX_INTEGER && items[i]->kind == INDEX_INTEGER) {
      a = result->value;
      b = items[i]->value;
      result = (a < b) == (kind == INDEX_MIN) ? result : items[i];
      continue;
    }
    result = indices_operation(c->memory, kind, result, items[i], items[i]->where);
  }
  return result;
}

/* Whether n integers are consecutive, in any order. */
static int is_consecutive(int n, const model_index *const items[])
{
  long least = 0;
  long most = 0;
  for (int i = 0; i < n; i++) {
    if (items[i]->kind != INDEX_INTEGER) {
      return 0;
    }
    least = i == 0 || items[i]->value < least ? items[i]->value : least;
    most = i == 0 || items[i]->value > most ? items[i]->value : most;
  }
  if (most - least >= n) {
    return 0;
  }
  for (long value = least; value <= most; value++) {
    int i = 0;
    while (i < n && items[i]->value != value) {
      i++;
    }
    if (i == n) {
      return 0;
    }
  }
  return 1;
}

static const model_set *integers(checker *c, const syntax_set *s, const bound *inner,
                                 inline_members *only)
{
  const model_index **items = ARENA_ARRAY(c->memory, s->n_items, const model_index *);
  for (int i = 0; i < s->n_items; i++) {
    items[i] = indices_for_set(c, s->items[i], NULL, inner);
    if (!items[i]) {
      return NULL;
    }
  }
  if (!is_consecutive(s->n_items, items)) {
    *only = (inline_members){s->n_items, items};
  }
  return range_between(c, text_folded(c, s->where),
                       inline_sets_extreme(c, INDEX_MIN, s->n_items, items),
                       inline_sets_extreme(c, INDEX_MAX, s->n_items, items), s->where);
}

/* ---- lists of labels ---- */

/* 1 if the set contains all labels of the list. If is_same is set: 1 if it consists of them, in
 * this order. */
static int has_labels(const model_set *set, const syntax_set *s, int is_same)
{
  for (int i = 0; i < s->n_items; i++) {
    long at = indices_position(set, s->items[i]->text);
    if (is_same ? at != i : at < 0) {
      return 0;
    }
  }
  return !is_same || set->count == s->n_items;
}

/* The label set that equals the list; else the only set that contains it.  If several sets
 * contain the list, sets *others to another one. */
static const model_set *set_with(checker *c, const syntax_set *s, const model_set **others)
{
  const model_set *found = NULL;
  size_t n = (size_t)c->m->n_sets + c->n_inline_sets;
  *others = NULL;
  for (size_t i = 0; i < n; i++) {
    size_t named = (size_t)c->m->n_sets;
    const model_set *set = i < named ? c->sets[i] : c->inline_sets[i - named];
    if (set->is_range || set == found || !has_labels(set, s, 0)) {
      continue;
    }
    if (has_labels(set, s, 1)) {
      *others = NULL;
      return set;
    }
    *others = found ? set : NULL;
    found = found ? found : set;
  }
  return found;
}

static const model_set *new_labels(checker *c, const syntax_set *s)
{
  const syntax_name name = {text_folded(c, s->where), s->where};
  syntax_name *labels = ARENA_ARRAY(c->memory, s->n_items, syntax_name);
  for (int i = 0; i < s->n_items; i++) {
    labels[i] = (syntax_name){s->items[i]->text, s->items[i]->where};
  }
  const model_set *set = sets_labels(c, &name, s->n_items, labels);
  return set ? keep(c, set) : NULL;
}

static const model_set *labels(checker *c, const syntax_set *s, inline_members *only)
{
  const model_set *others = NULL;
  const model_set *set = set_with(c, s, &others);
  if (others) {
    diagnostics_error(c->d, s->where,
                      "both '%s' and '%s' have these labels; write 'k in %s where ...' for a part "
                      "of one of them",
                      set->name, others->name, set->name);
    return NULL;
  }
  if (!set) {
    return new_labels(c, s);
  }
  if (!has_labels(set, s, 1)) {
    const model_index **items = ARENA_ARRAY(c->memory, s->n_items, const model_index *);
    for (int i = 0; i < s->n_items; i++) {
      items[i] = indices_for_set(c, s->items[i], set, NULL);
    }
    *only = (inline_members){s->n_items, items};
  }
  return set;
}

/* Whether all items are names that are neither variables nor sizes. */
static int are_labels(const checker *c, const syntax_set *s, const bound *inner)
{
  for (int i = 0; i < s->n_items; i++) {
    if (s->items[i]->kind != SYNTAX_NAME || indices_is_index(c, s->items[i], inner, 1)) {
      return 0;
    }
  }
  return 1;
}

/* ---- interface ---- */

const model_set *inline_set(checker *c, const syntax_set *s, const bound *inner,
                            inline_members *only)
{
  *only = (inline_members){0, NULL};
  if (s->lower) {
    return range(c, s, inner);
  }
  if (!s->items) {
    return scope_set(c, &s->name);
  }
  if (s->n_items > MODEL_MAX_LABELS) {
    diagnostics_error(c->d, s->where, "a list of %d elements; at most %d are possible", s->n_items,
                      MODEL_MAX_LABELS);
    return NULL;
  }
  return are_labels(c, s, inner) ? labels(c, s, only) : integers(c, s, inner, only);
}

const model_set *inline_array_set(checker *c, const syntax_set *s)
{
  inline_members only;
  const model_set *set = inline_set(c, s, NULL, &only);
  if (set && only.n > 0 && !set->is_range) {
    /* the dimension has exactly these labels, even if another set contains them */
    return new_labels(c, s);
  }
  if (set && only.n > 0) {
    diagnostics_error(c->d, s->where,
                      "a dimension is a range without gaps, or a whole set of labels");
    return NULL;
  }
  return set;
}

/* ---- ranges and conditions for families ---- */

/* The minimum (direction -1) or maximum (direction 1) of an index, in sizes; NULL if it has no
 * such form. */
static const model_index *inline_sets_end_of(checker *c, const model_index *index, int direction)
{
  const model_index *a = index->a;
  const model_index *b = index->b;
  const model_set *set = NULL;
  long value = 0;
  int turn = index->kind == INDEX_NEG ? -direction : direction;
  if (!model_index_has(index, INDEX_VARIABLE)) {
    return index;
  }
  switch (index->kind) {
  case INDEX_VARIABLE:
    set = index->binder->set;
    if (!set || set->is_dependent) {
      return NULL;
    }
    if (set->is_range) {
      return direction < 0 ? set->lower : set->upper;
    }
    return indices_integer(c->memory, direction < 0 ? 0 : set->count - 1, (span){0, 0});
  case INDEX_ENTRY:
    set = index->indices->target;
    return !set->is_range ? NULL : direction < 0 ? set->lower : set->upper;
  case INDEX_MOD:
    return direction < 0 ? indices_integer(c->memory, 0, (span){0, 0})
                         : inline_sets_end_of(c, index->b, 1);
  case INDEX_MUL:
    if (!reach_constant(a, &value)) {
      a = index->b;
      b = index->a;
    }
    if (!reach_constant(a, &value)) {
      return NULL;
    }
    b = inline_sets_end_of(c, b, value < 0 ? -direction : direction);
    return b ? indices_again(c->memory, index, a, b) : NULL;
  default:
    a = inline_sets_end_of(c, a, turn);
    b = b ? inline_sets_end_of(c, b, index->kind == INDEX_SUB ? -direction : direction) : NULL;
    return a && (!index->b || b) ? indices_again(c->memory, index, a, b) : NULL;
  }
}

/* ---- conditions ---- */

static const model_condition *inline_sets_compared(checker *c, model_condition_kind kind,
                                                   const model_index *left,
                                                   const model_index *right)
{
  const model_condition condition = {.kind = kind, .left = left, .right = right};
  return ARENA_COPY(c->memory, model_condition, &condition);
}

const model_condition *inline_joined(checker *c, model_condition_kind kind,
                                     const model_condition *a, const model_condition *b)
{
  const model_condition both = {.kind = kind, .a = a, .b = b};
  return a && b ? ARENA_COPY(c->memory, model_condition, &both) : a ? a : b;
}

/* The condition that the binder is one of the members; NULL for n = 0. */
static const model_condition *inline_is_member(checker *c, const model_binder *binder,
                                               const inline_members *only)
{
  const model_condition *result = NULL;
  for (int i = 0; i < only->n; i++) {
    const model_index *item = only->at[i];
    result =
        inline_joined(c, CONDITION_OR, result,
                      inline_sets_compared(c, CONDITION_EQ,
                                           indices_variable(c->memory, binder, item->where), item));
  }
  return result;
}

const model_condition *inline_is_between(checker *c, const model_binder *binder,
                                         const model_index *lower, const model_index *upper)
{
  return inline_joined(
      c, CONDITION_AND,
      inline_sets_compared(c, CONDITION_GE, indices_variable(c->memory, binder, lower->where),
                           lower),
      inline_sets_compared(c, CONDITION_LE, indices_variable(c->memory, binder, upper->where),
                           upper));
}

/* `i in node, k in xyz where ...`: the variables of a sum or a family, and their
 * condition. */

/* Adds the variable of one `i in set` to the scope, and its restriction to the condition.
 * Returns 0 after an error. */
static int add_binder(checker *c, const syntax_binder *b, int is_family, scope_binders *result,
                      const model_set **over)
{
  inline_members only;
  const model_set *set = inline_set(c, &b->set, result->inner, &only);
  const model_set *range = set;
  if (set && set->is_dependent && is_family) {
    /* a range in sizes that contains all values */
    const model_index *lower = inline_sets_end_of(c, set->lower, -1);
    const model_index *upper = inline_sets_end_of(c, set->upper, 1);
    if (!lower || !upper) {
      diagnostics_error(c->d, set->where,
                        "the ends of this range have no bounds in sizes alone; write a named set "
                        "and 'where'");
      return 0;
    }
    range = constant_range(c, range_name(c, lower, upper), lower, upper, set->where);
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
