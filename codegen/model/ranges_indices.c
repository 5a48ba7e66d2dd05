/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ranges_indices.c -- checks the indices of a formula, with let arguments substituted.
 */
#include "model/ranges.h"

int ranges_charge(walk *w, long parts)
{
  if (w->stopped) {
    return 0;
  }
  w->left -= parts;
  if (w->left >= 0) {
    return 1;
  }
  w->stopped = 1;
  diagnostics_error(w->c->d, w->where,
                    "this formula expands to too many parts with the lets that it uses; use fewer "
                    "nested lets");
  return 0;
}

/* ---- indices and conditions in the variables of the formula ---- */

/* The variable that replaces a variable with a dependent set; the variable itself if there is
 * none. */
static const model_binder *standing_for(const model_binder *binder, const reach *r)
{
  for (; r; r = r->outer) {
    for (int j = 0; r->originals && j < r->n; j++) {
      if (r->originals[j] == binder) {
        return r->binders[j];
      }
    }
  }
  return binder;
}

/* The index with arguments substituted for the binders of lets, and with the replacements of
 * variables whose sets are dependent. */
static const model_index *ranges_indices_put(checker *c, const model_index *index,
                                             const argument_frame *f, const reach *r)
{
  if (index->kind == INDEX_VARIABLE && index->binder->set && index->binder->set->is_dependent) {
    return indices_variable(c->memory, standing_for(index->binder, r), index->where);
  }
  for (int j = 0; f && index->kind == INDEX_VARIABLE && j < f->n; j++) {
    if (f->binders[j] == index->binder) {
      return f->arguments[j];
    }
  }
  const model_index *a = index->a ? ranges_indices_put(c, index->a, f, r) : NULL;
  const model_index *b = index->b ? ranges_indices_put(c, index->b, f, r) : NULL;
  return a == index->a && b == index->b ? index : indices_again(c->memory, index, a, b);
}

static long ranges_indices_count_parts(const model_index *index)
{
  return index ? 1 + ranges_indices_count_parts(index->a) + ranges_indices_count_parts(index->b)
               : 0;
}

span ranges_place(const argument_frame *f, span where)
{
  for (; f; f = f->outer) {
    where = f->call;
  }
  return where;
}

const model_index *ranges_index(walk *w, const model_index *index, const argument_frame *f,
                                const reach *r)
{
  if (!ranges_charge(w, 1)) {
    return NULL;
  }
  const model_index *result = ranges_indices_put(w->c, index, f, r);
  long parts = ranges_indices_count_parts(result);
  if (parts <= MODEL_MAX_INDEX_PARTS) {
    return ranges_charge(w, parts) ? result : NULL;
  }
  diagnostics_error(
      w->c->d, ranges_place(f, index->where),
      "an index expression has more than %d parts once the arguments of lets are put in",
      MODEL_MAX_INDEX_PARTS);
  w->stopped = 1;
  return NULL;
}

const model_condition *ranges_condition(walk *w, const model_condition *condition,
                                        const argument_frame *f, const reach *r)
{
  if (!condition) {
    return condition;
  }
  model_condition *copy = ARENA_NEW(w->c->memory, model_condition);
  *copy = *condition;
  if (condition->left) {
    copy->left = ranges_index(w, condition->left, f, r);
    copy->right = ranges_index(w, condition->right, f, r);
    return copy->left && copy->right ? copy : NULL;
  }
  copy->a = ranges_condition(w, condition->a, f, r);
  if (condition->b) {
    copy->b = ranges_condition(w, condition->b, f, r);
  }
  return copy->a && (!condition->b || copy->b) ? copy : NULL;
}

/* ---- messages ---- */

static void note_body(walk *w, const argument_frame *f, span where)
{
  if (f) {
    diagnostics_note(w->c->d, where, "this is the index, in '%s'", f->name);
  }
}

static void report_outside(walk *w, const model_index *index, const model_set *set,
                           const argument_frame *f)
{
  arena *a = w->c->memory;
  const char *text = text_index(a, index, 0);
  const char *at = index->kind == INDEX_VARIABLE ? "" : text_witness(w->c, 1, &index);
  const char *range = text_range(a, set);
  long value = model_index_value(index, w->c->environment);
  span where = ranges_place(f, index->where);
  if (index->kind == INDEX_INTEGER) {
    diagnostics_error(w->c->d, where, "index %s is outside %s", text, range);
  } else {
    diagnostics_error(w->c->d, where, "index %s is %ld%s, outside %s", text, value, at, range);
  }
}

static void report_undecided(walk *w, const argument_frame *f, span where)
{
  diagnostics_error(w->c->d, ranges_place(f, where),
                    "too many combinations of index values to check this index against the 'where' "
                    "conditions: at most %ld are tried, and fewer where many formulas need it",
                    MODEL_MAX_ROUNDS);
}

/* ---- indices ---- */

static void check_index(walk *w, const model_index *index, const model_set *set,
                        const argument_frame *f, const reach *r, span where)
{
  if (!reach_good(w->c, r, index, ranges_place(f, where))) {
    return;
  }
  int missed = reach_outside(w->c, r, index, set);
  if (missed > 0) {
    report_outside(w, index, set, f);
  } else if (missed < 0 && model_index_has(index, INDEX_ENTRY)) {
    diagnostics_error(w->c->d, ranges_place(f, index->where),
                      "index %s can be outside %s with some data; an array of indices into '%s' is "
                      "declared by 'in %s', and its entries stand alone",
                      text_index(w->c->memory, index, 0), text_range(w->c->memory, set), set->name,
                      set->name);
  } else if (missed < 0) {
    report_undecided(w, f, where);
  }
  if (missed) {
    note_body(w, f, where);
  }
}

const model_index *const *ranges_entry(walk *w, const model_expr *e, const model_set *const sets[],
                                       const argument_frame *f, const reach *r)
{
  const model_index **index = ARENA_ARRAY(w->c->memory, e->n_index + 1, const model_index *);
  int before = diagnostics_count(w->c->d);
  for (int j = 0; j < e->n_index; j++) {
    index[j] = ranges_index(w, e->index[j], f, r);
    if (!index[j]) {
      return NULL;
    }
    check_index(w, index[j], sets[j], f, r, e->index[j]->where);
  }
  return diagnostics_count(w->c->d) == before ? index : NULL;
}

/* The condition of a family, with indices substituted for its binders. */
static const model_condition *put_in_condition(checker *c, const model_condition *condition,
                                               const argument_frame *f)
{
  model_condition *copy = ARENA_NEW(c->memory, model_condition);
  *copy = *condition;
  if (condition->left) {
    copy->left = ranges_indices_put(c, condition->left, f, NULL);
    copy->right = ranges_indices_put(c, condition->right, f, NULL);
    return copy;
  }
  copy->a = put_in_condition(c, condition->a, f);
  copy->b = condition->b ? put_in_condition(c, condition->b, f) : NULL;
  return copy;
}

const model_index *const *ranges_instance(walk *w, const model_expr *e, const argument_frame *f,
                                          const reach *r)
{
  const model_index *const *index = ranges_entry(w, e, scope_sets(w->c, e->family), f, r);
  if (!index || !e->family->condition) {
    return index;
  }
  const argument_frame own = {.n = e->n_index, .binders = e->family->binders, .arguments = index};
  int missed = reach_failing(w->c, r, put_in_condition(w->c, e->family->condition, &own));
  if (missed < 0) {
    report_undecided(w, f, e->where);
  }
  if (missed <= 0) {
    return missed == 0 ? index : NULL;
  }
  diagnostics_error(w->c->d, ranges_place(f, e->where),
                    "the 'where' of '%s' leaves this instance out%s", e->family->name,
                    text_witness(w->c, e->n_index, index));
  diagnostics_note(w->c->d, e->family->where, "'%s' is declared here", e->family->name);
  return NULL;
}
